package dev.muster.ingest.watch;

import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * The brackets of one take-over: every kind is listed fresh once under the epoch, between a begin and an end record;
 * what the cluster no longer has falls away at the end. Later lists under the same epoch need no bracket, since it is
 * known what was published.
 */
public final class ResyncFence {

    private enum State {
        /** Not listed yet. */
        WAITING,
        /** Begun. */
        OPEN,
        /** Complete. */
        CLOSED
    }

    private final long epoch;
    private final Map<String, State> kinds = new TreeMap<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    /** A fence for {@code kinds} under {@code epoch}. */
    public ResyncFence(long epoch, Collection<String> kinds) {
        this.epoch = epoch;
        kinds.forEach(kind -> this.kinds.put(kind, State.WAITING));
    }

    /** The epoch of the take-over. */
    public long epoch() {
        return epoch;
    }

    /** Opens a kind's bracket; false when it was opened before. */
    public synchronized boolean open(String kind) {
        return move(kind, State.WAITING, State.OPEN);
    }

    /** True between opening and closing. */
    public synchronized boolean isOpen(String kind) {
        return kinds.get(kind) == State.OPEN;
    }

    /**
     * Closes a kind's bracket; false when it was closed before.
     *
     * @throws IllegalStateException when it was never opened
     */
    public synchronized boolean close(String kind) {
        if (kinds.get(kind) == State.WAITING) {
            throw new IllegalStateException("bracket of " + kind + " is closed before it was opened");
        }
        boolean moved = move(kind, State.OPEN, State.CLOSED);
        if (kinds.values().stream().allMatch(State.CLOSED::equals)) {
            closed.complete(null);
        }
        return moved;
    }

    private boolean move(String kind, State from, State to) {
        if (!kinds.containsKey(kind)) {
            throw new IllegalStateException("kind " + kind + " is not one of " + kinds.keySet());
        }
        return kinds.replace(kind, from, to);
    }

    /** Completes when every kind's bracket is closed. */
    public CompletableFuture<Void> closed() {
        return closed.copy();
    }

    @Override
    public synchronized String toString() {
        Map<State, Integer> counts = new EnumMap<>(State.class);
        kinds.values().forEach(state -> counts.merge(state, 1, Integer::sum));
        return "epoch " + epoch + " " + counts;
    }
}
