package dev.muster.scheduler.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.TestDomain;
import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.event.ClusterEvent.NodeGone;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyGone;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.HyperNodeMember;
import dev.muster.scheduler.core.model.HyperNodeMember.Match;
import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.NumaPlacement;
import dev.muster.scheduler.core.model.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopologyTreeTest {
    private static final List<String> LEVELS = List.of("block", "rack");

    private final DomainState state = new DomainState();
    private final Facts facts = new Facts(state, new Members(state));
    private long version;

    @Test
    void aRackIsWhatItsWholePathSays() {
        topology("default", LEVELS);
        node("n1", Map.of("block", "b1", "rack", "r1"));
        node("n2", Map.of("block", "b1", "rack", "r2"));
        node("n3", Map.of("block", "b2", "rack", "r1"));

        assertThat(paths(tree())).containsExactly("", "b1", "b1/r1", "b1/r2", "b2", "b2/r1");
    }

    @Test
    void nodesThatLackALevelAreNotInTheTree() {
        topology("default", LEVELS);
        node("n1", Map.of("block", "b1", "rack", "r1"));
        node("n2", Map.of("rack", "r1"));

        assertThat(names(tree(), 0)).containsExactly("n1");
    }

    @Test
    void nodesAreNumberedInTheOrderOfTheirPaths() {
        topology("default", LEVELS);
        node("a", Map.of("block", "b2", "rack", "r1"));
        node("b", Map.of("block", "b1", "rack", "r2"));
        node("c", Map.of("block", "b1", "rack", "r1"));
        node("d", Map.of("block", "b1", "rack", "r1"));

        assertThat(names(tree(), 0)).containsExactly("c", "d", "b", "a");
        assertThat(names(tree(), 1)).containsExactly("c", "d", "b");
    }

    @Test
    void theFirstTopologyWithTheLevelCounts() {
        topology("x", List.of("zone", "rack"));
        topology("a", List.of("rack"));
        node("n1", Map.of("zone", "z", "rack", "r1"));

        assertThat(topologies().withLevel("rack").name()).isEqualTo("a");
        assertThat(topologies().withLevel("zone").name()).isEqualTo("x");
        assertThat(topologies().withLevel("island")).isNull();
    }

    @Test
    void theTreeFollowsNodesAndObjects() {
        topology("default", LEVELS);
        node("n1", Map.of("block", "b1", "rack", "r1"));
        assertThat(paths(tree())).containsExactly("", "b1", "b1/r1");
        node("n1", Map.of("block", "b1", "rack", "r9"));
        assertThat(paths(tree())).containsExactly("", "b1", "b1/r9");
        topology("default", List.of("rack"));
        assertThat(paths(tree())).containsExactly("", "r9");
        facts.nodeGone(new NodeGone(origin("n1")));
        assertThat(paths(tree())).containsExactly("");
        facts.policyGone(new PolicyGone(origin("default"), Kinds.TOPOLOGY));
        assertThat(topologies().withLevel("rack")).isNull();
    }

    @Test
    void freeGpusAreCountedUpTheTree() {
        topology("default", LEVELS);
        node("n1", Map.of("block", "b1", "rack", "r1"));
        node("n2", Map.of("block", "b1", "rack", "r2"));
        TopologyTree tree = tree();
        InternedRequirement one = state.requirement(TestDomain.gpus(1));
        NodeState n2 = tree.node(1);
        n2.take(one, new int[] {0}, NumaPlacement.NONE);

        assertThat(List.of(tree.freeGpus(0), tree.freeGpus(1), tree.freeGpus(2), tree.freeGpus(3)))
                .containsExactly(7L, 7L, 4L, 3L);
        assertThat(tree.difference()).isEmpty();
    }

    @Test
    void commonIsTheSmallestDomainAroundBoth() {
        topology("default", LEVELS);
        node("n1", Map.of("block", "b1", "rack", "r1"));
        node("n2", Map.of("block", "b1", "rack", "r2"));
        node("n3", Map.of("block", "b2", "rack", "r1"));
        TopologyTree tree = tree();

        assertThat(tree.path(tree.common(2, 3))).isEqualTo("b1");
        assertThat(tree.common(2, 5)).isZero();
        assertThat(tree.common(1, 3)).isEqualTo(1);
    }

    @Test
    void hyperNodesAreNestedAndOneStandsAboveThemAll() {
        for (String name : List.of("n1", "n2", "n3", "n4", "n5")) {
            node(name, Map.of("rack", name.equals("n3") ? "r3" : ""));
        }
        hyperNode("s1", 1, new HyperNodeMember(false, Match.PATTERN, "^n[12]$", List.of()));
        hyperNode("s2", 1, labelled("rack", "r3"), named(false, "n4"));
        hyperNode("s3", 2, new HyperNodeMember(true, Match.PATTERN, "s[12]", List.of()));
        TopologyTree tree = topologies().network();

        assertThat(paths(tree)).containsExactly("", "s3", "s3/s1", "s3/s2");
        assertThat(List.of(tree.tier(0), tree.tier(1), tree.tier(2))).containsExactly(3, 2, 1);
        assertThat(names(tree, 2)).containsExactly("n1", "n2");
        assertThat(names(tree, 3)).containsExactly("n3", "n4");
        assertThat(names(tree, 0)).containsExactly("n5", "n1", "n2", "n3", "n4");
    }

    @Test
    void aHyperNodeContainsOnlyWhatIsNearer() {
        node("n1", Map.of());
        hyperNode("a", 1, named(true, "b"), named(false, "n1"));
        hyperNode("b", 1, named(true, "a"));
        hyperNode("c", 2, named(true, "c"), named(true, "a"));

        assertThat(paths(topologies().network())).containsExactly("", "b", "c", "c/a");
    }

    @Test
    void aHyperNodeOfAllTheNodesOfAnotherContainsIt() {
        node("n1", Map.of());
        node("n2", Map.of());
        hyperNode("leaf", 1, named(false, "n1"));
        hyperNode("spine", 2, named(false, "n1"), named(false, "n2"));

        assertThat(paths(topologies().network())).containsExactly("", "spine", "spine/leaf");
    }

    @Test
    void withoutHyperNodesAllNodesAreOneDomainOfTierOne() {
        node("n1", Map.of());

        assertThat(topologies().network().tier(0)).isEqualTo(1);
        assertThat(names(topologies().network(), 0)).containsExactly("n1");
    }

    private Topologies topologies() {
        return state.clusterNamed("c1").topologies();
    }

    private TopologyTree tree() {
        return topologies().withLevel("rack");
    }

    private static List<String> paths(TopologyTree tree) {
        List<String> paths = new ArrayList<>();
        for (int domain = 0; domain < tree.domainCount(); domain++) {
            paths.add(tree.path(domain));
        }
        return paths;
    }

    private static List<String> names(TopologyTree tree, int domain) {
        List<String> names = new ArrayList<>();
        for (int node = tree.firstNode(domain); node < tree.endNode(domain); node++) {
            names.add(tree.node(node).id().name());
        }
        return names;
    }

    private static HyperNodeMember named(boolean hyperNode, String name) {
        return new HyperNodeMember(hyperNode, Match.NAME, name, List.of());
    }

    private static HyperNodeMember labelled(String key, String value) {
        return new HyperNodeMember(
                false, Match.LABELS, "", List.of(new NodeExpression(key, "In", List.of(value), false)));
    }

    private void hyperNode(String name, int tier, HyperNodeMember... members) {
        facts.policyChanged(
                new PolicyChanged(origin(name), Kinds.HYPER_NODE, new Policy.HyperNode(tier, "", List.of(members))));
    }

    private void topology(String name, List<String> levels) {
        facts.policyChanged(new PolicyChanged(origin(name), Kinds.TOPOLOGY, new Policy.Topology(levels)));
    }

    private void node(String name, Map<String, String> labels) {
        facts.nodeChanged(new NodeChanged(origin(name), TestDomain.nodeFacts(name, 4, labels)));
    }

    private Origin origin(String name) {
        return new Origin("c1", 1, "", name, "uid-" + name, ++version);
    }
}
