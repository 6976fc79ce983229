package dev.muster.standalone.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.decision.OutcomeStatus;
import dev.muster.schemas.decision.WorkloadState;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.standalone.cluster.ResourceKinds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VirtualStackTest {

    private static final long START = 1_700_000_000_000L;

    private final List<VirtualStack> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(VirtualStack::close);
    }

    @Test
    void aGangIsPlacedBoundAndEnds() {
        VirtualStack stack = stack();
        stack.cluster("c1").store().applyYaml(node("n1", 8) + node("n2", 8) + gang("train", 4, 4, "60s"));
        stack.settle();

        assertThat(nodes(stack, "train")).containsExactly("n1", "n1", "n2", "n2");
        assertThat(stack.decisions()).hasSize(1);
        assertThat(stack.outcomes())
                .singleElement()
                .satisfies(outcome -> assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.BOUND));
        assertThat(stack.unanswered()).isEmpty();

        stack.runUntil(START + 59_999);
        assertThat(phases(stack)).containsOnly("Running");
        stack.runUntil(START + 60_000);
        assertThat(phases(stack)).containsOnly("Succeeded");
        assertThat(status(stack, "train").getState()).isEqualTo(WorkloadState.COMPLETED);
        assertThat(stack.replayDifference()).isEmpty();
    }

    private VirtualStack stack() {
        return stack(VirtualStack.Options.of("prod", List.of("c1"), START));
    }

    private VirtualStack stack(VirtualStack.Options options) {
        VirtualStack stack = new VirtualStack(options);
        open.add(stack);
        return stack;
    }

    private static String node(String name, int gpus) {
        return """
                apiVersion: v1
                kind: Node
                metadata: {name: %s}
                status:
                  allocatable: {cpu: "64", memory: 256Gi, pods: "110", nvidia.com/gpu: "%d"}
                ---
                """.formatted(name, gpus);
    }

    private static String gang(String name, int pods, int gpus, String runtime) {
        StringBuilder yaml = new StringBuilder("""
                apiVersion: scheduling.volcano.sh/v1beta1
                kind: PodGroup
                metadata: {name: %s, namespace: ml}
                spec: {minMember: %d}
                ---
                """.formatted(name, pods));
        for (int i = 0; i < pods; i++) {
            yaml.append("""
                    apiVersion: v1
                    kind: Pod
                    metadata:
                      name: %s-%d
                      namespace: ml
                      labels: {gang: %s}
                      annotations: {scheduling.k8s.io/group-name: %s, muster.dev/runtime: %s}
                    spec:
                      schedulerName: volcano
                      containers:
                      - name: main
                        image: none
                        resources: {limits: {cpu: "1", nvidia.com/gpu: "%d"}}
                    ---
                    """.formatted(name, i, name, name, runtime, gpus));
        }
        return yaml.toString();
    }

    private static List<String> nodes(VirtualStack stack, String gang) {
        return stack.cluster("c1").store().list(ResourceKinds.PODS, "ml").stream()
                .filter(pod -> pod.at("/metadata/labels/gang").asText().equals(gang))
                .map(pod -> pod.at("/spec/nodeName").asText())
                .toList();
    }

    private static List<String> phases(VirtualStack stack) {
        return stack.cluster("c1").store().list(ResourceKinds.PODS, "ml").stream()
                .map(pod -> pod.at("/status/phase").asText())
                .toList();
    }

    private static WorkloadStatus status(VirtualStack stack, String name) {
        return stack.statuses().values().stream()
                .filter(each -> each.getObject().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
