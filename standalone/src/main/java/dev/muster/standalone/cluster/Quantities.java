package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;

/** Kubernetes quantities ({@code 500m}, {@code 2Gi}) in thousandths, the unit in which cpu is exact. */
public final class Quantities {

    private static final Map<String, BigDecimal> SUFFIXES = Map.ofEntries(
            Map.entry("n", BigDecimal.ONE.movePointLeft(9)),
            Map.entry("u", BigDecimal.ONE.movePointLeft(6)),
            Map.entry("m", BigDecimal.ONE.movePointLeft(3)),
            Map.entry("k", BigDecimal.valueOf(1_000)),
            Map.entry("M", BigDecimal.valueOf(1_000_000)),
            Map.entry("G", BigDecimal.valueOf(1_000_000_000L)),
            Map.entry("T", BigDecimal.valueOf(1_000_000_000_000L)),
            Map.entry("P", BigDecimal.valueOf(1_000_000_000_000_000L)),
            Map.entry("E", BigDecimal.valueOf(1_000_000_000_000_000_000L)),
            Map.entry("Ki", BigDecimal.valueOf(1L << 10)),
            Map.entry("Mi", BigDecimal.valueOf(1L << 20)),
            Map.entry("Gi", BigDecimal.valueOf(1L << 30)),
            Map.entry("Ti", BigDecimal.valueOf(1L << 40)),
            Map.entry("Pi", BigDecimal.valueOf(1L << 50)),
            Map.entry("Ei", BigDecimal.valueOf(1L << 60)));

    private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

    private Quantities() {}

    /**
     * Thousandths of the unit, rounded up, at most {@code Long.MAX_VALUE}.
     *
     * @throws IllegalArgumentException where it is no quantity
     */
    public static long milli(JsonNode quantity) {
        return milli(quantity.asText());
    }

    public static long milli(String quantity) {
        int end = quantity.length();
        while (end > 0 && Character.isLetter(quantity.charAt(end - 1))) {
            end--;
        }
        String suffix = quantity.substring(end);
        BigDecimal factor = suffix.isEmpty() ? BigDecimal.ONE : SUFFIXES.get(suffix);
        if (factor == null) {
            throw new IllegalArgumentException("not a quantity: " + quantity);
        }
        BigDecimal number = new BigDecimal(quantity.substring(0, end)).multiply(factor);
        return number.multiply(THOUSAND)
                .setScale(0, RoundingMode.CEILING)
                .min(LARGEST)
                .longValue();
    }
}
