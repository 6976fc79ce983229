package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.DecisionId;
import dev.muster.scheduler.core.model.PodId;
import dev.muster.scheduler.core.state.Overlay.Reservation;
import java.util.ArrayList;
import java.util.List;

/**
 * Room kept for workloads while pods that have it leave. It is a hold beside those pods: until they have left, the node counts
 * more than it has, so that nobody else finds room there. It ends when the workload is placed, wants something else, or is
 * gone, when the eviction is refused, at its deadline, and when a workload of higher priority needs it.
 */
public final class KeptRoom {
    private final DomainState state;
    private final Holds holds;

    KeptRoom(DomainState state, Holds holds) {
        this.state = state;
        this.holds = holds;
    }

    /** A node on which room is kept, and for what. */
    public record Place(NodeState node, InternedRequirement requirement) {}

    /** Keeps what is reserved. */
    void keep(
            Workload workload,
            String cluster,
            DecisionId id,
            long deadlineMillis,
            Kept kept,
            List<Reservation> reserved) {
        Hold hold = new Hold(id, workload, workload.attempt, cluster, true, deadlineMillis, kept);
        List<PodSet> podSets = workload.podSetsInOrder();
        for (Reservation reservation : reserved) {
            HeldMember held = holds.hold(hold, podSets, reservation);
            held.member.kept = held;
        }
        hold.members.sort(null);
        state.holds.put(id, hold);
        attach(hold);
        holds.changed(hold);
    }

    void attach(Hold hold) {
        hold.workload.kept = hold;
        state.kept.put(hold.decision, hold);
        hold.kept.victims.forEach(uid -> state.toLeave.merge(new PodId(hold.cluster, uid), 1, Integer::sum));
    }

    /** Whether no room is kept for anybody. */
    public boolean none() {
        return state.kept.isEmpty();
    }

    /** Whether room is kept for a workload. */
    public boolean isFor(Workload workload) {
        return workload.kept != null;
    }

    /** Whether what is kept for a workload are the slots of its own, since it lost members. */
    public boolean isSlotsOf(Workload workload) {
        return workload.kept != null && workload.kept.kept.slots();
    }

    /** Whether a pod that is evicted for it, or leaves anyway, still is where room is kept for a workload. */
    public boolean awaitsAnybody(Workload workload) {
        Hold hold = workload.kept;
        long patience = state.policy().preemption().roomKeptMillis();
        for (HeldMember held : hold.members) {
            for (PodState pod : held.node.pods.values()) {
                boolean evicted = !pod.facts.deleting() && state.toLeave.containsKey(pod.id());
                if (evicted || pod.leavesSoon(state.timeMillis(), patience)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether pods of a workload are to be evicted for others and are not leaving yet. */
    public boolean evicts(Workload victim) {
        return !state.toLeave.isEmpty()
                && victim.boundMembers().stream().anyMatch(member -> state.toLeave.containsKey(member.pod.id()));
    }

    /** Pods that are evicted for a workload and have not left their nodes. */
    public int stillThere(Workload workload) {
        int there = 0;
        for (String uid : workload.kept.kept.victims) {
            PodState pod = state.pods.get(new PodId(workload.kept.cluster, uid));
            there += pod != null && pod.node != null ? 1 : 0;
        }
        return there;
    }

    /** Where room is kept for a workload, once for each of its pods. */
    public List<Place> places(Workload workload) {
        List<Place> places = new ArrayList<>();
        workload.kept.members.forEach(held -> places.add(new Place(held.node, held.requirement)));
        return places;
    }

    /** The member cluster in which room is kept for a workload. */
    public String clusterOf(Workload workload) {
        return workload.kept.cluster;
    }

    /** Those for whom room is kept, in the order in which that was decided. */
    public List<Workload> owners() {
        List<Workload> owners = new ArrayList<>();
        state.kept.values().forEach(hold -> owners.add(hold.workload));
        return owners;
    }

    /** Gives the room back on trial; until {@link #putBack} or {@link #end}, within one entry. */
    public void lift(Workload workload) {
        change(workload.kept, true);
    }

    /** Keeps it again after all; no longer where a claim of its pods got another volume meanwhile. */
    public void putBack(Workload workload) {
        Hold hold = workload.kept;
        boolean stands = hold == null
                || !hold.kept.lifted
                || hold.members.stream().allMatch(held -> held.node.canPromise(held.claims));
        if (stands) {
            change(hold, false);
        } else {
            end(workload);
        }
    }

    private void change(Hold hold, boolean lifted) {
        if (hold == null || hold.kept.lifted == lifted) {
            return;
        }
        hold.kept.lifted = lifted;
        if (lifted) {
            state.queues.release(hold.workload);
        } else {
            state.queues.settle(hold.workload);
        }
        int sign = lifted ? -1 : 1;
        for (HeldMember held : hold.members) {
            state.podTerms.count(held.requirement, held.counted, held.node, sign);
            if (lifted) {
                held.node.give(held.requirement, held.devices, held.numa);
                held.node.withdraw(held.claims);
            } else {
                held.node.take(held.requirement, held.devices, held.numa);
                held.node.promise(held.claims);
            }
        }
    }

    /** Keeps it no longer; nothing where none is kept. */
    public void end(Workload workload) {
        Hold hold = workload.kept;
        if (hold == null) {
            return;
        }
        state.queues.release(workload);
        workload.kept = null;
        state.kept.remove(hold.decision);
        hold.kept.victims.forEach(uid -> state.toLeave.computeIfPresent(
                new PodId(hold.cluster, uid), (pod, holds) -> holds == 1 ? null : holds - 1));
        for (HeldMember held : List.copyOf(hold.members)) {
            if (held.member != null) {
                held.member.kept = null;
            }
            holds.giveBackKept(held, hold.kept.lifted);
        }
        holds.changed(hold);
        state.freeRoom();
    }

    /** Ends what is kept for workloads that do not wait for it any more; to be done at the end of each entry. */
    void endWhatIsNotWanted() {
        for (Workload workload : List.copyOf(state.keptInVain.values())) {
            end(workload);
        }
        state.keptInVain.clear();
    }
}
