package dev.muster.binder;

import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads from the API server until it answers: what it says settles everything that a lost reply left open. */
final class PodReader {

    /** The API server could not be asked in time. */
    static final class UnreadableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnreadableException(ApiException cause) {
            super(cause.getMessage(), cause);
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(PodReader.class);

    private final ClusterApi api;

    PodReader(ClusterApi api) {
        this.api = api;
    }

    /** The pod under that name now; at least one try, however little patience there is. */
    Optional<PodState> pod(PodKey key, Patience patience) throws UnreadableException {
        return read("pod " + key, () -> api.pod(key), patience);
    }

    /** The pod under that name now, however long the API server needs to answer. */
    Optional<PodState> podForSure(PodKey key, Patience endless) {
        while (true) {
            try {
                return pod(key, endless);
            } catch (UnreadableException e) {
                endless.again();
            }
        }
    }

    /** The node under that name now; at least one try. */
    Optional<NodeState> node(String name, Patience patience) throws UnreadableException {
        return read("node " + name, () -> api.node(name), patience);
    }

    /** The claim under that name now; at least one try. */
    Optional<ClaimState> claim(String namespace, String name, Patience patience) throws UnreadableException {
        return read("claim " + namespace + "/" + name, () -> api.claim(namespace, name), patience);
    }

    /** The volume under that name now; at least one try. */
    Optional<VolumeState> volume(String name, Patience patience) throws UnreadableException {
        return read("volume " + name, () -> api.volume(name), patience);
    }

    /** The labels of a node now; at least one try. */
    Optional<Map<String, String>> nodeLabels(String name, Patience patience) throws UnreadableException {
        return read("node " + name, () -> api.nodeLabels(name), patience);
    }

    /** How a placement ended; at least one try. */
    Optional<Seal> seal(String decisionId, Patience patience) throws UnreadableException {
        return read("the seal of decision " + decisionId, () -> api.seal(decisionId), patience);
    }

    /** How a placement ended, however long the API server needs to answer. */
    Optional<Seal> sealForSure(String decisionId, Patience endless) {
        while (true) {
            try {
                return seal(decisionId, endless);
            } catch (UnreadableException e) {
                endless.again();
            }
        }
    }

    private static <T> Optional<T> read(String what, Supplier<Optional<T>> call, Patience patience)
            throws UnreadableException {
        while (true) {
            try {
                return call.get();
            } catch (ApiException e) {
                // A refused read is a missing permission: somebody has to grant it, until then there is no answer.
                if (ErrorTable.verdictOrStop(e) == ErrorTable.Verdict.REFUSED) {
                    LOG.warn("may not read {}: {}", what, e.getMessage());
                }
                if (!patience.again(e.retryAfterMillis())) {
                    throw new UnreadableException(e);
                }
            }
        }
    }
}
