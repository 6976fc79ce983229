package dev.muster.standalone.scenario.expect;

import dev.muster.standalone.scenario.observe.Clusters;
import dev.muster.standalone.scenario.observe.NodeView;
import dev.muster.standalone.scenario.observe.PodView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A rule about the pods that match. */
public record PodCondition(Glob pods, Rule rule) implements Condition {
    private static final int PODS_SHOWN = 6;

    /** What must hold of pods. */
    public sealed interface Rule {
        /** That many are bound. */
        record Bound(Bounds count) implements Rule {
            @Override
            public String toString() {
                return "bound " + count;
            }
        }

        /** That many are being deleted and still hold their room. */
        record Terminating(Bounds count) implements Rule {
            @Override
            public String toString() {
                return "terminating " + count;
            }
        }

        /** One of these numbers is bound. */
        record BoundIn(List<Integer> counts) implements Rule {
            @Override
            public String toString() {
                return "bound in " + counts;
            }
        }

        /** Each bound one is on a node of such a name. */
        record Nodes(List<Glob> names) implements Rule {
            @Override
            public String toString() {
                return "on nodes " + names;
            }
        }

        /** They are on that many nodes. */
        record DistinctNodes(Bounds count) implements Rule {
            @Override
            public String toString() {
                return "on " + count + " distinct nodes";
            }
        }

        /** Each node that holds any holds that many. */
        record PerNode(Bounds count) implements Rule {
            @Override
            public String toString() {
                return count + " per node";
            }
        }

        /** All are on nodes with one value of the label. */
        record SameNodeLabel(String label) implements Rule {
            @Override
            public String toString() {
                return "on nodes with one " + label;
            }
        }

        /** Counts per value of the label differ by at most that many, over all nodes that carry it. */
        record MaxSkew(String label, int skew) implements Rule {
            @Override
            public String toString() {
                return "skew over " + label + " at most " + skew;
            }
        }

        /** The cpus, memory and devices of each come from at most that many NUMA nodes. */
        record NumaNodes(int most) implements Rule {
            @Override
            public String toString() {
                return "each from at most " + most + " NUMA nodes";
            }
        }

        /** All are in that member cluster. */
        record InCluster(String name) implements Rule {
            @Override
            public String toString() {
                return "in cluster " + name;
            }
        }

        /** That many were evicted from the beginning. */
        record Evictions(Bounds count) implements Rule {
            @Override
            public String toString() {
                return "evictions " + count;
            }
        }
    }

    @Override
    public Verdict judge(Clusters clusters) {
        return verdict(clusters).withMissing(!clusters.everPod(pods), "no pod " + pods + " ever existed");
    }

    private Verdict verdict(Clusters clusters) {
        List<PodView> bound = matching(clusters, PodView::bound);
        return switch (rule) {
            case Rule.Bound want -> count("bound", bound, want.count().holds(bound.size()));
            case Rule.BoundIn want -> count("bound", bound, want.counts().contains(bound.size()));
            case Rule.Terminating want -> {
                List<PodView> leaving = matching(clusters, PodView::terminating);
                yield count("terminating", leaving, want.count().holds(leaving.size()));
            }
            case Rule.Nodes want ->
                offenders(bound, pod -> want.names().stream().noneMatch(name -> name.test(pod.node())));
            case Rule.DistinctNodes want -> {
                long nodes = bound.stream().map(PodView::where).distinct().count();
                yield Verdict.of(want.count().holds(nodes), "on " + nodes + " nodes: " + shown(bound));
            }
            case Rule.PerNode want -> perNode(bound, want.count());
            case Rule.SameNodeLabel want -> sameLabel(clusters, bound, want.label());
            case Rule.MaxSkew want -> skew(clusters, bound, want);
            case Rule.NumaNodes want -> offenders(bound, pod -> clusters.numaNodes(pod) > want.most());
            case Rule.InCluster want -> offenders(bound, pod -> !pod.cluster().equals(want.name()));
            case Rule.Evictions want -> {
                List<Clusters.Eviction> evicted = clusters.evictions().stream()
                        .filter(each -> pods.test(each.path()))
                        .toList();
                String which = evicted.stream()
                        .limit(PODS_SHOWN)
                        .map(Clusters.Eviction::path)
                        .collect(Collectors.joining(", "));
                yield Verdict.of(
                        want.count().holds(evicted.size()),
                        evicted.size() + " evicted" + (which.isEmpty() ? "" : ": " + which));
            }
        };
    }

    private List<PodView> matching(Clusters clusters, Predicate<PodView> also) {
        List<PodView> matching = new ArrayList<>();
        for (PodView pod : clusters.pods()) {
            if (also.test(pod) && pods.test(pod.path())) {
                matching.add(pod);
            }
        }
        return matching;
    }

    private static Verdict count(String what, List<PodView> pods, boolean holds) {
        return Verdict.of(holds, pods.size() + " " + what + (pods.isEmpty() ? "" : ": " + shown(pods)));
    }

    private static Verdict offenders(List<PodView> bound, Predicate<PodView> offends) {
        List<PodView> offenders = bound.stream().filter(offends).toList();
        return Verdict.of(
                offenders.isEmpty(), bound.isEmpty() ? "none bound" : shown(offenders.isEmpty() ? bound : offenders));
    }

    private static Verdict perNode(List<PodView> bound, Bounds want) {
        Map<String, Integer> counts = new TreeMap<>();
        bound.forEach(pod -> counts.merge(pod.node(), 1, Integer::sum));
        boolean holds = counts.values().stream().allMatch(want::holds);
        return Verdict.of(holds, counts.isEmpty() ? "none bound" : perKey(counts));
    }

    private static Verdict sameLabel(Clusters clusters, List<PodView> bound, String label) {
        TreeSet<String> values = new TreeSet<>();
        boolean unlabelled = false;
        for (PodView pod : bound) {
            NodeView node = clusters.nodeOf(pod);
            String value = node == null ? null : node.labels().get(label);
            unlabelled |= value == null;
            if (value != null) {
                values.add(value);
            }
        }
        String seen = bound.isEmpty() ? "none bound" : label + " " + values;
        return Verdict.of(
                values.size() <= 1 && !unlabelled, seen + (unlabelled ? " and nodes without that label" : ""));
    }

    private static Verdict skew(Clusters clusters, List<PodView> bound, Rule.MaxSkew want) {
        Map<String, Integer> counts = new TreeMap<>();
        clusters.nodes().stream()
                .filter(node -> node.labels().containsKey(want.label()))
                .forEach(node -> counts.put(node.labels().get(want.label()), 0));
        for (PodView pod : bound) {
            NodeView node = clusters.nodeOf(pod);
            if (node != null && node.labels().containsKey(want.label())) {
                counts.merge(node.labels().get(want.label()), 1, Integer::sum);
            }
        }
        int most = counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        int least = counts.values().stream().mapToInt(Integer::intValue).min().orElse(0);
        return Verdict.of(
                most - least <= want.skew(),
                counts.isEmpty() ? "no node has that label" : "skew " + (most - least) + ": " + perKey(counts));
    }

    private static String perKey(Map<String, Integer> counts) {
        return counts.entrySet().stream()
                .map(each -> each.getKey() + " " + each.getValue())
                .collect(Collectors.joining(", "));
    }

    private static String shown(List<PodView> pods) {
        String shown = pods.stream()
                .limit(PODS_SHOWN)
                .map(pod -> pod.name() + " on " + pod.node())
                .collect(Collectors.joining(", "));
        return pods.size() > PODS_SHOWN ? shown + ", and " + (pods.size() - PODS_SHOWN) + " more" : shown;
    }

    @Override
    public String toString() {
        return "pods " + pods + " " + rule;
    }
}
