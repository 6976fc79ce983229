package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Action.MemberPlacement;
import dev.muster.scheduler.core.decision.Action.RevokeReason;
import java.util.ArrayList;
import java.util.List;

/** Takes placements back: after their deadline, or because their workload was cancelled or suspended. */
public final class Revocations {
    private final DomainState state;
    private final Members members;

    /** What has to be done for a workload, and the number it carries. */
    public record Pending(Workload workload, long attempt, Action action) {}

    public Revocations(DomainState state, Members members) {
        this.state = state;
        this.members = members;
    }

    /** Revokes what is held past its deadline without a word from the binder; the room stays held until it answers. */
    public List<Pending> due() {
        List<Pending> pending = new ArrayList<>();
        for (Hold hold : state.deadlines.holdsDue(state.timeMillis())) {
            if (hold.kept != null && hold.kept.slots() && !hold.kept.asked) {
                continue; // the gang is given up whole
            }
            if (hold.kept == null || hold.kept.asked) {
                pending.add(revoke(hold, RevokeReason.DEADLINE));
            } else {
                members.kept().end(hold.workload);
                state.mark(hold.workload);
            }
        }
        return pending;
    }

    /** Revokes and deletes whatever a job has in its cluster that was cancelled or suspended. */
    public List<Pending> stopped(Workload workload) {
        RevokeReason reason = workload.cancelled ? RevokeReason.CANCELLED : RevokeReason.SUSPENDED;
        List<Pending> pending = new ArrayList<>();
        for (Hold hold : List.copyOf(workload.holds())) {
            if (!hold.revoking && !hold.members.isEmpty()) {
                pending.add(revoke(hold, reason));
            }
        }
        List<MemberPlacement> toDelete = new ArrayList<>();
        List<PodSet> podSets = workload.podSetsInOrder();
        for (int podSet = 0; podSet < podSets.size(); podSet++) {
            for (Member member : podSets.get(podSet).members()) {
                if (member.pod != null || member.held != null) {
                    toDelete.add(
                            new MemberPlacement(podSet, member.index(), member.name(), member.podUid(), List.of()));
                }
            }
        }
        if (!toDelete.isEmpty()) {
            pending.add(delete(workload, toDelete));
        }
        return pending;
    }

    /** Deletes pods of cancelled and suspended jobs that were seen only afterwards. */
    public List<Pending> latecomers() {
        List<Pending> pending = new ArrayList<>();
        for (Member member : state.latecomers) {
            Workload workload = member.podSet().workload();
            int podSet = workload.podSetsInOrder().indexOf(member.podSet());
            MemberPlacement late =
                    new MemberPlacement(podSet, member.index(), member.name(), member.podUid(), List.of());
            pending.add(delete(workload, List.of(late)));
        }
        state.latecomers.clear();
        return pending;
    }

    private Pending delete(Workload workload, List<MemberPlacement> members) {
        String reason = workload.cancelled ? "Cancelled" : "Suspended";
        Action delete = new Action.DeletePods(workload.cluster(), workload.namespace(), members, reason);
        return new Pending(workload, state.nextAttempt(workload), delete);
    }

    private Pending revoke(Hold hold, RevokeReason reason) {
        hold.revoking = true;
        members.holds.changed(hold);
        List<MemberPlacement> unsettled = new ArrayList<>();
        for (HeldMember held : hold.members) {
            if (!held.confirmed && hold.kept == null) {
                unsettled.add(
                        new MemberPlacement(held.podSet, held.index, held.name, held.uid, Devices.list(held.devices)));
            }
        }
        Action.Revoke revoke =
                new Action.Revoke(hold.cluster, hold.workload.namespace(), hold.decision, reason, unsettled);
        return new Pending(hold.workload, state.nextAttempt(hold.workload), revoke);
    }
}
