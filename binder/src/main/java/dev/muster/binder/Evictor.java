package dev.muster.binder;

import dev.muster.schemas.decision.MemberStatus;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a bound pod away: asks for an eviction, which honours disruption budgets, until the deadline; deletes after
 * that, since a gang must not stay half bound. Both carry the uid, so that a pod that came later under the same name
 * is never hit.
 */
final class Evictor {

    /** What became of the pod: EVICTED or GONE; BOUND where the API server refuses both eviction and deletion. */
    record Result(MemberStatus status, String message) {}

    private static final Logger LOG = LoggerFactory.getLogger(Evictor.class);
    private static final Result EVICTED = new Result(MemberStatus.EVICTED, "");
    private static final Result GONE = new Result(MemberStatus.GONE, "");

    private final ClusterApi api;
    private final PodReader reader;
    private final Patience.Spacing spacing;

    Evictor(ClusterApi api, Patience.Spacing spacing) {
        this.api = api;
        this.reader = new PodReader(api);
        this.spacing = spacing;
    }

    /** Evicts, or deletes once {@code deadline} has passed. Ends only when the API server has answered for good. */
    Result takeAway(PodState pod, Budget deadline, Halt halt) {
        if (pod.deleting()) {
            return EVICTED;
        }
        Patience polite = Patience.determined(deadline, spacing, halt);
        while (true) {
            try {
                api.evict(pod.key(), pod.uid());
                return EVICTED;
            } catch (ApiException e) {
                switch (ErrorTable.verdictOrStop(e)) {
                    case GONE -> {
                        return GONE;
                    }
                    case REREAD -> {
                        Optional<Result> settled = look(pod.key(), pod.uid(), halt);
                        if (settled.isPresent()) {
                            return settled.get();
                        }
                        if (!polite.again()) {
                            return delete(pod.key(), pod.uid(), halt);
                        }
                    }
                    case REFUSED -> {
                        LOG.warn("eviction of {} is refused, deleting it: {}", pod.key(), e.getMessage());
                        return delete(pod.key(), pod.uid(), halt);
                    }
                    case RETRY, FATAL -> {
                        if (!polite.again(e.retryAfterMillis())) {
                            LOG.info(
                                    "eviction of {} was not granted in time, deleting it: {}",
                                    pod.key(),
                                    e.getMessage());
                            return delete(pod.key(), pod.uid(), halt);
                        }
                    }
                }
            }
        }
    }

    /** Deletes the pod with that uid. Ends only when the API server has answered for good. */
    Result delete(PodKey key, String uid, Halt halt) {
        Patience patience = Patience.endless(spacing, halt);
        while (true) {
            try {
                api.delete(key, uid);
                return EVICTED;
            } catch (ApiException e) {
                switch (ErrorTable.verdictOrStop(e)) {
                    case GONE -> {
                        return GONE;
                    }
                    case REREAD -> {
                        Optional<Result> settled = look(key, uid, halt);
                        if (settled.isPresent()) {
                            return settled.get();
                        }
                        patience.again();
                    }
                    case REFUSED -> {
                        LOG.error("deletion of {} is refused: {}", key, e.getMessage());
                        return new Result(MemberStatus.BOUND, e.getMessage());
                    }
                    case RETRY, FATAL -> patience.again(e.retryAfterMillis());
                }
            }
        }
    }

    /**
     * After a conflict: whether the pod is already going or gone; empty when it is still there and has to be tried
     * again.
     */
    private Optional<Result> look(PodKey key, String uid, Halt halt) {
        Optional<PodState> now = reader.podForSure(key, Patience.endless(spacing, halt));
        if (now.isEmpty() || !now.get().uid().equals(uid)) {
            return Optional.of(GONE);
        }
        return now.get().deleting() ? Optional.of(EVICTED) : Optional.empty();
    }
}
