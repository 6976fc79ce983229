package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.decision.Reason;
import dev.muster.scheduler.core.decision.WorkloadStatus;
import dev.muster.scheduler.core.model.DecisionId;
import dev.muster.scheduler.core.model.NetworkTopology;
import dev.muster.scheduler.core.model.SubGroupPolicy;
import dev.muster.scheduler.core.model.SubmittedJob;
import dev.muster.scheduler.core.model.WorkloadId;
import dev.muster.scheduler.core.model.WorkloadKind;
import dev.muster.scheduler.core.model.WorkloadState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What is admitted as one: a gang object with its pods, a submitted job, or a lone pod. */
public final class Workload {
    private static final int MAX_NAMED_PODS = 100;

    private final WorkloadId id;
    private final WorkloadKind kind;
    private final String namespace;
    private final String object;
    private final String tenant;
    final TreeMap<String, PodSet> podSets = new TreeMap<>();
    final TreeMap<DecisionId, Hold> holds = new TreeMap<>();
    final TreeMap<Integer, Integer> podPriorities = new TreeMap<>();
    final TreeMap<String, Integer> podQueues = new TreeMap<>();
    String cluster;
    String groupUid = "";
    String displayName;
    long arrivedSequence;
    long arrivedMillis;
    /** For submitted jobs. */
    SubmittedJob job;
    /** For gang objects: null while only pods that name it are known. */
    Row.Group group;

    boolean cancelled;
    long attempt;
    DecisionId decision;
    WorkloadState state = WorkloadState.INCOMPLETE;
    Reason reason = Reason.NONE;
    long sinceMillis;
    long backoffUntilMillis;
    int failures;
    boolean marked;
    String queue = "";
    int priority;
    int minMember = 1;
    SortedMap<String, Integer> taskMinimums = new TreeMap<>();
    SortedMap<String, Integer> taskPriorities = new TreeMap<>();
    String chargedQueue = "";
    long gpuMilli;
    int size;
    QueueKey place;
    /** Members by phase, over all pod sets. */
    private final int[] counts = new int[Member.Phase.values().length];

    private boolean uniformKnown;
    private InternedRequirement uniform;
    /** The status that was told last; null before the first. */
    WorkloadStatus published;
    /** Counts changed since: they are told with the next tick. */
    boolean untold;
    /** How pods of a submitted job ended, as the row says it. */
    List<Row.EndedSlot> endedSlots = List.of();
    /** A pod is gone that the row does not say the end of. */
    boolean endedSlotsStale;
    /** The row as it was last written through. */
    Row.Workload written;

    Workload(WorkloadId id, WorkloadKind kind, String cluster, String namespace, String object, String tenant) {
        this.id = id;
        this.kind = kind;
        this.cluster = cluster;
        this.namespace = namespace;
        this.object = object;
        this.tenant = tenant;
        this.displayName = object;
    }

    public WorkloadId id() {
        return id;
    }

    public WorkloadKind kind() {
        return kind;
    }

    public String namespace() {
        return namespace;
    }

    /** Name of the gang object, job or pod. */
    public String object() {
        return object;
    }

    /** Member cluster its pods are in; empty while a submitted job may still go anywhere. */
    public String cluster() {
        return cluster;
    }

    public String queue() {
        return queue;
    }

    public int priority() {
        return priority;
    }

    /** Pods that must run together. */
    public int minMember() {
        return minMember;
    }

    /** The journal entry that made it known. */
    public long arrivedSequence() {
        return arrivedSequence;
    }

    /** Its place in the order in which a round looks at what waits; null while it waits for nothing. */
    public QueueKey place() {
        return place;
    }

    /** Number of its latest decision; later ones have a larger one. */
    public long attempt() {
        return attempt;
    }

    public WorkloadState state() {
        return state;
    }

    public Reason reason() {
        return reason;
    }

    /** Whether the binder has to create its pods. */
    public boolean createsPods() {
        return kind == WorkloadKind.JOB;
    }

    /** Its pod sets: a submitted job's in the order of its tasks, others by name. */
    public List<PodSet> podSetsInOrder() {
        if (job == null) {
            return List.copyOf(podSets.values());
        }
        List<PodSet> inOrder = new ArrayList<>();
        for (SubmittedJob.Task task : job.tasks()) {
            inOrder.add(podSets.get(task.name()));
        }
        return inOrder;
    }

    /** Members of one role that must run, where roles have minimums of their own; 0 otherwise. */
    public int taskMinimum(PodSet podSet) {
        return taskMinimums.getOrDefault(podSet.name(), 0);
    }

    /** Members of a role are placed in the order of this, highest first. */
    public int taskPriority(PodSet podSet) {
        return taskPriorities.getOrDefault(podSet.name(), 0);
    }

    /** Members in a phase, over all pod sets. */
    public int count(Member.Phase phase) {
        return counts[phase.ordinal()];
    }

    void counted(Member.Phase phase, int change) {
        counts[phase.ordinal()] += change;
    }

    /** Members that count towards the minimum. */
    public int ready() {
        return count(Member.Phase.HELD) + count(Member.Phase.BOUND) + count(Member.Phase.SUCCEEDED);
    }

    /** The strategy that its first member asks for; empty where it asks for none. */
    public String askedStrategy() {
        for (PodSet podSet : podSets.values()) {
            for (Member member : podSet.members) {
                return member.requirement().requirement().strategy();
            }
        }
        return "";
    }

    /** Whether it is a pod of its own that has a label and asks for no more than so many thousandths of GPUs. */
    public boolean isLonePodWith(String label, long mostGpuMilli) {
        return kind == WorkloadKind.POD
                && podSets.values().stream()
                        .flatMap(podSet -> podSet.members.stream())
                        .allMatch(member -> member.labels().containsKey(label)
                                && member.requirement().requirement().gpuMilli() <= mostGpuMilli);
    }

    /** The requirement that all waiting members share; null when they differ or none waits. */
    public InternedRequirement uniformWaiting() {
        if (!uniformKnown) {
            uniform = shared();
            uniformKnown = true;
        }
        return uniform;
    }

    private InternedRequirement shared() {
        InternedRequirement same = null;
        for (PodSet podSet : podSets.values()) {
            for (Member member : podSet.waiting()) {
                if (same != null && member.requirement() != same) {
                    return null;
                }
                same = member.requirement();
            }
        }
        return same;
    }

    void waitingChanged() {
        uniformKnown = false;
    }

    /** How far apart its pods may be; null where it does not matter. */
    public NetworkTopology topology() {
        return group == null ? null : group.facts().topology();
    }

    /** How it is divided into subgroups. */
    public List<SubGroupPolicy> subGroups() {
        return group == null ? List.of() : group.facts().subGroups();
    }

    /** Whether the minimum, in all, of each role and of subgroups, is met by members that are placed. */
    public boolean started() {
        if (ready() < minMember) {
            return false;
        }
        return roleShortage(false) == null && subGroupShortage(false) == null;
    }

    /** The first policy with too few subgroups that are large enough, counting waiting members or not; null when none is. */
    SubGroupPolicy subGroupShortage(boolean withWaiting) {
        for (SubGroupPolicy policy : subGroups()) {
            if (policy.minSubGroups() > 0 && largeEnough(policy, withWaiting) < policy.minSubGroups()) {
                return policy;
            }
        }
        return null;
    }

    private int largeEnough(SubGroupPolicy policy, boolean withWaiting) {
        Map<List<String>, Integer> sizes = new HashMap<>();
        int found = 0;
        for (PodSet podSet : podSets.values()) {
            for (Member member : podSet.members) {
                boolean counts = member.isPlaced() || withWaiting && member.waits();
                if (counts && policy.selects(member.labels())) {
                    int size = sizes.merge(policy.values(member.labels()), 1, Integer::sum);
                    found += size == policy.size() ? 1 : 0;
                }
            }
        }
        return found;
    }

    /** Whether the minimum could be met if every member that waits were placed. */
    public boolean complete() {
        return ready() + count(Member.Phase.WAITING) >= minMember
                && roleShortage(true) == null
                && subGroupShortage(true) == null;
    }

    /** The first role that is short of its minimum, counting waiting members or not; null when none is. */
    public String roleShortage(boolean withWaiting) {
        for (var minimum : taskMinimums.entrySet()) {
            PodSet podSet = podSets.get(minimum.getKey());
            int there = podSet == null
                    ? 0
                    : podSet.ready() + (withWaiting ? podSet.waiting().size() : 0);
            if (there < minimum.getValue()) {
                return minimum.getKey();
            }
        }
        return null;
    }

    /** Whether the gang object (or submission) that says what it needs is known. */
    public boolean specKnown() {
        return kind == WorkloadKind.POD || job != null || group != null;
    }

    /** Whether a round has anything to look for. */
    boolean placeable() {
        return specKnown() && !cancelled && !state.ended() && count(Member.Phase.WAITING) > 0 && complete();
    }

    /** Whether any pod of it exists. */
    boolean hasPods() {
        for (PodSet podSet : podSets.values()) {
            for (Member member : podSet.members) {
                if (member.pod != null) {
                    return true;
                }
            }
        }
        return false;
    }

    Collection<Member> membersOf(String task) {
        PodSet podSet = podSets.get(task);
        return podSet == null ? List.of() : podSet.members;
    }

    WorkloadStatus status() {
        List<String> waitingPods = new ArrayList<>();
        for (PodSet podSet : podSets.values()) {
            for (Member member : podSet.waiting()) {
                if (waitingPods.size() == MAX_NAMED_PODS) {
                    break;
                }
                if (member.pod != null) {
                    waitingPods.add(member.name());
                }
            }
        }
        return new WorkloadStatus(
                id,
                kind,
                cluster,
                namespace,
                displayName,
                object,
                tenant,
                queue,
                priority,
                state,
                reason,
                minMember,
                size,
                count(Member.Phase.BOUND),
                gpuMilli,
                waitingPods,
                attempt,
                arrivedMillis,
                sinceMillis,
                decision);
    }

    /**
     * How the pods of a submitted job ended must be written once their own rows are gone. It is written for all that have
     * ended so far, so that pods which go together are written together.
     */
    private void keepEndedSlots() {
        List<Row.EndedSlot> ended = new ArrayList<>();
        List<PodSet> inOrder = podSetsInOrder();
        for (int podSet = 0; podSet < inOrder.size(); podSet++) {
            for (Member member : inOrder.get(podSet).members) {
                if (member.endedWell != null) {
                    member.endedKept = true;
                    ended.add(new Row.EndedSlot(podSet, member.index(), member.endedWell));
                }
            }
        }
        endedSlots = List.copyOf(ended);
        endedSlotsStale = false;
    }

    Row.Workload row() {
        if (endedSlotsStale) {
            keepEndedSlots();
        }
        return new Row.Workload(
                id,
                kind,
                cluster,
                namespace,
                object,
                tenant,
                groupUid,
                arrivedSequence,
                arrivedMillis,
                job,
                endedSlots,
                cancelled,
                attempt,
                decision,
                state,
                WorkloadStates.kept(reason),
                sinceMillis,
                backoffUntilMillis,
                failures,
                marked,
                untold);
    }

    /** A workload's place in the order in which a round looks at them: priority, then arrival, then id. */
    public record QueueKey(int priority, long arrivedSequence, WorkloadId id) implements Comparable<QueueKey> {
        @Override
        public int compareTo(QueueKey other) {
            int byPriority = Integer.compare(other.priority, priority);
            if (byPriority != 0) {
                return byPriority;
            }
            int byArrival = Long.compare(arrivedSequence, other.arrivedSequence);
            return byArrival != 0 ? byArrival : id.compareTo(other.id);
        }
    }
}
