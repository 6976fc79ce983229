package dev.muster.standalone.cluster;

import java.util.ArrayList;
import java.util.List;

/** The last changes of one kind in order of resource version. Not thread-safe: guarded by the store's lock. */
final class ChangeRing {

    private final Change[] ring;
    private long written;
    private long kept;
    private long forgottenVersion;

    ChangeRing(int capacity) {
        ring = new Change[capacity];
    }

    void append(Change change) {
        int slot = (int) (written % ring.length);
        if (written - kept == ring.length) {
            forgottenVersion = ring[slot].resourceVersion();
            kept++;
        }
        ring[slot] = change;
        written++;
    }

    /** Forgets every change up to now: a watch that starts at an older version than {@code version} is too late. */
    void forget(long version) {
        java.util.Arrays.fill(ring, null);
        kept = written;
        forgottenVersion = version;
    }

    /** Whether a change after that version may be missing here. */
    boolean tooOld(long version) {
        return version < forgottenVersion;
    }

    /** Changes after a version, oldest first, at most {@code limit}. */
    List<Change> after(long version, int limit) {
        long low = kept;
        long high = written;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (ring[(int) (middle % ring.length)].resourceVersion() <= version) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low == written) {
            return List.of();
        }
        List<Change> found = new ArrayList<>((int) Math.min(limit, written - low));
        for (long at = low; at < written && found.size() < limit; at++) {
            found.add(ring[(int) (at % ring.length)]);
        }
        return found;
    }
}
