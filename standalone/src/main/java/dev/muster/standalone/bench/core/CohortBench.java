package dev.muster.standalone.bench.core;

import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.scheduler.core.model.QuotaObject.Preemption;
import dev.muster.standalone.bench.Machine;
import dev.muster.standalone.bench.core.CohortNews.Pod;
import dev.muster.standalone.bench.core.CohortOptions.Part;
import dev.muster.standalone.bench.core.CohortReport.Size;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * A full cluster that is shared by the queues of a tree of cohorts: one workload ends, a round gives its room and its quota
 * to the next, which starts. On the clock is all of that.
 *
 * <p>Workloads are pods of 8 GPUs, of four kinds that differ in their CPUs, so that each end makes room for one and nobody
 * else. Every fourth queue has none: others borrow its quota. Queues may reclaim and preempt by priority, though there is
 * nobody of lower priority: each refusal has to find that out.
 */
public final class CohortBench {
    private static final Preemption BY_PRIORITY = new Preemption("LowerPriority", "LowerPriority", "Never", null);
    private static final int VARIANTS = 4;
    private static final int IDLE_ONE_IN = 4;
    private static final int WARM_UP = 200;
    private static final int BATCH = 1_000;

    /** Odd: its multiples lie all over the place. */
    private static final long SCATTER = 0x9E3779B97F4A7C15L;

    private final CohortOptions options;

    private CohortBench(CohortOptions options) {
        this.options = options;
    }

    /**
     * Measures.
     *
     * @param progress where to say what is going on
     */
    public static CohortReport run(CohortOptions options, PrintStream progress) {
        return new CohortBench(options).measure(progress);
    }

    private CohortReport measure(PrintStream progress) {
        int fewest = options.waiting().getFirst();
        boolean sizes =
                options.parts().contains(Part.waiting) || options.parts().contains(Part.queues);
        if (sizes) {
            progress.println("warming up");
            play(options.queues(), fewest);
        }
        List<Size> byWaiting = new ArrayList<>();
        if (options.parts().contains(Part.waiting)) {
            for (int waiting : options.waiting()) {
                progress.println(waiting + " workloads waiting in " + options.queues() + " queues");
                byWaiting.add(measure(options.queues(), waiting));
            }
        }
        List<Size> byQueues = new ArrayList<>();
        if (options.parts().contains(Part.queues)) {
            for (int queues : options.queueCounts()) {
                progress.println(fewest + " workloads waiting in " + queues + " queues");
                byQueues.add(measure(queues, fewest));
            }
        }
        List<CohortReport.Search> searches = new ArrayList<>();
        if (options.parts().contains(Part.preemption)) {
            for (int gang : options.gangs()) {
                progress.println("preemption for a gang of " + gang + " pods, " + options.nodes() + " nodes");
                searches.addAll(new PreemptionBench(options.nodes(), options.runs()).measure(gang));
            }
        }
        return new CohortReport(options, byWaiting, byQueues, searches, Machine.read());
    }

    private Size measure(int queues, int waiting) {
        List<Double> perEnd = new ArrayList<>();
        List<Double> perRound = new ArrayList<>();
        List<Double> bytes = new ArrayList<>();
        List<Double> all = new ArrayList<>();
        for (int run = 0; run < options.runs(); run++) {
            Run played = play(queues, waiting);
            perEnd.add(mean(played.micros()));
            perRound.add(mean(played.roundMicros()));
            bytes.add(mean(played.bytes()));
            all.addAll(played.micros());
        }
        return new Size(
                queues,
                waiting,
                Spread.of(perEnd),
                Spread.of(perRound),
                Spread.percentile(all, 99),
                Spread.of(bytes).median());
    }

    /** One run, end by end: CPU time with all events, that of the round alone, bytes allocated. */
    private record Run(List<Double> micros, List<Double> roundMicros, List<Double> bytes) {}

    private Run play(int queues, int waiting) {
        CohortDomain domain = new CohortDomain(options.nodes(), queues, BY_PRIORITY, SchedulerPolicy.DEFAULT);
        List<Decision> running = new ArrayList<>();
        int all = options.nodes() + waiting + WARM_UP + options.ends();
        for (int i = 0; i < all; i++) {
            domain.submit(pod(i, queues));
            if (i % BATCH == BATCH - 1 || i == all - 1) {
                start(domain, running);
            }
        }
        if (running.size() != options.nodes()) {
            throw new IllegalStateException(running.size() + " of " + options.nodes() + " nodes are taken");
        }
        for (int i = 0; i < WARM_UP; i++) {
            domain.end(someOf(running, i));
            start(domain, running);
        }
        Run run = new Run(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < options.ends(); i++) {
            Decision ending = someOf(running, WARM_UP + i);
            Meter meter = Meter.start();
            domain.end(ending);
            Meter round = Meter.start();
            List<Decision> decisions = domain.tick();
            Meter.Used ofRound = round.stop();
            decisions.forEach(domain::bind);
            Meter.Used used = meter.stop();
            if (decisions.size() != 1) {
                throw new IllegalStateException("one workload ended, " + decisions.size() + " were placed");
            }
            running.addAll(decisions);
            run.micros().add(used.cpuNanos() / 1e3);
            run.roundMicros().add(ofRound.cpuNanos() / 1e3);
            run.bytes().add((double) used.allocatedBytes());
        }
        return run;
    }

    private static void start(CohortDomain domain, List<Decision> running) {
        List<Decision> decisions = domain.tick();
        decisions.forEach(domain::bind);
        running.addAll(decisions);
    }

    /** Takes one out, from anywhere. */
    private static Decision someOf(List<Decision> running, int turn) {
        int at = (int) Long.remainderUnsigned(turn * SCATTER, running.size());
        Decision last = running.removeLast();
        return at == running.size() ? last : running.set(at, last);
    }

    private static Pod pod(int i, int queues) {
        int busy = Math.max(1, queues - queues / IDLE_ONE_IN);
        int queue = i % busy;
        int round = i / busy;
        return new Pod(
                "w" + i,
                "",
                queue + queue / (IDLE_ONE_IN - 1),
                0,
                CohortNews.requirement(CoreNews.GPUS_PER_NODE, (round + queue) % VARIANTS));
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }
}
