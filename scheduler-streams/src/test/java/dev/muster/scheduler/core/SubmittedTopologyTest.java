package dev.muster.scheduler.core;

import static dev.muster.scheduler.core.TestDomain.gpus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent.JobSubmitted;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.HyperNodeMember;
import dev.muster.scheduler.core.model.NetworkTopology;
import dev.muster.scheduler.core.model.PodSetTopology;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.SubmittedJob;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs that come as events ask for a place in the topology like any other gang. */
class SubmittedTopologyTest {
    private final TestDomain domain = TestDomain.synced();

    @Test
    void aJobStaysBelowTheTierThatItAllows() {
        domain.node("n1", 2);
        domain.node("n2", 2);
        domain.node("n3", 2);
        hyperNode("s1", "n1", "n2");
        hyperNode("s2", "n3");
        listed();
        submit("small", 4, gpus(1), new NetworkTopology(true, 1, ""));

        assertThat(nodes(domain.tick())).containsExactly("n1", "n2");
        submit("large", 3, gpus(1), new NetworkTopology(true, 1, ""));
        assertThat(domain.tick()).isEmpty();
        domain.restart();
        domain.node("n4", 4);
        hyperNode("s2", "n3", "n4");
        assertThat(nodes(domain.tick())).containsExactly("n4");
    }

    @Test
    void aTemplateAsksForARack() {
        domain.apply(new PolicyChanged(domain.origin("", "t"), Kinds.TOPOLOGY, new Policy.Topology(List.of("rack"))));
        domain.node("n1", 2, Map.of("rack", "a"));
        domain.node("n2", 3, Map.of("rack", "b"));
        listed();
        Requirement inRack = gpus(1).withTopology(new PodSetTopology("rack", "", false, List.of(), ""));
        submit("j", 3, inRack, null);

        assertThat(nodes(domain.tick())).containsExactly("n2");
    }

    private void listed() {
        domain.listed(Kinds.TOPOLOGY);
        domain.listed(Kinds.HYPER_NODE);
    }

    private void hyperNode(String name, String... nodes) {
        List<HyperNodeMember> members = List.of(nodes).stream()
                .map(node -> new HyperNodeMember(false, HyperNodeMember.Match.NAME, node, List.of()))
                .toList();
        domain.apply(
                new PolicyChanged(domain.origin("", name), Kinds.HYPER_NODE, new Policy.HyperNode(1, "", members)));
    }

    private void submit(String name, int pods, Requirement requirement, NetworkTopology topology) {
        SubmittedJob.Task task = new SubmittedJob.Task("w", pods, pods, requirement, "hash");
        SubmittedJob job = new SubmittedJob("ml", "", "research", 0, pods, List.of(task), topology);
        domain.apply(new JobSubmitted("team", "cmd-" + name, name, job, 0));
    }

    private static List<String> nodes(List<Decision> decisions) {
        assertThat(decisions).hasSize(1);
        return ((Action.PlaceGang) decisions.getFirst().action())
                .nodes().stream().map(Action.NodePlacement::node).toList();
    }
}
