package dev.muster.scheduler.core.model;

/**
 * One GPU health signal of a node that is on.
 *
 * @param device device index for scope DEVICE, -1 otherwise
 * @param kind XID, ECC, THERMAL, NVLINK or NPD
 * @param value the raw value
 * @param source label, taint or condition it was read from
 */
public record HealthSignal(Scope scope, int device, String kind, Severity severity, String value, String source) {
    /** What a signal is about. */
    public enum Scope {
        NODE,
        DEVICE,
        LINK
    }

    /** What a signal asks for. */
    public enum Severity {
        /** Recorded, changes nothing. */
        INFO,
        /** Lowers the score. */
        DEGRADED,
        /** No new placement. */
        FATAL,
        /** Could not be read; visible, changes nothing. */
        UNKNOWN
    }
}
