package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.PodId;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Pods by their ids, in one array: a pod's place follows from the hash of its id, or is the next free one behind it. There may
 * be a million of them, and entries of a hash map would take forty bytes for each. What it is walked in is no order.
 */
final class PodTable implements Iterable<PodState> {
    private static final int SMALLEST = 16;

    private PodState[] slots = new PodState[SMALLEST];
    private int size;

    /** The pod with that id; null where none is known. */
    PodState get(PodId id) {
        int slot = start(id);
        while (slots[slot] != null && !slots[slot].id().equals(id)) {
            slot = next(slot);
        }
        return slots[slot];
    }

    /** Adds a pod, or puts it in place of the one with the same id. */
    void put(PodState pod) {
        if (size * 3 >= slots.length * 2) {
            grow();
        }
        int slot = start(pod.id());
        while (slots[slot] != null && !slots[slot].id().equals(pod.id())) {
            slot = next(slot);
        }
        size += slots[slot] == null ? 1 : 0;
        slots[slot] = pod;
    }

    /** Takes a pod out; those behind it move up, so that no gap parts them from where they are looked for. */
    void remove(PodId id) {
        int slot = start(id);
        while (slots[slot] != null && !slots[slot].id().equals(id)) {
            slot = next(slot);
        }
        if (slots[slot] == null) {
            return;
        }
        size--;
        int gap = slot;
        for (int at = next(gap); slots[at] != null; at = next(at)) {
            int from = start(slots[at].id());
            boolean reachesGap = gap <= at ? from <= gap || from > at : from <= gap && from > at;
            if (reachesGap) {
                slots[gap] = slots[at];
                gap = at;
            }
        }
        slots[gap] = null;
    }

    int size() {
        return size;
    }

    private void grow() {
        PodState[] before = slots;
        slots = new PodState[before.length * 2];
        for (PodState pod : before) {
            if (pod != null) {
                int slot = start(pod.id());
                while (slots[slot] != null) {
                    slot = next(slot);
                }
                slots[slot] = pod;
            }
        }
    }

    private int start(PodId id) {
        int hash = id.hashCode() * 0x9E3779B9; // spreads what differs in few bits; the upper ones are the best spread
        return hash >>> Integer.numberOfLeadingZeros(slots.length) + 1;
    }

    private int next(int slot) {
        return slot + 1 & slots.length - 1;
    }

    Stream<PodState> stream() {
        return StreamSupport.stream(spliterator(), false);
    }

    @Override
    public Iterator<PodState> iterator() {
        return new Iterator<>() {
            private int at = -1;

            {
                advance();
            }

            private void advance() {
                at++;
                while (at < slots.length && slots[at] == null) {
                    at++;
                }
            }

            @Override
            public boolean hasNext() {
                return at < slots.length;
            }

            @Override
            public PodState next() {
                if (at >= slots.length) {
                    throw new NoSuchElementException();
                }
                PodState pod = slots[at];
                advance();
                return pod;
            }
        };
    }
}
