package dev.muster.scheduler.core;

import static dev.muster.scheduler.core.TestDomain.gpus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent.GroupChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.GangShape;
import dev.muster.scheduler.core.model.GroupFacts;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.HyperNodeMember;
import dev.muster.scheduler.core.model.HyperNodeMember.Match;
import dev.muster.scheduler.core.model.NetworkTopology;
import dev.muster.scheduler.core.model.PodSetTopology;
import dev.muster.scheduler.core.model.PodSetTopology.Slice;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.SubGroupPolicy;
import dev.muster.scheduler.core.model.WorkloadKind;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TopologyPlacementTest {
    private final TestDomain domain = TestDomain.synced();

    @BeforeEach
    void topologiesAreListed() {
        domain.apply(new PolicyChanged(
                domain.origin("", "default"), Kinds.TOPOLOGY, new Policy.Topology(List.of("block", "rack"))));
        domain.listed(Kinds.TOPOLOGY);
        domain.listed(Kinds.HYPER_NODE);
    }

    @Test
    void nothingIsPlacedByTopologyBeforeItIsListed() {
        TestDomain early = TestDomain.synced();
        early.apply(
                new PolicyChanged(early.origin("", "default"), Kinds.TOPOLOGY, new Policy.Topology(List.of("rack"))));
        early.node("n1", 4, Map.of("rack", "r"));
        early.podGroup("g", 1);
        early.gangPods("g", 1, required("rack"));
        assertThat(early.tick()).isEmpty();
        assertThat(early.status("g").reason().code()).isEqualTo("ClusterNotSynced");
        early.listed(Kinds.TOPOLOGY);
        early.listed(Kinds.HYPER_NODE);
        assertThat(early.tick()).hasSize(1);
    }

    @Test
    void aLevelThatNoTopologyHasIsSaid() {
        rack("b1", "r1", 4);
        gang("g", 2, required("island"));

        assertThat(domain.tick()).isEmpty();
        assertThat(domain.status("g").reason().code()).isEqualTo("UnknownTopologyLevel");
    }

    @Test
    void nodesOutsideTheTopologyTakeNoneOfItsPods() {
        domain.node("outside", 8);
        rack("b1", "r1", 2);
        gang("g", 2, required("rack"));

        assertThat(placed()).containsOnlyKeys("b1-r1-0");
    }

    @Test
    void aDomainIsFilledOnAsFewNodesAsPossible() {
        rack("b1", "r1", 1, 3, 2);
        gang("g", 4, required("rack"));

        assertThat(placed()).containsExactlyInAnyOrderEntriesOf(Map.of("b1-r1-1", 3, "b1-r1-0", 1));
    }

    @Test
    void whereNoLevelIsWideEnoughPreferredPodsGoAnywhere() {
        rack("b1", "r1", 4);
        rack("b2", "r1", 4);
        gang("g", 6, preferred("rack"));

        assertThat(placed()).containsExactlyInAnyOrderEntriesOf(Map.of("b1-r1-0", 4, "b2-r1-0", 2));
    }

    @Test
    void unconstrainedPodsBeginWithTheNodesThatHaveTheLeastRoom() {
        rack("b1", "r1", 4);
        rack("b2", "r1", 1, 2);
        gang("g", 3, gpus(1).withTopology(new PodSetTopology("", "", true, List.of(), "")));

        assertThat(placed()).containsExactlyInAnyOrderEntriesOf(Map.of("b2-r1-0", 1, "b2-r1-1", 2));
    }

    @Test
    void slicesOfTwoLayersStayWhole() {
        // Slices of 4 in a block, of 2 in a rack. b1: 3 + 3 -> 2 + 2 = 4. b2: 1 + 5 -> 0 + 4 = 4. b3: 3 + 1 -> 2, so 0.
        rack("b1", "r1", 3);
        rack("b1", "r2", 3);
        rack("b2", "r1", 1);
        rack("b2", "r2", 5);
        rack("b3", "r1", 3);
        rack("b3", "r2", 1);
        Requirement sliced = gpus(1).withTopology(
                        new PodSetTopology("", "", false, List.of(new Slice("block", 4), new Slice("rack", 2)), ""));
        gang("g", 8, sliced);

        assertThat(placed()).containsExactlyInAnyOrderEntriesOf(Map.of("b1-r1-0", 2, "b1-r2-0", 2, "b2-r2-0", 4));
        gang("h", 4, sliced);
        assertThat(domain.tick()).isEmpty();
    }

    @Test
    void theLastSliceMayBeSmaller() {
        rack("b1", "r1", 4);
        rack("b1", "r2", 4);
        gang("g", 5, gpus(1).withTopology(new PodSetTopology("block", "", false, List.of(new Slice("rack", 4)), "")));

        assertThat(placed()).containsExactlyInAnyOrderEntriesOf(Map.of("b1-r1-0", 4, "b1-r2-0", 1));
    }

    @Test
    void podSetsOfOneGroupShareADomain() {
        // The leader alone would fit rack r1, the workers only r2: together they go to r2.
        rack("b1", "r1", 2);
        rack("b1", "r2", 5);
        PodSetTopology together = new PodSetTopology("rack", "", false, List.of(), "all");
        domain.podGroup("g", 5, new GroupFacts.Task("leader", 1, 1, ""), new GroupFacts.Task("worker", 4, 4, ""));
        domain.gangPods("g", "leader", 1, gpus(1).withTopology(together));
        domain.gangPods("g", "worker", 4, gpus(1).withTopology(together));

        assertThat(placed()).containsExactlyInAnyOrderEntriesOf(Map.of("b1-r2-0", 5));
    }

    @Test
    void aMemberThatIsMissingGoesWhereTheOthersAre() {
        rack("b1", "r1", 4);
        rack("b1", "r2", 4);
        gang("g", 4, required("rack"));
        Decision first = domain.tick().getFirst();
        domain.carryOut(first);
        domain.gone("g-2");
        domain.pod("g-2", new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, "g"), "", 2, 0, required("rack"));

        assertThat(placed()).containsExactlyInAnyOrderEntriesOf(Map.of("b1-r1-0", 1));
    }

    @Test
    void aMemberOfASliceThatIsMissingGoesWhereItsSliceIs() {
        rack("b1", "r1", 4);
        rack("b1", "r2", 4);
        Requirement sliced =
                gpus(1).withTopology(new PodSetTopology("block", "", false, List.of(new Slice("rack", 2)), ""));
        gang("g", 6, sliced);
        domain.carryOut(domain.tick().getFirst()); // 0 to 3 in r1, 4 and 5 in r2
        domain.gone("g-1");
        domain.gone("g-4");
        domain.pod("g-4", new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, "g"), "", 4, 0, sliced);
        domain.pod("g-1", new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, "g"), "", 1, 0, sliced);

        assertThat(placed()).containsExactlyInAnyOrderEntriesOf(Map.of("b1-r1-0", 1, "b1-r2-0", 1));
    }

    @Test
    void aHardLimitHoldsForTheGangWhateverItsRoles() {
        hyperNodes();
        network(
                "g",
                3,
                new NetworkTopology(true, 1, ""),
                List.of(),
                new GroupFacts.Task("big", 1, 1, ""),
                new GroupFacts.Task("small", 2, 2, ""));
        domain.gangPods("g", "small", 2, gpus(1));
        domain.gangPods("g", "big", 1, gpus(3));

        // s1 = 2 + 2: no 3. s2 = 4 + 2: 3 + 1 on one, 1 on the other or 2 there.
        assertThat(placed().keySet()).isSubsetOf("n3", "n4");
    }

    @Test
    void withoutAHighestTierHardIsSoft() {
        hyperNodes();
        network("g", 8, new NetworkTopology(true, -1, ""), List.of());
        domain.gangPods("g", 8, gpus(1));

        assertThat(placed().values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(8);
    }

    @Test
    void asManySubgroupsAsTheMinimumStartAndTheOthersFollowWhole() {
        hyperNodes();
        SubGroupPolicy halves =
                new SubGroupPolicy("halves", 4, 1, List.of(), List.of("half"), new NetworkTopology(true, 1, ""));
        network("g", 4, null, List.of(halves));
        for (int i = 0; i < 8; i++) {
            domain.pod(
                    "ml",
                    "g-" + i,
                    new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, "g"),
                    "",
                    i,
                    0,
                    gpus(1),
                    Map.of("half", "" + i / 4));
        }
        // Both fit: s1 has 4, s2 6. The minimum is one decision, the other half a second.
        List<Decision> decisions = domain.tick();
        assertThat(decisions).hasSize(2);
        assertThat(nodes(decisions.getFirst())).containsOnlyKeys("n1", "n2");
        assertThat(nodes(decisions.getLast()).keySet()).isSubsetOf("n3", "n4");
    }

    @Test
    void aSubgroupThatDoesNotFitWholeIsNotBegun() {
        hyperNodes();
        SubGroupPolicy halves =
                new SubGroupPolicy("halves", 5, 2, List.of(), List.of("half"), new NetworkTopology(true, 1, ""));
        network("g", 10, null, List.of(halves));
        for (int i = 0; i < 10; i++) {
            domain.pod(
                    "ml",
                    "g-" + i,
                    new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, "g"),
                    "",
                    i,
                    0,
                    gpus(1),
                    Map.of("half", "" + i / 5));
        }
        assertThat(domain.tick()).isEmpty(); // 5 + 5 fit in s1 + s2 = 10, but s1 has 4
        assertThat(domain.status("g").reason().code()).isEqualTo("NoTopologyDomain");
    }

    @Test
    void anEngineThatWasRestoredPlacesTheSame() {
        rack("b1", "r1", 2);
        rack("b1", "r2", 4);
        gang("g", 3, required("rack"));
        domain.restart();

        assertThat(placed()).containsExactlyInAnyOrderEntriesOf(Map.of("b1-r2-0", 3));
    }

    @Test
    void aGangThatStartsAnewGoesBackToItsNodesRankByRank() {
        rack("b1", "r1", 3);
        rack("b1", "r2", 1, 1);
        gang("g", 2, required("rack"));
        assertThat(placed()).containsExactlyInAnyOrderEntriesOf(Map.of("b1-r2-0", 1, "b1-r2-1", 1));
        startAnew("b1-r2-0", "b1-r2-1");
        rack("b0", "r0", 2); // as tight, and a smaller path
        domain.restart();
        domain.gangPods("g", 2, required("rack"));

        Decision again = domain.tick().getFirst();
        assertThat(nodes(again)).containsExactlyInAnyOrderEntriesOf(Map.of("b1-r2-0", 1, "b1-r2-1", 1));
    }

    @Test
    void wherePodsMustBeIsLookedAtAgainBeforeTheyGoBack() {
        rack("b1", "r1", 3);
        rack("b1", "r2", 1, 1);
        gang("g", 2, required("rack"));
        domain.tick();
        startAnew("b1-r2-0", "b1-r2-1");
        domain.node("b1-r2-1", 1, Map.of("block", "b1", "rack", "r3"));
        domain.gangPods("g", 2, required("rack"));

        assertThat(placed()).containsExactlyInAnyOrderEntriesOf(Map.of("b1-r1-0", 2));
    }

    @Test
    void aGangThatIsMadeAnewHasNoPlaceToGoBackTo() {
        rack("b1", "r2", 1, 1);
        gang("g", 2, required("rack"));
        domain.tick();
        startAnew("b1-r2-0", "b1-r2-1");
        domain.apply(new GroupChanged(
                new Origin(TestDomain.CLUSTER, 1, "ml", "g", "another", 1_000),
                Kinds.VOLCANO_POD_GROUP,
                new GroupFacts("", "", 2, List.of(), "", "", 0, 0)));
        rack("b0", "r0", 2);
        domain.gangPods("g", 2, required("rack"));

        assertThat(placed()).containsOnlyKeys("b0-r0-0");
    }

    /** The pods of gang g run on these nodes, one each, and are gone. */
    private void startAnew(String... nodes) {
        for (int i = 0; i < nodes.length; i++) {
            domain.bound("g-" + i, nodes[i], "Running", "", List.of(0));
        }
        for (int i = 0; i < nodes.length; i++) {
            domain.gone("g-" + i);
        }
        domain.tick();
    }

    // ---- what there is

    private void rack(String block, String rack, int... gpus) {
        for (int i = 0; i < gpus.length; i++) {
            domain.node(block + "-" + rack + "-" + i, gpus[i], Map.of("block", block, "rack", rack));
        }
    }

    /** s1 = n1, n2 of 2 GPUs each; s2 = n3 of 4 and n4 of 2; all in s3. */
    private void hyperNodes() {
        domain.node("n1", 2);
        domain.node("n2", 2);
        domain.node("n3", 4);
        domain.node("n4", 2);
        hyperNode("s1", 1, false, "^n[12]$");
        hyperNode("s2", 1, false, "^n[34]$");
        hyperNode("s3", 2, true, "^s");
    }

    private void hyperNode(String name, int tier, boolean ofHyperNodes, String pattern) {
        domain.apply(new PolicyChanged(
                domain.origin("", name),
                Kinds.HYPER_NODE,
                new Policy.HyperNode(
                        tier, "", List.of(new HyperNodeMember(ofHyperNodes, Match.PATTERN, pattern, List.of())))));
    }

    private void gang(String name, int pods, Requirement requirement) {
        domain.podGroup(name, pods);
        domain.gangPods(name, pods, requirement);
    }

    private void network(
            String name,
            int minMember,
            NetworkTopology topology,
            List<SubGroupPolicy> subGroups,
            GroupFacts.Task... tasks) {
        GroupFacts facts =
                new GroupFacts("", "", minMember, List.of(tasks), "", "", 0, 0, topology, subGroups, GangShape.PLAIN);
        domain.apply(new GroupChanged(domain.origin("ml", name), Kinds.VOLCANO_POD_GROUP, facts));
    }

    private static Requirement required(String level) {
        return gpus(1).withTopology(new PodSetTopology(level, "", false, List.of(), ""));
    }

    private static Requirement preferred(String level) {
        return gpus(1).withTopology(new PodSetTopology("", level, false, List.of(), ""));
    }

    /** Pods by node, of the only decision of the next round. */
    private Map<String, Integer> placed() {
        List<Decision> decisions = domain.tick();
        assertThat(decisions).hasSize(1);
        return nodes(decisions.getFirst());
    }

    private static Map<String, Integer> nodes(Decision decision) {
        Map<String, Integer> byNode = new TreeMap<>();
        ((Action.PlaceGang) decision.action())
                .nodes()
                .forEach(node -> byNode.put(node.node(), node.members().size()));
        return byNode;
    }
}
