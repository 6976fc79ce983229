package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Reason;
import dev.muster.scheduler.core.decision.ReasonCodes;
import dev.muster.scheduler.core.model.DecisionId;
import dev.muster.scheduler.core.model.HealthEviction;
import dev.muster.scheduler.core.model.WorkloadId;
import dev.muster.scheduler.core.model.WorkloadKind;
import dev.muster.scheduler.core.model.WorkloadState;
import dev.muster.scheduler.core.state.Absences;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DisruptionBudgets;
import dev.muster.scheduler.core.state.DisruptionBudgets.Budget;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.KeptRoom;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.Overlay;
import dev.muster.scheduler.core.state.Overlay.Reservation;
import dev.muster.scheduler.core.state.SlotHolds;
import dev.muster.scheduler.core.state.SlotHolds.Lost;
import dev.muster.scheduler.core.state.SlotHolds.Slot;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * Gangs that lose members to sick GPUs and lost nodes. What runs there is evicted; those that are well stay where they are. Room
 * for the lost ones is looked for at once, as if they waited already, and held until the gang's controller has made them anew;
 * where there is none, the slots that they had are held. A gang that is not whole again by the deadline is given up whole.
 */
final class BrokenGangs {
    private static final int MOST_NAMES = 3;
    private static final long SOON_MILLIS = 1_000;

    private final DomainState state;
    private final KeptRoom kept;
    private final SlotHolds slots;
    private final GangPlacer placer;
    private final Overlay overlay;
    private final Decisions decisions;

    BrokenGangs(RoundParts parts, SlotHolds slots, Decisions decisions) {
        this.state = parts.state();
        this.kept = parts.kept();
        this.slots = slots;
        this.placer = parts.placer();
        this.overlay = parts.overlay();
        this.decisions = decisions;
    }

    void run() {
        slots.overdue().forEach(this::giveUp);
        TreeMap<WorkloadId, List<Lost>> byWorkload = new TreeMap<>();
        for (Lost lost : slots.lost()) {
            Workload workload = lost.member().podSet().workload();
            byWorkload.computeIfAbsent(workload.id(), id -> new ArrayList<>()).add(lost);
        }
        byWorkload.forEach((id, lost) -> settle(state.workload(id), lost));
    }

    private void settle(Workload workload, List<Lost> lost) {
        if (workload.state().ended() || workload.state() == WorkloadState.SUSPENDED) {
            return;
        }
        Set<String> known = new HashSet<>(slots.victims(workload));
        if (lost.stream().allMatch(one -> known.contains(one.member().podUid()))) {
            return;
        }
        if (slots.awaitsOutcome(workload) || workload.count(Member.Phase.HELD) > 0) {
            state.lookAgainAt(state.timeMillis() + SOON_MILLIS);
            return;
        }
        if (!state.waitsForRetry(workload)) {
            replace(workload, state.cluster(workload.cluster()), lost, known);
        }
    }

    private void replace(Workload workload, ClusterState cluster, List<Lost> lost, Set<String> known) {
        List<Member> members = lost.stream().map(Lost::member).toList();
        List<Member> toEvict = lost.stream()
                .filter(one -> !one.nodeGone()
                        && one.member().bound()
                        && !known.contains(one.member().podUid()))
                .map(Lost::member)
                .toList();
        long brokenMillis = slots.brokenMillis(workload) > 0 ? slots.brokenMillis(workload) : state.timeMillis();
        List<Slot> held = slotsFor(workload, cluster, members);
        List<String> victims = new ArrayList<>(slots.victims(workload));
        members.stream().map(Member::podUid).filter(uid -> !known.contains(uid)).forEach(victims::add);
        String code = lost.stream().anyMatch(Lost::fatal) ? Action.Evict.FATAL_HEALTH : Action.Evict.NODE_LOST;
        evict(workload, cluster, toEvict, code, victims, brokenMillis, held);
        state.explain(workload, reason(workload, lost));
    }

    /** Room for all that the minimum lacks; where there is not enough, what was held so far, and where those lost were. */
    private List<Slot> slotsFor(Workload workload, ClusterState cluster, List<Member> lost) {
        List<Slot> found = replacements(workload, cluster, lost);
        if (!found.isEmpty()) {
            return found;
        }
        Set<String> uids = new HashSet<>();
        lost.forEach(member -> uids.add(member.podUid()));
        List<Slot> held = new ArrayList<>(slots.of(workload));
        held.removeIf(slot -> uids.contains(slot.uid()));
        lost.forEach(member -> held.add(slots.slotOf(member)));
        return held;
    }

    /** Room for those lost of the gang's minimum beside the others, as far as there is any now. */
    private List<Slot> replacements(Workload workload, ClusterState cluster, List<Member> lost) {
        if (workload.kind() == WorkloadKind.POD || !cluster.synced()) {
            return List.of();
        }
        kept.lift(workload);
        Absences absences = new Absences(state);
        SlotHolds.Trial trial = new SlotHolds.Trial(lost);
        try {
            lost.forEach(absences::take);
            if (workload.started() || !workload.complete() || placer.placeMinimum(workload, cluster) != null) {
                return List.of();
            }
            List<Slot> found = new ArrayList<>();
            for (Reservation reserved : overlay.reservations()) {
                found.add(slots.slotFor(reserved.member(), reserved));
            }
            return found;
        } finally {
            overlay.undoTo(0);
            trial.end();
            absences.end();
            kept.putBack(workload);
        }
    }

    /** A gang that was broken for too long goes whole: nobody is served by half of it. */
    private void giveUp(Workload workload) {
        List<Member> left = slots.survivors(workload);
        if (left.isEmpty() || workload.started()) {
            kept.end(workload);
            state.lookAtAgain(workload);
            return;
        }
        List<String> victims = new ArrayList<>(slots.victims(workload));
        left.forEach(member -> victims.add(member.podUid()));
        evict(
                workload,
                state.cluster(workload.cluster()),
                left,
                Action.Evict.SLOTS_EXPIRED,
                victims,
                slots.brokenMillis(workload),
                slots.of(workload));
        long seconds = state.policy().health().eviction().slotsHeldMillis() / 1_000;
        String message = "the gang was not whole again within " + seconds + " s: the " + count(left.size(), "pod")
                + " left of it " + (left.size() == 1 ? "is" : "are") + " evicted, and it starts anew as a whole";
        state.explain(workload, new Reason(ReasonCodes.MEMBERS_LOST, message, List.of()));
    }

    private void evict(
            Workload workload,
            ClusterState cluster,
            List<Member> toEvict,
            String code,
            List<String> victims,
            long brokenMillis,
            List<Slot> held) {
        boolean asked = !toEvict.isEmpty();
        DecisionId id = asked ? decisions.nextId() : decisions.nextKeptId();
        long attempt = asked ? state.nextAttempt(workload) : workload.attempt();
        slots.hold(workload, cluster.name(), id, victims, asked, brokenMillis, held);
        if (asked) {
            long deadlineMillis = state.timeMillis() + state.policy().bindTimeoutMillis();
            boolean whole = toEvict.size() == workload.boundMembers().size();
            decisions.add(
                    workload,
                    attempt,
                    new Action.Evict(
                            cluster.name(),
                            workload.namespace(),
                            named(toEvict, whole, cluster),
                            code,
                            deadlineMillis));
        }
    }

    private List<Action.Victim> named(List<Member> toEvict, boolean whole, ClusterState cluster) {
        DisruptionBudgets budgets = new DisruptionBudgets(state, cluster);
        List<Action.Victim> victims = new ArrayList<>();
        for (Member member : toEvict) {
            List<Budget> covering = budgets.of(member);
            victims.add(new Action.Victim(
                    member.podSet().workload().id(),
                    whole,
                    member.namespace(),
                    member.name(),
                    member.podUid(),
                    member.node().id().name(),
                    covering.isEmpty() ? "" : covering.getFirst().name()));
        }
        victims.sort(
                Comparator.comparing((Action.Victim victim) -> victim.budget().isEmpty())
                        .thenComparing(Action.Victim::name)
                        .thenComparing(Action.Victim::uid));
        return victims;
    }

    private Reason reason(Workload workload, List<Lost> lost) {
        StringBuilder message = new StringBuilder();
        for (Lost one : lost.subList(0, Math.min(MOST_NAMES, lost.size()))) {
            message.append(message.isEmpty() ? "" : ", ")
                    .append(one.member().name())
                    .append(" (")
                    .append(one.cause())
                    .append(" on ")
                    .append(one.node().id().name())
                    .append(')');
        }
        int more = lost.size() - MOST_NAMES;
        message.append(more > 0 ? " and " + more + " more" : "").append(" lost what they run on and are evicted");
        if (workload.kind() != WorkloadKind.POD) {
            message.append("; ").append(SlotHolds.fate(state.policy().health().eviction()));
        }
        return new Reason(ReasonCodes.MEMBERS_LOST, message.toString(), List.of());
    }

    /** Why a gang waits whose slots are held. */
    static Reason withSlots(Reason reason, HealthEviction eviction) {
        String message = reason.message() + "; it lost members, and its slots are held for it for "
                + eviction.slotsHeldMillis() / 1_000 + " s in all, then it is given up whole";
        return new Reason(reason.code(), message, reason.details());
    }

    private static String count(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
