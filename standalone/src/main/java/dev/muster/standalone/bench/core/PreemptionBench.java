package dev.muster.standalone.bench.core;

import dev.muster.scheduler.core.decision.Action.Evict;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.scheduler.core.model.PreemptionPolicy;
import dev.muster.scheduler.core.model.PreemptionPolicy.Fence;
import dev.muster.scheduler.core.model.QuotaObject.Preemption;
import dev.muster.standalone.bench.core.CohortNews.Pod;
import dev.muster.standalone.bench.core.CohortReport.Search;
import java.util.ArrayList;
import java.util.List;

/**
 * How long it takes to find whom to evict for a gang in a cluster that is full of gangs of 8 pods with 1 GPU each. On the clock
 * is the journal entry of the round that decides the evictions, rows and statuses included.
 */
final class PreemptionBench {
    private static final int PODS_PER_GANG = 8;
    private static final int QUEUES = 4;
    private static final int WARM_UP = 5;
    private static final int SEARCHES_PER_RUN = 4;
    private static final int HIGH = 1_000;
    private static final long LONG_ENOUGH_MILLIS = 3_600_000;

    /** Nothing but the search itself: no guard refuses anybody. */
    private static final SchedulerPolicy UNGUARDED = SchedulerPolicy.DEFAULT.withPreemption(
            new PreemptionPolicy(true, Fence.CLUSTER, 0, 0, 0, 0, 0, 0, 0, 0, List.of(), List.of(), 600_000));

    private static final Preemption BY_PRIORITY = new Preemption("LowerPriority", "Any", "Never", null);

    private final int nodes;
    private final int runs;

    PreemptionBench(int nodes, int runs) {
        this.nodes = nodes;
        this.runs = runs;
    }

    /** Whom the gang may have evicted. */
    enum Right {
        /** Lower priority, no queue. */
        priority,
        /** Lower priority in its own ClusterQueue. */
        queue,
        /** Who borrows of its cohort. */
        cohort
    }

    /** By each right, for pods of one GPU and of a whole node. */
    List<Search> measure(int gang) {
        List<Search> searches = new ArrayList<>();
        for (Right right : Right.values()) {
            for (int gpus : List.of(1, CoreNews.GPUS_PER_NODE)) {
                if ((long) gang * gpus <= (long) nodes * CoreNews.GPUS_PER_NODE / QUEUES) {
                    searches.add(measure(right, gang, gpus));
                }
            }
        }
        return searches;
    }

    private Search measure(Right right, int gang, int gpus) {
        for (int i = 0; i < WARM_UP; i++) {
            play(right, gang, gpus, new ArrayList<>());
        }
        List<Double> millis = new ArrayList<>();
        int victims = 0;
        for (int i = 0; i < runs * SEARCHES_PER_RUN; i++) {
            victims = play(right, gang, gpus, millis);
        }
        return new Search(
                right.name(),
                nodes,
                gang,
                gpus,
                victims,
                millis.size(),
                Spread.percentile(millis, 50),
                Spread.percentile(millis, 99),
                Spread.percentile(millis, 100));
    }

    private int play(Right right, int gang, int gpus, List<Double> millis) {
        int queues = right == Right.priority ? 0 : QUEUES;
        CohortDomain domain = new CohortDomain(nodes, queues, BY_PRIORITY, UNGUARDED);
        for (int i = 0; i < nodes * CoreNews.GPUS_PER_NODE / PODS_PER_GANG; i++) {
            submit(domain, "low" + i, PODS_PER_GANG, queueOf(right, i), 0, 1);
        }
        domain.tick().forEach(domain::bind);
        domain.tick().forEach(domain::bind);
        domain.sleep(LONG_ENOUGH_MILLIS);
        domain.tick();
        submit(domain, "high", gang, right == Right.priority ? -1 : 0, HIGH, gpus);
        Meter meter = Meter.start();
        List<Decision> decisions = domain.tick();
        millis.add(meter.stop().nanos() / 1e6);
        if (decisions.size() != 1 || !(decisions.getFirst().action() instanceof Evict evict)) {
            throw new IllegalStateException("nobody was evicted for a gang of " + gang + " by " + right);
        }
        return evict.victims().size();
    }

    /** Where a gang that runs is charged: where others are to be evicted by cohort, the gang's own queue uses nothing. */
    private static int queueOf(Right right, int gang) {
        return switch (right) {
            case priority -> -1;
            case queue -> gang % QUEUES;
            case cohort -> 1 + gang % (QUEUES - 1);
        };
    }

    private static void submit(CohortDomain domain, String gang, int pods, int queue, int priority, int gpus) {
        domain.gang(gang, pods);
        for (int i = 0; i < pods; i++) {
            domain.submit(new Pod(gang + "-" + i, gang, queue, priority, CohortNews.requirement(gpus, 0)));
        }
    }
}
