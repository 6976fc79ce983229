package dev.muster.ingest.map;

import dev.muster.schemas.common.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Kubernetes quantities as whole numbers: cpu in thousandths of a core, everything else in its base unit.
 *
 * <p>The grammar is that of {@code k8s.io/apimachinery/pkg/api/resource}. The parser is our own because it must be total:
 * a value such as {@code 1e999999999} costs nothing here, and negative amounts do not exist for scheduling.
 */
public final class Quantities {

    /** Largest amount taken: 2^60. A sum of a few stays inside a long, so that overflow is noticed instead of wrapping. */
    public static final long LARGEST = 1L << 60;

    static final String EXPECTED = "a quantity from 0 to 2^60, such as 500m, 4 or 2Gi";

    private static final int LONGEST_TEXT = 64;
    private static final int LARGEST_EXPONENT = 30;

    private Quantities() {}

    /** The amount that {@code text} gives of {@code resource}; empty when it is not a quantity from 0 to {@link #LARGEST}. */
    public static OptionalLong parse(String resource, String text, RoundingMode rounding) {
        if (text == null || text.isEmpty() || text.length() > LONGEST_TEXT) {
            return OptionalLong.empty();
        }
        int at = text.charAt(0) == '+' ? 1 : 0;
        int end = at;
        int points = 0;
        int digits = 0;
        while (end < text.length() && (isDigit(text.charAt(end)) || text.charAt(end) == '.')) {
            points += text.charAt(end) == '.' ? 1 : 0;
            digits += text.charAt(end) == '.' ? 0 : 1;
            end++;
        }
        BigDecimal factor = factor(text.substring(end));
        if (digits == 0 || points > 1 || factor == null) {
            return OptionalLong.empty();
        }
        BigDecimal amount = new BigDecimal(text.substring(at, end)).multiply(factor);
        BigDecimal units = resource.equals("cpu") ? amount.movePointRight(3) : amount;
        BigDecimal whole = units.setScale(0, rounding);
        return whole.compareTo(BigDecimal.valueOf(LARGEST)) > 0
                ? OptionalLong.empty()
                : OptionalLong.of(whole.longValueExact());
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static BigDecimal factor(String suffix) {
        return switch (suffix) {
            case "" -> BigDecimal.ONE;
            case "n" -> BigDecimal.ONE.scaleByPowerOfTen(-9);
            case "u" -> BigDecimal.ONE.scaleByPowerOfTen(-6);
            case "m" -> BigDecimal.ONE.scaleByPowerOfTen(-3);
            case "k" -> BigDecimal.ONE.scaleByPowerOfTen(3);
            case "M" -> BigDecimal.ONE.scaleByPowerOfTen(6);
            case "G" -> BigDecimal.ONE.scaleByPowerOfTen(9);
            case "T" -> BigDecimal.ONE.scaleByPowerOfTen(12);
            case "P" -> BigDecimal.ONE.scaleByPowerOfTen(15);
            case "E" -> BigDecimal.ONE.scaleByPowerOfTen(18);
            case "Ki" -> BigDecimal.valueOf(1L << 10);
            case "Mi" -> BigDecimal.valueOf(1L << 20);
            case "Gi" -> BigDecimal.valueOf(1L << 30);
            case "Ti" -> BigDecimal.valueOf(1L << 40);
            case "Pi" -> BigDecimal.valueOf(1L << 50);
            case "Ei" -> BigDecimal.valueOf(1L << 60);
            default -> exponent(suffix);
        };
    }

    private static BigDecimal exponent(String suffix) {
        if (!suffix.matches("[eE][+-]?[0-9]{1,3}")) {
            return null;
        }
        int exponent = Integer.parseInt(suffix.substring(1));
        return Math.abs(exponent) > LARGEST_EXPONENT ? null : BigDecimal.ONE.scaleByPowerOfTen(exponent);
    }

    /** A list of amounts as the schemas want it: sorted by resource, without zeros. */
    static List<Quantity> list(SortedMap<String, Long> amounts) {
        List<Quantity> list = new ArrayList<>(amounts.size());
        amounts.forEach((resource, amount) -> {
            if (amount != 0) {
                list.add(new Quantity(resource, amount));
            }
        });
        return list;
    }

    /** Reads a resource list of a core object; what cannot be read is left out and reported. */
    static SortedMap<String, Long> read(
            Map<String, io.fabric8.kubernetes.api.model.Quantity> from,
            String field,
            RoundingMode rounding,
            Problems problems) {
        SortedMap<String, Long> amounts = new TreeMap<>();
        if (from == null || !problems.within(field, from.size(), Limits.RESOURCES)) {
            return amounts;
        }
        from.forEach((resource, quantity) -> {
            String text = quantity == null ? "" : text(quantity);
            put(amounts, resource, text, field, rounding, problems);
        });
        return amounts;
    }

    static void put(
            SortedMap<String, Long> into,
            String resource,
            String text,
            String field,
            RoundingMode rounding,
            Problems problems) {
        OptionalLong amount = parse(resource, text, rounding);
        String where = field + "[" + resource + "]";
        if (resource.length() > Limits.QUALIFIED_NAME) {
            problems.tooLarge(where, resource.length(), Limits.QUALIFIED_NAME);
        } else if (amount.isEmpty()) {
            problems.invalid(where, text, EXPECTED);
        } else {
            into.put(resource, amount.getAsLong());
        }
    }

    private static String text(io.fabric8.kubernetes.api.model.Quantity quantity) {
        String format = quantity.getFormat();
        return format == null ? quantity.getAmount() : quantity.getAmount() + format;
    }
}
