package dev.muster.scheduler.core.model;

/** A node's taint (core/v1 Taint). */
public record Taint(String key, String value, String effect) {
    /** Keeps pods that do not tolerate it from being placed. */
    public static final String NO_SCHEDULE = "NoSchedule";

    /** Lowers the score for pods that do not tolerate it. */
    public static final String PREFER_NO_SCHEDULE = "PreferNoSchedule";

    /** Like NoSchedule, and evicts running pods. */
    public static final String NO_EXECUTE = "NoExecute";

    /** Whether the taint forbids placement rather than discouraging it. */
    public boolean forbids() {
        return effect.equals(NO_SCHEDULE) || effect.equals(NO_EXECUTE);
    }
}
