package dev.muster.binder;

import dev.muster.binder.Progress.Failed;
import dev.muster.schemas.decision.MemberOutcome;
import dev.muster.schemas.decision.MemberStatus;
import java.util.Map;
import java.util.Optional;

/**
 * Makes sure that a placement can no longer take effect on one pod, and says how the pod is afterwards: a pod that it
 * bound is evicted; an unbound one gets the fence written, so that its resourceVersion moves and a bind that is still
 * on its way (a lost request, a binder that wakes up late) meets a conflict. Needs no memory of what was tried: the
 * API server's word is the only source.
 */
final class TakeBack {

    /**
     * What is taken back.
     *
     * @param decisionId the placement
     * @param job the job it is about, to know pods without a uid by
     * @param fencedBy the decision that writes the fence
     * @param fence attempt to write on unbound pods
     * @param evictUntil how long evictions are asked for before they are forced
     */
    record Order(String decisionId, JobIdentity job, String fencedBy, long fence, Budget evictUntil) {
        /** A job's pod under its name counts whatever its uid: a binder that is late may have made it anew. */
        boolean concerns(Member member, PodState pod) {
            return job.equals(JobIdentity.NONE) ? member.isOf(pod, job) : job.equals(pod.owner());
        }

        Map<String, String> fence(Failure why) {
            return Map.of(
                    Marks.ATTEMPT, Long.toString(fence), Marks.FENCED_BY, fencedBy, Marks.FENCED_BECAUSE, why.name());
        }
    }

    private final ClusterApi api;
    private final PodReader reader;
    private final Evictor evictor;
    private final Patience.Spacing spacing;

    TakeBack(ClusterApi api, Patience.Spacing spacing) {
        this.api = api;
        this.reader = new PodReader(api);
        this.evictor = new Evictor(api, spacing);
        this.spacing = spacing;
    }

    /** Takes the placement of one member back, however long the API server needs to answer. */
    MemberOutcome settle(Order order, Member member, Failed failed, Halt halt) {
        String reason = failed.why().reason();
        String message = failed.message();
        Patience patience = Patience.endless(spacing, halt);
        while (true) {
            Optional<PodState> found = reader.podForSure(member.key(), patience);
            if (found.isEmpty()) {
                return member.gone(reason, message);
            }
            PodState pod = found.get();
            if (!order.concerns(member, pod)) {
                return member.gone(reason, message);
            }
            if (pod.boundBy(order.decisionId())) {
                return evicted(member, pod, reason, message, evictor.takeAway(pod, order.evictUntil(), halt));
            }
            if (pod.bound()) {
                String by = pod.decision().isEmpty() ? "somebody else" : "decision " + pod.decision();
                return member.outcome(
                        MemberStatus.RELEASED, pod, Failure.CONFLICT.reason(), "bound to " + pod.node() + " by " + by);
            }
            if (pod.deleting() || pod.ended() || pod.attempt() >= order.fence()) {
                return member.outcome(MemberStatus.RELEASED, pod, reason, message);
            }
            try {
                api.annotate(pod, order.fence(failed.why()));
                return member.outcome(MemberStatus.RELEASED, pod, reason, message);
            } catch (ApiException e) {
                switch (ErrorTable.verdictOrStop(e)) {
                    case REFUSED -> {
                        return member.outcome(
                                MemberStatus.RELEASED, pod, reason, "fence not written: " + e.getMessage());
                    }
                    // Changed or gone meanwhile, or it may have been written: look again, which settles it.
                    case REREAD, GONE, RETRY, FATAL -> patience.again(e.retryAfterMillis());
                }
            }
        }
    }

    private static MemberOutcome evicted(
            Member member, PodState pod, String reason, String message, Evictor.Result result) {
        return switch (result.status()) {
            case EVICTED, RELEASED, GONE -> member.outcome(result.status(), pod, reason, message);
            case BOUND, KEPT -> member.outcome(MemberStatus.BOUND, pod, Failure.REFUSED.reason(), result.message());
        };
    }
}
