package dev.muster.scheduler.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.TestDomain;
import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.HyperNodeMember;
import dev.muster.scheduler.core.model.HyperNodeMember.Match;
import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.Policy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A tree stands for as long as every node has its place in it. */
class TopologiesTest {
    private final DomainState state = new DomainState();
    private final Facts facts = new Facts(state, new Members(state));
    private long version;

    @Test
    void aLabelMovesANodeInTheTreesThatLookAtIt() {
        topology("byRack", "rack");
        topology("byZone", "zone");
        node("n1", Map.of("rack", "a", "zone", "z"));
        node("n2", Map.of("rack", "b", "zone", "z"));
        TopologyTree racks = topologies().withLevel("rack");
        TopologyTree zones = topologies().withLevel("zone");

        node("n2", Map.of("rack", "b", "zone", "z", "team", "x"));
        assertThat(topologies().withLevel("rack")).isSameAs(racks);

        node("n2", Map.of("rack", "a", "zone", "z", "team", "x"));
        assertThat(topologies().withLevel("zone")).isSameAs(zones);
        assertThat(topologies().withLevel("rack").domainCount()).isEqualTo(2);
        Laws.check(state);
    }

    @Test
    void aLabelMovesANodeInTheTreeOfHyperNodesThatChooseByIt() {
        NodeExpression pod = new NodeExpression("pod", "In", List.of("p1"), false);
        facts.policyChanged(new PolicyChanged(
                origin("", "h"),
                Kinds.HYPER_NODE,
                new Policy.HyperNode(
                        1,
                        "",
                        List.of(
                                new HyperNodeMember(false, Match.LABELS, "", List.of(pod)),
                                new HyperNodeMember(false, Match.NAME, "n9", List.of())))));
        node("n1", Map.of("pod", "p1"));
        node("n2", Map.of("pod", "p2"));
        TopologyTree before = topologies().network();

        node("n2", Map.of("pod", "p3"));
        assertThat(topologies().network()).isSameAs(before);
        node("n2", Map.of("pod", "p1"));
        TopologyTree now = topologies().network();
        assertThat(now.endNode(1) - now.firstNode(1)).isEqualTo(2);
        Laws.check(state);
    }

    private Topologies topologies() {
        return state.cluster(TestDomain.CLUSTER).topologies();
    }

    private void topology(String name, String level) {
        facts.policyChanged(new PolicyChanged(origin("", name), Kinds.TOPOLOGY, new Policy.Topology(List.of(level))));
    }

    private void node(String name, Map<String, String> labels) {
        facts.nodeChanged(new NodeChanged(origin("", name), TestDomain.nodeFacts(name, 4, labels)));
    }

    private Origin origin(String namespace, String name) {
        return new Origin(TestDomain.CLUSTER, 1, namespace, name, "uid-" + name, ++version);
    }
}
