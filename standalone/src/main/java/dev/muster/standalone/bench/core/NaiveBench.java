package dev.muster.standalone.bench.core;

import dev.muster.standalone.bench.core.CoreReport.Comparison;
import dev.muster.standalone.bench.core.CoreWorkload.Role;
import dev.muster.standalone.bench.core.NaiveScheduler.Placement;
import dev.muster.standalone.bench.core.NaiveScheduler.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The core beside a scheduler that looks at every node for every pod: same pods, same places, both on the clock; both place
 * by strategy binpack.
 */
final class NaiveBench {
    private static final int WARM_UP_NODES = 60;

    private final CoreOptions options;

    NaiveBench(CoreOptions options) {
        this.options = options;
    }

    private record Naive(List<Placement> placements, Meter.Used used) {}

    /**
     * Both at one size of the cluster; the naive one is played once.
     *
     * @throws IllegalStateException when they place differently
     */
    Comparison measure() {
        FillBench fill = new FillBench(options.withoutTopology(), "binpack");
        naive(WARM_UP_NODES);
        List<FillBench.Run> runs = new ArrayList<>();
        for (int i = 0; i < options.runs(); i++) {
            runs.add(fill.run(options.naiveNodes()));
        }
        Naive naive = naive(options.naiveNodes());
        FillBench.Run any = runs.getFirst();
        if (!sorted(any.placements()).equals(sorted(naive.placements()))) {
            throw new IllegalStateException("the core and the naive scheduler place differently");
        }
        return new Comparison(
                options.naiveNodes(),
                any.pods(),
                Spread.of(runs.stream().map(FillBench.Run::podsPerCpuSecond).toList()),
                any.pods() * 1e9 / naive.used().cpuNanos());
    }

    private Naive naive(int nodes) {
        NaiveScheduler scheduler = new NaiveScheduler();
        for (int node = 0; node < nodes; node++) {
            scheduler.add(CoreNews.nodeName(node), CoreNews.node(node));
        }
        List<List<List<Pod>>> gangs = new ArrayList<>();
        for (int gang = 0; gang < options.gangs(nodes); gang++) {
            gangs.add(pods(gang, options.workload().rolesOf(gang)));
        }
        List<Placement> placements = new ArrayList<>();
        Meter meter = Meter.start();
        for (List<List<Pod>> gang : gangs) {
            placements.addAll(scheduler.place(gang));
        }
        return new Naive(placements, meter.stop());
    }

    private static List<List<Pod>> pods(int gang, List<Role> roles) {
        List<List<Pod>> pods = new ArrayList<>();
        for (Role role : roles) {
            List<Pod> ofRole = new ArrayList<>();
            for (int index = 0; index < role.pods(); index++) {
                String name = CoreNews.podName(CoreDomain.nameOf(gang), role, index);
                ofRole.add(new Pod(name, CoreNews.requirement(role.gpus())));
            }
            pods.add(ofRole);
        }
        return pods;
    }

    private static List<Placement> sorted(List<Placement> placements) {
        return placements.stream().sorted(Comparator.comparing(Placement::pod)).toList();
    }
}
