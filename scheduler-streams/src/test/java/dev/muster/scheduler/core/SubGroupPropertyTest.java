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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Random trees of subgroups, up to three levels, in random blocks, racks and nodes. What is placed keeps every rule; and
 * of the gangs that trying everything finds a place for, nearly all are placed: the search is bounded, and a subgroup tries
 * domains in one order only. More cases with {@code -Dmuster.cases=N}.
 */
class SubGroupPropertyTest {
    private static final int CASES = Integer.getInteger("muster.cases", 600);

    /** A node, with its place in the topology. */
    private record Node(int block, int rack, int gpus) {}

    /** A leaf with its pods, all of which must run; the level that they share: 0 for none, 1 block, 2 rack. */
    private record Leaf(String name, int parent, int pods, int level) {}

    /** Inner subgroups 0 and 1, of which so many must be placed, with the level that each has to share. */
    private record Case(List<Node> nodes, int[] innerLevels, int minInner, int level, List<Leaf> leaves) {}

    @Test
    void whatIsPlacedKeepsTheRulesAndNearlyAllThatCanBeIs() {
        int possible = 0;
        int placed = 0;
        for (long seed = 0; seed < CASES; seed++) {
            Case drawn = draw(new Random(seed));
            int[] nodes = decided(drawn);
            boolean could = search(drawn, nodesOfPods(drawn), 0);
            if (nodes != null) {
                assertThat(holds(drawn, nodes)).as("seed %d: %s", seed, drawn).isTrue();
                assertThat(could).as("seed %d: %s", seed, drawn).isTrue();
            }
            possible += could ? 1 : 0;
            placed += nodes == null ? 0 : 1;
        }
        assertThat(possible).isBetween(CASES / 5, CASES * 9 / 10);
        assertThat(placed).isGreaterThanOrEqualTo(possible * 98 / 100);
    }

    private static Case draw(Random random) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 2 + random.nextInt(4); i > 0; i--) {
            nodes.add(new Node(random.nextInt(2), random.nextInt(2), random.nextInt(4)));
        }
        List<Leaf> leaves = new ArrayList<>();
        int left = 6;
        for (int i = 0; i < 2 + random.nextInt(2); i++) {
            int pods = 1 + random.nextInt(Math.min(3, left - 2 + i));
            left -= pods;
            // The first two are in inner subgroups, so that these are no leaves.
            leaves.add(new Leaf("l" + i, i < 2 ? i : random.nextInt(3) - 1, pods, random.nextInt(3)));
        }
        int[] inner = {random.nextInt(2), random.nextInt(2)};
        return new Case(nodes, inner, random.nextInt(4) == 0 ? 1 : 0, random.nextInt(2), leaves);
    }

    // ---- what the engine decides

    /** The node of each pod, -1 for none; null where nothing is placed. */
    private static int[] decided(Case drawn) {
        TestDomain domain = TestDomain.unchecked();
        domain.apply(new PolicyChanged(
                domain.origin("", "t"), Kinds.KAI_TOPOLOGY, new Policy.Topology(List.of("block", "rack"))));
        List.of(Kinds.TOPOLOGY, Kinds.KAI_TOPOLOGY, Kinds.HYPER_NODE).forEach(domain::listed);
        for (int i = 0; i < drawn.nodes().size(); i++) {
            Node node = drawn.nodes().get(i);
            domain.node("n" + i, node.gpus(), Map.of("block", "b" + node.block(), "rack", "r" + node.rack()));
        }
        List<SubGroup> tree = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            tree.add(new SubGroup("i" + i, "", 0, 0, place(drawn.innerLevels()[i])));
        }
        for (Leaf leaf : drawn.leaves()) {
            String parent = leaf.parent() < 0 ? "" : "i" + leaf.parent();
            tree.add(new SubGroup(leaf.name(), parent, leaf.pods(), 0, place(leaf.level())));
        }
        GangShape shape =
                new GangShape(MatchPolicy.WAITING_AND_RUNNING, List.of(), place(drawn.level()), drawn.minInner(), tree);
        domain.apply(new GroupChanged(
                domain.origin("ml", "g"),
                Kinds.KAI_POD_GROUP,
                new GroupFacts("", "", 0, List.of(), "", "", 0, 0, null, List.of(), shape)));
        for (Leaf leaf : drawn.leaves()) {
            for (int i = 0; i < leaf.pods(); i++) {
                GroupRef ref = new GroupRef(WorkloadKind.KAI_POD_GROUP, "g");
                domain.pod("g-" + leaf.name() + "-" + i, ref, leaf.name(), i, 0, gpus(1));
            }
        }
        List<Decision> decisions = domain.tick();
        return decisions.isEmpty() ? null : nodes(drawn, decisions);
    }

    private static PodSetTopology place(int level) {
        return level == 0
                ? PodSetTopology.NONE
                : new PodSetTopology(level == 1 ? "block" : "rack", "", false, List.of(), "");
    }

    private static int[] nodes(Case drawn, List<Decision> decisions) {
        Map<String, Integer> byPod = new HashMap<>();
        for (Decision decision : decisions) {
            ((Action.PlaceGang) decision.action())
                    .nodes()
                    .forEach(node -> node.members()
                            .forEach(member -> byPod.put(
                                    member.name(), Integer.parseInt(node.node().substring(1)))));
        }
        int[] nodes = nodesOfPods(drawn);
        int pod = 0;
        for (Leaf leaf : drawn.leaves()) {
            for (int i = 0; i < leaf.pods(); i++) {
                nodes[pod++] = byPod.getOrDefault("g-" + leaf.name() + "-" + i, -1);
            }
        }
        return nodes;
    }

    // ---- what there is

    private static int[] nodesOfPods(Case drawn) {
        int[] nodes = new int[drawn.leaves().stream().mapToInt(Leaf::pods).sum()];
        Arrays.fill(nodes, -1);
        return nodes;
    }

    /** Tries every node, and none, for each pod from one on. */
    private static boolean search(Case drawn, int[] nodes, int from) {
        if (from == nodes.length) {
            return holds(drawn, nodes);
        }
        for (int node = -1; node < drawn.nodes().size(); node++) {
            nodes[from] = node;
            if (fits(drawn, nodes, from) && search(drawn, nodes, from + 1)) {
                return true;
            }
        }
        nodes[from] = -1;
        return false;
    }

    private static boolean fits(Case drawn, int[] nodes, int last) {
        int node = nodes[last];
        return node < 0
                || IntStream.rangeClosed(0, last)
                                .filter(pod -> nodes[pod] == node)
                                .count()
                        <= drawn.nodes().get(node).gpus();
    }

    /** Whether the minimum is met, each node has room, and all that must share a domain does. */
    private static boolean holds(Case drawn, int[] nodes) {
        List<int[]> ofLeaves = new ArrayList<>();
        int pod = 0;
        for (Leaf leaf : drawn.leaves()) {
            ofLeaves.add(
                    IntStream.range(pod, pod + leaf.pods()).map(i -> nodes[i]).toArray());
            pod += leaf.pods();
        }
        if (IntStream.range(0, nodes.length).anyMatch(i -> !fits(drawn, nodes, i))
                || !share(drawn, nodes, drawn.level())) {
            return false;
        }
        int met = 0;
        for (int inner = 0; inner < 2; inner++) {
            boolean all = true;
            IntStream.Builder its = IntStream.builder();
            for (int i = 0; i < ofLeaves.size(); i++) {
                if (drawn.leaves().get(i).parent() == inner) {
                    all &= isMet(ofLeaves.get(i));
                    IntStream.of(ofLeaves.get(i)).forEach(its);
                }
            }
            if (!share(drawn, its.build().toArray(), drawn.innerLevels()[inner])) {
                return false;
            }
            met += all ? 1 : 0;
        }
        int direct = 2;
        for (int i = 0; i < ofLeaves.size(); i++) {
            Leaf leaf = drawn.leaves().get(i);
            if (!share(drawn, ofLeaves.get(i), leaf.level())) {
                return false;
            }
            if (leaf.parent() < 0) {
                direct++;
                met += isMet(ofLeaves.get(i)) ? 1 : 0;
            }
        }
        return met >= (drawn.minInner() == 0 ? direct : drawn.minInner());
    }

    private static boolean isMet(int[] nodes) {
        return IntStream.of(nodes).allMatch(node -> node >= 0);
    }

    private static boolean share(Case drawn, int[] nodes, int level) {
        return level == 0
                || IntStream.of(nodes)
                                .filter(node -> node >= 0)
                                .mapToObj(drawn.nodes()::get)
                                .map(node -> level == 1 ? "" + node.block() : node.block() + "/" + node.rack())
                                .distinct()
                                .count()
                        <= 1;
    }
}
