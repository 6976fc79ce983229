package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.model.QueueRef;
import dev.muster.scheduler.core.quota.FlavorResource;
import dev.muster.scheduler.core.quota.QuotaNode.Id;
import dev.muster.scheduler.core.quota.QuotaTree;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.Running;
import dev.muster.scheduler.core.state.Running.OfQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who runs in queues that borrow what another queue has too little of. Each part of the tree of cohorts is looked at once,
 * until something is charged.
 */
final class Borrowers {
    private final Running running;
    /** Only looked up. */
    private final Map<Part, Found> known = new HashMap<>();

    private QuotaTree tree;
    private long version;

    /** A node of the tree with what is below it, and what is scarce. */
    private record Part(ClusterState cluster, Id node, List<FlavorResource> scarce) {}

    /**
     * Those of queues that borrow.
     *
     * @param users how many of them use what is scarce
     * @param lowestPriority of all that run in these queues; Integer.MAX_VALUE where nobody does
     */
    record Found(List<QueueRef> queues, int users, int lowestPriority) {
        private static final Found NOBODY = new Found(List.of(), 0, Integer.MAX_VALUE);

        private Found plus(Found other) {
            List<QueueRef> all = new ArrayList<>(queues);
            all.addAll(other.queues);
            return new Found(all, users + other.users, Math.min(lowestPriority, other.lowestPriority));
        }
    }

    Borrowers(Running running) {
        this.running = running;
    }

    /** Those beside a queue, as far as they run in a cluster, without the queues' names. */
    Found summary(ClusterState cluster, QuotaTree of, String queue, List<FlavorResource> scarce) {
        int users = 0;
        int lowest = Integer.MAX_VALUE;
        for (Id part : of.beside(queue)) {
            Found found = in(cluster, of, part, scarce);
            users += found.users();
            lowest = Math.min(lowest, found.lowestPriority());
        }
        return new Found(List.of(), users, lowest);
    }

    /** The same with the names. */
    Found all(ClusterState cluster, QuotaTree of, String queue, List<FlavorResource> scarce) {
        Found all = Found.NOBODY;
        for (Id part : of.beside(queue)) {
            all = all.plus(in(cluster, of, part, scarce));
        }
        return all;
    }

    private Found in(ClusterState cluster, QuotaTree of, Id node, List<FlavorResource> scarce) {
        if (of != tree || of.version() != version) {
            known.clear();
            tree = of;
            version = of.version();
        }
        return known.computeIfAbsent(new Part(cluster, node, scarce), part -> look(cluster, node, scarce));
    }

    private Found look(ClusterState cluster, Id node, List<FlavorResource> scarce) {
        List<QueueRef> queues = new ArrayList<>();
        int users = 0;
        int lowest = Integer.MAX_VALUE;
        for (String name : tree.borrowers(node, scarce)) {
            QueueRef queue = QueueRef.clusterQueue(name);
            OfQueue there = running.ofQueue(cluster, queue);
            if (there != null) {
                queues.add(queue);
                users += there.users(scarce);
                lowest = Math.min(lowest, there.lowestPriority());
            }
        }
        return new Found(queues, users, lowest);
    }
}
