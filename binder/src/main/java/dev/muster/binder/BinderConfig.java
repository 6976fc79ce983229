package dev.muster.binder;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Limits of one binder. None of them changes what is decided, only how fast and how patiently it is carried out.
 *
 * @param concurrency API calls for decisions that may be under way at once, 1..1024
 * @param maxInFlight decisions that may be under way at once, 1..100000; consumption pauses above
 * @param statusConcurrency API calls for conditions, events and phases that may be under way at once, 1..64
 * @param statusBacklog workloads whose status may wait to be written, at least 1; consumption of statuses pauses above
 * @param requestTimeout how long one API call may take
 * @param confirmTimeout how long a binding may take to show up on the watch before it is read instead
 * @param evictionPatience how long a Revoke asks for an eviction that a disruption budget refuses before it deletes
 * @param firstBackoff pause after the first failed try; doubles each time
 * @param maxBackoff longest pause between two tries
 * @param leaseNamespace namespace of the member cluster in which seals of placements lie, as Leases; must exist
 */
public record BinderConfig(
        int concurrency,
        int maxInFlight,
        int statusConcurrency,
        int statusBacklog,
        Duration requestTimeout,
        Duration confirmTimeout,
        Duration evictionPatience,
        Duration firstBackoff,
        Duration maxBackoff,
        String leaseNamespace) {

    /**
     * Checks every limit.
     *
     * @throws IllegalArgumentException naming every limit that is out of range
     */
    public BinderConfig {
        List<String> errors = new ArrayList<>();
        within(errors, "concurrency", concurrency, 1, 1024);
        within(errors, "maxInFlight", maxInFlight, 1, 100_000);
        within(errors, "statusConcurrency", statusConcurrency, 1, 64);
        within(errors, "statusBacklog", statusBacklog, 1, 1_000_000);
        positive(errors, "requestTimeout", requestTimeout);
        positive(errors, "confirmTimeout", confirmTimeout);
        positive(errors, "evictionPatience", evictionPatience);
        positive(errors, "firstBackoff", firstBackoff);
        positive(errors, "maxBackoff", maxBackoff);
        if (leaseNamespace == null || leaseNamespace.isBlank()) {
            errors.add("leaseNamespace must be named");
        }
        if (errors.isEmpty() && maxBackoff.compareTo(firstBackoff) < 0) {
            errors.add("maxBackoff " + maxBackoff + " is shorter than firstBackoff " + firstBackoff);
        }
        if (!errors.isEmpty()) {
            throw new IllegalArgumentException("binder configuration: " + String.join("; ", errors));
        }
    }

    /** The limits for a cluster of ordinary size. */
    public static BinderConfig defaults() {
        return new BinderConfig(
                32,
                256,
                2,
                10_000,
                Duration.ofSeconds(5),
                Duration.ofSeconds(2),
                Duration.ofSeconds(30),
                Duration.ofMillis(50),
                Duration.ofSeconds(2),
                "kube-system");
    }

    /** The same with another number of API calls under way at once. */
    public BinderConfig withConcurrency(int calls) {
        return new BinderConfig(
                calls,
                maxInFlight,
                statusConcurrency,
                statusBacklog,
                requestTimeout,
                confirmTimeout,
                evictionPatience,
                firstBackoff,
                maxBackoff,
                leaseNamespace);
    }

    /** The same with another number of decisions under way at once. */
    public BinderConfig withMaxInFlight(int decisions) {
        return new BinderConfig(
                concurrency,
                decisions,
                statusConcurrency,
                statusBacklog,
                requestTimeout,
                confirmTimeout,
                evictionPatience,
                firstBackoff,
                maxBackoff,
                leaseNamespace);
    }

    private static void within(List<String> errors, String name, int value, int least, int most) {
        if (value < least || value > most) {
            errors.add(name + " must be " + least + ".." + most + ", is " + value);
        }
    }

    private static void positive(List<String> errors, String name, Duration value) {
        if (value == null || value.isNegative() || value.isZero()) {
            errors.add(name + " must be longer than zero, is " + value);
        }
    }
}
