package dev.muster.standalone.bench.core;

import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.standalone.bench.Machine;
import dev.muster.standalone.bench.core.CoreOptions.Part;
import dev.muster.standalone.bench.core.CoreReport.Comparison;
import dev.muster.standalone.bench.core.CoreReport.LargeGang;
import dev.muster.standalone.bench.core.CoreReport.Queue;
import dev.muster.standalone.bench.core.CoreReport.Queues;
import dev.muster.standalone.bench.core.CoreReport.Size;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs the scheduling core on made-up clusters of several sizes: events in, rounds, decisions out; no Kafka, one thread. */
public final class CoreBench {
    private CoreBench() {}

    /**
     * Measures.
     *
     * @param progress where to say what is going on
     */
    public static CoreReport run(CoreOptions options, PrintStream progress) {
        FillBench fill = new FillBench(options, SchedulerPolicy.DEFAULT.strategy());
        progress.println("warming up");
        int smallest = options.nodes().getFirst();
        int placed = 0;
        while (placed < options.warmUpPods()) {
            placed += fill.run(smallest).pods();
        }
        List<Size> sizes = new ArrayList<>();
        for (int nodes : options.nodes()) {
            progress.println("filling " + nodes + " nodes");
            sizes.add(fill.measure(nodes));
        }
        Optional<Comparison> comparison = Optional.empty();
        if (options.parts().contains(Part.naive)) {
            progress.println("placing the same by looking at every node, " + options.naiveNodes() + " nodes");
            comparison = Optional.of(new NaiveBench(options).measure());
        }
        Optional<LargeGang> largeGang = Optional.empty();
        if (options.parts().contains(Part.large)) {
            progress.println("gangs of 512, " + options.largeGangNodes() + " nodes");
            largeGang = Optional.of(new LargeGangBench(options).measure());
        }
        List<Queue> queues = new ArrayList<>();
        if (options.parts().contains(Part.waiting)) {
            for (int waiting : options.waiting()) {
                progress.println(waiting + " pods waiting");
                queues.add(new WaitingBench(options).measure(waiting));
            }
        }
        List<Queues> byQueues = new ArrayList<>();
        if (options.parts().contains(Part.queues)) {
            for (int count : options.queues()) {
                progress.println(count + " queues");
                byQueues.add(new QueuesBench(options).measure(count));
            }
        }
        return new CoreReport(options, sizes, comparison, largeGang, queues, byQueues, Machine.read());
    }
}
