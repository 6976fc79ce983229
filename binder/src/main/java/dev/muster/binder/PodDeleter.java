package dev.muster.binder;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.DeletePods;
import dev.muster.schemas.decision.MemberOutcome;
import dev.muster.schemas.decision.MemberStatus;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.OutcomeStatus;
import java.util.List;
import java.util.Optional;

/** Deletes the pods of a job that came as an event, and only those: known by uid, or by name, labels and tenant. */
final class PodDeleter {

    private final PodReader reader;
    private final Evictor evictor;
    private final Patience.Spacing spacing;
    private final Parallel parallel;

    PodDeleter(ClusterApi api, Patience.Spacing spacing, Parallel parallel) {
        this.reader = new PodReader(api);
        this.evictor = new Evictor(api, spacing);
        this.spacing = spacing;
        this.parallel = parallel;
    }

    Outcome carryOut(Decision decision, DeletePods delete, Halt halt) {
        JobIdentity job = JobIdentity.ofWorkload(decision.getWorkload());
        List<Member> members = Member.of(delete.getNamespace(), delete.getMembers());
        List<MemberOutcome> outcomes = parallel.each(
                members.size(), i -> delete(members.get(i), job, decision.getAttempt(), delete.getReason(), halt));
        return Outcomes.of(
                decision,
                delete.getCluster(),
                OutcomeStatus.DELETED,
                false,
                outcomes,
                spacing.clock().epochMillis());
    }

    /** A pod that a later decision made under the same name is not meant: its job was suspended, and goes on. */
    private MemberOutcome delete(Member member, JobIdentity job, long attempt, String reason, Halt halt) {
        Optional<PodState> found = read(member.key(), halt)
                .filter(pod -> member.isOf(pod, job))
                .filter(pod -> !member.placement().getUid().isEmpty() || pod.attempt() <= attempt);
        if (found.isEmpty()) {
            return member.gone(Failure.POD_GONE.reason(), "");
        }
        PodState pod = found.get();
        Evictor.Result result = evictor.delete(pod.key(), pod.uid(), halt);
        return result.status() == MemberStatus.BOUND
                ? stillThere(member, pod.uid(), result.message(), halt)
                : member.outcome(result.status(), pod, reason, "");
    }

    private MemberOutcome stillThere(Member member, String uid, String message, Halt halt) {
        Optional<PodState> pod =
                read(member.key(), halt).filter(found -> found.uid().equals(uid));
        if (pod.isEmpty()) {
            return member.gone(Failure.POD_GONE.reason(), "");
        }
        MemberStatus status = pod.get().bound() ? MemberStatus.BOUND : MemberStatus.RELEASED;
        return member.outcome(status, pod.get(), Failure.REFUSED.reason(), message);
    }

    private Optional<PodState> read(PodKey key, Halt halt) {
        return reader.podForSure(key, Patience.endless(spacing, halt));
    }
}
