package dev.muster.ingest.map;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestArithmeticTest {

    private static Map<String, Long> of(String spec) {
        Problems problems = new Problems();
        var amounts = RequestArithmetic.effective(Amounts.yaml(PodSpec.class, spec), problems);
        assertThat(problems.refusals()).isEmpty();
        return amounts;
    }

    @Test
    void containersAddUpAndOnePodIsOnePod() {
        assertThat(of("""
            containers:
            - {name: a, resources: {requests: {cpu: 100m, memory: 1Gi}}}
            - {name: b, resources: {requests: {cpu: "2", nvidia.com/gpu: "1"}}}
            """)).isEqualTo(Map.of("cpu", 2100L, "memory", 1L << 30, "nvidia.com/gpu", 1L, "pods", 1L));
    }

    @Test
    void aPodThatAsksForNothingStillTakesAPod() {
        assertThat(of("containers: [{name: a}]")).isEqualTo(Map.of("pods", 1L));
        assertThat(of("{}")).isEqualTo(Map.of("pods", 1L));
    }

    @Test
    void theHighestInitContainerCountsWhereItIsAboveTheContainers() {
        assertThat(of("""
            initContainers:
            - {name: i, resources: {requests: {cpu: "6", memory: 1Gi}}}
            - {name: j, resources: {requests: {cpu: "2", memory: 3Gi}}}
            containers:
            - {name: a, resources: {requests: {cpu: "1", memory: 2Gi}}}
            """)).isEqualTo(Map.of("cpu", 6000L, "memory", 3L << 30, "pods", 1L));
    }

    @Test
    void aSidecarAddsToContainersAndToInitContainersAfterIt() {
        // running: 1 + 2 = 3; before the sidecar: 4; after it: 2 + 2.5 = 4.5
        assertThat(of("""
            initContainers:
            - {name: before, resources: {requests: {cpu: "4"}}}
            - {name: side, restartPolicy: Always, resources: {requests: {cpu: "2"}}}
            - {name: after, resources: {requests: {cpu: 2500m}}}
            containers:
            - {name: a, resources: {requests: {cpu: "1"}}}
            """).get("cpu")).isEqualTo(4500L);
    }

    @Test
    void twoSidecarsRunTogetherBeforeTheContainersStart() {
        assertThat(of("""
            initContainers:
            - {name: s, restartPolicy: Always, resources: {requests: {cpu: "2"}}}
            - {name: t, restartPolicy: Always, resources: {requests: {cpu: "3"}}}
            - {name: i, resources: {requests: {cpu: "1"}}}
            containers: [{name: a}]
            """).get("cpu")).isEqualTo(6000L);
    }

    @Test
    void overheadComesOnTopOfThePeak() {
        assertThat(of("""
            overhead: {cpu: 500m, memory: 256Mi}
            initContainers: [{name: i, resources: {requests: {cpu: "3"}}}]
            containers: [{name: a, resources: {requests: {cpu: "1"}}}]
            """)).isEqualTo(Map.of("cpu", 3500L, "memory", 256L << 20, "pods", 1L));
    }

    @Test
    void podLevelRequestsReplaceTheSumButNotForDevices() {
        assertThat(of("""
            overhead: {cpu: 500m}
            resources: {requests: {cpu: "6", nvidia.com/gpu: "7"}, limits: {cpu: "9", memory: 8Gi}}
            containers:
            - {name: a, resources: {requests: {cpu: "1", nvidia.com/gpu: "1"}}}
            - {name: b, resources: {requests: {cpu: "1", nvidia.com/gpu: "1"}}}
            """)).isEqualTo(Map.of("cpu", 6500L, "memory", 8L << 30, "nvidia.com/gpu", 2L, "pods", 1L));
    }

    @Test
    void aPodLevelLimitDoesNotReplaceWhatContainersAskFor() {
        assertThat(of("""
            resources: {limits: {memory: 8Gi}}
            containers: [{name: a, resources: {requests: {memory: 1Gi}}}]
            """).get("memory")).isEqualTo(1L << 30);
    }

    @Test
    void aLimitStandsInForAMissingRequest() {
        assertThat(of("""
            containers:
            - {name: a, resources: {limits: {nvidia.com/gpu: "2", cpu: "4"}, requests: {cpu: "1"}}}
            """)).isEqualTo(Map.of("cpu", 1000L, "nvidia.com/gpu", 2L, "pods", 1L));
    }

    @Test
    void fractionsOfTheUnitAreRoundedUp() {
        assertThat(of("containers: [{name: a, resources: {requests: {cpu: 1500u, memory: 100m}}}]"))
                .isEqualTo(Map.of("cpu", 2L, "memory", 1L, "pods", 1L));
    }

    @Test
    void aSumThatLeavesTheRangeIsReportedAndNeverWraps() {
        Problems problems = new Problems();
        PodSpec spec = Amounts.yaml(PodSpec.class, """
            containers:
            - {name: a, resources: {requests: {memory: 1Ei}}}
            - {name: b, resources: {requests: {memory: 1Ei}}}
            """);
        assertThat(RequestArithmetic.effective(spec, problems).get("memory")).isPositive();
        assertThat(problems.refusals()).extracting(Refusal::reason).isEqualTo(List.of(Refusal.TOO_LARGE));
    }

    @Test
    void aNegativeRequestNamesItsField() {
        Problems problems = new Problems();
        RequestArithmetic.effective(
                Amounts.yaml(PodSpec.class, "containers: [{name: a, resources: {requests: {cpu: '-1'}}}]"), problems);
        assertThat(problems.refusals())
                .extracting(Refusal::field)
                .isEqualTo(List.of("spec.containers[0].resources.requests[cpu]"));
    }
}
