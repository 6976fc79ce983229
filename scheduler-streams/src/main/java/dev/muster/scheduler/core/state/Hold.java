package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.DecisionId;
import dev.muster.scheduler.core.model.Requirement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
        return !revoking && (kept != null || members.stream().anyMatch(member -> !member.confirmed));
    }

    Row.Hold row() {
        Map<Requirement, Integer> distinct = new LinkedHashMap<>();
        List<HeldMember> named = new ArrayList<>(members);
        named.addAll(handedOver);
        named.sort(null);
        List<Row.HeldMember> rows = new ArrayList<>(named.size());
        for (HeldMember member : named) {
            Requirement requirement = member.requirement.requirement();
            Integer index = distinct.get(requirement);
            if (index == null) {
                index = distinct.size();
                distinct.put(requirement, index);
            }
            rows.add(member.row(index));
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
                List.copyOf(distinct.keySet()),
                rows,
                kept != null,
                kept != null && kept.asked,
                kept == null ? List.of() : kept.victims);
    }
}
