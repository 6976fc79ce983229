package dev.muster.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.FairSharing;
import dev.muster.scheduler.core.model.GpuWish;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.PreemptionPolicy;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.Taint;
import dev.muster.scheduler.core.model.Toleration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How nodes are scored for whom, and what parts of GPUs pods get by memory. */
class ProfilesTest {
    private final TestDomain domain = TestDomain.synced();
    private int pods;

    @BeforeEach
    void twoNodes() {
        domain.node("n1", 8);
        domain.node("n2", 8);
    }

    private void policy(String strategy, Map<String, String> queues, Map<String, Integer> weights) {
        domain.apply(new PolicyChanged(
                domain.origin("", "default"),
                Kinds.SCHEDULER_POLICY,
                new Policy.SchedulerPolicy(
                        strategy,
                        30_000,
                        1_000,
                        300_000,
                        Policy.Health.DEFAULT,
                        new TreeMap<>(queues),
                        new TreeMap<>(weights),
                        600_000,
                        PreemptionPolicy.DEFAULT,
                        FairSharing.DEFAULT)));
    }

    private String nodeOf(Requirement requirement, Map<String, String> labels) {
        domain.restart();
        domain.labelled("ml", "p" + pods++, requirement, labels);
        List<Decision> decisions = domain.tick();
        return decisions.isEmpty()
                ? ""
                : ((Action.PlaceGang) decisions.getLast().action())
                        .nodes()
                        .getFirst()
                        .node();
    }

    /** The nodes that two such pods get. */
    private Set<String> nodesOfTwo(Requirement requirement, Map<String, String> labels) {
        Set<String> nodes = new HashSet<>();
        nodes.add(nodeOf(requirement, labels));
        nodes.add(nodeOf(requirement, labels));
        return nodes;
    }

    @ParameterizedTest(name = "{0} GPUs of a Deployment by {1}: on {2} nodes")
    @CsvSource({"1, mixed, 2", "2, mixed, 1", "1, fgd, 1", "1, spread, 2", "2, spread, 2", "1, unheard-of, 1"})
    void smallPodsThatServeAreSpreadByTheMix(int gpus, String strategy, int nodes) {
        policy(strategy, Map.of(), Map.of());
        assertThat(nodesOfTwo(TestDomain.gpus(gpus), Map.of("pod-template-hash", "1")))
                .hasSize(nodes);
    }

    @Test
    void byDefaultOthersArePacked() {
        assertThat(nodesOfTwo(TestDomain.gpus(1), Map.of("app", "train"))).hasSize(1);
    }

    @Test
    void aQueueHasItsOwnAndAPodItsOwn() {
        policy("binpack", Map.of("default", "spread"), Map.of());
        assertThat(nodesOfTwo(TestDomain.gpus(1), Map.of())).hasSize(2);
        assertThat(nodesOfTwo(TestDomain.gpus(1).withStrategy("binpack"), Map.of()))
                .hasSize(1);
    }

    @ParameterizedTest(name = "weight {0}: {1}")
    @CsvSource({"0, n1", "100, n2"})
    void aRuleCountsAsMuchAsThePolicySays(int weight, String node) {
        NodeFacts facts = TestDomain.nodeFacts("n1", 8, Map.of());
        domain.apply(new NodeChanged(
                domain.origin("", "n1"),
                new NodeFacts(
                        facts.labels(),
                        List.of(new Taint("old", "", Taint.PREFER_NO_SCHEDULE)),
                        false,
                        true,
                        facts.allocatable())));
        policy("binpack", Map.of(), Map.of("PreferredTaints", weight));
        assertThat(nodeOf(TestDomain.gpus(1), Map.of())).isEqualTo(node);
    }

    @Test
    void dataThatAPodNamesAttractsIt() {
        NodeFacts facts = TestDomain.nodeFacts("n2", 8, Map.of());
        domain.apply(new NodeChanged(
                domain.origin("", "n2"),
                new NodeFacts(
                        facts.labels(),
                        List.of(new Taint("nvme.local.data", "imagenet", "NoSchedule")),
                        false,
                        true,
                        facts.allocatable())));
        assertThat(nodeOf(naming("imagenet"), Map.of())).isEqualTo("n2");
        assertThat(nodeOf(naming("laion"), Map.of())).isEqualTo("n1");
        assertThat(nodeOf(TestDomain.gpus(1), Map.of())).isEqualTo("n1");
    }

    private static Requirement naming(String data) {
        Toleration toleration = new Toleration("nvme.local.data", "Equal", data, "NoSchedule");
        return new Requirement(
                TestDomain.gpus(1).requests(), 0, List.of(), List.of(), List.of(), List.of(toleration), "");
    }

    @ParameterizedTest(name = "{0} MiB of a GPU with {1}: {2} fit")
    @CsvSource({
        "40960, 81920, 2",
        "40961, 81920, 1",
        "81920, 81920, 1",
        "81921, 81920, 0",
        "1, '', 0",
        "1, 80Gi, 0",
        "27279, 81920, 3",
        "27280, 81920, 2",
        "1, 999999999, 1000"
    })
    void memoryIsAPartOfAGpuRoundedUp(int mib, String ofGpu, int fit) {
        TestDomain one = TestDomain.synced();
        one.node("n1", 1, Map.of("nvidia.com/gpu.memory", ofGpu));
        Requirement requirement = new Requirement(List.of(), 0, List.of(), List.of(), List.of(), List.of(), "")
                .withGpus(new GpuWish(false, mib));
        int wanted = Math.min(fit, 20) + 1;
        for (int i = 0; i < wanted; i++) {
            one.lonePod("m" + i, 0, requirement);
        }
        assertThat(one.tick()).hasSize(Math.min(fit, wanted));
        one.restart();
    }

    @Test
    void aNodeWithOtherGpusHasItsSharesCountedAnew() {
        TestDomain one = TestDomain.synced();
        one.node("n1", 2, Map.of("nvidia.com/gpu.memory", "80000"));
        Requirement half = TestDomain.gpuShare(0).withGpus(new GpuWish(false, 40_000));
        one.lonePod("a", 0, half);
        one.carryOut(one.tick().getFirst());
        one.lonePod("b", 0, half);
        one.tick();
        one.node("n1", 2, Map.of("nvidia.com/gpu.memory", "160000"));
        one.restart();
        one.lonePod("c", 0, TestDomain.gpuShare(500));
        assertThat(one.tick()).as("2 x 0.25 + 0.5").hasSize(1);
        one.lonePod("d", 0, TestDomain.gpus(1));
        assertThat(one.tick()).hasSize(1);
    }
}
