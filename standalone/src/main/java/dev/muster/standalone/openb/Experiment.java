package dev.muster.standalone.openb;

import dev.muster.standalone.trace.ArrivalOrder;
import dev.muster.standalone.trace.NodeRanks;
import dev.muster.standalone.trace.OpenbTrace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A trace, the orders in which its pods arrive, and what follows from the trace alone. */
public final class Experiment {
    private final OpenbTrace trace;
    private final List<Shape> shapes;
    private final Fragmentation fragmentation;
    private final List<Arrivals> arrivals;

    /** An order, and the ranks that break ties while it is played. */
    private record Arrivals(ArrivalOrder order, NodeRanks ranks) {}

    private Experiment(OpenbTrace trace, List<Arrivals> arrivals) {
        this.trace = trace;
        this.shapes = Shape.of(trace.pods());
        this.fragmentation = Fragmentation.of(shapes);
        this.arrivals = arrivals;
    }

    /**
     * Reads all files; as many files of ranks as of orders, or none: then the order of the node list breaks ties.
     *
     * @throws dev.muster.standalone.trace.TraceFormatException at the first line that can't be used
     */
    public static Experiment read(Path nodes, Path pods, List<Path> orders, List<Path> ranks) throws IOException {
        OpenbTrace trace = OpenbTrace.readInFileOrder(nodes, pods);
        List<Arrivals> arrivals = new ArrayList<>();
        for (int i = 0; i < orders.size(); i++) {
            arrivals.add(new Arrivals(
                    ArrivalOrder.read(orders.get(i), trace.pods().size()),
                    ranks.isEmpty() ? NodeRanks.inOrder(trace.nodes()) : NodeRanks.read(ranks.get(i), trace.nodes())));
        }
        return new Experiment(trace, arrivals);
    }

    /**
     * Plays every order with every scheduler, {@code repeat} times each for its speed: the run of median speed stands. What is
     * placed is the same each time.
     */
    public OpenbReport play(List<String> schedulers, int repeat, long seed) {
        Map<String, List<AllocationRun>> runs = new LinkedHashMap<>();
        for (String scheduler : schedulers) {
            Scheduler.Factory factory = Schedulers.of(scheduler, fragmentation, seed);
            runs.put(
                    scheduler,
                    arrivals.stream()
                            .map(played -> play(factory, played, repeat))
                            .toList());
        }
        return OpenbReport.of(this, runs);
    }

    private AllocationRun play(Scheduler.Factory factory, Arrivals played, int repeat) {
        List<AllocationRun> runs = new ArrayList<>();
        for (int i = 0; i < repeat; i++) {
            runs.add(AllocationRun.play(factory, this, played.order(), played.ranks()));
        }
        runs.sort(Comparator.comparingDouble(AllocationRun::seconds));
        return runs.get(runs.size() / 2);
    }

    OpenbTrace trace() {
        return trace;
    }

    /** Of each pod of the trace. */
    List<Shape> shapes() {
        return shapes;
    }

    Fragmentation fragmentation() {
        return fragmentation;
    }
}
