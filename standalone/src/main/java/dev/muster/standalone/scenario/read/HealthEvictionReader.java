package dev.muster.standalone.scenario.read;

import dev.muster.scheduler.core.model.HealthEviction;
import java.util.Set;

/** Reads {@code spec.config.healthEviction}: who is evicted from sick GPUs and lost nodes; what is not named keeps its default. */
final class HealthEvictionReader {
    private static final HealthEviction DEFAULT = HealthEviction.DEFAULT;
    private static final Set<String> KNOWN = Set.of("enabled", "after", "nodeLost", "slotsHeld", "mostPercent");

    private HealthEvictionReader() {}

    static HealthEviction read(Document document, Fields config) {
        if (!config.has("healthEviction")) {
            return DEFAULT;
        }
        Fields fields = Fields.of(document, "spec.config.healthEviction", config.get("healthEviction"), KNOWN);
        HealthEviction eviction = new HealthEviction(
                !fields.has("enabled") || fields.flag("enabled"),
                fields.duration("after", DEFAULT.afterMillis()),
                fields.duration("nodeLost", DEFAULT.nodeLostMillis()),
                fields.duration("slotsHeld", DEFAULT.slotsHeldMillis()),
                fields.has("mostPercent") ? fields.count("mostPercent") : DEFAULT.mostPercent());
        if (eviction.slotsHeldMillis() < 1) {
            throw fields.expected("slotsHeld", "at least 1ms");
        }
        if (eviction.mostPercent() < 1 || eviction.mostPercent() > 100) {
            throw fields.expected("mostPercent", "1 to 100");
        }
        return eviction;
    }
}
