package dev.muster.standalone.scenario.observe;

/**
 * Something that an onlooker saw happen.
 *
 * @param subject the workload, node or object it happened to
 * @param pod name of the pod, where it is about one; empty otherwise
 * @param detail node, reason or sentence; may be empty
 */
public record Happening(long atMillis, Type type, String cluster, String subject, String pod, String detail) {
    /** Kinds of happenings; the text is what people read. */
    public enum Type {
        APPLIED("applied"),
        DELETED("deleted"),
        NODE("node"),
        WAITS("waits"),
        PLACED("placed"),
        SUCCEEDED("succeeded"),
        FAILED("failed"),
        PREEMPTS("preempts"),
        EVICTED("evicted"),
        STOPPING("stopping"),
        GONE("gone"),
        STATE("state"),
        REFUSED("refused"),
        RESTART("restart");

        private final String text;

        Type(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }
}
