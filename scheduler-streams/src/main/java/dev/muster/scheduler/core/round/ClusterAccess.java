package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.decision.Reason;
import dev.muster.scheduler.core.decision.ReasonCodes;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.WorkloadKind;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.Workload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Where a workload may go: clusters that are open to it, and that have been listed as far as its placement looks at them. */
final class ClusterAccess {
    private final DomainState state;
    /** Only looked up. */
    private final Map<InCluster, Boolean> openQueues = new HashMap<>();
    /** Whether there is a cluster for workloads of ClusterQueues, by the one they are in (empty for any); only looked up. */
    private final Map<String, Boolean> someCluster = new HashMap<>();

    /** A queue in a cluster. */
    private record InCluster(ClusterState cluster, String queue) {}

    ClusterAccess(DomainState state) {
        this.state = state;
    }

    /** Member clusters that a workload may go to now, by name. */
    List<ClusterState> clustersFor(Workload workload) {
        if (workload.cluster().isEmpty()) {
            return state.clusters().stream()
                    .filter(cluster -> ready(workload, cluster))
                    .toList();
        }
        ClusterState its = state.cluster(workload.cluster());
        return its != null && ready(workload, its) ? List.of(its) : List.of();
    }

    boolean mayUse(Workload workload, ClusterState cluster) {
        boolean allowed = workload.cluster().isEmpty() || workload.cluster().equals(cluster.name());
        return allowed && ready(workload, cluster);
    }

    /** Whether there is a cluster that a workload of a ClusterQueue may use. */
    boolean mayUseAny(Workload workload) {
        return TopologyPlacer.concerns(workload)
                ? !clustersFor(workload).isEmpty()
                : someCluster.computeIfAbsent(
                        workload.cluster(), cluster -> !clustersFor(workload).isEmpty());
    }

    /** Whether all that its placement looks at has been listed: of the topology only what it asks about. */
    boolean ready(Workload workload, ClusterState cluster) {
        if (!cluster.synced() || !state.podTerms().ready(cluster)) {
            return false;
        }
        if (workload.queueRef().ofKueue() && !Kinds.QUOTA.stream().allMatch(cluster::listed)) {
            return false;
        }
        if (!TopologyPlacer.concerns(workload)) {
            return true;
        }
        return cluster.listed(Kinds.TOPOLOGY)
                && cluster.listed(Kinds.HYPER_NODE)
                && (workload.kind() != WorkloadKind.KAI_POD_GROUP || cluster.listed(Kinds.KAI_TOPOLOGY));
    }

    boolean open(ClusterState cluster, Workload workload) {
        return workload.queueRef().ofKueue()
                || openQueues.computeIfAbsent(
                        new InCluster(cluster, workload.queue()),
                        asked -> state.queueOpen(cluster.name(), workload.queue()));
    }

    static Reason closed(Workload workload, ClusterState cluster) {
        String message = "queue " + workload.queue() + " of cluster " + cluster.name() + " is closed";
        return new Reason(ReasonCodes.QUEUE_CLOSED, message, List.of());
    }

    static Reason notSynced(Workload workload) {
        String which = workload.cluster().isEmpty() ? "no member cluster" : "cluster " + workload.cluster() + " not";
        return new Reason(
                ReasonCodes.CLUSTER_NOT_SYNCED,
                which + " has been listed whole yet: nothing is placed there",
                List.of());
    }
}
