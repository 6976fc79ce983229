package dev.muster.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.GroupFacts;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.Label;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.WorkloadKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A random gang of up to 4 pods on up to 5 random nodes is placed exactly when trying everything finds a placement: any
 * node, or none, for each pod, and any device for each share of a GPU. More cases with {@code -Dmuster.cases=N}.
 */
class GangSearchPropertyTest {
    private static final int CASES = Integer.getInteger("muster.cases", 2_000);

    private record Node(int cpu, int gpus, String zone) {}

    /** A pod: thousandths of a GPU are whole ones, or a share of one below 1,000; any zone where it is empty. */
    private record Pod(String task, int cpu, int gpuMilli, String zone) {}

    private record Case(List<Node> nodes, List<Pod> pods, int minimum, int minimumOfA, int minimumOfB) {}

    @Test
    void aGangIsPlacedExactlyWhenThereIsAPlacement() {
        int placed = 0;
        for (long seed = 0; seed < CASES; seed++) {
            Case drawn = draw(new Random(seed));
            boolean possible = possible(drawn, new int[drawn.pods().size()], 0);
            assertThat(decided(drawn)).as("seed %d: %s", seed, drawn).isEqualTo(possible);
            placed += possible ? 1 : 0;
        }
        // Neither side may be the rule, or the property says little.
        assertThat(placed).isBetween(CASES / 5, CASES * 4 / 5);
    }

    private static Case draw(Random random) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            nodes.add(new Node(1 + random.nextInt(4), random.nextInt(3), random.nextBoolean() ? "a" : "b"));
        }
        List<Pod> pods = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            int milli = List.of(0, 1_000, 2_000, 300, 400, 500, 700).get(random.nextInt(7));
            String zone = List.of("", "", "a", "b").get(random.nextInt(4));
            pods.add(new Pod(random.nextBoolean() ? "a" : "b", 1 + random.nextInt(3), milli, zone));
        }
        int ofA = random.nextInt(count(pods, "a") + 1);
        int ofB = random.nextInt(count(pods, "b") + 1);
        int least = Math.max(1, ofA + ofB);
        return new Case(nodes, pods, least + random.nextInt(pods.size() - least + 1), ofA, ofB);
    }

    private static int count(List<Pod> pods, String task) {
        return (int) pods.stream().filter(pod -> pod.task().equals(task)).count();
    }

    // ---- what the engine decides

    private static boolean decided(Case drawn) {
        TestDomain domain = TestDomain.unchecked();
        for (int i = 0; i < drawn.nodes().size(); i++) {
            Node node = drawn.nodes().get(i);
            TreeMap<String, String> labels = new TreeMap<>();
            labels.put("zone", node.zone());
            List<Amount> allocatable = List.of(
                    new Amount("cpu", node.cpu()), new Amount("nvidia.com/gpu", node.gpus()), new Amount("pods", 10));
            domain.apply(new NodeChanged(
                    domain.origin("", "n" + i), new NodeFacts(labels, List.of(), false, true, allocatable)));
        }
        domain.podGroup(
                "g",
                drawn.minimum(),
                new GroupFacts.Task("a", drawn.minimumOfA(), -1, ""),
                new GroupFacts.Task("b", drawn.minimumOfB(), -1, ""));
        for (int i = 0; i < drawn.pods().size(); i++) {
            Pod pod = drawn.pods().get(i);
            domain.pod("g-" + i, new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, "g"), pod.task(), i, 0, requirement(pod));
        }
        return !domain.tick().isEmpty();
    }

    private static Requirement requirement(Pod pod) {
        List<Amount> requests = new ArrayList<>(List.of(new Amount("cpu", pod.cpu())));
        if (pod.gpuMilli() >= 1_000) {
            requests.add(new Amount("nvidia.com/gpu", pod.gpuMilli() / 1_000));
        }
        requests.add(new Amount("pods", 1));
        List<Label> selector = pod.zone().isEmpty() ? List.of() : List.of(new Label("zone", pod.zone()));
        return new Requirement(requests, pod.gpuMilli() % 1_000, selector, List.of(), List.of(), List.of(), "");
    }

    // ---- what there is

    /** Tries every node, and none, for each pod from one on. */
    private static boolean possible(Case drawn, int[] nodeOf, int from) {
        if (from == nodeOf.length) {
            return enough(drawn, nodeOf) && fits(drawn, nodeOf);
        }
        for (int node = -1; node < drawn.nodes().size(); node++) {
            nodeOf[from] = node;
            if (possible(drawn, nodeOf, from + 1)) {
                return true;
            }
        }
        return false;
    }

    private static boolean enough(Case drawn, int[] nodeOf) {
        int[] placed = new int[2];
        for (int i = 0; i < nodeOf.length; i++) {
            placed[drawn.pods().get(i).task().equals("a") ? 0 : 1] += nodeOf[i] >= 0 ? 1 : 0;
        }
        return placed[0] >= drawn.minimumOfA()
                && placed[1] >= drawn.minimumOfB()
                && placed[0] + placed[1] >= drawn.minimum();
    }

    private static boolean fits(Case drawn, int[] nodeOf) {
        for (int number = 0; number < drawn.nodes().size(); number++) {
            Node node = drawn.nodes().get(number);
            int cpu = 0;
            int whole = 0;
            List<Integer> shares = new ArrayList<>();
            for (int i = 0; i < nodeOf.length; i++) {
                Pod pod = drawn.pods().get(i);
                if (nodeOf[i] != number) {
                    continue;
                }
                if (!pod.zone().isEmpty() && !pod.zone().equals(node.zone())) {
                    return false;
                }
                cpu += pod.cpu();
                whole += pod.gpuMilli() / 1_000;
                if (pod.gpuMilli() % 1_000 > 0) {
                    shares.add(pod.gpuMilli());
                }
            }
            if (cpu > node.cpu() || whole > node.gpus()) {
                return false;
            }
            int[] free = new int[node.gpus() - whole];
            Arrays.fill(free, 1_000);
            if (!share(shares, 0, free)) {
                return false;
            }
        }
        return true;
    }

    private static boolean share(List<Integer> shares, int from, int[] free) {
        if (from == shares.size()) {
            return true;
        }
        for (int device = 0; device < free.length; device++) {
            if (free[device] >= shares.get(from)) {
                free[device] -= shares.get(from);
                if (share(shares, from + 1, free)) {
                    return true;
                }
                free[device] += shares.get(from);
            }
        }
        return false;
    }
}
