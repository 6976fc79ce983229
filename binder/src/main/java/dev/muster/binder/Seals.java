package dev.muster.binder;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends placements that make pods, whoever else is at work on them. A fence can be written on a pod that is there; a pod
 * that is not made yet, or is gone again, has no place for one, and a binder that is late could make it and bind it after
 * another one had answered. So such a placement has an object of its own in the cluster, the seal, that can be created
 * once and says how it ended:
 *
 * <ul>
 *   <li>who answers creates the seal first, and only then looks at the pods;
 *   <li>who binds has the pod first (it is read or made), and only then looks for the seal.
 * </ul>
 *
 * <p>Each writes, then reads (as in Dekker's algorithm), and the API server's reads are linearizable: either the one that
 * binds finds the seal, or the one that answers finds the pod and fences it by its resourceVersion. No clock takes part. Of
 * two that answer, the one whose seal was created first prevails, and the other carries out its verdict.
 */
final class Seals {

    private static final Logger LOG = LoggerFactory.getLogger(Seals.class);

    private final ClusterApi api;
    private final PodReader reader;
    private final Patience.Spacing spacing;

    Seals(ClusterApi api, Patience.Spacing spacing) {
        this.api = api;
        this.reader = new PodReader(api);
        this.spacing = spacing;
    }

    /** How the placement ended; empty while it is open. */
    Optional<Seal> of(String decisionId, Patience patience) throws PodReader.UnreadableException {
        return reader.seal(decisionId, patience);
    }

    /** Ends the placement, however long the API server needs to answer; gives the seal that prevails. */
    Seal end(String decisionId, Seal seal, Halt halt) {
        Patience patience = Patience.endless(spacing, halt);
        while (true) {
            try {
                api.seal(decisionId, seal);
                return seal;
            } catch (ApiException e) {
                switch (ErrorTable.verdictOrStop(e)) {
                    // It is there, or may be.
                    case REREAD, RETRY, FATAL -> {
                        Optional<Seal> there = reader.sealForSure(decisionId, patience);
                        if (there.isPresent()) {
                            return there.get();
                        }
                    }
                    // A missing permission or namespace: somebody has to mend it, until then there is no answer.
                    case REFUSED, GONE -> LOG.warn("may not seal decision {}: {}", decisionId, e.getMessage());
                }
                patience.again(e.retryAfterMillis());
            }
        }
    }
}
