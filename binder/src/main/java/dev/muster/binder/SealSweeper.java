package dev.muster.binder;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes seals that nobody asks for any more: those that are a day older than the newest one, by the API server's own
 * times, since clocks lie. A binder is at work on a placement for minutes at most.
 */
final class SealSweeper {

    /** A seal as it lies in the cluster. */
    record Lying(String name, Instant created) {}

    private static final Logger LOG = LoggerFactory.getLogger(SealSweeper.class);
    private static final Duration KEPT = Duration.ofDays(1);

    private final ClusterApi api;

    SealSweeper(ClusterApi api) {
        this.api = api;
    }

    /** Once; what fails is left for the next time. */
    void sweep() {
        try {
            List<Lying> seals = api.seals();
            Instant newest = seals.stream()
                    .map(Lying::created)
                    .max(Comparator.naturalOrder())
                    .orElse(Instant.EPOCH);
            for (Lying seal : seals) {
                if (seal.created().isBefore(newest.minus(KEPT))) {
                    api.deleteSeal(seal.name());
                }
            }
        } catch (ApiException e) {
            LOG.warn("old seals were not deleted: {}", e.getMessage());
        }
    }
}
