package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.event.ClusterEvent.GroupChanged;
import dev.muster.scheduler.core.event.ClusterEvent.GroupGone;
import dev.muster.scheduler.core.event.ClusterEvent.HealthChanged;
import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.event.ClusterEvent.NodeGone;
import dev.muster.scheduler.core.event.ClusterEvent.NumaChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyGone;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncBegan;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncEnded;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.NodeId;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.QuotaObject;
import dev.muster.scheduler.core.model.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/**
 * Takes what member clusters say into the state. Each method answers whether anything changed: records that are older than
 * what is known, repeated, or from an ingest that was replaced change nothing.
 */
public final class Facts {
    private final DomainState state;
    private final PodFactsTaker pods;
    private final Members members;

    public Facts(DomainState state, Members members) {
        this.state = state;
        this.members = members;
        this.pods = new PodFactsTaker(state, members);
    }

    /** Facts of pods. */
    public PodFactsTaker pods() {
        return pods;
    }

    public boolean nodeChanged(NodeChanged event) {
        Origin origin = event.origin();
        if (outdated(origin, Kinds.NODE)) {
            return false;
        }
        NodeState node = state.nodeNamed(new NodeId(origin.cluster(), origin.name()));
        if (isRepeat(node.origin(), origin)) {
            if (node.origin().epoch() >= origin.epoch()) {
                return false;
            }
            node.renewEpoch(withEpoch(node.origin(), origin.epoch()));
            state.touch(node);
            return true;
        }
        int ordinal = node.ordinal() >= 0 ? node.ordinal() : state.ordinals.take();
        boolean relabelled = node.facts() == null
                || !node.facts().labels().equals(event.facts().labels());
        SortedMap<String, String> labelsBefore =
                node.facts() == null ? null : node.facts().labels();
        if (relabelled) {
            state.podTerms.countAll(node, -1);
        }
        pods.whileSharesAreOff(
                node,
                NodeState.gpuMemoryMib(event.facts()),
                () -> node.know(
                        state.sharing.origin(origin, node.id().name(), origin.uid()),
                        state.sharing.node(event.facts(), node.id().name()),
                        state.interner.nodeClass(event.facts()),
                        ordinal));
        state.sick.seen(node, event.facts().ready());
        if (relabelled) {
            state.podTerms.countAll(node, 1);
            Topologies topologies = state.clusterNamed(origin.cluster()).topologies();
            if (labelsBefore == null) {
                topologies.nodesChanged();
            } else {
                topologies.relabelled(node, labelsBefore);
            }
        }
        pods.assignMissingDevices(node);
        state.touch(node);
        state.freeRoom();
        return true;
    }

    public boolean nodeGone(NodeGone event) {
        Origin origin = event.origin();
        NodeState node = state.node(new NodeId(origin.cluster(), origin.name()));
        boolean known =
                node != null && node.origin() != null && node.origin().uid().equals(origin.uid());
        if (!known || outdated(origin, Kinds.NODE)) {
            return false;
        }
        forget(node);
        return true;
    }

    private void forget(NodeState node) {
        state.podTerms.countAll(node, -1);
        state.ordinals.give(node.ordinal());
        pods.whileSharesAreOff(node, 0, node::forgetFacts);
        state.sick.gone(node);
        state.clusterNamed(node.id().cluster()).topologies().nodesChanged();
        state.touch(node);
        if (!state.kept.isEmpty()) {
            state.freeRoom(); // room that was kept there is gone
        }
        if (!state.podTerms.none()) {
            state.freeRoom(); // a place that falls away may have been the emptiest, to which others are compared
        }
    }

    public boolean healthChanged(HealthChanged event) {
        Origin origin = event.origin();
        if (outdated(origin, Kinds.GPU_HEALTH)) {
            return false;
        }
        NodeState node = state.nodeNamed(new NodeId(origin.cluster(), origin.name()));
        long knownEpoch = node.healthOrigin() == null ? -1 : node.healthOrigin().epoch();
        boolean news =
                node.health(event.signals(), state.timeMillis(), state.policy().health());
        if (!news && knownEpoch >= origin.epoch()) {
            return false;
        }
        node.renewHealthOrigin(origin);
        state.healthChanged(node);
        if (news) {
            state.freeRoom();
        }
        return true;
    }

    public boolean numaChanged(NumaChanged event) {
        Origin origin = event.origin();
        if (outdated(origin, Kinds.NUMA)) {
            return false;
        }
        NodeState node = state.nodeNamed(new NodeId(origin.cluster(), origin.name()));
        if (event.facts() == null) {
            if (node.numaOrigin() == null) {
                state.touch(node);
                return false;
            }
            node.numa(null, null, null, List.of());
        } else if (isRepeat(node.numaOrigin(), origin)) {
            if (node.numaOrigin().epoch() >= origin.epoch()) {
                return false;
            }
            node.renewNumaEpoch(withEpoch(node.numaOrigin(), origin.epoch()));
            state.touch(node);
            return true;
        } else {
            pods.numaReports().reported(node, origin, event.facts());
        }
        state.touch(node);
        state.freeRoom();
        return true;
    }

    public boolean groupChanged(GroupChanged event) {
        Origin origin = event.origin();
        if (outdated(origin, event.kind())) {
            return false;
        }
        Row.Group row = new Row.Group(
                state.sharing.origin(origin, origin.name(), origin.uid()),
                event.kind(),
                state.sharing.group(event.facts()),
                false);
        Row.Group known = state.groups.get(row.key());
        if (known != null && isRepeat(known.origin(), origin)) {
            if (known.origin().epoch() >= origin.epoch()) {
                return false;
            }
            row = new Row.Group(withEpoch(known.origin(), origin.epoch()), known.kind(), known.facts(), known.gone());
        }
        putGroup(row);
        members.groupChanged(row, known != null && known.gone() && !row.gone());
        return true;
    }

    private void putGroup(Row.Group row) {
        state.groups.put(row.key(), row);
        state.dirty(Row.Table.GROUPS, row.key(), () -> state.groups.get(row.key()));
    }

    public boolean groupGone(GroupGone event) {
        Origin origin = event.origin();
        Row.Group known =
                state.groups.get(Row.Group.key(origin.cluster(), event.kind(), origin.namespace(), origin.name()));
        boolean gone = known != null && !known.gone() && known.origin().uid().equals(origin.uid());
        if (!gone || outdated(origin, event.kind())) {
            return false;
        }
        forget(known);
        return true;
    }

    /** What a batch Job said of its pods, its queue above all, holds until the last of them is gone. */
    private void forget(Row.Group group) {
        if (group.kind().equals(Kinds.BATCH_JOB) && members.hasPods(group)) {
            putGroup(new Row.Group(group.origin(), group.kind(), group.facts(), true));
            members.groupLeft(group);
            return;
        }
        state.groups.remove(group.key());
        state.dirty(Row.Table.GROUPS, group.key(), () -> state.groups.get(group.key()));
        members.groupGone(group);
    }

    public boolean policyChanged(PolicyChanged event) {
        Origin origin = event.origin();
        if (outdated(origin, event.kind())) {
            return false;
        }
        Row.PolicyObject row = new Row.PolicyObject(origin, event.kind(), event.policy());
        Row.PolicyObject known = state.policies.get(row.key());
        if (known != null && known.origin().uid().equals(origin.uid())) {
            row = new Row.PolicyObject(origin, event.kind(), after(known.policy(), event.policy()));
        }
        if (known != null && isRepeat(known.origin(), origin)) {
            if (known.origin().epoch() >= origin.epoch()) {
                return false;
            }
            row = new Row.PolicyObject(withEpoch(known.origin(), origin.epoch()), known.kind(), known.policy());
        }
        putPolicy(row);
        policyTookEffect(row);
        return true;
    }

    private static Policy after(Policy before, Policy now) {
        return before instanceof Storage.Claim known && now instanceof Storage.Claim claim ? claim.after(known) : now;
    }

    private void putPolicy(Row.PolicyObject row) {
        state.policies.put(row.key(), row);
        state.policiesVersion++;
        state.dirty(row.table(), row.key(), () -> state.policies.get(row.key()));
    }

    public boolean policyGone(PolicyGone event) {
        Origin origin = event.origin();
        Row.PolicyObject known = state.policies.get(
                event.kind() + "/" + origin.cluster() + "/" + origin.namespace() + "/" + origin.name());
        boolean gone = known != null && known.origin().uid().equals(origin.uid());
        if (!gone || outdated(origin, event.kind())) {
            return false;
        }
        forget(known);
        return true;
    }

    private void forget(Row.PolicyObject row) {
        state.policies.remove(row.key());
        state.policiesVersion++;
        state.dirty(row.table(), row.key(), () -> state.policies.get(row.key()));
        policyTookEffect(row);
    }

    private void policyTookEffect(Row.PolicyObject row) {
        switch (row.policy()) {
            case Policy.SchedulerPolicy policy -> {
                state.policyChanged();
                state.freeRoom();
            }
            case Policy.PriorityClass priorityClass ->
                members.priorityClassChanged(row.origin().cluster());
            case Policy.Queue queue -> quotaTookEffect(row);
            case QuotaObject.WorkloadPriorityClass priorityClass ->
                members.workloadPriorityClassChanged(
                        row.origin().cluster(), row.origin().name());
            case QuotaObject quota -> quotaTookEffect(row);
            case Policy.Namespace namespace -> {
                state.podTerms.namespaceChanged();
                state.freeRoom();
            }
            case Policy.Topology topology -> topologyTookEffect(row);
            case Policy.HyperNode hyperNode -> topologyTookEffect(row);
            case Storage storage -> state.freeRoom(); // a claim was bound, a volume made
            case Policy.DisruptionBudget budget -> state.freeRoom(); // more may be evicted
        }
    }

    private void quotaTookEffect(Row.PolicyObject row) {
        state.queues.changed(row);
        state.freeRoom();
    }

    private void topologyTookEffect(Row.PolicyObject row) {
        state.topologyChanged(row);
        state.freeRoom();
    }

    public boolean resyncBegan(ResyncBegan event) {
        ClusterState cluster = state.clusterNamed(event.cluster());
        if (event.epoch() <= cluster.beganEpoch(event.kind())) {
            return false;
        }
        cluster.listBegan(event.kind(), event.epoch());
        state.touchDomain();
        return true;
    }

    public boolean resyncEnded(ResyncEnded event) {
        ClusterState cluster = state.clusterNamed(event.cluster());
        boolean older = event.epoch() < cluster.beganEpoch(event.kind());
        if (older || event.epoch() < cluster.endedEpoch(event.kind())) {
            return false;
        }
        if (event.epoch() == cluster.endedEpoch(event.kind())) {
            // Listed whole once more under the same epoch: known objects fell away one by one already.
            return event.kind().equals(Kinds.POD) && pods.listedAgain(cluster.name(), event.listVersion());
        }
        cluster.listEnded(event.kind(), event.epoch());
        removeUnlisted(cluster, event);
        state.touchDomain();
        state.freeRoom();
        return true;
    }

    private void removeUnlisted(ClusterState cluster, ResyncEnded event) {
        String kind = event.kind();
        long epoch = event.epoch();
        switch (kind) {
            case Kinds.NODE ->
                listed(cluster).stream()
                        .filter(node -> node.origin() != null && node.origin().epoch() < epoch)
                        .forEach(this::forget);
            case Kinds.GPU_HEALTH ->
                listed(cluster).stream()
                        .filter(node -> node.healthOrigin() != null
                                && node.healthOrigin().epoch() < epoch)
                        .forEach(this::healthUnlisted);
            case Kinds.NUMA ->
                listed(cluster).stream()
                        .filter(node ->
                                node.numaOrigin() != null && node.numaOrigin().epoch() < epoch)
                        .forEach(node -> {
                            node.numa(null, null, null, List.of());
                            state.touch(node);
                        });
            case Kinds.POD -> pods.removeUnlisted(cluster.name(), epoch, event.listVersion());
            default -> {
                new ArrayList<>(state.groups.values())
                        .stream()
                                .filter(group -> !group.gone()
                                        && unlisted(group.origin(), group.kind(), cluster.name(), kind, epoch))
                                .forEach(this::forget);
                new ArrayList<>(state.policies.values())
                        .stream()
                                .filter(row -> unlisted(row.origin(), row.kind(), cluster.name(), kind, epoch))
                                .forEach(this::forget);
            }
        }
    }

    /** A new list says nothing of a node's health: its signals are off. That they were on before is not forgotten with that. */
    private void healthUnlisted(NodeState node) {
        node.healthUnlisted(state.timeMillis(), state.policy().health());
        state.healthChanged(node);
    }

    private static boolean unlisted(Origin origin, String itsKind, String cluster, String kind, long epoch) {
        return itsKind.equals(kind) && origin.cluster().equals(cluster) && origin.epoch() < epoch;
    }

    private static List<NodeState> listed(ClusterState cluster) {
        return new ArrayList<>(cluster.nodes());
    }

    private boolean outdated(Origin origin, String kind) {
        ClusterState cluster = state.cluster(origin.cluster());
        return cluster != null && origin.epoch() < cluster.beganEpoch(kind);
    }

    /** Whether the news is of the same object and no newer than what is known. */
    static boolean isRepeat(Origin known, Origin news) {
        return known != null
                && known.uid().equals(news.uid())
                && news.resourceVersion() > 0
                && news.resourceVersion() <= known.resourceVersion();
    }

    /** What is known, as an ingest of a later epoch has listed it again. */
    static Origin withEpoch(Origin known, long epoch) {
        return new Origin(
                known.cluster(), epoch, known.namespace(), known.name(), known.uid(), known.resourceVersion());
    }
}
