package dev.muster.standalone.bench.core;

import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.round.Effects;
import dev.muster.standalone.bench.core.CoreReport.Size;
import dev.muster.standalone.bench.core.NaiveScheduler.Placement;
import java.util.ArrayList;
import java.util.List;

/** An empty cluster, all pods waiting; the clock runs while one round places them all. */
final class FillBench {
    private final CoreOptions options;
    private final String strategy;
    private final int queues;

    FillBench(CoreOptions options, String strategy) {
        this(options, strategy, 1);
    }

    /** The same with the gangs in so many queues. */
    FillBench(CoreOptions options, String strategy, int queues) {
        this.queues = queues;
        this.options = options;
        this.strategy = strategy;
    }

    /** One run: what the round used, and where it put everything. */
    record Run(int pods, int decisions, Meter.Used used, List<Placement> placements) {
        double podsPerCpuSecond() {
            return pods * 1e9 / Math.max(1, used.cpuNanos());
        }

        double podsPerSecond() {
            return pods * 1e9 / Math.max(1, used.nanos());
        }

        double bytesPerDecision() {
            return (double) used.allocatedBytes() / decisions;
        }
    }

    /**
     * Live heap of one engine, bytes per node and per pod.
     *
     * @param handedOut bytes per decision that a round adds to it: the decision, its hold, its rows and statuses
     */
    record Heap(double perNode, double perWaitingPod, double perRunningPod, double handedOut) {}

    Run run(int nodes) {
        CoreDomain domain = domain(nodes);
        int gangs = options.gangs(nodes);
        for (int gang = 0; gang < gangs; gang++) {
            domain.submit(gang);
        }
        Meter meter = Meter.start();
        List<Decision> decisions = domain.tick();
        Meter.Used used = meter.stop();
        int perGang = options.workload().podsPerGang();
        List<Placement> placements = Placements.checked(decisions, gangs, perGang);
        return new Run(gangs * perGang, gangs, used, placements);
    }

    private CoreDomain domain(int nodes) {
        CoreDomain domain = new CoreDomain(options, options.workload(), strategy, queues);
        domain.list(nodes);
        return domain;
    }

    /** The heap after the nodes, after the pods that wait, and when all of them run; of several engines where one is small. */
    private Heap heap(int nodes) {
        int engines = Math.ceilDiv(options.heapNodes(), nodes);
        int gangs = options.gangs(nodes);
        List<CoreDomain> domains = new ArrayList<>();
        long before = Meter.liveHeapBytes();
        for (int i = 0; i < engines; i++) {
            domains.add(domain(nodes));
        }
        long idle = Meter.liveHeapBytes();
        for (CoreDomain domain : domains) {
            for (int gang = 0; gang < gangs; gang++) {
                domain.submit(gang);
            }
        }
        long waiting = Meter.liveHeapBytes();
        List<Effects> rounds =
                new ArrayList<>(domains.stream().map(CoreDomain::round).toList());
        long placed = Meter.liveHeapBytes();
        for (CoreDomain domain : domains) {
            rounds.removeFirst().decisions().forEach(domain::bind);
        }
        long running = Meter.liveHeapBytes();
        domains.forEach(CoreDomain::tick); // reachable until here
        double allDecisions = (double) engines * gangs;
        double allPods = allDecisions * options.workload().podsPerGang();
        return new Heap(
                (double) (idle - before) / ((double) engines * nodes),
                (waiting - idle) / allPods,
                (running - idle) / allPods,
                (placed - waiting) / allDecisions);
    }

    Size measure(int nodes) {
        Heap heap = heap(nodes);
        List<Run> runs = new ArrayList<>();
        for (int i = 0; i < options.runs(); i++) {
            Run run = run(nodes);
            runs.add(new Run(run.pods(), run.decisions(), run.used(), List.of()));
        }
        Run any = runs.getFirst();
        return new Size(
                nodes,
                any.pods(),
                any.decisions(),
                Spread.of(runs.stream().map(Run::podsPerCpuSecond).toList()),
                Spread.of(runs.stream().map(Run::podsPerSecond).toList()),
                Spread.of(runs.stream().map(Run::bytesPerDecision).toList()),
                heap);
    }
}
