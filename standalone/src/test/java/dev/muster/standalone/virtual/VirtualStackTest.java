package dev.muster.standalone.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.binder.ApiTransport;
import dev.muster.schemas.decision.MemberStatus;
import dev.muster.schemas.decision.OutcomeStatus;
import dev.muster.schemas.decision.WorkloadState;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.cluster.DeleteOptions;
import dev.muster.standalone.cluster.ResourceKinds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
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

    @Test
    void aGangWithAMemberThatIsRefusedLeavesNothingBehind() {
        VirtualStack stack = stack();
        stack.cluster("c1")
                .store()
                .applyYaml(node("n1", 8)
                        + gang("train", 4, 2, "60s")
                                .replaceFirst(
                                        "(name: train-2\n(?:.*\n)*?.*annotations: \\{)",
                                        "$1muster.dev/bind-error: no, "));
        List<Integer> bound = new ArrayList<>();
        stack.observe(() -> bound.add((int)
                nodes(stack, "train").stream().filter(node -> !node.isEmpty()).count()));
        stack.settle();

        assertThat(stack.outcomes().getFirst().getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
        assertThat(stack.outcomes().getFirst().getRefused()).isTrue();
        stack.runUntil(START + 120_000);
        assertThat(stack.decisions()).hasSize(1);
        assertThat(bound).contains(2).doesNotContain(3, 4);
        assertThat(alive(stack, "train"))
                .noneMatch(pod -> !pod.at("/spec/nodeName").asText().isEmpty());
        assertThat(status(stack, "train").getState()).isEqualTo(WorkloadState.INCOMPLETE);
        assertThat(stack.replayDifference()).isEmpty();
    }

    @Test
    void anEvictedPodHoldsItsRoomUntilItsGraceIsOver() {
        VirtualStack stack = stack();
        stack.cluster("c1").store().applyYaml(node("n1", 8) + gang("first", 2, 4, "1h"));
        stack.runUntil(START + 10_000);
        stack.cluster("c1").store().applyYaml(gang("second", 2, 4, "1h"));
        stack.runUntil(START + 20_000);
        for (String pod : List.of("first-0", "first-1")) {
            assertThat(evict(stack, pod)).isEqualTo(201);
        }
        stack.runUntil(START + 49_999);

        assertThat(nodes(stack, "second")).containsOnly("");
        stack.runUntil(START + 50_000);
        assertThat(nodes(stack, "second")).containsOnly("n1");
        assertThat(alive(stack, "first")).isEmpty();
    }

    @Test
    void aDisruptionBudgetDelaysTakingAGangBackUntilItsDeadlineAndNotBeyond() {
        List<String> refused = new ArrayList<>();
        VirtualStack stack = stack(options().withInterceptor(new Interceptor() {
            @Override
            public ApiTransport.Answer call(String cluster, ApiTransport.Request request, ApiTransport server)
                    throws IOException, InterruptedException {
                if (request.path().endsWith("train-2/binding")) {
                    boolean early = open.getFirst().time().nowMillis() < START + 5_000;
                    return new ApiTransport.Answer(early ? 503 : 403, "not now", "");
                }
                ApiTransport.Answer answer = server.send(request);
                if (answer.code() == 429) {
                    refused.add(request.path());
                }
                return answer;
            }
        }));
        stack.cluster("c1").store().applyYaml(node("n1", 8) + gang("train", 3, 1, "1h") + """
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {name: all, namespace: ml}
                spec:
                  minAvailable: 2
                  selector: {matchLabels: {gang: train}}
                """);
        stack.runUntil(START + 29_000);
        assertThat(refused).isNotEmpty();
        assertThat(stack.outcomes()).isEmpty();
        assertThat(alive(stack, "train")).noneMatch(pod -> pod.at("/metadata").has("deletionTimestamp"));

        stack.runUntil(START + 31_000);
        assertThat(stack.outcomes().getFirst().getStatus()).isEqualTo(OutcomeStatus.COMPENSATED);
        assertThat(stack.outcomes().getFirst().getMembers().stream()
                        .filter(member -> member.getStatus() == MemberStatus.EVICTED))
                .hasSize(2);
    }

    @Test
    void twoRunsPublishTheSameBytes() {
        VirtualStack one = stack();
        VirtualStack two = stack();
        play(one, moment -> {});
        play(two, moment -> {});

        assertThat(hex(one.journal())).isEqualTo(hex(two.journal())).hasSizeGreaterThan(100);
        assertThat(hex(one.decisionBytes())).isEqualTo(hex(two.decisionBytes()));
        assertThat(one.decisions().size()).isGreaterThan(10);
        assertThat(one.replayDifference()).isEmpty();
    }

    @Test
    void aJournalThatWasAlteredIsFoundOut() {
        VirtualStack stack = stack();
        play(stack, moment -> {});
        List<byte[]> journal = new ArrayList<>(stack.journal());
        List<byte[]> decisions = new ArrayList<>(stack.decisionBytes());
        decisions.removeLast();
        assertThat(stack.replayDifference()).isEmpty();

        assertThat(new JournalReplay("prod", Topics.DEFAULT, stack.options().registry()).difference(journal, decisions))
                .isPresent();
    }

    @Test
    void aSchedulerThatIsRestartedAtAnyMomentPublishesTheSameBytes() {
        VirtualStack plain = stack();
        play(plain, moment -> {});
        VirtualStack restarted = stack();
        play(restarted, moment -> restarted.restartScheduler());

        assertThat(hex(restarted.journal())).isEqualTo(hex(plain.journal()));
        assertThat(hex(restarted.decisionBytes())).isEqualTo(hex(plain.decisionBytes()));
    }

    @Test
    void aBinderThatIsKilledAtAnyCallDoesNothingMoreAndItsSuccessorEndsWhatItBegan() {
        int killings = 0;
        for (int call = 1; call < 40; call++) {
            Killer killer = new Killer(call);
            VirtualStack stack = stack(options().withInterceptor(killer));
            killer.stack = stack;
            stack.cluster("c1").store().applyYaml(node("n1", 8) + gang("train", 4, 2, "1h"));
            stack.runUntil(START + 10_000);
            if (killer.killed) {
                killings++;
                assertThat(killer.callsOfTheDead).isZero();
                stack.restartBinder("c1");
                stack.runUntil(START + 20_000);
            }

            assertThat(nodes(stack, "train")).as("killed in call %d", call).containsOnly("n1");
            assertThat(stack.unanswered()).isEmpty();
            assertThat(stack.decisions()).hasSize(1);
        }
        assertThat(killings).isGreaterThan(5);
    }

    /** Kills the binder in one of its calls, after the server did what was asked and before the answer comes. */
    private static final class Killer implements Interceptor {
        private final int at;
        private VirtualStack stack;
        private int calls;
        private boolean killed;
        private int callsOfTheDead;

        Killer(int at) {
            this.at = at;
        }

        @Override
        public ApiTransport.Answer call(String cluster, ApiTransport.Request request, ApiTransport server)
                throws IOException, InterruptedException {
            if (killed && stack.binderAlive(cluster)) {
                return server.send(request);
            }
            callsOfTheDead += killed ? 1 : 0;
            ApiTransport.Answer answer = server.send(request);
            if (++calls == at) {
                killed = true;
                stack.killBinder(cluster);
            }
            return answer;
        }
    }

    /** Two clusters' worth of arrivals, endings, deletions and a node that goes, with a stop after every 7 seconds. */
    static void play(VirtualStack stack, Consumer<Long> stop) {
        var store = stack.cluster("c1").store();
        for (int i = 0; i < 4; i++) {
            store.applyYaml(node("n" + i, 8));
        }
        for (int step = 0; step < 60; step++) {
            if (step % 3 == 0) {
                store.applyYaml(gang("g" + step, 1 + step % 5, 1 << step % 4, 20 + step % 40 + "s"));
            }
            if (step % 20 == 19) {
                store.delete(ResourceKinds.PODS, "ml", "g" + (step - 1) / 3 * 3 + "-0", DeleteOptions.DEFAULT);
            }
            if (step == 30) {
                store.delete(ResourceKinds.NODES, "", "n3", DeleteOptions.DEFAULT);
            }
            stack.runUntil(START + step * 7_000L);
            stop.accept(stack.time().nowMillis());
        }
        stack.runUntil(START + 600_000);
    }

    private static List<String> hex(List<byte[]> records) {
        return records.stream().map(HexFormat.of()::formatHex).toList();
    }

    private static int evict(VirtualStack stack, String pod) {
        return stack.cluster("c1")
                .request(
                        "POST",
                        "/api/v1/namespaces/ml/pods/" + pod + "/eviction",
                        "application/json",
                        "{\"metadata\":{\"name\":\"" + pod + "\"}}")
                .code();
    }

    private static List<JsonNode> alive(VirtualStack stack, String gang) {
        return stack.cluster("c1").store().list(ResourceKinds.PODS, "ml").stream()
                .filter(pod -> pod.at("/metadata/labels/gang").asText().equals(gang))
                .filter(pod -> !pod.at("/status/phase").asText().equals("Failed"))
                .toList();
    }

    private static VirtualStack.Options options() {
        return VirtualStack.Options.of("prod", List.of("c1"), START);
    }

    private VirtualStack stack() {
        return stack(options());
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
