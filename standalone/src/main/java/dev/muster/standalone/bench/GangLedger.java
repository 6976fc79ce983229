package dev.muster.standalone.bench;

import dev.muster.standalone.bench.ClusterNews.Place;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What became of each gang: when it was meant to be sent, when a reader of committed decisions had its placement in hand,
 * and whether any GPU was promised twice. The two times are written by different threads.
 */
final class GangLedger {
    private static final int WHOLE_NODE = (1 << StreamOptions.GPUS_PER_NODE) - 1;

    private final AtomicLongArray intendedNanos;
    private final AtomicLongArray decidedNanos;
    private final int[] devicesInUse;
    private long violations;

    GangLedger(int mostGangs, int nodes) {
        intendedNanos = new AtomicLongArray(mostGangs);
        decidedNanos = new AtomicLongArray(mostGangs);
        devicesInUse = new int[nodes];
    }

    int mostGangs() {
        return intendedNanos.length();
    }

    void sent(int gang, long intended) {
        intendedNanos.set(gang, intended);
    }

    /** Takes note of a gang's placement; false when it had one already. */
    boolean decided(int gang, long nanos, Place[] places) {
        if (!decidedNanos.compareAndSet(gang, 0, nanos)) {
            violation();
            return false;
        }
        change(places, true);
        return true;
    }

    /** A gang's pods have ended: their devices may be promised again. Called before anybody is told. */
    void ended(Place[] places) {
        change(places, false);
    }

    boolean isDecided(int gang) {
        return decidedNanos.get(gang) != 0;
    }

    /** From the time the gang was meant to be sent to its decision, nanoseconds. */
    long latencyNanos(int gang) {
        return decidedNanos.get(gang) - intendedNanos.get(gang);
    }

    long intendedNanos(int gang) {
        return intendedNanos.get(gang);
    }

    long decidedNanos(int gang) {
        return decidedNanos.get(gang);
    }

    private synchronized void change(Place[] places, boolean taken) {
        if (Arrays.stream(places)
                .anyMatch(place -> place == null || place.devices().size() != 1)) {
            violations++;
            return;
        }
        for (Place place : places) {
            int device = 1 << place.devices().getFirst();
            int node = ClusterNews.nodeNumber(place.node());
            boolean inUse = (devicesInUse[node] & device) != 0;
            if (inUse == taken || (device & WHOLE_NODE) == 0) {
                violations++;
            }
            devicesInUse[node] = taken ? devicesInUse[node] | device : devicesInUse[node] & ~device;
        }
    }

    private synchronized void violation() {
        violations++;
    }

    /** GPUs promised twice, gangs placed twice or in part. */
    synchronized long violations() {
        return violations;
    }
}
