package dev.muster.standalone.cluster;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What happened in a simulated cluster since it started. Read any time from any thread. */
public final class Counters {

    private final LongAdder binds = new LongAdder();
    private final LongAdder bindConflicts = new LongAdder();
    private final LongAdder evictions = new LongAdder();
    private final LongAdder evictionsRefused = new LongAdder();
    private final LongAdder violations = new LongAdder();
    private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();

    Counters() {}

    void bound() {
        binds.increment();
    }

    void bindConflict() {
        bindConflicts.increment();
    }

    void evicted() {
        evictions.increment();
    }

    void evictionRefused() {
        evictionsRefused.increment();
    }

    void violated() {
        violations.increment();
    }

    void requested(String verb) {
        requests.computeIfAbsent(verb, unused -> new LongAdder()).increment();
    }

    /** Bindings that were carried out. */
    public long binds() {
        return binds.sum();
    }

    /** Bindings answered with 409. */
    public long bindConflicts() {
        return bindConflicts.sum();
    }

    /** Pods that were evicted; evicting one again does not count. */
    public long evictions() {
        return evictions.sum();
    }

    /** Evictions answered with 429. */
    public long evictionsRefused() {
        return evictionsRefused.sum();
    }

    /** Pods a kubelet had to turn away because their node had no room: mistakes of whoever bound them. */
    public long violations() {
        return violations.sum();
    }

    /** HTTP requests by verb, such as {@code list} or {@code create pods/binding}, in order of name. */
    public Map<String, Long> requests() {
        Map<String, Long> sums = new TreeMap<>();
        requests.forEach((verb, count) -> sums.put(verb, count.sum()));
        return sums;
    }
}
