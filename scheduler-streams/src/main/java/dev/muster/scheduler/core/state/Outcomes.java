package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.decision.DecisionOutcome;
import dev.muster.scheduler.core.decision.DecisionOutcome.MemberOutcome;
import dev.muster.scheduler.core.decision.DecisionOutcome.MemberStatus;
import dev.muster.scheduler.core.decision.DecisionOutcome.Status;
import dev.muster.scheduler.core.decision.Reason;
import dev.muster.scheduler.core.decision.ReasonCodes;
import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import java.util.Comparator;
import java.util.List;

/** Takes what binders say into the state: holds are confirmed or released, failed placements wait before the next try. */
public final class Outcomes {
    /** However often evictions are refused, the back-off grows no more than after so many failures. */
    private static final int FAILURES_BY_REFUSAL = 2;

    private final DomainState state;
    private final Members members;

    public Outcomes(DomainState state, Members members) {
        this.state = state;
        this.members = members;
    }

    /** Whether anything changed: an outcome of what is settled already does not. */
    public boolean reported(DecisionOutcome outcome) {
        Workload workload = state.workloads.get(outcome.workload());
        if (workload == null) {
            return false;
        }
        if (workload.kept != null && workload.kept.kept.asked && concernsKept(workload.kept, outcome)) {
            evicted(workload, outcome);
            return true;
        }
        List<Hold> concerned = workload.holds().stream()
                .filter(hold -> switch (outcome.status()) {
                    case REVOKED -> hold.revoking && hold.decision.compareTo(outcome.decision()) < 0;
                    case DELETED -> hold.decision.compareTo(outcome.decision()) < 0;
                    case BOUND, PARTLY_BOUND, COMPENSATED, SUPERSEDED -> hold.decision.equals(outcome.decision());
                    case EVICTED, EVICTION_REFUSED -> false; // of an eviction that nobody waits for any more
                })
                .toList();
        boolean news = false;
        for (Hold hold : concerned) {
            for (MemberOutcome member : outcome.members()) {
                news |= settle(hold, member);
            }
            if (outcome.status() == Status.REVOKED) {
                news |= members.holds.endHandOvers(hold); // nobody makes pods for it any more
            }
        }
        if (!news) {
            return false;
        }
        concerned.forEach(members.holds::changed);
        boolean placing = outcome.status() != Status.REVOKED && outcome.status() != Status.DELETED;
        // What its tenant took back is no failure where it does not come about.
        boolean stopped = workload.cancelled || workload.suspended;
        if (placing && outcome.status() != Status.BOUND && !stopped && !workload.state.ended()) {
            failed(workload, outcome);
        }
        state.touch(workload);
        return true;
    }

    private static boolean concernsKept(Hold hold, DecisionOutcome outcome) {
        return hold.decision.equals(outcome.decision())
                || hold.revoking
                        && outcome.status() == Status.REVOKED
                        && hold.decision.compareTo(outcome.decision()) < 0;
    }

    /** What was to be evicted is going: its room is kept. Or some of it stays: another way is looked for, after a while. */
    private void evicted(Workload workload, DecisionOutcome outcome) {
        Hold hold = workload.kept;
        if (outcome.status() == Status.EVICTED && !hold.revoking) {
            state.deadlines.forget(hold);
            hold.kept.asked = false;
            hold.deadlineMillis = hold.kept.slots()
                    ? members.slots().deadlineMillis(hold.kept)
                    : state.timeMillis() + state.policy().preemption().roomKeptMillis();
            members.holds.changed(hold);
            return;
        }
        boolean slots = hold.kept.slots();
        members.kept().end(workload);
        int failures = workload.failures;
        failed(workload, outcome);
        // Only placements that fail keep it from having others evicted in the end.
        workload.failures = Math.max(failures, Math.min(workload.failures, FAILURES_BY_REFUSAL));
        if (slots) {
            // It runs, so that failures in a row are not counted: the same eviction is asked for again, but rarely.
            state.backOff(workload, state.timeMillis() + state.policy().bindBackoffMaxMillis());
        }
    }

    private boolean settle(Hold hold, MemberOutcome outcome) {
        HeldMember held = find(hold.members, outcome);
        if (held == null) {
            HeldMember handedOver = find(hold.handedOver, outcome);
            return handedOver != null && settleHandedOver(handedOver, outcome);
        }
        boolean hasLeft = !held.leftUid.isEmpty() && held.leftUid.equals(outcome.uid());
        if (saysBound(outcome) && !hasLeft) {
            return confirm(held, outcome.uid(), outcome.resourceVersion());
        }
        PodState pod = held.member == null ? null : held.member.pod;
        if (outcome.status() == MemberStatus.GONE
                && !hasLeft
                && pod != null
                && pod.id().uid().equals(outcome.uid())) {
            // News of its binding may still be on the way, and take the room; that of its end comes after it.
            return confirm(held, outcome.uid(), pod.resourceVersion);
        }
        members.holds.release(held);
        state.freeRoom();
        return true;
    }

    private static boolean confirm(HeldMember held, String uid, long seenVersion) {
        if (held.confirmed && held.uid.equals(uid)) {
            return false;
        }
        held.confirmed = true;
        held.uid = uid;
        held.seenVersion = seenVersion;
        return true;
    }

    /** Its pod has the room and keeps it, unless the binder saw another one in its place, of which there is no news yet. */
    private boolean settleHandedOver(HeldMember handedOver, MemberOutcome outcome) {
        PodState pod = handedOver.member.pod;
        if (saysBound(outcome) && pod != null && !pod.id().uid().equals(outcome.uid())) {
            return confirm(handedOver, outcome.uid(), outcome.resourceVersion());
        }
        members.holds.endHandOver(handedOver.member);
        return true;
    }

    private static boolean saysBound(MemberOutcome outcome) {
        return outcome.status() == MemberStatus.BOUND || outcome.status() == MemberStatus.EVICTED;
    }

    private static HeldMember find(List<HeldMember> members, MemberOutcome outcome) {
        for (HeldMember held : members) {
            // A job's pod may be another one by now; its place is the same.
            boolean same = held.uid.isEmpty() || held.hold.workload.createsPods()
                    ? held.podSet == outcome.podSet() && held.index == outcome.index()
                    : held.uid.equals(outcome.uid());
            if (same) {
                return held;
            }
        }
        return null;
    }

    /** A placement that did not come about: the workload keeps its place, but waits ever longer before the next try. */
    private void failed(Workload workload, DecisionOutcome outcome) {
        SchedulerPolicy policy = state.policy();
        long wait = policy.bindBackoffMillis() << Math.min(workload.failures, 30);
        wait = wait <= 0 ? policy.bindBackoffMaxMillis() : Math.min(wait, policy.bindBackoffMaxMillis());
        workload.failures = Math.min(workload.failures + 1, 1_000_000);
        state.backOff(workload, state.timeMillis() + wait);
        state.mark(workload);
        state.explain(workload, reason(outcome, workload.failures, wait));
    }

    private static Reason reason(DecisionOutcome outcome, int failures, long waitMillis) {
        MemberOutcome culprit = outcome.members().stream()
                .filter(member -> !member.reason().isEmpty() && member.status() != MemberStatus.EVICTED)
                .sorted(Comparator.comparing(member -> member.status() != MemberStatus.KEPT))
                .findFirst()
                .orElse(null);
        boolean eviction = outcome.status() == Status.EVICTION_REFUSED || outcome.status() == Status.REVOKED;
        String what = culprit == null
                ? (eviction ? "the eviction did not come about" : "the placement did not come about")
                : "pod " + culprit.name() + ": " + culprit.reason()
                        + (culprit.message().isEmpty() ? "" : " (" + culprit.message() + ")");
        String code = outcome.refused() ? ReasonCodes.BIND_REFUSED : ReasonCodes.BIND_FAILED;
        return new Reason(
                eviction ? ReasonCodes.EVICTION_REFUSED : code,
                what + "; failure " + failures + ", next try in " + waitMillis + " ms",
                List.of());
    }
}
