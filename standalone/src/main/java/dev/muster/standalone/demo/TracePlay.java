package dev.muster.standalone.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.standalone.Counts;
import dev.muster.standalone.demo.Manifests.Ask;
import dev.muster.standalone.demo.Manifests.Where;
import dev.muster.standalone.trace.OpenbTrace;
import dev.muster.standalone.trace.TraceNode;
import dev.muster.standalone.trace.TracePod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A trace, as fast as it goes: pods and their ends in the order of the trace, without its pauses. An end that comes
 * before its pod runs takes effect as soon as it does. So that the order of arrival means something, only so many pods may
 * be undecided at a time.
 */
final class TracePlay implements Play {
    private static final String NAMESPACE = "openb";
    private static final int MAX_PODS_PER_NODE = 1001;
    private static final long PAUSE_MILLIS = 2;

    private final OpenbTrace trace;
    private final int maxUndecided;

    /** @param maxUndecided most pods that neither have a node nor are known to wait for room */
    TracePlay(OpenbTrace trace, int maxUndecided) {
        this.trace = trace;
        this.maxUndecided = maxUndecided;
    }

    /** A pod arrives or ends. */
    private record Step(long seconds, boolean arrives, TracePod pod) {}

    @Override
    public String title() {
        return "openb trace, " + Counts.of(trace.nodes().size(), "node") + ", "
                + Counts.of(trace.pods().size(), "pod");
    }

    @Override
    public boolean realTime() {
        return false;
    }

    @Override
    public List<ObjectNode> cluster() {
        List<ObjectNode> objects = new ArrayList<>();
        objects.add(Manifests.namespace(NAMESPACE));
        for (TraceNode node : trace.nodes()) {
            Map<String, String> labels =
                    node.model().isEmpty() ? Map.of() : Map.of(Manifests.GPU_PRODUCT, node.model());
            objects.add(Manifests.node(
                    node.name(), labels, node.cpuMillis(), node.memoryMib(), node.gpus(), MAX_PODS_PER_NODE));
        }
        return objects;
    }

    @Override
    public void perform(ClusterWriter writer, Scoreboard scoreboard) throws InterruptedException {
        int created = 0;
        for (Step step : steps()) {
            if (step.arrives()) {
                while (created - scoreboard.knownPods() + scoreboard.undecidedPods() >= maxUndecided) {
                    Thread.sleep(PAUSE_MILLIS);
                }
                writer.apply(manifest(step.pod()));
                created++;
            } else {
                writer.finish(NAMESPACE, step.pod().name());
            }
        }
    }

    /** In order of time; at one moment ends come first, unless a pod ends in the second in which it arrives. */
    private List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        for (TracePod pod : trace.pods()) {
            steps.add(new Step(pod.createdSeconds(), true, pod));
            if (pod.deletedSeconds() != TracePod.NEVER) {
                steps.add(new Step(Math.max(pod.deletedSeconds(), pod.createdSeconds() + 1), false, pod));
            }
        }
        steps.sort(Comparator.comparingLong(Step::seconds).thenComparing(Step::arrives));
        return steps;
    }

    static ObjectNode manifest(TracePod pod) {
        Ask ask = pod.sharesGpu()
                ? new Ask(pod.cpuMillis(), pod.memoryMib(), 0, pod.gpuMilli())
                : new Ask(pod.cpuMillis(), pod.memoryMib(), pod.gpus(), 0);
        return Manifests.pod(NAMESPACE, pod.name(), ask, new Where(pod.models(), ""), 0);
    }
}
