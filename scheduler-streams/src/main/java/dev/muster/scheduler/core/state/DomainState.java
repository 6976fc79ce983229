package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.decision.Reason;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.DecisionId;
import dev.muster.scheduler.core.model.FairSharing;
import dev.muster.scheduler.core.model.FairSharing.VolcanoShare;
import dev.muster.scheduler.core.model.NodeId;
import dev.muster.scheduler.core.model.PodId;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.scheduler.core.model.PreemptionPolicy;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.WorkloadId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Everything a domain knows, as the heap structure that decisions work on. It follows from the rows of the state stores
 * and is written through to them at the end of each entry.
 *
 * <p>Hash maps are only looked up, never walked: whatever is walked is sorted by something that a restore cannot change.
 */
public final class DomainState {
    final ResourceIndex resources = new ResourceIndex();
    final Interner interner = new Interner(resources);
    final Sharing sharing = new Sharing();
    final TreeMap<String, ClusterState> clusters = new TreeMap<>();
    final PodTable pods = new PodTable();
    final TreeMap<String, Row.Group> groups = new TreeMap<>();
    final TreeMap<String, Row.PolicyObject> policies = new TreeMap<>();
    final Map<WorkloadId, Workload> workloads = new HashMap<>();
    final TreeMap<DecisionId, Hold> holds = new TreeMap<>();
    /** Those of the holds that keep room while others leave. */
    final TreeMap<DecisionId, Hold> kept = new TreeMap<>();
    /** Pods whose eviction has been decided, as often as room is kept for it; only looked up. */
    final Map<PodId, Integer> toLeave = new HashMap<>();
    /** Workloads for which room is kept that they do not wait for any more. */
    final TreeMap<WorkloadId, Workload> keptInVain = new TreeMap<>();

    /** Nodes that have a fatal signal or are away. */
    final SickNodes sick = new SickNodes(this);

    final EvictionRates evictionRates = new EvictionRates();
    final TreeMap<Workload.QueueKey, Workload> placeable = new TreeMap<>();
    final Lanes lanes = new Lanes();
    final TreeMap<Workload.QueueKey, Workload> marked = new TreeMap<>();
    final PodTerms podTerms = new PodTerms(this);
    final Volumes volumes = new Volumes(this);
    final Running running = new Running(this);
    final QuotaLedger quotas = new QuotaLedger();
    final Queues queues = new Queues(this, quotas);
    final Drains drains = new Drains(this);
    /** Pods of batch Jobs, by the key of the Job. */
    final TreeMap<String, TreeSet<PodId>> podsOfJobs = new TreeMap<>();
    /** Members of cancelled and suspended jobs whose pods were seen only now, to be deleted. */
    final List<Member> latecomers = new ArrayList<>();

    final Ordinals ordinals = new Ordinals();
    final Deadlines deadlines = new Deadlines();
    private final EnumMap<Row.Table, TreeMap<String, Supplier<Row>>> dirty = new EnumMap<>(Row.Table.class);
    /** Each once, in no order. */
    private final List<Workload> touched = new ArrayList<>();
    /** Workloads whose counts changed since their status was told. */
    final TreeMap<WorkloadId, Workload> untold = new TreeMap<>();

    private SchedulerPolicy policy = SchedulerPolicy.DEFAULT;
    long nextSequence;
    long timeMillis;
    String engineVersion = "";
    private boolean roomFreed;
    /** Rises with each change of a policy object. */
    long policiesVersion;

    private long lookAgainMillis;

    /** Sequence of the next entry. */
    public long nextSequence() {
        return nextSequence;
    }

    /** Domain time, epoch milliseconds. */
    public long timeMillis() {
        return timeMillis;
    }

    /** Version of the engine that decides by the journal; empty before the first entry. */
    public String engineVersion() {
        return engineVersion;
    }

    /** The operator's settings in force. */
    public SchedulerPolicy policy() {
        return policy;
    }

    /** Resource names by number. */
    public ResourceIndex resources() {
        return resources;
    }

    /** The one instance for requirements equal to this one. */
    public InternedRequirement requirement(Requirement requirement) {
        return interner.requirement(requirement);
    }

    /** The workload with that id; null where none is known. */
    public Workload workload(WorkloadId id) {
        return workloads.get(id);
    }

    /** Member clusters by name. */
    public Collection<ClusterState> clusters() {
        return clusters.values();
    }

    /** The cluster with that name; null where none is known. */
    public ClusterState cluster(String name) {
        return clusters.get(name);
    }

    /** Workloads that a round could place something for, in the order it looks at them. */
    public NavigableMap<Workload.QueueKey, Workload> placeable() {
        return placeable;
    }

    /** The same in lanes of those that want the same room, each in that order; the order of the lanes says nothing. */
    public List<Collection<Workload>> lanes() {
        return lanes.inOrder();
    }

    /** How many lanes there are. */
    public int laneCount() {
        return lanes.count();
    }

    /** A number that rises whenever an object changed that steers scheduling. */
    public long policiesVersion() {
        return policiesVersion;
    }

    /** Those among them that something happened to since the last round. */
    public SortedMap<Workload.QueueKey, Workload> marked() {
        return marked;
    }

    /** Whether counts changed that are told with the next tick. */
    public boolean hasUntold() {
        return !untold.isEmpty();
    }

    /** Whether room may have become free since the last round, so that everything that waits is worth a look. */
    public boolean roomFreed() {
        return roomFreed;
    }

    /** Required affinity and anti-affinity between pods. */
    public PodTerms podTerms() {
        return podTerms;
    }

    /** Queues and their quota. */
    public Queues queues() {
        return queues;
    }

    /** Workloads of queues that are to be emptied. */
    public Drains drains() {
        return drains;
    }

    /** The storage of member clusters. */
    public Volumes volumes() {
        return volumes;
    }

    /**
     * Whether a Volcano Job owns a gang's PodGroup. Restarting it, Volcano deletes the PodGroup and makes it anew under the
     * same name, of which the job's uid is part: it is the same gang.
     */
    boolean jobOwns(Workload workload) {
        return !workload.ownerJob.isEmpty()
                && groups.containsKey(
                        Row.Group.key(workload.cluster(), Kinds.VOLCANO_JOB, workload.namespace(), workload.ownerJob));
    }

    /** Whether new work may start from a queue: a Volcano Queue that is closed says no; one that is not known says yes. */
    public boolean queueOpen(String cluster, String queue) {
        Row.PolicyObject known = policies.get(Kinds.VOLCANO_QUEUE + "/" + cluster + "//" + queue);
        return known == null || !(known.policy() instanceof Policy.Queue found) || found.open();
    }

    /** Labels of a namespace, its name among them. */
    public SortedMap<String, String> namespaceLabels(String cluster, String namespace) {
        Row.PolicyObject known = policies.get(Kinds.NAMESPACE + "/" + cluster + "//" + namespace);
        TreeMap<String, String> labels = new TreeMap<>();
        labels.put("kubernetes.io/metadata.name", namespace);
        if (known != null && known.policy() instanceof Policy.Namespace found) {
            labels.putAll(found.labels());
        }
        return labels;
    }

    /** Earliest time something is due, epoch milliseconds; Long.MAX_VALUE when nothing is. */
    public long nextDueMillis() {
        long guard = lookAgainMillis == 0 ? Long.MAX_VALUE : lookAgainMillis;
        return Math.min(guard, deadlines.nextMillis());
    }

    // ---- preemption

    /** When more pods may be evicted for a queue's workloads, domain time; not later than now when at once. */
    public long evictionsAllowedFrom(String queue) {
        PreemptionPolicy limits = policy.preemption();
        return evictionRates.allowedFrom(
                queue, limits.evictionsPerQueue(), limits.evictionsPerQueuePerHour(), timeMillis);
    }

    /** The same for all queues together. */
    public long evictionsAllowedFrom() {
        PreemptionPolicy limits = policy.preemption();
        return evictionRates.allowedFrom(
                EvictionRates.ALL, limits.evictionsPerDomain(), limits.evictionsPerDomainPerHour(), timeMillis);
    }

    /** Pods are evicted for a workload: they count against its queue's limit and the domain's. */
    public void countEvictions(Workload preemptor, int pods) {
        PreemptionPolicy limits = policy.preemption();
        evictionRates.spend(preemptor.queue(), pods, limits.evictionsPerQueuePerHour(), timeMillis);
        evictionRates.spend(EvictionRates.ALL, pods, limits.evictionsPerDomainPerHour(), timeMillis);
        touchDomain();
    }

    /** All of a workload is evicted for another, or a part that is not to come back to where it was. */
    public void evicted(Workload victim, Workload preemptor, String reason) {
        victim.cascade = preemptor.cascade + 1;
        victim.evictedFor = preemptor.id();
        victim.evictedMillis = timeMillis;
        victim.evictedReason = reason;
        touch(victim);
    }

    /** Whatever waits is to be looked at again at that time at the latest. */
    public void lookAgainAt(long millis) {
        if (millis < Long.MAX_VALUE && (lookAgainMillis == 0 || millis < lookAgainMillis)) {
            lookAgainMillis = Math.max(1, millis);
            touchDomain();
        }
    }

    /** Looks at everything that waits when the time for that has come. */
    public void lookAgainIfDue() {
        if (lookAgainMillis > 0 && lookAgainMillis <= timeMillis) {
            lookAgainMillis = 0;
            freeRoom();
            touchDomain();
        }
    }

    /** Asks for a workload to be looked at in the next round, which is wanted for it. */
    public void lookAtAgain(Workload workload) {
        mark(workload);
    }

    /** A workload has settled: whoever waits with a higher priority, or with a smaller share, may have it evicted now. */
    void mayBePreempted(Workload workload) {
        if (placeable.isEmpty()) {
            return;
        }
        if (placeable.firstKey().priority() > workload.priority) {
            freeRoom();
        }
        FairSharing sharing = policy.fairSharing();
        boolean shares = workload.queueRef.ofKueue()
                ? sharing.enabled()
                : sharing.volcano() != VolcanoShare.NONE
                        && queues.volcanoShares().anyDeserved();
        if (shares) {
            lookAgainAt(timeMillis + Math.max(1, policy.preemption().minimumRuntimeMillis()));
        }
    }

    /** Whether no pod of it forbids it to have others evicted (preemptionPolicy Never), nor its priority class. */
    public boolean mayPreempt(Workload workload) {
        Row.PolicyObject known =
                policies.get(Kinds.PRIORITY_CLASS + "/" + workload.cluster() + "//" + workload.priorityClass());
        if (known != null && known.policy() instanceof Policy.PriorityClass found) {
            return found.mayPreempt();
        }
        for (PodSet podSet : workload.podSets.values()) {
            for (Member member : podSet.waiting()) {
                if (!member.mayPreempt()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Who has pods on nodes, as far as these are neither leaving nor ended. */
    public Running running() {
        return running;
    }

    /** What pods of a cluster that are being deleted still have, pod by pod. */
    public List<InternedRequirement> leavingIn(ClusterState cluster) {
        List<InternedRequirement> leaving = new ArrayList<>();
        for (NodeState node : cluster.nodes()) {
            for (PodState pod : node.pods.values()) {
                if (pod.facts.deleting()) {
                    leaving.add(pod.requirement);
                }
            }
        }
        return leaving;
    }

    /** The value of a priority class; null where it is not known. */
    public Integer priorityOf(String cluster, String priorityClass) {
        Row.PolicyObject known = policies.get(Kinds.PRIORITY_CLASS + "/" + cluster + "//" + priorityClass);
        return known != null && known.policy() instanceof Policy.PriorityClass found ? found.value() : null;
    }

    // ---- clusters and nodes

    ClusterState clusterNamed(String name) {
        ClusterState known = clusters.get(name);
        if (known == null) {
            known = new ClusterState(name);
            clusters.put(name, known);
            podTerms.clusterAppeared(known);
        }
        return known;
    }

    NodeState nodeNamed(NodeId id) {
        ClusterState cluster = clusterNamed(id.cluster());
        return cluster.nodes.computeIfAbsent(
                id.name(), name -> new NodeState(new NodeId(cluster.name(), name), cluster, resources));
    }

    NodeState node(NodeId id) {
        ClusterState cluster = clusters.get(id.cluster());
        return cluster == null ? null : cluster.nodes.get(id.name());
    }

    void touch(PodState pod) {
        PodId id = pod.id();
        dirty(Row.Table.PODS, id.toString(), () -> {
            PodState now = pods.get(id);
            return now == null ? null : now.row();
        });
    }

    void touch(NodeState node) {
        dirty(Row.Table.NODES, node.id().toString(), () -> node.hasRow() ? node.row() : null);
        sick.settle(node);
        forgetIfUnneeded(node);
    }

    /** What signals say of a node's GPUs is not as it was. */
    void healthChanged(NodeState node) {
        deadlines.watch(node);
        touch(node);
        sick.changed(node);
    }

    /** Health signals that have had their time count less from now on; room may become free. */
    public void ageHealthSignals() {
        for (NodeState node : deadlines.nodesDue(timeMillis)) {
            node.judgeHealth(timeMillis, policy.health());
            healthChanged(node);
            freeRoom();
        }
    }

    /** Drops a node that was known by name only, once nothing hangs on the name. */
    void forgetIfUnneeded(NodeState node) {
        if (node.forgettable()) {
            if (node.awayMillis() > 0) {
                node.away(0);
                sick.settle(node);
                dirty(Row.Table.NODES, node.id().toString(), () -> null);
            }
            clusters.get(node.id().cluster()).nodes.remove(node.id().name());
        }
    }

    void freeRoom() {
        if (!roomFreed) {
            roomFreed = true;
            touchDomain();
        }
    }

    void touchDomain() {
        dirty(Row.Table.DOMAIN, Row.Domain.KEY, this::domainRow);
    }

    private Row.Domain domainRow() {
        List<Row.Sync> syncs =
                clusters.size() == 1 ? clusters.firstEntry().getValue().syncs() : syncsOfAll();
        return new Row.Domain(
                nextSequence, timeMillis, engineVersion, roomFreed, syncs, lookAgainMillis, evictionRates.rows());
    }

    private List<Row.Sync> syncsOfAll() {
        List<Row.Sync> syncs = new ArrayList<>();
        clusters.values().forEach(cluster -> syncs.addAll(cluster.syncs()));
        return syncs;
    }

    void restoreDomain(Row.Domain row) {
        nextSequence = row.nextSequence();
        timeMillis = row.timeMillis();
        engineVersion = row.engineVersion();
        roomFreed = row.roomFreed();
        lookAgainMillis = row.lookAgainMillis();
        evictionRates.restore(row.evictions());
        for (Row.Sync sync : row.syncs()) {
            ClusterState cluster = clusterNamed(sync.cluster());
            cluster.listBegan(sync.kind(), sync.beganEpoch());
            cluster.listEnded(sync.kind(), sync.endedEpoch());
        }
    }

    /** The operator's settings may be others now. */
    void policyChanged() {
        Policy.Health before = policy.health();
        FairSharing sharing = policy.fairSharing();
        queues.sampleLocalUsage();
        choosePolicy();
        if (!sharing.equals(policy.fairSharing())) {
            queues.sharingChanged();
            freeRoom();
        }
        if (!before.equals(policy.health())) {
            for (ClusterState cluster : clusters.values()) {
                for (NodeState node : List.copyOf(cluster.nodes())) {
                    node.judgeHealth(timeMillis, policy.health());
                    healthChanged(node);
                }
            }
            freeRoom();
        }
    }

    /** Puts the operator's settings in force: where there are several, those with the first key; the defaults where none. */
    void choosePolicy() {
        policy = SchedulerPolicy.DEFAULT;
        String prefix = Kinds.SCHEDULER_POLICY + "/";
        String first = policies.ceilingKey(prefix);
        if (first != null
                && first.startsWith(prefix)
                && policies.get(first).policy() instanceof SchedulerPolicy chosen) {
            policy = chosen;
        }
    }

    /** Brings a cluster's trees in step with a Topology or HyperNode; one that is not in a cluster says nothing. */
    void topologyChanged(Row.PolicyObject row) {
        if (row.origin().cluster().isEmpty()) {
            return;
        }
        Topologies topologies = clusterNamed(row.origin().cluster()).topologies();
        Row.PolicyObject now = policies.get(row.key());
        switch (row.policy()) {
            case Policy.Topology topology ->
                topologies.objectChanged(
                        Topologies.nameOf(row),
                        now != null && now.policy() instanceof Policy.Topology left ? left : null);
            case Policy.HyperNode hyperNode ->
                topologies.hyperNodeChanged(
                        row.origin().name(),
                        now != null && now.policy() instanceof Policy.HyperNode left ? left : null);
            default -> throw new LawBrokenException(row.kind() + " is no topology");
        }
    }

    /** What a gang object says; null where it is not known, or is a batch Job whose pods stand alone. */
    Row.Group gang(String key) {
        Row.Group group = groups.get(key);
        return group == null || group.facts().alone() ? null : group;
    }

    void dirty(Row.Table table, String key, Supplier<Row> row) {
        dirty.computeIfAbsent(table, name -> new TreeMap<>()).put(key, row);
    }

    // ---- members and workloads

    /** Brings everything that is counted by a member's phase up to date. */
    void recount(Workload workload, Member member) {
        Member.Phase before = member.counted();
        member.podSet().recount(member);
        if (member.counted() == Member.Phase.WAITING && before != Member.Phase.WAITING) {
            mark(workload);
        }
        keptInVainUnlessWaiting(workload, member);
        if (member.takesRoom() != member.charged) {
            member.charged = !member.charged;
            int sign = member.charged ? 1 : -1;
            queues.charge(workload, member, sign);
            workload.gpuMilli += sign * member.requirement.gpuMilli();
        }
        touch(workload);
    }

    /** The same of all members of a new hold; those that ask for the same are charged together. */
    void recountHeld(Workload workload, Hold hold) {
        Member like = null;
        int times = 0;
        for (HeldMember held : hold.members) {
            Member member = held.member;
            member.podSet().recount(member);
            keptInVainUnlessWaiting(workload, member);
            if (member.charged) {
                continue;
            }
            member.charged = true;
            workload.gpuMilli += member.requirement.gpuMilli();
            boolean another =
                    like != null && (like.podSet() != member.podSet() || like.requirement != member.requirement);
            if (another) {
                queues.charge(workload, like, times);
            }
            times = another || like == null ? 1 : times + 1;
            like = member;
        }
        if (like != null) {
            queues.charge(workload, like, times);
        }
        touch(workload);
    }

    private void keptInVainUnlessWaiting(Workload workload, Member member) {
        if (member.kept != null && member.counted() != Member.Phase.WAITING) {
            keptInVain.put(workload.id(), workload);
        }
    }

    /** Takes a member out of everything that counts it. */
    void uncount(Workload workload, Member member) {
        if (member.kept != null) {
            keptInVain.put(workload.id(), workload);
        }
        if (member.waits()) {
            queues.asksForLess(workload);
        }
        member.podSet().uncount(member);
        if (member.charged) {
            member.charged = false;
            queues.charge(workload, member, -1);
            workload.gpuMilli -= member.requirement.gpuMilli();
        }
        touch(workload);
    }

    void touch(Workload workload) {
        if (!workload.touched) {
            workload.touched = true;
            touched.add(workload);
        }
        running.changed(workload);
    }

    /** Workloads that the entry touched so far, by id. */
    List<Workload> touched() {
        List<Workload> byId = new ArrayList<>(touched);
        if (byId.size() > 1) {
            byId.sort(Comparator.comparing(Workload::id));
        }
        return byId;
    }

    void forgetTouched() {
        touched.forEach(workload -> workload.touched = false);
        touched.clear();
    }

    /** Who gave up its place in the queue by itself has none. */
    void arrivedAnew(Workload workload) {
        workload.arrivedSequence = nextSequence;
        workload.arrivedMillis = timeMillis;
    }

    /** Asks for the workload to be looked at in the next round. */
    void mark(Workload workload) {
        workload.marked = true;
        touch(workload);
    }

    /** A round has looked at everything it should: marks and the sign of freed room are gone. */
    public void clearMarks() {
        for (Workload workload : List.copyOf(marked.values())) {
            workload.marked = false;
            touch(workload);
        }
        marked.clear();
        if (roomFreed) {
            roomFreed = false;
            touchDomain();
        }
    }

    /** States why a workload waits. */
    public void explain(Workload workload, Reason reason) {
        if (!workload.reason.equals(reason)) {
            if (!workload.reason.code().equals(reason.code())) {
                workload.sinceMillis = timeMillis;
            }
            workload.reason = reason;
            touch(workload);
        }
    }

    /** The number of the workload's next decision. */
    public long nextAttempt(Workload workload) {
        workload.attempt++;
        touch(workload);
        return workload.attempt;
    }

    void backOff(Workload workload, long untilMillis) {
        wakeUp(workload);
        workload.backoffUntilMillis = untilMillis;
        deadlines.wake(workload);
        touch(workload);
    }

    /** Whether a workload waits before its next try, since the last one failed. */
    public boolean waitsForRetry(Workload workload) {
        return workload.backoffUntilMillis > 0;
    }

    void wakeUp(Workload workload) {
        if (workload.backoffUntilMillis > 0) {
            deadlines.forget(workload);
            workload.backoffUntilMillis = 0;
            touch(workload);
        }
    }

    /** Marks the workloads whose back-off is over. */
    public void endBackoffs() {
        for (Workload workload : deadlines.workloadsDue(timeMillis)) {
            wakeUp(workload);
            mark(workload);
            settlePlace(workload);
        }
    }

    /** Puts a workload where the next round finds it, or takes it out. */
    void settlePlace(Workload workload) {
        boolean waited = workload.place != null;
        if (waited) {
            placeable.remove(workload.place);
            lanes.remove(workload.place, workload);
            marked.remove(workload.place);
            queues.waitsNoLonger(workload.place, workload);
            workload.place = null;
        }
        if (workload.placeable() && workload.backoffUntilMillis == 0) {
            workload.place = new Workload.QueueKey(workload.priority, workload.arrivedSequence, workload.id());
            placeable.put(workload.place, workload);
            lanes.add(workload.place, workload);
            queues.waits(workload.place, workload);
            if (workload.marked) {
                marked.put(workload.place, workload);
            }
        } else if (waited && !workload.started()) {
            queues.asksForLess(workload);
        }
    }

    /** All rows have been taken: what was touched on the way is not news. */
    void restored() {
        for (Workload workload : workloads.values()) {
            queues.settle(workload);
            drains.settle(workload);
            settlePlace(workload);
            running.changed(workload);
            workload.reason = WorkloadStates.restored(workload, workload.reason);
            if (workload.untold) {
                untold.put(workload.id(), workload);
            }
            workload.published = workload.status(sharing);
            workload.written = workload.row();
        }
        queues.settleFronts();
        forgetTouched();
        dirty.clear();
    }

    /** An entry changed nothing: what was looked up on the way leaves no trace. */
    public void discardChanges() {
        forgetTouched();
        dirty.clear();
    }

    /** Goes on to an entry: its sequence and time hold while it is applied. */
    public void enter(long sequence, long newTimeMillis) {
        nextSequence = sequence;
        timeMillis = newTimeMillis;
    }

    /** The engine of this version decides from here on. */
    public boolean engineStarted(String version) {
        if (engineVersion.equals(version)) {
            return false;
        }
        engineVersion = version;
        touchDomain();
        return true;
    }

    /** Rows that changed since the last call, by table and key. */
    public List<Row.Change> drainChanges() {
        touchDomain();
        List<Row.Change> changes = new ArrayList<>();
        for (Map.Entry<Row.Table, TreeMap<String, Supplier<Row>>> rows : dirty.entrySet()) {
            for (Map.Entry<String, Supplier<Row>> row : rows.getValue().entrySet()) {
                changes.add(new Row.Change(
                        rows.getKey(), row.getKey(), row.getValue().get()));
            }
        }
        dirty.values().forEach(TreeMap::clear);
        return changes;
    }
}
