package dev.muster.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.scheduler.core.model.PreemptionPolicy;
import dev.muster.scheduler.core.model.PreemptionPolicy.Fence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A burst of 1,000 urgent jobs meets 100 nodes of 8 GPUs that are full of 400 jobs of 2 GPUs, four hours old. 100 of the burst
 * are critical, 900 merely urgent; each wants a GPU for an hour. Half an hour is played.
 */
class AvalancheTest {
    private static final int NODES = 100;
    private static final int LONG_JOBS = 400;
    private static final int CRITICAL = 100;
    private static final int URGENT = 900;
    private static final long AGE_MILLIS = 4 * 3_600_000L;
    private static final long PLAY_MILLIS = 1_800_000;
    private static final long STEP_MILLIS = 5_000;
    private static final long GRACE_MILLIS = 30_000;

    private static final PreemptionPolicy OFF =
            new PreemptionPolicy(true, Fence.CLUSTER, 0, 0, 0, 0, 0, 0, 0, 0, List.of(), List.of(), 600_000);

    /** What became of it. */
    private record Result(int evictions, long gpuHoursLost, long criticalStartedAfterMillis, int urgentStarted) {}

    @Test
    void withTheGuardsOffTheWholeClusterIsEvicted() {
        Result result = play(OFF);
        System.out.println("avalanche, guards off: " + result);

        // Each long job that goes makes room for two of the burst: 800 of 1,000 start.
        assertThat(result.evictions()).isEqualTo(LONG_JOBS);
        assertThat(result.gpuHoursLost()).isGreaterThanOrEqualTo(LONG_JOBS * 2 * 4);
        assertThat(result.criticalStartedAfterMillis()).isLessThanOrEqualTo(60_000);
        assertThat(result.urgentStarted()).isEqualTo(800 - CRITICAL);
    }

    @Test
    void byDefaultEvictionsStayInTheBudgetAndWhatIsCriticalStarts() {
        Result result = play(PreemptionPolicy.DEFAULT);
        System.out.println("avalanche, guards by default: " + result);

        PreemptionPolicy limits = PreemptionPolicy.DEFAULT;
        long budget = limits.evictionsPerQueue() + limits.evictionsPerQueuePerHour() * PLAY_MILLIS / 3_600_000 + 1;
        assertThat(result.evictions()).isLessThanOrEqualTo((int) budget);
        assertThat(result.criticalStartedAfterMillis()).isLessThanOrEqualTo(60_000);
    }

    @Test
    void aTightBudgetIsKeptToo() {
        PreemptionPolicy tight = new PreemptionPolicy(
                true, Fence.CLUSTER, 50, 60, 0, 0, 10_000, 3, 600_000, 3, List.of(), List.of(), 600_000);
        Result result = play(tight);
        System.out.println("avalanche, 50 evictions at once and 60 an hour: " + result);

        assertThat(result.evictions()).isBetween(50, 50 + 30 + 1);
        assertThat(result.criticalStartedAfterMillis()).isLessThanOrEqualTo(60_000);
    }

    private static Result play(PreemptionPolicy policy) {
        TestDomain domain = TestDomain.unchecked();
        domain.apply(new PolicyChanged(
                domain.origin("", "policy"), Kinds.SCHEDULER_POLICY, SchedulerPolicy.DEFAULT.withPreemption(policy)));
        for (int node = 0; node < NODES; node++) {
            domain.node("n" + node, 8);
        }
        for (int job = 0; job < LONG_JOBS; job++) {
            domain.lonePod("long-" + job, 10, TestDomain.gpus(2));
        }
        domain.tick().forEach(domain::carryOut);
        domain.pass(AGE_MILLIS);
        for (int job = 0; job < URGENT; job++) {
            domain.lonePod("urgent-" + job, 1_000, TestDomain.gpus(1));
        }
        for (int job = 0; job < CRITICAL; job++) {
            domain.lonePod("critical-" + job, 2_000, TestDomain.gpus(1));
        }
        Map<String, Long> leaving = new LinkedHashMap<>();
        int evictions = 0;
        long lostMillis = 0;
        int critical = 0;
        int urgent = 0;
        long criticalAfter = Long.MAX_VALUE;
        for (long now = 0; now <= PLAY_MILLIS; now += STEP_MILLIS) {
            long moment = now;
            List<String> gone = leaving.entrySet().stream()
                    .filter(pod -> pod.getValue() <= moment)
                    .map(Map.Entry::getKey)
                    .toList();
            gone.forEach(leaving::remove);
            gone.forEach(domain::gone);
            for (List<Decision> made = rounds(domain); !made.isEmpty(); made = rounds(domain)) {
                for (Decision decision : made) {
                    if (decision.action() instanceof Action.PlaceGang) {
                        domain.carryOut(decision);
                        boolean isCritical = decision.workload().value().contains("critical");
                        critical += isCritical ? 1 : 0;
                        urgent += isCritical ? 0 : 1;
                        criticalAfter = critical == CRITICAL ? Math.min(criticalAfter, now) : criticalAfter;
                    } else {
                        domain.evict(decision);
                        for (String victim : TestDomain.victims(decision)) {
                            leaving.put(victim, now + GRACE_MILLIS);
                            evictions++;
                            lostMillis += 2 * (AGE_MILLIS + now);
                        }
                    }
                }
            }
            domain.pass(STEP_MILLIS);
        }
        return new Result(evictions, lostMillis / 3_600_000, criticalAfter, urgent);
    }

    /** Ticks until nothing is marked any more. */
    private static List<Decision> rounds(TestDomain domain) {
        List<Decision> made = new ArrayList<>();
        while (domain.wantsTick()) {
            made.addAll(domain.tick());
        }
        return made;
    }
}
