package dev.muster.benchmarks;

import dev.muster.scheduler.core.event.ClusterEvent;
import dev.muster.scheduler.core.event.ClusterEvent.EngineStarted;
import dev.muster.scheduler.core.event.ClusterEvent.GroupChanged;
import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PodChanged;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncBegan;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncEnded;
import dev.muster.scheduler.core.event.ClusterEvent.Tick;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.GroupFacts;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.PodFacts;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.WorkloadKind;
import dev.muster.scheduler.core.round.Effects;
import dev.muster.scheduler.core.round.Engine;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The core alone: nodes of 96 CPU, 1 TiB and 8 GPUs, gangs of 8 pods with 8 CPU, 64 GiB and 1 GPU each, all waiting before
 * the clock starts, filled to 95 %. The time is that of the round that places them all.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5)
@Measurement(iterations = 5)
@Fork(1)
public class GangPlacementBenchmark {
    private static final String CLUSTER = "bench";
    private static final long GIB = 1L << 30;
    private static final int GANG = 8;
    private static final int GPUS = 8;

    /** Nodes in the cluster. */
    @Param({"128", "512"})
    public int nodes;

    private Engine engine;
    private long resourceVersion;

    /** Fills the cluster with nodes and waiting gangs. */
    @Setup(Level.Invocation)
    public void fill() {
        engine = Engine.empty();
        resourceVersion = 0;
        apply(new EngineStarted(Engine.VERSION));
        List<String> kinds = Kinds.NEEDED_TO_PLACE;
        kinds.forEach(kind -> apply(new ResyncBegan(CLUSTER, kind, 1)));
        for (int i = 0; i < nodes; i++) {
            node("n" + i, i);
        }
        kinds.forEach(kind -> apply(new ResyncEnded(CLUSTER, kind, 1, 1)));
        for (int gang = 0; gang < gangs(); gang++) {
            gang("g" + gang);
        }
    }

    /** Gangs that fill 95 % of the GPUs. */
    private int gangs() {
        return nodes * GPUS * 95 / 100 / GANG;
    }

    /** One round places them all. */
    @Benchmark
    public int placeAll() {
        int decisions = apply(new Tick("marked")).decisions().size();
        if (decisions != gangs()) {
            throw new IllegalStateException("placed " + decisions + " of " + gangs() + " gangs");
        }
        return decisions;
    }

    private void node(String name, int index) {
        TreeMap<String, String> labels = new TreeMap<>();
        labels.put("kubernetes.io/hostname", name);
        labels.put("topology.kubernetes.io/zone", "z" + index / 512);
        List<Amount> allocatable = List.of(
                new Amount("cpu", 96_000),
                new Amount("memory", 1024 * GIB),
                new Amount("nvidia.com/gpu", GPUS),
                new Amount("pods", 110));
        apply(new NodeChanged(origin("", name), new NodeFacts(labels, List.of(), false, true, allocatable)));
    }

    private void gang(String name) {
        apply(new GroupChanged(
                origin("ml", name), Kinds.VOLCANO_POD_GROUP, new GroupFacts("", "", GANG, List.of(), "", "", 0, 0)));
        Requirement requirement = new Requirement(
                List.of(
                        new Amount("cpu", 8_000),
                        new Amount("memory", 64 * GIB),
                        new Amount("nvidia.com/gpu", 1),
                        new Amount("pods", 1)),
                0,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                "");
        for (int i = 0; i < GANG; i++) {
            PodFacts facts = new PodFacts(
                    "muster",
                    true,
                    "Pending",
                    "",
                    false,
                    false,
                    0,
                    true,
                    new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, name),
                    "",
                    i,
                    "",
                    requirement,
                    List.of(),
                    "",
                    0);
            apply(new PodChanged(origin("ml", name + "-" + i), facts));
        }
    }

    private Origin origin(String namespace, String name) {
        return new Origin(CLUSTER, 1, namespace, name, name, ++resourceVersion);
    }

    private Effects apply(ClusterEvent event) {
        return engine.apply(new JournalEntry(engine.nextSequence(), 0, event));
    }
}
