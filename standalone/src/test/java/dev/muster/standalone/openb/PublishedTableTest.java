package dev.muster.standalone.openb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The paper's published allocation, at every point of the load, for every policy that draws no random numbers. */
class PublishedTableTest {
    private static final Path OPENB = Path.of("..", "..", "shared", "data", "openb");
    private static final List<String> POLICIES = List.of("DotProd", "GpuClustering", "GpuPacking", "BestFit", "FGD");

    @ParameterizedTest
    @ValueSource(ints = {42, 43, 44, 45, 46})
    void everyPointOfTheCurvesIsAsPublished(int seed) throws IOException {
        Path published = OPENB.resolve("fgd/expected_allocation.csv");
        assumeTrue(Files.exists(published), "needs the openb trace in ../shared/data beside the checkout");
        Map<String, double[]> expected = curves(published, seed);
        Experiment experiment = Experiment.read(
                OPENB.resolve("openb_node_list_gpu_node.csv"),
                OPENB.resolve("openb_pod_list_default.csv"),
                List.of(OPENB.resolve("fgd/order_" + seed + ".txt")),
                List.of(OPENB.resolve("fgd/noderank_" + seed + ".csv")));

        JsonNode json = experiment.play(POLICIES, 1, 0).toJson();

        assertThat(json.path("gpus").intValue()).isEqualTo(6_212);
        assertThat(experiment.fragmentation().popular()).hasSize(35);
        for (JsonNode policy : json.path("policies")) {
            String name = policy.path("name").textValue();
            double[] curve = expected.get(name);
            assertThat(policy.path("curve")).as(name).hasSize(curve.length).hasSize(131);
            for (int x = 0; x < curve.length; x++) {
                assertThat(policy.path("curve").get(x).doubleValue())
                        .as("%s at %d %%", name, x)
                        .isEqualTo(curve[x], within(0.01 + 1e-9));
            }
        }
        assertThat(json.path("policies")).hasSize(POLICIES.size());
    }

    @Test
    void theDefaultProfileAllocatesMoreThanFgd() throws IOException {
        Path order = OPENB.resolve("fgd/order_42.txt");
        assumeTrue(Files.exists(order), "needs the openb trace in ../shared/data beside the checkout");
        Experiment experiment = Experiment.read(
                OPENB.resolve("openb_node_list_gpu_node.csv"),
                OPENB.resolve("openb_pod_list_default.csv"),
                List.of(order),
                List.of(OPENB.resolve("fgd/noderank_42.csv")));

        JsonNode policies =
                experiment.play(List.of("FGD", "default"), 1, 0).toJson().path("policies");

        assertThat(policies.get(1).path("allocationAt100Percent").doubleValue())
                .isGreaterThan(policies.get(0).path("allocationAt100Percent").doubleValue());
    }

    /** Columns: workload, policy with a number before it, inflation, seed, GPUs, then the curve. */
    private static Map<String, double[]> curves(Path file, int seed) throws IOException {
        Map<String, double[]> curves = new HashMap<>();
        for (String line : Files.readAllLines(file)) {
            String[] cells = line.split(",");
            if (cells[3].equals(String.valueOf(seed))) {
                double[] curve = Arrays.stream(cells)
                        .skip(5)
                        .mapToDouble(Double::parseDouble)
                        .toArray();
                curves.put(cells[1].substring(cells[1].indexOf('-') + 1), curve);
            }
        }
        return curves;
    }
}
