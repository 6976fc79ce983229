package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.DecisionId;
import dev.muster.scheduler.core.model.Requirement;
import java.util.ArrayList;
import java.util.List;

/**
 * Room set aside for a decision, with an owner and a deadline. It shrinks as the decision's pods are seen bound.
 *
 * <p>Whoever makes pods for a decision may make one anew, and bind it, as long as the decision has no outcome. What a pod of a
 * submitted job leaves before that is therefore held again.
 */
final class Hold {
    final DecisionId decision;
    final Workload workload;
    final long attempt;
    final String cluster;
    final boolean gang;
    /** When it is revoked; of room that is kept when it is kept no longer, once the eviction was answered. */
    long deadlineMillis;
    /** Null for a placement. */
    final Kept kept;

    /** Where it stands among what is due; null where it does not. */
    Deadlines.HoldDeadline watched;

    boolean revoking;
    final List<HeldMember> members = new ArrayList<>();
    /** Members of a submitted job whose pods have the room, until the decision's outcome is in. */
    final List<HeldMember> handedOver = new ArrayList<>();

    Hold(
            DecisionId decision,
            Workload workload,
            long attempt,
            String cluster,
            boolean gang,
            long deadlineMillis,
            Kept kept) {
        this.decision = decision;
        this.workload = workload;
        this.attempt = attempt;
        this.cluster = cluster;
        this.gang = gang;
        this.deadlineMillis = deadlineMillis;
        this.kept = kept;
    }

    /** Whether nothing is held any more, nor could have to be again. */
    boolean over() {
        return members.isEmpty() && handedOver.isEmpty();
    }

    /** Whether the deadline still means anything: some member's fate is unknown and nothing has been done about it. */
    boolean awaitsOutcome() {
        return !revoking && (kept != null || anyUnconfirmed());
    }

    private boolean anyUnconfirmed() {
        for (HeldMember member : members) {
            if (!member.confirmed) {
                return true;
            }
        }
        return false;
    }

    Row.Hold row() {
        List<HeldMember> named = members;
        if (!handedOver.isEmpty()) {
            named = new ArrayList<>(members);
            named.addAll(handedOver);
            named.sort(null);
        }
        List<Requirement> distinct = new ArrayList<>(1); // interned: equal ones are the same
        Row.HeldMember[] rows = new Row.HeldMember[named.size()];
        for (int i = 0; i < rows.length; i++) {
            HeldMember member = named.get(i);
            Requirement requirement = member.requirement.requirement();
            if (distinct.isEmpty() || distinct.getLast() != requirement && !distinct.contains(requirement)) {
                distinct.add(requirement);
            }
            rows[i] =
                    member.row(distinct.getLast() == requirement ? distinct.size() - 1 : distinct.indexOf(requirement));
        }
        return new Row.Hold(
                decision,
                workload.id(),
                attempt,
                cluster,
                workload.namespace(),
                gang,
                deadlineMillis,
                revoking,
                distinct,
                List.of(rows),
                kept != null,
                kept != null && kept.asked,
                kept == null ? List.of() : kept.victims,
                kept == null ? 0 : kept.brokenMillis);
    }
}
