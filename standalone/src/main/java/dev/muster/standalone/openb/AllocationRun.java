package dev.muster.standalone.openb;

import dev.muster.standalone.trace.ArrivalOrder;
import dev.muster.standalone.trace.NodeRanks;
import dev.muster.standalone.trace.TraceNode;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Pods that arrive one after the other at a scheduler and stay; one that does not fit counts as arrived and is forgotten.
 *
 * @param order name of the order of arrival
 * @param curve allocated over arrived load, percent: {@link LoadCurve}
 * @param arrivals pods that arrived: as many decisions
 * @param placed how many of them were placed
 * @param fragmentedPercent GPUs idle in the end that popular shapes can't use, percent of all GPUs
 * @param fragmentedOfIdlePercent the same, percent of what is idle
 * @param seconds time that deciding took
 * @param cpuSeconds CPU time of the deciding thread
 */
public record AllocationRun(
        String order,
        List<Double> curve,
        int arrivals,
        int placed,
        double fragmentedPercent,
        double fragmentedOfIdlePercent,
        double seconds,
        double cpuSeconds) {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    public AllocationRun {
        curve = List.copyOf(curve);
    }

    /** Plays one order from empty nodes. */
    static AllocationRun play(Scheduler.Factory factory, Experiment experiment, ArrivalOrder order, NodeRanks ranks) {
        List<GpuNode> nodes = nodes(experiment.trace().nodes(), ranks);
        long gpus = nodes.stream().mapToLong(GpuNode::devices).sum();
        LoadCurve curve = new LoadCurve(gpus);
        Scheduler scheduler = factory.on(nodes);
        long allocated = 0;
        int placed = 0;
        long start = System.nanoTime();
        long cpuStart = THREADS.getCurrentThreadCpuTime();
        for (int pod : order.pods()) {
            Shape shape = experiment.shapes().get(pod);
            if (scheduler.place(shape) != null) {
                placed++;
                allocated += shape.totalGpuMilli();
            }
            curve.arrived(shape, allocated);
        }
        long nanos = System.nanoTime() - start;
        long cpuNanos = THREADS.getCurrentThreadCpuTime() - cpuStart;
        double fragmented =
                nodes.stream().mapToDouble(experiment.fragmentation()::of).sum();
        long idle = nodes.stream().mapToLong(GpuNode::gpuLeft).sum();
        return new AllocationRun(
                order.name(),
                curve.values(),
                order.pods().size(),
                placed,
                LoadCurve.round(fragmented / gpus / 10),
                idle == 0 ? 0 : LoadCurve.round(fragmented / idle * 100),
                nanos / 1e9,
                cpuNanos / 1e9);
    }

    private static List<GpuNode> nodes(List<TraceNode> facts, NodeRanks ranks) {
        List<GpuNode> nodes = new ArrayList<>();
        facts.stream()
                .sorted(Comparator.comparingInt(ranks::of))
                .forEach(node -> nodes.add(new GpuNode(node, nodes.size())));
        return nodes;
    }
}
