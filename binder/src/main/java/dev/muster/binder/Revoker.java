package dev.muster.binder;

import dev.muster.binder.Progress.Failed;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.MemberOutcome;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.OutcomeStatus;
import dev.muster.schemas.decision.Revoke;
import dev.muster.schemas.decision.RevokeReason;
import java.util.List;

/** Revokes by writing: afterwards nothing of the revoked placement can take effect any more, whoever still tries. */
final class Revoker {

    private final TakeBack takeBack;
    private final Seals seals;
    private final BinderClock clock;
    private final Parallel parallel;
    private final long evictionPatienceMillis;

    Revoker(ClusterApi api, Patience.Spacing spacing, Parallel parallel, BinderConfig config) {
        this.takeBack = new TakeBack(api, spacing);
        this.seals = new Seals(api, spacing);
        this.clock = spacing.clock();
        this.parallel = parallel;
        this.evictionPatienceMillis = config.evictionPatience().toMillis();
    }

    Outcome carryOut(Decision decision, Revoke revoke, Halt halt) {
        List<Member> members = Member.of(revoke.getNamespace(), revoke.getMembers());
        JobIdentity job = JobIdentity.ofWorkload(decision.getWorkload());
        if (!job.equals(JobIdentity.NONE)) {
            seals.end(revoke.getRevokedDecisionId(), Seal.takenBack(because(revoke.getReason())), halt);
        }
        TakeBack.Order order = new TakeBack.Order(
                revoke.getRevokedDecisionId(),
                job,
                decision.getId(),
                decision.getAttempt(),
                Budget.of(clock, evictionPatienceMillis));
        Failed revoked = new Failed(because(revoke.getReason()), "revoked: " + revoke.getReason());
        List<MemberOutcome> outcomes =
                parallel.each(members.size(), i -> takeBack.settle(order, members.get(i), revoked, halt));
        return Outcomes.of(decision, revoke.getCluster(), OutcomeStatus.REVOKED, false, outcomes, clock.epochMillis());
    }

    private static Failure because(RevokeReason reason) {
        return switch (reason) {
            case DEADLINE -> Failure.DEADLINE;
            case CANCELLED, SUSPENDED -> Failure.FENCED;
        };
    }
}
