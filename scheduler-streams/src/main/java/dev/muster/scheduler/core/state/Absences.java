package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.PodId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Pods that are taken off their nodes on trial, to see what would find room without them. Nothing of it outlives an entry. */
public final class Absences {
    private final DomainState state;
    /** Pods and where they were, in the order in which they were taken. */
    private final Map<PodState, NodeState> absent = new LinkedHashMap<>();
    /** How many charged pods of a workload are off; only looked up. */
    private final Map<Workload, Integer> uncharged = new HashMap<>();
    /** The one node that is looked at; null for all. */
    private NodeState only;

    public Absences(DomainState state) {
        this.state = state;
        state.queues.beginTrial();
    }

    /** Takes all pods of a cluster off that leave anyway: those being deleted, and those whose eviction has been decided. */
    public void takeLeaving(ClusterState cluster) {
        long patience = state.policy().preemption().roomKeptMillis();
        for (NodeState node : cluster.nodes()) {
            for (PodState pod : node.pods.values()) {
                if (pod.leavesSoon(state.timeMillis(), patience)) {
                    take(pod);
                }
            }
        }
        for (Hold hold : state.kept.values()) {
            for (String uid : hold.cluster.equals(cluster.name()) ? hold.kept.victims : List.<String>of()) {
                PodState pod = state.pods.get(new PodId(hold.cluster, uid));
                if (pod != null && pod.node != null && !pod.facts.deleting()) {
                    take(pod);
                }
            }
        }
    }

    /**
     * From now on only the room of this node is to be seen, and whoever leaves another one, or gives quota back, leaves no trace;
     * null for all again. Whoever is off must be the same when that begins and when it ends.
     */
    public void lookOnlyAt(NodeState node) {
        only = node;
    }

    /** Takes a member's pod off its node. */
    public void take(Member member) {
        if (only == null) {
            take(member.pod);
        } else if (member.pod.node == only && absent.putIfAbsent(member.pod, only) == null) {
            only.give(member.pod.requirement, member.pod.devices, member.pod.numa);
        }
    }

    private void take(PodState pod) {
        if (absent.putIfAbsent(pod, pod.node) == null) {
            state.podTerms.count(pod.requirement, pod.seen, pod.node, -1);
            pod.node.give(pod.requirement, pod.devices, pod.numa);
            giveQuota(pod.member);
        }
    }

    /** With the last of a workload goes what it keeps. */
    private void giveQuota(Member member) {
        if (member != null && member.charged) {
            Workload workload = member.podSet().workload();
            state.queues.onTrial(member, -1);
            if (uncharged.merge(workload, 1, Integer::sum) == workload.charged) {
                state.queues.keptOnTrial(workload, -1);
            }
        }
    }

    private void takeQuota(Member member) {
        if (member != null && member.charged) {
            Workload workload = member.podSet().workload();
            if (uncharged.merge(workload, -1, Integer::sum) == workload.charged - 1) {
                state.queues.keptOnTrial(workload, 1);
            }
            state.queues.onTrial(member, 1);
        }
    }

    /** Lets a member's pod come back. */
    public void comeBack(Member member) {
        boolean seen = only == null || member.pod.node == only;
        if (!seen || absent.remove(member.pod) == null) {
            return;
        }
        if (only == null) {
            giveRoom(member.pod);
        } else {
            only.take(member.pod.requirement, member.pod.devices, member.pod.numa);
        }
    }

    /** Lets everybody come back. */
    public void end() {
        absent.keySet().forEach(this::giveRoom);
        absent.clear();
    }

    private void giveRoom(PodState pod) {
        state.podTerms.count(pod.requirement, pod.seen, pod.node, 1);
        pod.node.take(pod.requirement, pod.devices, pod.numa);
        takeQuota(pod.member);
    }

    /** Whether a member's pod is off its node on trial. */
    public boolean isAbsent(Member member) {
        return absent.containsKey(member.pod);
    }
}
