package dev.muster.scheduler.core.model;

/**
 * One GPU health signal of a node that is on.
 *
 * @param device device index for scope DEVICE, and for scope LINK where it is known; -1 otherwise
 * @param kind XID, ECC, THERMAL, NVLINK or NPD
 * @param value the raw value
 * @param source label, taint, condition or annotation it was read from
 * @param peer device at the other end for scope LINK where it is known; -1 otherwise
 * @param ttlMillis how long it counts before it counts less, by its source; 0 for what the policy says
 */
public record HealthSignal(
        Scope scope, int device, String kind, Severity severity, String value, String source, int peer, long ttlMillis)
        implements Comparable<HealthSignal> {
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
        /** No new placement; what runs there cannot be expected to go on. */
        FATAL,
        /** Could not be read; visible, changes nothing. */
        UNKNOWN,
        /** No new placement until it is recovered; what runs goes on. */
        RECOVERABLE;

        /** Whether nothing new is placed on what has such a signal. */
        public boolean closes() {
            return this == FATAL || this == RECOVERABLE;
        }

        /** What is left of it after so many times its time to live: nothing new, then a lower score, then nothing. */
        public Severity after(int steps) {
            int left = (closes() ? 2 : this == DEGRADED ? 1 : 0) - steps;
            return steps == 0 ? this : left > 0 ? DEGRADED : INFO;
        }
    }

    /** A signal that no device or link is known of, for as long as the policy says. */
    public HealthSignal(Scope scope, int device, String kind, Severity severity, String value, String source) {
        this(scope, device, kind, severity, value, source, -1, 0);
    }

    /** Whether another signal is of the same trouble: a count that rose is, another XID is not. */
    @Override
    public int compareTo(HealthSignal other) {
        int bySource = source.compareTo(other.source);
        if (bySource != 0) {
            return bySource;
        }
        int byKind = kind.compareTo(other.kind);
        if (byKind != 0) {
            return byKind;
        }
        int byDevice = Integer.compare(device, other.device);
        if (byDevice != 0) {
            return byDevice;
        }
        int byPeer = Integer.compare(peer, other.peer);
        if (byPeer != 0) {
            return byPeer;
        }
        int byScope = scope.compareTo(other.scope);
        return byScope != 0 || !kind.equals("XID") ? byScope : value.compareTo(other.value);
    }
}
