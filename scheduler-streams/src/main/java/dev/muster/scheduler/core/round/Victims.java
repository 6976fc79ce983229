package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.state.DisruptionBudgets.Budget;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The pods that a decision names to be evicted. */
final class Victims {
    /** One decision names so many at most. */
    static final int MOST = 10_000;

    private static final Comparator<Action.Victim> IN_ORDER = Comparator.comparing(
                    (Action.Victim victim) -> victim.budget().isEmpty())
            .thenComparing(Action.Victim::workload)
            .thenComparing(Action.Victim::name)
            .thenComparing(Action.Victim::uid);

    private final List<Action.Victim> victims = new ArrayList<>();

    /** @param budgets that cover the pod */
    void add(Workload workload, boolean whole, Member member, List<Budget> budgets) {
        victims.add(new Action.Victim(
                workload.id(),
                whole,
                member.namespace(),
                member.name(),
                member.podUid(),
                member.node().id().name(),
                budgets.isEmpty() ? "" : budgets.getFirst().name()));
    }

    /** Those that a disruption budget covers come first. */
    List<Action.Victim> inOrder() {
        victims.sort(IN_ORDER);
        return victims;
    }
}
