package dev.muster.ingest.watch;

import java.util.Optional;

/** Where a {@link ClusterLease} is kept. */
public interface LeaseStore {

    /**
     * The lease as it is stored.
     *
     * @param holder who holds it; empty when nobody does
     * @param epoch how often it was taken over
     * @param durationSeconds for how long the holder wants to keep it without renewing
     * @param renewal changes with each renewal; compared, never read as a time
     * @param resourceVersion precondition for writing
     */
    record Stored(String holder, long epoch, int durationSeconds, String renewal, String resourceVersion) {}

    /**
     * Reads the lease; empty when there is none.
     *
     * @throws SourceException when that fails
     */
    Optional<Stored> read();

    /**
     * Writes the lease as a new object when {@code resourceVersion} is empty, else over the one with that version.
     *
     * @return false when somebody else was faster
     * @throws SourceException when that fails
     */
    boolean write(String holder, long epoch, int durationSeconds, String resourceVersion);
}
