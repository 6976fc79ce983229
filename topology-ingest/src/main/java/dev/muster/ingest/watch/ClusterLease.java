package dev.muster.ingest.watch;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says which ingest of a cluster should try, and gives each take-over its epoch.
 *
 * <p>It gives no mutual exclusion: two ingests may both lead for seconds, and the epoch in the records makes the older one
 * harmless. No clock is compared with another: a lease has run out when it has not changed for its duration on this
 * process's monotonic clock, counted from when this process first saw it as it is. The epoch is a number in the lease,
 * incremented under the precondition that nobody else wrote in between, so it rises strictly. Not thread-safe.
 */
public final class ClusterLease {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterLease.class);
    private static final int LONGEST_DURATION_SECONDS = 120;

    private final LeaseStore store;
    private final String instance;
    private final String identity;
    private final Duration duration;
    private final LongSupplier nanoTime;

    private LeaseStore.Stored observed;
    private long observedNanos;
    private long highestEpoch;
    private long heldEpoch; // 0 while not held.
    private volatile boolean reached;
    private boolean failing;
    private boolean takeAnew;
    private boolean looked;

    /**
     * A lease.
     *
     * @param instance name of this ingest, the same in all its lives
     * @param life unique for this life of it
     * @param minimumEpoch epochs given are larger, whatever the lease says (it may have been deleted)
     * @param nanoTime a monotonic clock
     */
    public ClusterLease(
            LeaseStore store, String instance, UUID life, Duration duration, long minimumEpoch, LongSupplier nanoTime) {
        this.store = store;
        this.instance = instance;
        this.identity = instance + "/" + life;
        this.duration = duration;
        this.highestEpoch = minimumEpoch;
        this.nanoTime = nanoTime;
    }

    /** How often {@link #turn} wants to be called. */
    public Duration period() {
        return duration.dividedBy(6);
    }

    /**
     * Looks at the lease, takes or renews it where it may; the epoch while this ingest should try, else empty.
     *
     * <p>A holder that cannot reach the lease goes on until it sees the lease in other hands: stopping for every hiccup of
     * the API server would mean a full list and a new epoch after each, and would make nothing safer.
     */
    public OptionalLong turn() {
        try {
            step(nanoTime.getAsLong());
            failing = false;
            reached = true;
        } catch (SourceException e) {
            if (failing) {
                LOG.debug("Lease still cannot be read or written ({}): {}", e.kind(), e.getMessage());
            } else {
                LOG.warn("Lease cannot be read or written ({}): {}", e.kind(), e.getMessage());
            }
            failing = true;
            reached = false;
        }
        return heldEpoch > 0 ? OptionalLong.of(heldEpoch) : OptionalLong.empty();
    }

    /** Whether the last look at the lease found it. From any thread. */
    public boolean isReached() {
        return reached;
    }

    private void step(long now) {
        Optional<LeaseStore.Stored> read = store.read();
        boolean first = !looked;
        looked = true;
        read.ifPresent(stored -> highestEpoch = Math.max(highestEpoch, stored.epoch()));
        if (read.isEmpty()) {
            write(highestEpoch + 1, "");
            return;
        }
        LeaseStore.Stored stored = read.get();
        boolean mine = stored.holder().equals(identity) || (first && ofEarlierLife(stored));
        if (mine && heldEpoch == stored.epoch() && !takeAnew) {
            write(heldEpoch, stored.resourceVersion());
        } else if (mine || stored.holder().isEmpty() || ranOut(stored, now)) {
            write(highestEpoch + 1, stored.resourceVersion());
        } else {
            heldEpoch = 0;
        }
    }

    /**
     * At the first look only: that life is over, as this one has begun. Were it not (two ingests under one name), it would
     * stand back when it sees the new epoch, which makes its own harmless; it would not take the lease back.
     */
    private boolean ofEarlierLife(LeaseStore.Stored stored) {
        return stored.holder().startsWith(instance + "/");
    }

    private boolean ranOut(LeaseStore.Stored stored, long now) {
        boolean unchanged = observed != null
                && observed.holder().equals(stored.holder())
                && observed.renewal().equals(stored.renewal())
                && observed.epoch() == stored.epoch();
        if (!unchanged) {
            observed = stored;
            observedNanos = now;
        }
        int seconds = Math.max(1, Math.min(stored.durationSeconds(), LONGEST_DURATION_SECONDS));
        return now - observedNanos > Duration.ofSeconds(seconds).toNanos();
    }

    private void write(long epoch, String resourceVersion) {
        if (store.write(identity, epoch, (int) Math.max(1, duration.toSeconds()), resourceVersion)) {
            if (heldEpoch != epoch) {
                LOG.info("Took the lease as {}, epoch {}", identity, epoch);
            }
            highestEpoch = epoch;
            heldEpoch = epoch;
            takeAnew = false;
        }
    }

    /** Asks for a new epoch at the next turn: what was published under this one is not known any more. */
    public void takeAnew() {
        takeAnew = true;
    }

    /** Gives the lease up, so that another ingest need not wait for it to run out. */
    public void release() {
        if (heldEpoch == 0) {
            return;
        }
        heldEpoch = 0;
        try {
            store.read()
                    .filter(stored -> stored.holder().equals(identity))
                    .ifPresent(stored ->
                            store.write("", stored.epoch(), stored.durationSeconds(), stored.resourceVersion()));
        } catch (SourceException e) {
            LOG.debug("Lease was not given up, it will run out: {}", e.getMessage());
        }
    }
}
