package dev.muster.scheduler.core;

import static dev.muster.scheduler.core.TestDomain.gpus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent.GroupChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.GangShape;
import dev.muster.scheduler.core.model.GroupFacts;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.MatchPolicy;
import dev.muster.scheduler.core.model.PodSetTopology;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.SubGroup;
import dev.muster.scheduler.core.model.WorkloadKind;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Gangs that are more than a number of pods: subgroups in a tree, gangs that start together, what counts once they ran. */
class GangShapesTest {
    private final TestDomain domain = TestDomain.synced();

    @BeforeEach
    void topologiesAreListed() {
        domain.apply(new PolicyChanged(
                domain.origin("", "default"), Kinds.KAI_TOPOLOGY, new Policy.Topology(List.of("block", "rack"))));
        List.of(Kinds.TOPOLOGY, Kinds.KAI_TOPOLOGY, Kinds.HYPER_NODE).forEach(domain::listed);
    }

    // ---- subgroups

    @Test
    void aSubGroupThatFindsNoRoomBehindOthersIsPlacedFirst() {
        // big, the larger, is first: 3 pods fit r2 alone (2 + 1), which leaves no host with 2 for small.
        rack("b", "r1", 1, 1);
        rack("b", "r2", 2, 1);
        domain.apply(new PolicyChanged(
                domain.origin("", "hosts"),
                Kinds.KAI_TOPOLOGY,
                new Policy.Topology(List.of("kubernetes.io/hostname"))));
        tree(
                "g",
                0,
                subGroup("big", "", 3, required("block")),
                subGroup("small", "", 2, required("kubernetes.io/hostname")));
        pods("g", "big", 3);
        pods("g", "small", 2);

        assertThat(placed())
                .containsExactlyInAnyOrderEntriesOf(Map.of("b-r1-0", 1, "b-r1-1", 1, "b-r2-0", 2, "b-r2-1", 1));
    }

    @Test
    void bothLevelsOfAConstraintHold() {
        // Required block, preferred rack: no rack of b1 has room for 4, the block does.
        rack("b1", "r1", 2);
        rack("b1", "r2", 2);
        rack("b2", "r1", 3);
        shape(
                "g",
                4,
                new GangShape(
                        MatchPolicy.WAITING_AND_RUNNING,
                        List.of(),
                        new PodSetTopology("block", "rack", false, List.of(), ""),
                        0,
                        List.of()));
        pods("g", "", 4);

        assertThat(placed()).containsOnlyKeys("b1-r1-0", "b1-r2-0");
    }

    @Test
    void whatIsMissingIsSaidBySubGroup() {
        rack("b1", "r1", 8);
        tree("g", 0, subGroup("a", "", 2, PodSetTopology.NONE), subGroup("b", "", 1, PodSetTopology.NONE));
        pods("g", "a", 2);

        assertThat(domain.tick()).isEmpty();
        assertThat(domain.status(WorkloadKind.KAI_POD_GROUP, "g").reason().message())
                .isEqualTo("subgroup b has 0 of the 1 pods that must run together");
        assertThat(domain.status(WorkloadKind.KAI_POD_GROUP, "g").minMember()).isEqualTo(3);
    }

    @Test
    void podsOfNoSubGroupFollow() {
        rack("b1", "r1", 3);
        tree("g", 0, subGroup("a", "", 2, PodSetTopology.NONE));
        pods("g", "a", 2);
        pods("g", "other", 1);

        assertThat(domain.tick()).hasSize(2);
    }

    @Test
    void aGangThatNeedsMorePodsThanItsSubGroupsGetsThemFromWhereThereAreMore() {
        rack("b1", "r1", 5);
        shape(
                "g",
                5,
                new GangShape(
                        MatchPolicy.WAITING_AND_RUNNING,
                        List.of(),
                        PodSetTopology.NONE,
                        0,
                        List.of(subGroup("a", "", 1, PodSetTopology.NONE), subGroup("b", "", 2, PodSetTopology.NONE))));
        pods("g", "a", 1);
        pods("g", "b", 4);

        assertThat(placed()).containsExactlyEntriesOf(Map.of("b1-r1-0", 5));
    }

    @Test
    void manySubGroupsOfManyLevelsEndInReasonableTime() {
        rack("b1", "r1", 40);
        rack("b2", "r1", 40);
        SubGroup[] all = new SubGroup[79];
        for (int i = 0; i < 15; i++) {
            all[i] = new SubGroup(
                    "n" + i, i == 0 ? "" : "n" + (i - 1), 0, 0, i == 7 ? required("block") : PodSetTopology.NONE);
        }
        for (int i = 15; i < 79; i++) {
            all[i] = new SubGroup("l" + i, i < 47 ? "n13" : "n14", 1, 0, required("rack"));
        }
        tree("g", 0, all);
        for (int i = 15; i < 79; i++) {
            pods("g", "l" + i, 1);
        }

        assertThat(domain.tick()).isEmpty(); // 64 pods in one block of 40
        assertThat(domain.status(WorkloadKind.KAI_POD_GROUP, "g").reason().code())
                .isIn("NoTopologyDomain", "ExceedsCluster");
    }

    // ---- gangs that start together

    @Test
    void gangsOfAGroupAreDecidedInOneEntry() {
        domain.node("n1", 8);
        together("a", 2, "a", "b", "c");
        together("b", 2, "a", "b", "c");
        assertThat(domain.tick()).isEmpty();
        assertThat(domain.status(WorkloadKind.POD_GROUP, "a").reason().message())
                .isEqualTo("it starts only together with ml/c, which is not there");
        domain.restart();
        together("c", 3, "a", "b", "c");

        List<Decision> decisions = domain.tick();
        assertThat(decisions).hasSize(3);
        assertThat(decisions.stream().map(decision -> decision.id().sequence()).distinct())
                .hasSize(1);
    }

    @Test
    void aGroupThatFindsNoRoomForOneHoldsNothingForAny() {
        domain.node("n1", 5);
        together("a", 2, "a", "b");
        together("b", 4, "a", "b");

        assertThat(domain.tick()).isEmpty();
        assertThat(domain.status(WorkloadKind.POD_GROUP, "a").reason().message())
                .isEqualTo("it starts only together with ml/b, which finds too little room");
        assertThat(domain.status(WorkloadKind.POD_GROUP, "b").reason().code()).isEqualTo("NotEnoughRoom");
        domain.podGroup("c", 5);
        domain.gangPods("c", 5, gpus(1));
        assertThat(domain.tick()).hasSize(1);
    }

    @Test
    void whoIsNotNamedBackWaitsAlone() {
        domain.node("n1", 8);
        together("a", 2, "a", "b");
        shape(WorkloadKind.POD_GROUP, "b", 2, GangShape.PLAIN);
        podsOf(WorkloadKind.POD_GROUP, "b", "", 2);

        assertThat(domain.tick()).hasSize(1);
        assertThat(domain.status(WorkloadKind.POD_GROUP, "a").reason().message())
                .isEqualTo("it starts only together with ml/b, which does not name the same gangs");
    }

    // ---- what counts once a gang ran

    @Test
    void thatAGangWasSatisfiedOnceIsKnownAfterARestart() {
        domain.node("n1", 3);
        policy("g", 3, MatchPolicy.ONCE_SATISFIED);
        podsOf(WorkloadKind.POD_GROUP, "g", "", 3);
        Decision first = domain.tick().getFirst();
        for (int i = 0; i < 3; i++) {
            domain.bound("g-" + i, "n1", "Running", "0:" + first.id(), List.of(i));
        }
        domain.gone("g-0");
        domain.gone("g-1");
        domain.gone("g-2");
        domain.restart();
        domain.pod("g-3", new GroupRef(WorkloadKind.POD_GROUP, "g"), "", 3, 0, gpus(1));

        assertThat(domain.tick()).hasSize(1);
    }

    // ---- gangs that say nothing

    @Test
    void whoSaysNothingIsPlacedInTheTightestRackThatHoldsIt() {
        rack("b1", "r1", 4, 4);
        rack("b2", "r1", 3, 3);
        domain.podGroup("g", 5);
        domain.gangPods("g", 5, gpus(1));

        assertThat(placed()).containsOnlyKeys("b2-r1-0", "b2-r1-1");
    }

    @Test
    void whereTheOperatorSpreadsNobodyIsGathered() {
        domain.apply(new PolicyChanged(
                domain.origin("", "s"), Kinds.SCHEDULER_POLICY, Policy.SchedulerPolicy.DEFAULT.withStrategy("spread")));
        rack("b1", "r1", 4, 4);
        rack("b2", "r1", 4, 4);
        domain.podGroup("g", 4);
        domain.gangPods("g", 4, gpus(1));

        assertThat(placed()).hasSize(4);
    }

    // ---- what there is

    private void rack(String block, String rack, int... gpus) {
        for (int i = 0; i < gpus.length; i++) {
            domain.node(block + "-" + rack + "-" + i, gpus[i], Map.of("block", block, "rack", rack));
        }
    }

    private static PodSetTopology required(String level) {
        return new PodSetTopology(level, "", false, List.of(), "");
    }

    private static SubGroup subGroup(String name, String parent, int minMember, PodSetTopology place) {
        return new SubGroup(name, parent, minMember, 0, place);
    }

    private void tree(String name, int minMember, SubGroup... subGroups) {
        shape(
                name,
                minMember,
                new GangShape(MatchPolicy.WAITING_AND_RUNNING, List.of(), PodSetTopology.NONE, 0, List.of(subGroups)));
    }

    private void shape(String name, int minMember, GangShape shape) {
        shape(WorkloadKind.KAI_POD_GROUP, name, minMember, shape);
    }

    private void shape(WorkloadKind kind, String name, int minMember, GangShape shape) {
        domain.apply(new GroupChanged(
                domain.origin("ml", name),
                kind.label(),
                new GroupFacts("", "", minMember, List.of(), "", "", 0, 0, null, List.of(), shape)));
    }

    private void policy(String name, int minMember, MatchPolicy policy) {
        shape(
                WorkloadKind.POD_GROUP,
                name,
                minMember,
                new GangShape(policy, List.of(), PodSetTopology.NONE, 0, List.of()));
    }

    private void together(String name, int pods, String... group) {
        List<String> names = List.of(group).stream().map(gang -> "ml/" + gang).toList();
        shape(
                WorkloadKind.POD_GROUP,
                name,
                pods,
                new GangShape(MatchPolicy.WAITING_AND_RUNNING, names, PodSetTopology.NONE, 0, List.of()));
        podsOf(WorkloadKind.POD_GROUP, name, "", pods);
    }

    private void pods(String group, String task, int count) {
        podsOf(WorkloadKind.KAI_POD_GROUP, group, task, count);
    }

    private void podsOf(WorkloadKind kind, String group, String task, int count) {
        for (int i = 0; i < count; i++) {
            String name = group + "-" + (task.isEmpty() ? "" : task + "-") + i;
            domain.pod(name, new GroupRef(kind, group), task, i, 0, gpus(1));
        }
    }

    /** Pods by node, of the only decision of the next round. */
    private Map<String, Integer> placed() {
        List<Decision> decisions = domain.tick();
        assertThat(decisions).hasSize(1);
        Map<String, Integer> byNode = new TreeMap<>();
        ((Action.PlaceGang) decisions.getFirst().action())
                .nodes()
                .forEach(node -> byNode.put(node.node(), node.members().size()));
        return byNode;
    }
}
