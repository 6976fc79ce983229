package dev.muster.scheduler.core.quota;

import dev.muster.scheduler.core.quota.QuotaNode.Id;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The naive reading of quota, for tests elsewhere. */
public final class QuotaTestAccess {
    private QuotaTestAccess() {}

    /** Whether nothing on a queue's way up uses more than it may. */
    public static boolean within(
            Collection<QuotaNode> nodes,
            SortedMap<String, SortedMap<FlavorResource, Long>> usage,
            String queue,
            FlavorResource column) {
        NaiveQuota naive = new NaiveQuota(nodes);
        usage.forEach((name, used) -> used.forEach((each, amount) -> naive.charge(name, each, amount)));
        return naive.fits(queue, column, 0);
    }

    /** A tree of cohorts and queues that own one thing, with everything worked out from nothing. All of one root. */
    public static final class NaiveTree {
        private final List<QuotaNode> nodes = new ArrayList<>();
        private final Map<String, Map<FlavorResource, Long>> used = new HashMap<>();

        public void cohort(String name, String parent, int weightMilli, FlavorResource column, long nominal) {
            add(Id.cohort(name), parent, weightMilli, column, nominal);
        }

        public void queue(String name, String parent, int weightMilli, FlavorResource column, long nominal) {
            add(Id.queue(name), parent, weightMilli, column, nominal);
        }

        private void add(Id id, String parent, int weightMilli, FlavorResource column, long nominal) {
            TreeMap<FlavorResource, Limits> limits = new TreeMap<>();
            limits.put(column, new Limits(nominal, Limits.UNLIMITED, Limits.UNLIMITED));
            nodes.add(new QuotaNode(id, parent, weightMilli, limits));
        }

        public void charge(String queue, FlavorResource column, long amount) {
            used.computeIfAbsent(queue, name -> new HashMap<>()).merge(column, amount, Long::sum);
        }

        private NaiveQuota quota() {
            NaiveQuota quota = new NaiveQuota(nodes);
            used.forEach((queue, its) -> its.forEach((column, amount) -> quota.charge(queue, column, amount)));
            return quota;
        }

        public boolean fits(String queue, FlavorResource column, long amount) {
            return quota().fits(queue, column, amount);
        }

        /** The share of a node when a queue uses so much more: whether infinite, then parts of 2^20. */
        private long[] share(Id id, String queue, FlavorResource column, long more) {
            NaiveQuota quota = quota();
            quota.charge(queue, column, more);
            QuotaNode node = nodes.stream()
                    .filter(each -> each.id().equals(id))
                    .findFirst()
                    .orElseThrow();
            boolean infinite = node.weightMilli() == 0 && !node.parent().isEmpty() && quota.left(id, column) < 0;
            return new long[] {infinite ? 1 : 0, quota.share(id, List.of(column), this::lendable)};
        }

        /** Nobody limits anything here: what can be lent is what is owned in the whole tree. */
        private long lendable(FlavorResource column) {
            return nodes.stream()
                    .mapToLong(node -> node.limits().get(column).nominal())
                    .sum();
        }

        /** The queue whose nominee starts next; nominees ask for so much, and have an order of their own. */
        public String winner(Map<String, Long> nominees, FlavorResource column, Comparator<String> order) {
            Id root = nodes.stream()
                    .filter(node -> node.parent().isEmpty())
                    .findFirst()
                    .orElseThrow()
                    .id();
            return winner(root, nominees, column, order);
        }

        private String winner(Id at, Map<String, Long> nominees, FlavorResource column, Comparator<String> order) {
            if (at.kind() == QuotaNode.Kind.QUEUE) {
                return nominees.containsKey(at.name()) ? at.name() : null;
            }
            String best = null;
            long[] least = null;
            for (QuotaNode child : nodes) {
                String nominee = child.parent().equals(at.name()) ? winner(child.id(), nominees, column, order) : null;
                if (nominee != null) {
                    long[] share = share(child.id(), nominee, column, nominees.get(nominee));
                    int by = least == null ? -1 : Arrays.compare(share, least);
                    if (by < 0 || by == 0 && order.compare(nominee, best) < 0) {
                        best = nominee;
                        least = share;
                    }
                }
            }
            return best;
        }
    }
}
