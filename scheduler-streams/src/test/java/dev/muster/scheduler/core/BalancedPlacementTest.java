package dev.muster.scheduler.core;

import static dev.muster.scheduler.core.TestDomain.gpus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.PodSetTopology;
import dev.muster.scheduler.core.model.PodSetTopology.Slice;
import dev.muster.scheduler.core.model.Policy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

/**
 * Pods that ask for balance are divided as Kueue's KEP-2724 says. The examples are the KEP's; the random cases are compared
 * with a reference that tries every set of racks and of nodes. More cases with {@code -Dmuster.cases=N}.
 */
class BalancedPlacementTest {
    private static final int CASES = Integer.getInteger("muster.cases", 1_000);

    /** A node: its block, its rack and its GPUs, in the order of their paths. */
    private record Node(String name, int block, int rack, int gpus) {}

    @Test
    void theExamplesOfTheProposal() {
        assertThat(placed(25, 1, block(rack(15), rack(15)))).containsExactly(13, 12);
        assertThat(placed(23, 1, block(rack(15, 13, 10)))).containsExactly(12, 11, 0);
        assertThat(placed(22, 1, block(rack(20, 10), rack(15, 15)))).containsExactly(0, 0, 11, 11);
        assertThat(placed(20, 1, block(rack(20, 10), rack(15, 15)))).containsExactly(20, 0, 0, 0);
        assertThat(placed(15, 1, block(rack(10, 5), rack(5, 5, 5)))).containsExactly(0, 0, 5, 5, 5);
        assertThat(placed(25, 1, block(rack(15), rack(15)), block(rack(15, 15))))
                .containsExactly(0, 0, 13, 12);
        assertThat(placed(25, 5, block(rack(15), rack(15), rack(15, 15)))).containsExactly(0, 0, 15, 10);
    }

    @Test
    void whatNoBlockHoldsIsPlacedWithoutBalance() {
        assertThat(placed(12, 1, block(rack(8)), block(rack(8)))).containsExactly(8, 4);
    }

    @Test
    void aSliceThatIsNotFullIsPlacedWithoutBalance() {
        assertThat(placed(9, 4, block(rack(8, 8)))).containsExactly(8, 1);
    }

    @Test
    void ranksFollowTheTree() {
        TestDomain domain = domain(nodes(block(rack(6), rack(6))));
        gang(domain, 8, 1);
        Action.PlaceGang placed = (Action.PlaceGang) domain.tick().getFirst().action();
        assertThat(placed.nodes().getFirst().members())
                .extracting(Action.MemberPlacement::index)
                .containsExactly(0, 1, 2, 3);
    }

    @Test
    void randomCasesAreAsTheReferenceHasThem() {
        int balanced = 0;
        for (long seed = 0; seed < CASES; seed++) {
            Random random = new Random(seed);
            List<Node> nodes = draw(random);
            int slice = random.nextInt(4) == 0 ? 2 : 1;
            int pods = (1 + random.nextInt(10)) * slice;
            List<Integer> expected = reference(nodes, pods, slice);
            if (expected.isEmpty()) {
                continue;
            }
            balanced++;
            assertThat(placed(nodes, pods, slice))
                    .as("seed %d: %d pods in slices of %d on %s", seed, pods, slice, nodes)
                    .isEqualTo(expected);
        }
        assertThat(balanced).isGreaterThan(CASES / 3);
    }

    // ---- the reference

    private static List<Node> draw(Random random) {
        List<Node> nodes = new ArrayList<>();
        for (int block = 0; block < 1 + random.nextInt(3); block++) {
            for (int rack = 0; rack < 1 + random.nextInt(3); rack++) {
                for (int node = 0; node < 1 + random.nextInt(3); node++) {
                    nodes.add(new Node(name(block, rack, node), block, rack, random.nextInt(7)));
                }
            }
        }
        return nodes;
    }

    /** Pods by node; empty where there is nothing to balance. */
    private static List<Integer> reference(List<Node> nodes, int pods, int slice) {
        int wanted = pods / slice;
        List<Node> chosen = List.of();
        int threshold = 0;
        int fewestRacks = Integer.MAX_VALUE;
        for (List<Node> block : parts(nodes, Node::block)) {
            List<Node> fewest = best(block, node -> node.gpus() / slice, wanted);
            if (fewest.isEmpty()) {
                continue;
            }
            int least = block.stream()
                    .map(node -> node.gpus() / slice)
                    .sorted(Comparator.reverseOrder())
                    .toList()
                    .get(fewest.size() - 1);
            int reached = Math.min(wanted / fewest.size(), least);
            List<List<Node>> racks =
                    parts(
                                    block.stream()
                                            .filter(node -> node.gpus() / slice >= reached)
                                            .toList(),
                                    Node::rack)
                            .stream()
                            .sorted(Comparator.comparingInt((List<Node> rack) -> -slots(rack, slice))
                                    .thenComparingInt(rack -> squares(rack, slice)))
                            .toList();
            List<List<Node>> ofRacks = best(racks, rack -> slots(rack, slice), wanted);
            if (ofRacks.isEmpty() || reached < threshold || reached == threshold && ofRacks.size() >= fewestRacks) {
                continue;
            }
            threshold = reached;
            fewestRacks = ofRacks.size();
            List<Node> inside = nodes.stream()
                    .filter(node -> ofRacks.stream().anyMatch(rack -> rack.contains(node)))
                    .toList();
            chosen = best(inside, node -> node.gpus() / slice, wanted);
        }
        if (chosen.isEmpty() || wanted < chosen.size() * threshold) {
            return List.of();
        }
        Map<Node, Integer> dealt = new TreeMap<>(Comparator.comparing(Node::name));
        for (Node node : chosen) {
            dealt.put(node, threshold);
        }
        int left = wanted - chosen.size() * threshold;
        List<Node> roomiest = chosen.stream()
                .sorted(Comparator.comparingInt(node -> -(node.gpus() / slice)))
                .toList();
        while (left > 0) {
            for (Node node : roomiest) {
                if (left > 0 && dealt.get(node) < node.gpus() / slice) {
                    dealt.merge(node, 1, Integer::sum);
                    left--;
                }
            }
        }
        return nodes.stream().map(node -> dealt.getOrDefault(node, 0) * slice).toList();
    }

    private static int slots(List<Node> nodes, int slice) {
        return nodes.stream().mapToInt(node -> node.gpus() / slice).sum();
    }

    private static int squares(List<Node> nodes, int slice) {
        return nodes.stream()
                .mapToInt(node -> (node.gpus() / slice) * (node.gpus() / slice))
                .sum();
    }

    private static List<List<Node>> parts(List<Node> nodes, ToIntFunction<Node> by) {
        Map<Integer, List<Node>> parts = new TreeMap<>();
        nodes.forEach(node -> parts.computeIfAbsent(by.applyAsInt(node), same -> new ArrayList<>())
                .add(node));
        return List.copyOf(parts.values());
    }

    /**
     * Of all sets with room for what is wanted the smallest, then the one with the least room, then the one whose last is the
     * earliest, then whose last but one is, and so on.
     */
    private static <T> List<T> best(List<T> all, ToIntFunction<T> room, int wanted) {
        List<T> best = List.of();
        int bestRoom = 0;
        for (int set = 1; set < 1 << all.size(); set++) { // a larger number has a later last
            List<T> chosen = new ArrayList<>();
            int sum = 0;
            boolean empty = false;
            for (int i = 0; i < all.size(); i++) {
                if ((set >> i & 1) == 1) {
                    chosen.add(all.get(i));
                    sum += room.applyAsInt(all.get(i));
                    empty |= room.applyAsInt(all.get(i)) == 0;
                }
            }
            boolean better =
                    best.isEmpty() || chosen.size() < best.size() || chosen.size() == best.size() && sum < bestRoom;
            if (sum >= wanted && !empty && better) {
                best = chosen;
                bestRoom = sum;
            }
        }
        return best;
    }

    // ---- what the engine decides

    private static int[] rack(int... gpus) {
        return gpus;
    }

    private static int[][] block(int[]... racks) {
        return racks;
    }

    private static String name(int block, int rack, int node) {
        return "b" + block + "-r" + rack + "-" + node;
    }

    private static List<Node> nodes(int[][]... blocks) {
        List<Node> nodes = new ArrayList<>();
        for (int block = 0; block < blocks.length; block++) {
            for (int rack = 0; rack < blocks[block].length; rack++) {
                for (int node = 0; node < blocks[block][rack].length; node++) {
                    nodes.add(new Node(name(block, rack, node), block, rack, blocks[block][rack][node]));
                }
            }
        }
        return nodes;
    }

    private static TestDomain domain(List<Node> nodes) {
        TestDomain domain = TestDomain.unchecked();
        domain.apply(new PolicyChanged(
                domain.origin("", "default"),
                Kinds.TOPOLOGY,
                new Policy.Topology(List.of("block", "rack", "kubernetes.io/hostname"))));
        domain.listed(Kinds.TOPOLOGY);
        domain.listed(Kinds.HYPER_NODE);
        for (Node node : nodes) {
            domain.node(
                    node.name(),
                    node.gpus(),
                    Map.of(
                            "block",
                            "b" + node.block(),
                            "rack",
                            "r" + node.rack(),
                            "kubernetes.io/hostname",
                            node.name()));
        }
        return domain;
    }

    private static void gang(TestDomain domain, int pods, int slice) {
        List<Slice> slices = slice == 1 ? List.of() : List.of(new Slice("kubernetes.io/hostname", slice));
        domain.podGroup("g", pods);
        domain.gangPods("g", pods, gpus(1).withTopology(new PodSetTopology("", "rack", false, slices, "", true)));
    }

    private static List<Integer> placed(int pods, int slice, int[][]... blocks) {
        return placed(nodes(blocks), pods, slice);
    }

    /** Pods on each node, in the order of the nodes' paths. */
    private static List<Integer> placed(List<Node> nodes, int pods, int slice) {
        TestDomain domain = domain(nodes);
        gang(domain, pods, slice);
        List<Decision> decisions = domain.tick();
        assertThat(decisions).hasSize(1);
        Map<String, Integer> byNode = new TreeMap<>();
        nodes.forEach(node -> byNode.put(node.name(), 0));
        ((Action.PlaceGang) decisions.getFirst().action())
                .nodes()
                .forEach(node -> byNode.put(node.node(), node.members().size()));
        return List.copyOf(byNode.values());
    }
}
