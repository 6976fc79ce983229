package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.scheduler.core.model.FairSharing;
import dev.muster.scheduler.core.model.FairSharing.Strategy;
import dev.muster.scheduler.core.model.FairSharing.VolcanoShare;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads {@code spec.config.fairSharing}: how queues share; what is not named keeps its default. */
final class FairSharingReader {
    private static final FairSharing DEFAULT = FairSharing.DEFAULT;
    private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);
    private static final Set<String> KNOWN = Set.of(
            "enabled",
            "preemptionStrategies",
            "hysteresis",
            "volcano",
            "drf",
            "usageHalfLifeTime",
            "usageSamplingInterval",
            "resourceWeights");

    private FairSharingReader() {}

    static FairSharing read(Document document, Fields config) {
        if (!config.has("fairSharing")) {
            return DEFAULT;
        }
        Fields fields = Fields.of(document, "spec.config.fairSharing", config.get("fairSharing"), KNOWN);
        long samplingMillis = fields.duration("usageSamplingInterval", DEFAULT.usageSamplingMillis());
        if (samplingMillis < 1000) {
            throw fields.expected("usageSamplingInterval", "at least 1s");
        }
        return new FairSharing(
                fields.flag("enabled"),
                strategies(fields),
                fields.has("hysteresis")
                        ? milli(fields, "hysteresis", fields.get("hysteresis"), 1)
                        : DEFAULT.hysteresisMilli(),
                volcano(fields),
                fields.duration("usageHalfLifeTime", DEFAULT.usageHalfLifeMillis()),
                samplingMillis,
                weights(fields),
                fields.flag("drf"));
    }

    private static List<Strategy> strategies(Fields fields) {
        if (!fields.has("preemptionStrategies")) {
            return DEFAULT.strategies();
        }
        List<Strategy> strategies = new ArrayList<>();
        JsonNode given = fields.get("preemptionStrategies");
        for (JsonNode name : given.isArray() && given.isEmpty() ? List.<JsonNode>of() : list(fields)) {
            Strategy found = null;
            for (Strategy strategy : Strategy.values()) {
                found = strategy.label().equals(name.asText()) ? strategy : found;
            }
            if (found == null || strategies.contains(found)) {
                throw wrongStrategies(fields);
            }
            strategies.add(found);
        }
        return strategies;
    }

    private static List<JsonNode> list(Fields fields) {
        return fields.list("preemptionStrategies", "LessThanOrEqualToFinalShare and LessThanInitialShare");
    }

    private static ScenarioFormatException wrongStrategies(Fields fields) {
        return fields.expected(
                "preemptionStrategies", "a list of LessThanOrEqualToFinalShare and LessThanInitialShare, each once");
    }

    private static VolcanoShare volcano(Fields fields) {
        String text = fields.text("volcano", DEFAULT.volcano().label());
        for (VolcanoShare each : VolcanoShare.values()) {
            if (each.label().equals(text)) {
                return each;
            }
        }
        throw fields.expected("volcano", "None, Deserved, Proportion or Dominant");
    }

    private static SortedMap<String, Integer> weights(Fields fields) {
        SortedMap<String, Integer> weights = new TreeMap<>();
        JsonNode given = fields.get("resourceWeights");
        if (!given.isMissingNode() && !given.isObject()) {
            throw fields.expected("resourceWeights", "a mapping of resources to weights");
        }
        for (Map.Entry<String, JsonNode> each : given.properties()) {
            weights.put(each.getKey(), milli(fields, "resourceWeights", each.getValue(), 1000));
        }
        return weights;
    }

    /** A number of at most three decimals, in thousandths. */
    private static int milli(Fields fields, String name, JsonNode value, int most) {
        if (value.isNumber()) {
            BigDecimal milli = value.decimalValue().multiply(THOUSAND).stripTrailingZeros();
            boolean within = milli.signum() >= 0 && milli.compareTo(THOUSAND.multiply(BigDecimal.valueOf(most))) <= 0;
            if (within && milli.scale() <= 0) {
                return milli.intValueExact();
            }
        }
        throw fields.expected(name, "a number from 0 to " + most + " with at most three decimals");
    }
}
