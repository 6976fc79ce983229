package dev.muster.standalone.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.muster.scheduler.core.decision.ReasonCodes;
import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.standalone.trace.OpenbTrace;
import dev.muster.standalone.trace.TraceNode;
import dev.muster.standalone.trace.TracePod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TraceSimulationTest {
    private static final Path OPENB = Path.of("..", "..", "shared", "data", "openb");

    @Test
    void podsRunAsLongAsInTheTraceAndWhatDoesNotFitWaitsForARelease() {
        // One node of 2 GPUs. a and b take one each for 10 s and 30 s; c wants both: it starts when b ends, at 30 s.
        OpenbTrace trace = new OpenbTrace(
                List.of(new TraceNode("n1", 64_000, 1 << 20, 2, "A100")),
                List.of(pod("a", 1, 1000, 0, 10), pod("b", 1, 1000, 0, 30), pod("c", 2, 1000, 5, 15)));

        SimulationReport report = TraceSimulation.run(trace, SchedulerPolicy.DEFAULT);

        assertThat(report.good()).isTrue();
        assertThat(report.decisions()).isEqualTo(3);
        assertThat(report.waiting()).isEmpty();
        assertThat(report.peakGpuMilli()).isEqualTo(2000);
        // 2 GPUs for 10 s, 1 for 20 s, 2 for 10 s: 60 GPU-seconds in 40 s.
        assertThat(report.meanGpuMilli()).isEqualTo(1500);
    }

    @Test
    void aModelThatIsNotThereIsSaidToBeMissing() {
        OpenbTrace trace = new OpenbTrace(
                List.of(new TraceNode("n1", 64_000, 1 << 20, 2, "T4")),
                List.of(new TracePod("a", 1_000, 1_024, 1, 1000, List.of("V100M16"), 0, 10)));

        SimulationReport report = TraceSimulation.run(trace, SchedulerPolicy.DEFAULT);

        assertThat(report.waiting()).hasSize(1);
        assertThat(report.waiting().getFirst().reason().code()).isEqualTo(ReasonCodes.EXCEEDS_CLUSTER);
        assertThat(report.waiting().getFirst().reason().message())
                .endsWith("1 of 1 nodes do not match the required node affinity");
    }

    @Test
    void aCrowdedClusterIsNeverOverCommitted() {
        SplittableRandom random = new SplittableRandom(7);
        List<TraceNode> nodes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            nodes.add(new TraceNode("n" + i, 96_000, 1 << 18, random.nextInt(9), "A100"));
        }
        List<TracePod> pods = new ArrayList<>();
        for (int i = 0; i < 800; i++) {
            int gpus = random.nextInt(5);
            int milli = gpus == 1 && random.nextBoolean() ? 50 + random.nextInt(900) : gpus == 0 ? 0 : 1000;
            pods.add(pod("p" + i, gpus, milli, i, i + 20 + random.nextInt(200)));
        }

        SimulationReport report = TraceSimulation.run(new OpenbTrace(nodes, pods), SchedulerPolicy.DEFAULT);

        assertThat(report.violations()).isEmpty();
        assertThat(report.replayedEqual()).isEqualTo(report.decisions());
        assertThat(report.peakGpuMilli()).isGreaterThan(report.gpus() * 800);
    }

    @Test
    void thePublicTraceIsPlacedWhole() throws IOException {
        Path nodes = OPENB.resolve("openb_node_list_gpu_node.csv");
        assumeTrue(Files.exists(nodes), "needs the openb trace in ../shared/data beside the checkout");

        SimulationReport report = TraceSimulation.run(
                OpenbTrace.read(nodes, OPENB.resolve("openb_pod_list_default.csv")), SchedulerPolicy.DEFAULT);

        assertThat(report.pods()).isEqualTo(8_152);
        assertThat(report.waiting()).isEmpty();
        assertThat(report.good()).isTrue();
    }

    private static TracePod pod(String name, int gpus, int gpuMilli, long created, long deleted) {
        return new TracePod(name, 1_000, 1_024, gpus, gpuMilli, List.of(), created, deleted);
    }
}
