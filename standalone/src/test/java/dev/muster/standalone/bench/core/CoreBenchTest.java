package dev.muster.standalone.bench.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.standalone.bench.core.CoreOptions.Part;
import dev.muster.standalone.bench.core.CoreOptions.Topology;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The short form of {@code muster bench core}: what it places is right, and its work does not grow with the cluster. Memory
 * allocated stands in for time where it can, since it is the same on every machine; where it cannot, ratios within one run
 * have margins that only another order of growth breaks.
 */
class CoreBenchTest {
    private static final PrintStream NOWHERE = new PrintStream(OutputStream.nullOutputStream());

    @ParameterizedTest
    @EnumSource(CoreWorkload.class)
    void everyWorkloadIsPlacedWhole(CoreWorkload workload) {
        for (Topology topology : Topology.values()) {
            everyWorkloadIsPlacedWhole(workload, topology);
        }
    }

    private static void everyWorkloadIsPlacedWhole(CoreWorkload workload, Topology topology) {
        CoreReport report = CoreBench.run(options(workload, 1, true, topology, Set.of(), 96), NOWHERE);

        JsonNode result = report.toJson().path("results").get(0);
        int gangs = 96 * 8 * 95 / 100 / workload.gpusPerGang();
        assertThat(result.path("decisions").intValue()).isEqualTo(gangs);
        assertThat(result.path("pods").intValue()).isEqualTo(gangs * workload.podsPerGang());
        assertThat(report.toText()).contains("B/DECISION");
    }

    @ParameterizedTest
    @EnumSource(Topology.class)
    void memoryPerDecisionDoesNotGrowWithTheNodes(Topology topology) {
        assertThat(growthOfMemory(
                        CoreBench.run(options(CoreWorkload.gang8, 1, false, topology, Set.of(), 128, 1024), NOWHERE)))
                .isLessThan(0.1);
    }

    @Test
    void timePerDecisionDoesNotGrowWithTheNodes() {
        CoreReport report = CoreBench.run(options(CoreWorkload.gang8, 3, false, Set.of(), 128, 512, 2048), NOWHERE);

        assertThat(report.toJson().path("growthExponent").doubleValue()).isLessThan(0.7);
    }

    private static double growthOfMemory(CoreReport report) {
        return Growth.exponent(report.sizes().stream()
                .map(size ->
                        new Growth.Point(size.nodes(), size.bytesPerDecision().median()))
                .toList());
    }

    @Test
    void aLookAtEveryNodePlacesTheSameAndTakesManyTimesAsLong() {
        CoreReport report = CoreBench.run(options(CoreWorkload.mixed, 3, false, Set.of(Part.naive), 512), NOWHERE);

        // 20 to 50 times at this size; without an index it would be about 1.
        assertThat(report.toJson().path("naive").path("ratio").doubleValue()).isGreaterThan(4);
    }

    @Test
    void theJsonHasItsStableFields() {
        CoreReport report = CoreBench.run(
                options(CoreWorkload.gang8, 1, false, Set.of(Part.large, Part.waiting, Part.queues), 64, 128), NOWHERE);

        JsonNode json = report.toJson();
        assertThat(json.path("benchmark").textValue()).isEqualTo("core");
        assertThat(json.path("growthExponent").isNumber()).isTrue();
        assertThat(json.path("results")).hasSize(2);
        for (String field :
                List.of("nodes", "podsPerCpuSecond", "bytesPerNode", "bytesPerDecision", "garbageBytesPerDecision")) {
            assertThat(json.path("results").get(1).path(field).doubleValue())
                    .as(field)
                    .isPositive();
        }
        assertThat(json.path("gang512").path("p99Millis").doubleValue()).isPositive();
        assertThat(json.path("waiting")).hasSize(2);
        assertThat(json.path("waitingGrowthExponent").isNumber()).isTrue();
        assertThat(json.path("queues")).hasSize(2);
        assertThat(json.path("queuesGrowthExponent").isNumber()).isTrue();
    }

    @Test
    void thePlotIsAPictureOfEverySize() throws Exception {
        CoreReport report = CoreBench.run(options(CoreWorkload.gang64, 1, false, Set.of(), 64, 256), NOWHERE);

        var builder = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder();
        var picture = builder.parse(new ByteArrayInputStream(report.toSvg().getBytes(StandardCharsets.UTF_8)));
        assertThat(picture.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(picture.getElementsByTagName("circle").getLength()).isEqualTo(2);
    }

    @Test
    void theExponentIsThatOfThePowerLaw() {
        List<Growth.Point> cubes =
                List.of(new Growth.Point(1, 5), new Growth.Point(10, 5_000), new Growth.Point(100, 5_000_000));
        assertThat(Growth.exponent(cubes)).isEqualTo(3, within(1e-9));
        assertThat(Growth.exponent(cubes.subList(0, 1))).isZero();
    }

    private static CoreOptions options(
            CoreWorkload workload, int runs, boolean numa, Set<Part> parts, Integer... nodes) {
        return options(workload, runs, numa, Topology.none, parts, nodes);
    }

    private static CoreOptions options(
            CoreWorkload workload, int runs, boolean numa, Topology topology, Set<Part> parts, Integer... nodes) {
        List<Integer> sizes = List.of(nodes);
        return new CoreOptions(
                workload,
                sizes,
                95,
                numa,
                topology,
                2_000,
                sizes.getFirst(),
                runs,
                parts,
                sizes.getLast(),
                70,
                64,
                List.of(500, 5_000),
                List.of(1, 50));
    }
}
