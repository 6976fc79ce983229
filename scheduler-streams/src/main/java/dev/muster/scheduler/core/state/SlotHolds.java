package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.decision.Reason;
import dev.muster.scheduler.core.decision.ReasonCodes;
import dev.muster.scheduler.core.model.DecisionId;
import dev.muster.scheduler.core.model.HealthEviction;
import dev.muster.scheduler.core.model.NumaPlacement;
import dev.muster.scheduler.core.model.PodId;
import dev.muster.scheduler.core.model.WorkloadKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Slots of gangs that lost members: room for those in another place, or where they were, and the places of members that leave
 * while the gang is broken. They are held for the gang, whether its pods are there or not, until it is whole again or its
 * deadline has passed. Without that, whoever waits takes a slot while the gang's controller makes the pod anew, and the gang
 * stays below its minimum (volcano-sh/volcano#5805).
 */
public final class SlotHolds {
    private final DomainState state;
    private final Holds holds;
    private final KeptRoom kept;

    SlotHolds(DomainState state, Holds holds, KeptRoom kept) {
        this.state = state;
        this.holds = holds;
        this.kept = kept;
    }

    /**
     * A member that has lost what it runs on, or will have.
     *
     * @param cause why, in a few words
     * @param fromMillis from when on, domain time
     * @param fatal by a fatal signal; otherwise since its node is lost
     */
    public record Lost(Member member, NodeState node, String cause, long fromMillis, boolean fatal) {
        /** Whether its node is known no more: whoever is on it is taken away by the cluster. */
        public boolean nodeGone() {
            return node.facts() == null;
        }
    }

    /** Room for one member: on one node, by devices and NUMA nodes. */
    public record Slot(
            int podSet,
            int index,
            String name,
            String uid,
            NodeState node,
            InternedRequirement requirement,
            int[] devices,
            NumaPlacement numa) {}

    /** Members that have lost what they run on, by node and uid. */
    public List<Lost> lost() {
        return state.sick.lost();
    }

    /** Where a member is now, as a slot. */
    public Slot slotOf(Member member) {
        PodState pod = member.pod;
        return slot(member, pod.node, pod.devices, pod.numa);
    }

    /** A slot for a member in another place. */
    public Slot slotFor(Member member, Overlay.Reservation reserved) {
        return slot(member, reserved.node(), reserved.devices(), reserved.numa());
    }

    private static Slot slot(Member member, NodeState node, int[] devices, NumaPlacement numa) {
        int podSet = member.podSet().workload().podSetsInOrder().indexOf(member.podSet());
        return new Slot(
                podSet, member.index(), member.name(), member.podUid(), node, member.requirement(), devices, numa);
    }

    /** Slots that are held for a workload; none where its room is kept for other reasons, or none is. */
    public List<Slot> of(Workload workload) {
        List<Slot> slots = new ArrayList<>();
        for (HeldMember held : kept.isSlotsOf(workload) ? workload.kept.members : List.<HeldMember>of()) {
            slots.add(new Slot(
                    held.podSet,
                    held.index,
                    held.name,
                    held.uid,
                    held.node,
                    held.requirement,
                    held.devices,
                    held.numa));
        }
        return slots;
    }

    /** Uids of pods that were lost, or are evicted with the others; none where no slots are held. */
    public List<String> victims(Workload workload) {
        return kept.isSlotsOf(workload) ? workload.kept.kept.victims : List.of();
    }

    /** Whether it is not known yet what became of their eviction. */
    public boolean awaitsOutcome(Workload workload) {
        return kept.isSlotsOf(workload) && workload.kept.kept.asked;
    }

    /** Since when a workload is broken, domain time; 0 where no slots are held for it. */
    public long brokenMillis(Workload workload) {
        return kept.isSlotsOf(workload) ? workload.kept.kept.brokenMillis : 0;
    }

    /**
     * Holds slots for a workload, in place of what is kept for it.
     *
     * @param victims uids of pods that are lost, or evicted with the others
     * @param asked their eviction is decided, and must be answered
     * @param brokenMillis since when the gang is broken, domain time
     */
    public void hold(
            Workload workload,
            String cluster,
            DecisionId id,
            List<String> victims,
            boolean asked,
            long brokenMillis,
            List<Slot> slots) {
        kept.end(workload);
        Kept how = new Kept(victims, asked, brokenMillis);
        long deadlineMillis = asked ? state.timeMillis() + state.policy().bindTimeoutMillis() : deadlineMillis(how);
        Hold hold = new Hold(id, workload, workload.attempt, cluster, true, deadlineMillis, how);
        slots.forEach(slot -> add(hold, slot));
        hold.members.sort(null);
        state.holds.put(id, hold);
        kept.attach(hold);
        holds.changed(hold);
        if (asked) {
            workload.decision = id;
        }
    }

    private void add(Hold hold, Slot slot) {
        // a node that is known by name only is forgotten with the last that hung on it: its slots may have been that
        NodeState node = state.nodeNamed(slot.node.id());
        HeldMember held = new HeldMember(
                hold,
                slot.podSet,
                slot.index,
                slot.name,
                slot.uid,
                node,
                slot.requirement,
                slot.devices,
                slot.numa,
                List.of());
        state.podTerms.refer(slot.requirement, hold.cluster, 1);
        state.podTerms.count(slot.requirement, null, node, 1);
        node.take(slot.requirement, slot.devices, slot.numa);
        node.heldBy(1);
        hold.members.add(held);
    }

    /**
     * A pod gives its room back: while its gang is broken, the room stays the gang's. If what it ran on is sick or away, the
     * gang is broken from now on: its processes are often faster to end than anybody is to evict them.
     */
    void left(PodState pod, NodeState node, int[] devices, NumaPlacement numa) {
        Member member = pod.member;
        if (member == null || isSettled(member.podSet().workload(), pod)) {
            return;
        }
        Workload workload = member.podSet().workload();
        Slot slot = slot(member, node, devices, numa);
        if (kept.isSlotsOf(workload) && workload.kept.cluster.equals(node.id().cluster())) {
            add(workload.kept, slot);
            workload.kept.members.sort(null);
            holds.changed(workload.kept);
        } else if (workload.kept == null && workload.kind() != WorkloadKind.POD && workload.onceStarted) {
            String cause = state.sick.causeOfLoss(node, devices);
            if (!cause.isEmpty()) {
                List<String> lost = List.of(pod.id().uid());
                hold(workload, node.id().cluster(), freeId(), lost, false, state.timeMillis(), List.of(slot));
                String message = pod.name + " (" + cause + " on " + node.id().name() + ") lost what it ran on; "
                        + fate(state.policy().health().eviction());
                state.explain(workload, new Reason(ReasonCodes.MEMBERS_LOST, message, List.of()));
            }
        }
    }

    /** An id of no decision. */
    private DecisionId freeId() {
        int ordinal = -1;
        while (state.holds.containsKey(new DecisionId(state.nextSequence, ordinal))) {
            ordinal--;
        }
        return new DecisionId(state.nextSequence, ordinal);
    }

    /** What becomes of a gang that lost members. */
    public static String fate(HealthEviction eviction) {
        return "the other pods stay, and the gang's slots are held: whole again within "
                + eviction.slotsHeldMillis() / 1_000 + " s, or given up whole";
    }

    /** One that was lost has its slot, elsewhere or here; one that goes for others leaves its room to them. */
    private boolean isSettled(Workload workload, PodState pod) {
        return timesVictim(workload, pod) > 0 || state.sick.goesForOthers(pod);
    }

    /** 1 for a pod that was lost, or is evicted since others of its gang were. */
    static int timesVictim(Workload workload, PodState pod) {
        Hold hold = workload.kept;
        return hold != null
                        && hold.kept.slots()
                        && hold.kept.victims.contains(pod.id().uid())
                ? 1
                : 0;
    }

    /** Until when slots are held. */
    long deadlineMillis(Kept of) {
        return of.brokenMillis + state.policy().health().eviction().slotsHeldMillis();
    }

    /** Those that were broken for too long, in the order in which that was to be. */
    public List<Workload> overdue() {
        List<Workload> overdue = new ArrayList<>();
        for (Hold hold : state.deadlines.holdsDue(state.timeMillis())) {
            if (hold.kept != null && hold.kept.slots() && !hold.kept.asked) {
                overdue.add(hold.workload);
            }
        }
        return overdue;
    }

    /** Whether a gang is still broken, or about to be, and could become whole again. */
    boolean areWanted(Workload workload) {
        boolean alone = workload.kind() == WorkloadKind.POD || !workload.specKnown();
        boolean over = workload.cancelled
                || workload.suspended
                || WorkloadStates.of(workload).ended()
                || workload.size == 0 && alone && !state.jobOwns(workload);
        if (over) {
            return false;
        }
        for (String uid : workload.kept.kept.victims) {
            PodState pod = state.pods.get(new PodId(workload.kept.cluster, uid));
            if (pod != null && pod.node != null) {
                return true;
            }
        }
        return !workload.started();
    }

    /** While slots are held, quota is: for those whose pods are charged no more, counted like another pod of their pod set. */
    static void quotaFor(Workload workload, Map<Member, Integer> quota) {
        List<PodSet> podSets = workload.podSetsInOrder();
        if (workload.kept.kept.lifted || podSets.isEmpty()) {
            return;
        }
        Set<String> charged = new HashSet<>();
        for (PodSet podSet : podSets) {
            podSet.members().stream().filter(member -> member.charged).forEach(member -> charged.add(member.podUid()));
        }
        for (HeldMember held : workload.kept.members) {
            if (!charged.contains(held.uid)) {
                PodSet like = podSets.get(Math.clamp(held.podSet, 0, podSets.size() - 1));
                quota.merge(like.members().getFirst(), 1, Integer::sum);
            }
        }
    }

    // ---- on trial

    /**
     * Takes members to be gone, and others like them to wait in their place, until the trial ends. Nothing else of the state
     * changes.
     */
    public static final class Trial {
        private final List<Member> gone;
        private final List<Member> standIns = new ArrayList<>();

        public Trial(List<Member> gone) {
            this.gone = List.copyOf(gone);
            for (Member member : this.gone) {
                assume(member, Member.Phase.LEAVING);
                Member standIn = new Member(member.podSet(), member.index(), member.name(), member.requirement);
                standIn.pod = member.pod;
                standIn.assume(Member.Phase.WAITING);
                member.podSet().add(standIn);
                assume(standIn, Member.Phase.WAITING);
                standIns.add(standIn);
            }
        }

        private static void assume(Member member, Member.Phase phase) {
            member.assume(phase);
            member.podSet().recount(member);
        }

        /** Everything is as before. */
        public void end() {
            for (Member standIn : standIns) {
                standIn.podSet().uncount(standIn);
                standIn.podSet().remove(standIn);
            }
            for (Member member : gone) {
                assume(member, null);
            }
        }
    }

    /** Slots that are held for a workload, and its pods that are neither leaving nor awaited to: what is left of it. */
    public List<Member> survivors(Workload workload) {
        Set<String> victims = new HashSet<>(victims(workload));
        List<Member> survivors = new ArrayList<>(workload.boundMembers());
        survivors.removeIf(member -> victims.contains(member.podUid()));
        return Collections.unmodifiableList(survivors);
    }
}
