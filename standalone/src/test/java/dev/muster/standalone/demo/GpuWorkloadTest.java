package dev.muster.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GpuWorkloadTest {
    private static final long SPAN_MILLIS = 20_000;

    @Test
    void equalSeedsGiveEqualWorkAndOthersDoNot() {
        GpuCluster cluster = new GpuCluster(64);
        assertThat(GpuWorkload.wave(cluster, 1, 0, SPAN_MILLIS))
                .isEqualTo(GpuWorkload.wave(cluster, 1, 0, SPAN_MILLIS));
        assertThat(GpuWorkload.wave(cluster, 1, 0, SPAN_MILLIS))
                .isNotEqualTo(GpuWorkload.wave(cluster, 2, 0, SPAN_MILLIS));
        assertThat(new GpuCluster(64).objects()).isEqualTo(cluster.objects());
    }

    @Test
    void namesAreUniqueAlsoAcrossWaves() {
        Set<String> names = new HashSet<>();
        for (int wave = 0; wave < 3; wave++) {
            for (ObjectNode object : objects(GpuWorkload.wave(new GpuCluster(64), 1, wave, SPAN_MILLIS))) {
                assertThat(names.add(object.get("kind").asText() + "/"
                                + object.at("/metadata/name").asText()))
                        .as("%s", object)
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8, 64, 500})
    void everyGangButOneFitsTheEmptyCluster(int nodes) {
        GpuCluster cluster = new GpuCluster(nodes);
        List<ObjectNode> objects = objects(GpuWorkload.wave(cluster, 7, 0, SPAN_MILLIS));
        int tooLarge = 0;
        for (ObjectNode object : objects) {
            for (JsonNode task : object.at("/spec/tasks")) {
                int gpus = task.at("/template/spec/containers/0/resources/requests/nvidia.com~1gpu")
                        .asInt();
                boolean oneModel = task.at("/template/spec").has("affinity");
                if (gpus > GpuCluster.GPUS_PER_NODE) {
                    tooLarge++;
                } else if (gpus > 0) {
                    assertThat(task.get("replicas").asInt())
                            .isLessThanOrEqualTo(cluster.usable(oneModel ? GpuCluster.OLD_MODEL : "")
                                    * (GpuCluster.GPUS_PER_NODE / gpus));
                }
            }
        }
        assertThat(tooLarge).isEqualTo(1);
    }

    @Test
    void theStandardDemoHasEveryKindOfWorkAndMoreThanFitsAtOnce() {
        GpuCluster cluster = new GpuCluster(64);
        List<ObjectNode> objects = objects(GpuWorkload.wave(cluster, 1, 0, SPAN_MILLIS));
        assertThat(objects.stream()
                        .map(o -> o.get("apiVersion").asText() + "/"
                                + o.get("kind").asText()))
                .contains(
                        "batch.volcano.sh/v1alpha1/Job",
                        "scheduling.x-k8s.io/v1alpha1/PodGroup",
                        "v1/Pod",
                        "batch/v1/Job");
        assertThat(objects.stream().filter(o -> o.at("/metadata/annotations").has("muster.dev/gpu-fraction")))
                .isNotEmpty();
        assertThat(objects.stream().filter(o -> o.at("/spec/tasks").size() == 2))
                .isNotEmpty();
        assertThat(objects.stream()
                        .flatMap(o -> o.at("/spec/tasks").valueStream())
                        .mapToInt(t -> t.get("replicas").asInt())
                        .max())
                .hasValue(64);
        assertThat(cluster.objects().stream()
                        .filter(o -> o.at("/spec/unschedulable").asBoolean()))
                .hasSize(2);
        assertThat(cluster.objects().stream().filter(o -> o.at("/spec").has("taints")))
                .hasSize(2);
    }

    private static List<ObjectNode> objects(List<Arrival> arrivals) {
        return arrivals.stream().flatMap(a -> a.objects().stream()).toList();
    }
}
