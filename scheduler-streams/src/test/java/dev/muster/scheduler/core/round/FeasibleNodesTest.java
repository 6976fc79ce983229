package dev.muster.scheduler.core.round;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PodChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.HostPort;
import dev.muster.scheduler.core.model.Label;
import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.NodeTerm;
import dev.muster.scheduler.core.model.PodFacts;
import dev.muster.scheduler.core.model.PodRules;
import dev.muster.scheduler.core.model.PodSetTopology;
import dev.muster.scheduler.core.model.PodTerm;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.SpreadConstraint;
import dev.muster.scheduler.core.model.Taint;
import dev.muster.scheduler.core.model.Toleration;
import dev.muster.scheduler.core.round.NaiveRules.Placed;
import dev.muster.scheduler.core.rule.Fit;
import dev.muster.scheduler.core.rule.RuleCatalogue;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.Facts;
import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.Members;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.PodTerms.Refusal;
import dev.muster.scheduler.core.state.PodTerms.Stance;
import dev.muster.scheduler.core.state.Settlement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * For random clusters and single pods, the nodes that the core allows, by class, index and interned requirement, are those
 * that {@link NaiveRules} allows by walking everything, and what the core names as the reason is a rule that is broken.
 * {@code -Dmuster.cases=N} tries N seeds (2,000 unless said otherwise).
 */
class FeasibleNodesTest {
    private static final int CASES = Integer.getInteger("muster.cases", 2_000);
    private static final String HOST = "kubernetes.io/hostname";
    private static final List<String> KEYS = List.of(HOST, "zone", "pool");

    @Test
    void theCoreAllowsTheNodesThatTheRulesReadNaivelyAllow() {
        TreeMap<String, Integer> seen = new TreeMap<>();
        for (long seed = 1; seed <= CASES; seed++) {
            new Case(seed).judge(seen);
        }
        System.out.println(CASES + " clusters; nodes by first reason: " + seen);
        // A test that never meets a rule proves nothing about it.
        assertThat(seen.keySet())
                .containsExactlyInAnyOrder(
                        "",
                        "HostPorts",
                        "NodeAffinity",
                        "NodeReady",
                        "NodeSelector",
                        "NodeUnschedulable",
                        "PodAffinity",
                        "PodAntiAffinity",
                        "Resources",
                        "Taints",
                        "TopologySpread",
                        "TopologySpreadLabel");
    }

    /** One cluster and one pod. */
    private static final class Case {
        private final long seed;
        private final Random random;
        private final DomainState state = new DomainState();
        private final Members members = new Members(state);
        private final Facts facts = new Facts(state, members);
        private final TreeMap<String, NodeFacts> nodes = new TreeMap<>();
        private final List<Placed> pods = new ArrayList<>();
        private final Map<String, Map<String, String>> namespaces =
                Map.of("ml", Map.of("team", "a"), "web", Map.of("team", "b"));
        private int version;

        Case(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            namespaces.forEach((name, labels) -> facts.policyChanged(
                    new PolicyChanged(origin("", name), Kinds.NAMESPACE, new Policy.Namespace(new TreeMap<>(labels)))));
            int count = 1 + random.nextInt(6);
            for (int i = 0; i < count; i++) {
                node("n" + i);
            }
            int there = random.nextInt(10);
            for (int i = 0; i < there; i++) {
                pod("there-" + i, "n" + random.nextInt(count));
            }
            if (random.nextInt(4) == 0) {
                node("n" + random.nextInt(count)); // what was counted by its labels is counted anew
            }
        }

        void judge(TreeMap<String, Integer> seen) {
            Placed pod = pod("p", "");
            pods.removeLast();
            new Settlement(state, members).settle(false);
            Member member = state.placeable()
                    .firstEntry()
                    .getValue()
                    .podSetsInOrder()
                    .getFirst()
                    .waiting()
                    .getFirst();
            ClusterState cluster = state.cluster("c1");
            Stance stance = state.podTerms().stance(member, cluster);
            Verdicts verdicts =
                    new Verdicts(state, RuleCatalogue.profile("binpack"), cluster, member.requirement(), stance);
            NaiveRules naive = new NaiveRules(nodes, pods, namespaces);
            for (NodeState node : cluster.nodes()) {
                TreeSet<String> broken = naive.broken(pod, node.id().name());
                Refusal refusal = verdicts.refusal(node);
                boolean fits = Fit.count(member.requirement(), node) > 0;
                String reason = refusal != null ? refusal.rule() : fits ? "" : "Resources";
                seen.merge(reason, 1, Integer::sum);
                String about = "seed " + seed + ", " + node.id();
                if (reason.isEmpty()) {
                    assertThat(broken).as(about).isEmpty();
                } else {
                    assertThat(broken).as(about).contains(reason);
                }
                assertThat(fits).as(about).isEqualTo(!broken.contains("Resources"));
            }
        }

        private Origin origin(String namespace, String name) {
            return new Origin("c1", 1, namespace, name, "uid-" + name, ++version);
        }

        private void node(String name) {
            TreeMap<String, String> labels = new TreeMap<>(Map.of(HOST, name, "size", "" + random.nextInt(4)));
            maybe(5, () -> labels.put("zone", "z" + random.nextInt(3)));
            maybe(4, () -> labels.put("pool", "p" + random.nextInt(2)));
            List<Taint> taints = new ArrayList<>();
            for (String effect : List.of("NoExecute", "NoSchedule", "PreferNoSchedule")) {
                if (random.nextInt(14) == 0) {
                    taints.add(new Taint("t" + random.nextInt(2), "v" + random.nextInt(2), effect));
                }
            }
            NodeFacts known = new NodeFacts(
                    labels,
                    taints,
                    random.nextInt(16) == 0,
                    random.nextInt(20) > 0,
                    List.of(
                            new Amount("cpu", 4_000),
                            new Amount("nvidia.com/gpu", random.nextInt(5)),
                            new Amount("pods", 110)));
            nodes.put(name, known);
            facts.nodeChanged(new NodeChanged(origin("", name), known));
        }

        private void maybe(int of, Runnable what) {
            if (random.nextInt(of) > 0) {
                what.run();
            }
        }

        private Placed pod(String name, String node) {
            boolean ours = node.isEmpty();
            String namespace = random.nextInt(3) == 0 ? "web" : "ml";
            TreeMap<String, String> labels = new TreeMap<>();
            maybe(4, () -> labels.put("app", "a" + random.nextInt(2)));
            maybe(2, () -> labels.put("run", "r" + random.nextInt(2)));
            String phase = ours ? "Pending" : random.nextInt(8) == 0 ? "Succeeded" : "Running";
            boolean deleting = !ours && random.nextInt(6) == 0;
            PodFacts known = new PodFacts(
                            "muster",
                            true,
                            phase,
                            node,
                            deleting,
                            false,
                            0,
                            true,
                            null,
                            "",
                            -1,
                            "",
                            requirement(namespace),
                            List.of(),
                            "",
                            0)
                    .withLabels(labels);
            facts.pods().changed(new PodChanged(origin(namespace, name), known));
            Placed placed = new Placed(namespace, known);
            pods.add(placed);
            return placed;
        }

        private Requirement requirement(String namespace) {
            List<Amount> requests = new ArrayList<>(List.of(new Amount("cpu", 100 + random.nextInt(1_500))));
            int gpus = random.nextInt(3);
            if (gpus > 0) {
                requests.add(new Amount("nvidia.com/gpu", gpus));
            }
            requests.add(new Amount("pods", 1));
            return new Requirement(
                    requests,
                    0,
                    some(10, () -> new Label("pool", "p" + random.nextInt(2))),
                    some(8, this::nodeTerm),
                    List.of(),
                    some(2, this::toleration),
                    "",
                    new PodRules(
                            some(5, () -> term(namespace)),
                            some(5, () -> term(namespace)),
                            List.of(),
                            some(2, () -> constraint(namespace))),
                    some(4, this::port),
                    PodSetTopology.NONE,
                    List.of());
        }

        /** None mostly, one with a chance of one in {@code of}, sometimes two. */
        private <T> List<T> some(int of, Supplier<T> make) {
            List<T> list = new ArrayList<>();
            while (list.size() < 2 && random.nextInt(of) == 0) {
                list.add(make.get());
            }
            return list;
        }

        private NodeTerm nodeTerm() {
            List<NodeExpression> expressions = new ArrayList<>();
            for (int i = random.nextInt(3); i > 0; i--) {
                expressions.add(nodeExpression());
            }
            return new NodeTerm(expressions);
        }

        private NodeExpression nodeExpression() {
            List<String> zones = List.of("z" + random.nextInt(3), "z" + random.nextInt(3));
            return switch (random.nextInt(8)) {
                case 0 -> new NodeExpression("zone", "In", zones, false);
                case 1 -> new NodeExpression("zone", "NotIn", zones, false);
                case 2 -> new NodeExpression("zone", "Exists", List.of(), false);
                case 3 -> new NodeExpression("pool", "DoesNotExist", List.of(), false);
                case 4 -> new NodeExpression("size", "Gt", List.of("" + random.nextInt(4)), false);
                case 5 -> new NodeExpression("size", "Lt", List.of("" + random.nextInt(4)), false);
                case 6 -> new NodeExpression("metadata.name", "In", List.of("n" + random.nextInt(6)), true);
                default -> new NodeExpression("zone", "Gt", List.of("1"), false);
            };
        }

        private Toleration toleration() {
            String effect =
                    List.of("", "NoSchedule", "NoExecute", "PreferNoSchedule").get(random.nextInt(4));
            return switch (random.nextInt(5)) {
                case 0 -> new Toleration("", "Exists", "", effect);
                case 1 -> new Toleration("t" + random.nextInt(2), "Exists", "", effect);
                case 2 -> new Toleration("node.kubernetes.io/unschedulable", "Exists", "", effect);
                case 3 -> new Toleration("node.kubernetes.io/not-ready", "Exists", "", effect);
                default -> new Toleration("t" + random.nextInt(2), "Equal", "v" + random.nextInt(2), effect);
            };
        }

        private HostPort port() {
            return new HostPort(
                    80 + random.nextInt(2),
                    random.nextInt(3) == 0 ? "UDP" : "TCP",
                    random.nextBoolean() ? HostPort.ANY : "10.0.0." + random.nextInt(2));
        }

        private List<NodeExpression> selector() {
            return switch (random.nextInt(6)) {
                case 0 -> List.of();
                case 1 -> List.of(new NodeExpression("app", "NotIn", List.of("a0"), false));
                case 2 -> List.of(new NodeExpression("run", "Exists", List.of(), false));
                case 3 -> List.of(new NodeExpression("run", "DoesNotExist", List.of(), false));
                default -> List.of(new NodeExpression("app", "In", List.of("a" + random.nextInt(2)), false));
            };
        }

        private PodTerm term(String namespace) {
            String key = KEYS.get(random.nextInt(KEYS.size()));
            return switch (random.nextInt(5)) {
                case 0 -> new PodTerm(key, selector(), List.of("ml", "web"), false, List.of());
                case 1 ->
                    new PodTerm(
                            key,
                            selector(),
                            List.of(),
                            true,
                            List.of(new NodeExpression("team", "In", List.of("b"), false)));
                case 2 -> new PodTerm(key, selector(), List.of(), true, List.of());
                default -> new PodTerm(key, selector(), List.of(namespace), false, List.of());
            };
        }

        private SpreadConstraint constraint(String namespace) {
            List<NodeExpression> selector = selector();
            return new SpreadConstraint(
                    1 + random.nextInt(2),
                    KEYS.get(random.nextInt(KEYS.size())),
                    random.nextInt(4) > 0,
                    selector.isEmpty() ? "" : namespace,
                    selector,
                    1 + random.nextInt(3),
                    random.nextBoolean(),
                    random.nextBoolean());
        }
    }
}
