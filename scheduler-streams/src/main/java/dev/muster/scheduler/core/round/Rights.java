package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.state.Workload;
import java.util.List;
import java.util.function.Consumer;

/** By what right workloads may be evicted for another, other than its higher priority. */
interface Rights {
    /** Why a workload is not evicted for this one: empty where it may be, null where its going would return nothing. */
    String refusal(Workload victim);

    /**
     * Ways to preempt, the one to try first first.
     *
     * @param allowed those that guards let go
     * @param refused is told what keeps those that no way may take
     */
    List<? extends VictimRule> ways(List<Spare> allowed, Consumer<String> refused);
}
