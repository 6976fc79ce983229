package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.scheduler.core.model.PreemptionPolicy;
import dev.muster.scheduler.core.model.PreemptionPolicy.Ceiling;
import dev.muster.scheduler.core.model.PreemptionPolicy.Fence;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads {@code spec.config.preemption}: the guards of preemption; what is not named keeps its default. */
final class PreemptionReader {
    private static final PreemptionPolicy DEFAULT = PreemptionPolicy.DEFAULT;
    private static final Set<String> KNOWN = Set.of(
            "enabled",
            "fence",
            "evictionsPerQueue",
            "evictionsPerQueuePerHour",
            "evictionsPerDomain",
            "evictionsPerDomainPerHour",
            "minimumRuntime",
            "cascadeDepth",
            "cycleMemory",
            "failedStarts",
            "protectedClasses",
            "ceilings",
            "roomKept",
            "protectedLabels");

    private PreemptionReader() {}

    static PreemptionPolicy read(Document document, Fields config) {
        if (!config.has("preemption")) {
            return DEFAULT;
        }
        Fields fields = Fields.of(document, "spec.config.preemption", config.get("preemption"), KNOWN);
        PreemptionPolicy policy = new PreemptionPolicy(
                !fields.has("enabled") || fields.flag("enabled"),
                fence(fields),
                count(fields, "evictionsPerQueue", DEFAULT.evictionsPerQueue()),
                count(fields, "evictionsPerQueuePerHour", DEFAULT.evictionsPerQueuePerHour()),
                count(fields, "evictionsPerDomain", DEFAULT.evictionsPerDomain()),
                count(fields, "evictionsPerDomainPerHour", DEFAULT.evictionsPerDomainPerHour()),
                fields.duration("minimumRuntime", DEFAULT.minimumRuntimeMillis()),
                count(fields, "cascadeDepth", DEFAULT.cascadeDepth()),
                fields.duration("cycleMemory", DEFAULT.cycleMemoryMillis()),
                count(fields, "failedStarts", DEFAULT.failedStarts()),
                words(fields, "protectedClasses", "names of priority classes"),
                ceilings(document, fields),
                fields.duration("roomKept", DEFAULT.roomKeptMillis()),
                words(fields, "protectedLabels", "labels: key or key=value"));
        if (policy.roomKeptMillis() < 1000) {
            throw fields.expected("roomKept", "at least 1s");
        }
        return policy;
    }

    private static Fence fence(Fields fields) {
        String text = fields.text("fence", "Cluster");
        for (Fence fence : Fence.values()) {
            if (fence.name().equals(text.toUpperCase(Locale.ROOT))) {
                return fence;
            }
        }
        throw fields.expected("fence", "Cluster, Queue or Namespace");
    }

    private static int count(Fields fields, String name, int otherwise) {
        return fields.has(name) ? fields.count(name) : otherwise;
    }

    private static List<String> words(Fields fields, String name, String what) {
        List<String> words = new ArrayList<>();
        if (fields.has(name)) {
            for (JsonNode word : fields.list(name, what)) {
                if (!word.isTextual() || word.asText().isEmpty()) {
                    throw fields.expected(name, "a list of " + what);
                }
                words.add(word.asText());
            }
        }
        return words;
    }

    private static List<Ceiling> ceilings(Document document, Fields fields) {
        List<Ceiling> ceilings = new ArrayList<>();
        if (fields.has("ceilings")) {
            for (JsonNode each : fields.list("ceilings", "{namespace, priority}")) {
                Fields ceiling = Fields.of(document, fields.field("ceilings"), each, Set.of("namespace", "priority"));
                ceilings.add(new Ceiling(ceiling.text("namespace", "*"), ceiling.count("priority")));
            }
        }
        return ceilings;
    }
}
