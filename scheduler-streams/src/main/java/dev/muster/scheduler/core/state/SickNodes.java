package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.HealthEpisode;
import dev.muster.scheduler.core.model.HealthEviction;
import dev.muster.scheduler.core.model.HealthSignal;
import dev.muster.scheduler.core.model.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Nodes that have a fatal signal, are not ready, or are gone while pods are on them; and who has lost what it runs on there. */
final class SickNodes {
    /** Of fewer nodes no share is worked out (kube-controller-manager: a zone of which at least 3 nodes are not ready). */
    private static final int FEW = 3;

    /** How many nodes there are is looked at so often where too many are sick. */
    private static final long A_WHILE_MILLIS = 60_000;

    private final DomainState state;
    private final TreeMap<String, NodeState> nodes = new TreeMap<>();

    SickNodes(DomainState state) {
        this.state = state;
    }

    /** Whether a node is one of them may have changed. */
    void settle(NodeState node) {
        boolean fatal =
                node.health() != null && node.health().isFatal(state.policy().health());
        if (node.awayMillis() > 0 || fatal) {
            if (nodes.put(node.id().toString(), node) == null) {
                wake(node);
            }
        } else if (nodes.remove(node.id().toString()) != null && eviction().enabled() && !nodes.isEmpty()) {
            state.lookAgainAt(state.timeMillis()); // of those that are left it may have been too many
        }
    }

    /** The cluster says that a node is there. */
    void seen(NodeState node, boolean ready) {
        if (ready) {
            node.away(0);
        } else if (node.awayMillis() == 0) {
            node.away(Math.max(1, state.timeMillis()));
        }
    }

    /** The cluster has a node no more. */
    void gone(NodeState node) {
        node.away(node.pods.isEmpty() ? 0 : Math.max(1, state.timeMillis()));
    }

    /** A pod is on a node from now on, or what is said of the node's health has changed. */
    void changed(NodeState node) {
        if (nodes.containsKey(node.id().toString())) {
            wake(node);
        }
    }

    /** A round is to look who has lost something there. */
    private void wake(NodeState node) {
        if (eviction().enabled() && node.pods.values().stream().anyMatch(pod -> pod.member != null)) {
            state.lookAgainAt(state.timeMillis());
        }
    }

    private HealthEviction eviction() {
        return state.policy().health().eviction();
    }

    /** Members that have lost what they run on, by node and uid; a round is asked for at the time when another one will have. */
    List<SlotHolds.Lost> lost() {
        List<SlotHolds.Lost> lost = new ArrayList<>();
        if (!eviction().enabled()) {
            return lost;
        }
        TreeMap<String, Boolean> tooMany = new TreeMap<>();
        for (NodeState node : nodes.values()) {
            for (PodState pod : node.pods.values()) {
                SlotHolds.Lost loss = loss(node, pod);
                if (loss == null) {
                    continue;
                }
                if (loss.fromMillis() > state.timeMillis()) {
                    state.lookAgainAt(loss.fromMillis());
                } else if (tooMany.computeIfAbsent(node.id().cluster(), this::tooMany)) {
                    state.lookAgainAt(state.timeMillis() + A_WHILE_MILLIS);
                } else {
                    lost.add(loss);
                }
            }
        }
        return lost;
    }

    /** Null where the pod is not ours, has all that it needs, or goes for others anyway. */
    private SlotHolds.Lost loss(NodeState node, PodState pod) {
        Member member = pod.member;
        boolean takenAway = member != null && member.counted() == Member.Phase.LEAVING && node.awayMillis() > 0;
        if (member == null || !takenAway && member.counted() != Member.Phase.BOUND || goesForOthers(pod)) {
            return null;
        }
        if (node.awayMillis() > 0 && node.facts() == null) {
            return new SlotHolds.Lost(member, node, "node gone", node.awayMillis(), false);
        }
        Policy.Health policy = state.policy().health();
        HealthEpisode fatal = node.health() == null ? null : node.health().fatalFor(pod.devices, policy);
        long fatalFrom = fatal == null
                ? Long.MAX_VALUE
                : fatal.onSinceMillis() + eviction().afterMillis();
        long awayFrom = node.awayMillis() == 0
                ? Long.MAX_VALUE
                : node.awayMillis() + eviction().nodeLostMillis();
        if (fatalFrom == Long.MAX_VALUE && awayFrom == Long.MAX_VALUE) {
            return null;
        }
        return fatalFrom <= awayFrom
                ? new SlotHolds.Lost(member, node, inWords(fatal.signal()), fatalFrom, true)
                : new SlotHolds.Lost(member, node, "node not ready", awayFrom, false);
    }

    /** Whether it is evicted so that somebody else finds room: what it leaves is not its gang's. */
    boolean goesForOthers(PodState pod) {
        Workload workload = pod.member.podSet().workload();
        boolean preempted = workload.evictedMillis > 0 && workload.evictedMillis >= pod.boundMillis;
        return workload.drainMillis > 0
                || preempted
                || state.toLeave.getOrDefault(pod.id(), 0) > SlotHolds.timesVictim(workload, pod);
    }

    /** Why a pod that leaves now may have lost what it ran on, in a few words; empty where nothing is known against it. */
    String causeOfLoss(NodeState node, int[] devices) {
        if (!eviction().enabled()) {
            return "";
        }
        if (node.awayMillis() > 0) {
            return node.facts() == null ? "node gone" : "node not ready";
        }
        HealthEpisode fatal = node.health() == null
                ? null
                : node.health().fatalFor(devices, state.policy().health());
        return fatal == null ? "" : inWords(fatal.signal());
    }

    private static String inWords(HealthSignal signal) {
        return signal.value().isEmpty() ? signal.kind() : signal.kind() + " " + signal.value();
    }

    private boolean tooMany(String cluster) {
        long sick = nodes.values().stream()
                .filter(node -> node.id().cluster().equals(cluster))
                .count();
        long all = state.cluster(cluster).nodes().size();
        return sick >= FEW && sick * 100 > all * eviction().mostPercent();
    }

    /** The first difference to what nodes say of themselves; empty where there is none. */
    String difference() {
        for (ClusterState cluster : state.clusters()) {
            for (NodeState node : cluster.nodes()) {
                boolean fatal = node.health() != null
                        && node.health().isFatal(state.policy().health());
                boolean sick = fatal || node.awayMillis() > 0;
                if (sick != (nodes.get(node.id().toString()) == node)) {
                    return node.id() + " is " + (sick ? "not " : "") + "among the sick nodes";
                }
            }
        }
        boolean known = nodes.values().stream()
                .allMatch(node ->
                        state.cluster(node.id().cluster()).node(node.id().name()) == node);
        return known ? "" : "a node that is not known is among the sick ones";
    }
}
