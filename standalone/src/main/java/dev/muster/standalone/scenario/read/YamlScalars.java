package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiFunction;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/** What a YAML scalar means to kubectl: yes and on are true, dates and 1:30 are text, 0x10 and 010 are numbers. */
final class YamlScalars {
    private static final JsonNodeFactory MAKE = JsonNodeFactory.instance;
    private static final Set<String> TRUE = Set.of("yes", "true", "on");
    private static final int LONGEST_NUMBER = 40;

    private YamlScalars() {}

    static JsonNode value(ScalarNode scalar, BiFunction<Mark, String, ScenarioFormatException> problem) {
        String text = scalar.getValue();
        Tag tag = scalar.getTag();
        if (Tag.NULL.equals(tag)) {
            return MAKE.nullNode();
        }
        if (Tag.BOOL.equals(tag)) {
            return MAKE.booleanNode(TRUE.contains(text.toLowerCase(Locale.ROOT)));
        }
        if (Tag.INT.equals(tag) || Tag.FLOAT.equals(tag)) {
            return number(text);
        }
        if (!tag.getValue().startsWith(Tag.PREFIX)) {
            throw problem.apply(scalar.getStartMark(), "the tag " + tag.getValue() + " is not known");
        }
        return MAKE.textNode(text);
    }

    /** A number, or the text where it is none to kubectl or longer than any that means something. */
    private static JsonNode number(String text) {
        String plain = text.replace("_", "");
        String digits = plain.startsWith("-") || plain.startsWith("+") ? plain.substring(1) : plain;
        if (digits.isEmpty() || digits.length() > LONGEST_NUMBER || digits.contains(":")) {
            return MAKE.textNode(text);
        }
        try {
            if (digits.matches("0x[0-9a-fA-F]+")) {
                return integer(plain, digits.substring(2), 16);
            }
            if (digits.matches("0b[01]+")) {
                return integer(plain, digits.substring(2), 2);
            }
            if (digits.matches("0[0-7]+")) {
                return integer(plain, digits, 8);
            }
            return digits.matches("[0-9]+") ? integer(plain, digits, 10) : MAKE.numberNode(new BigDecimal(plain));
        } catch (NumberFormatException e) {
            return MAKE.textNode(text);
        }
    }

    private static JsonNode integer(String plain, String digits, int radix) {
        BigInteger value = new BigInteger(digits, radix);
        BigInteger signed = plain.startsWith("-") ? value.negate() : value;
        if (signed.bitLength() < Integer.SIZE) {
            return MAKE.numberNode(signed.intValue());
        }
        return signed.bitLength() < Long.SIZE ? MAKE.numberNode(signed.longValue()) : MAKE.numberNode(signed);
    }
}
