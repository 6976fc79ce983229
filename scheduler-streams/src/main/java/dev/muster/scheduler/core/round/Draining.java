package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DisruptionBudgets;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.Drains;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.Workload;
import java.util.List;

/**
 * Empties queues that are to be drained: each of their workloads is evicted whole, by the Eviction API, with the grace of its
 * pods. Limits of how much may be evicted do not count: it is the operator who asks. Disruption budgets do: what they keep is
 * asked for again later.
 */
final class Draining {
    private final DomainState state;
    private final Decisions decisions;

    Draining(DomainState state, Decisions decisions) {
        this.state = state;
        this.decisions = decisions;
    }

    void run() {
        Drains drains = state.drains();
        for (Workload workload : drains.due()) {
            ClusterState cluster = state.cluster(workload.cluster());
            List<Member> bound = workload.boundMembers();
            DisruptionBudgets budgets = new DisruptionBudgets(state, cluster);
            Victims victims = new Victims();
            boolean whole = bound.size() <= Victims.MOST;
            bound.stream()
                    .limit(Victims.MOST)
                    .forEach(member -> victims.add(workload, whole, member, budgets.of(member)));
            decisions.add(
                    workload,
                    state.nextAttempt(workload),
                    new Action.Evict(
                            cluster.name(),
                            workload.namespace(),
                            victims.inOrder(),
                            drains.reason(workload),
                            state.timeMillis() + state.policy().bindTimeoutMillis()));
            drains.decided(workload);
        }
    }
}
