package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.standalone.cluster.Quantities;
import java.util.regex.Pattern;

/** Quantities: of Kubernetes' form, not negative, and not more than anybody has. */
final class QuantityChecks {
    private static final Pattern FORM =
            Pattern.compile("[+-]?(\\d{1,30}(\\.\\d{0,30})?|\\.\\d{1,30})([numkMGTPE]|[KMGTPE]i|[eE][+-]?\\d{1,2})?");
    private static final long MOST_MILLI = 1L << 60;

    private QuantityChecks() {}

    /** Thousandths. */
    static long milli(Document document, String field, JsonNode value) {
        String text = value.asText("");
        if (!(value.isTextual() || value.isNumber()) || !FORM.matcher(text).matches()) {
            throw document.expected(field, "a quantity such as 500m, 2 or 16Gi", value);
        }
        long milli = parse(text);
        if (milli < 0 || milli > MOST_MILLI) {
            throw document.expected(field, milli < 0 ? "0 or more" : "at most 1Pi", value);
        }
        return milli;
    }

    private static long parse(String text) {
        String plain = text.startsWith("+") ? text.substring(1) : text;
        if (plain.startsWith("-")) {
            return Quantities.milli(plain.substring(1)) == 0 ? 0 : -1;
        }
        return Quantities.milli(plain);
    }

    /** Every amount of a mapping from resource to quantity; missing is well. */
    static void all(Document document, String field, JsonNode amounts) {
        if (amounts.isMissingNode()) {
            return;
        }
        if (!amounts.isObject()) {
            throw document.expected(field, "amounts per resource", amounts);
        }
        amounts.properties().forEach(each -> milli(document, field + "[" + each.getKey() + "]", each.getValue()));
    }
}
