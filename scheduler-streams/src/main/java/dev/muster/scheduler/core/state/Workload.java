package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.decision.Eviction;
import dev.muster.scheduler.core.decision.Reason;
import dev.muster.scheduler.core.decision.WorkloadStatus;
import dev.muster.scheduler.core.model.DecisionId;
import dev.muster.scheduler.core.model.FlavorAmount;
import dev.muster.scheduler.core.model.FlavorNodes;
import dev.muster.scheduler.core.model.GangShape;
import dev.muster.scheduler.core.model.MatchPolicy;
import dev.muster.scheduler.core.model.NetworkTopology;
import dev.muster.scheduler.core.model.PodSetTopology;
import dev.muster.scheduler.core.model.QueueRef;
import dev.muster.scheduler.core.model.ResourceNames;
import dev.muster.scheduler.core.model.SubGroupPolicy;
import dev.muster.scheduler.core.model.SubmittedJob;
import dev.muster.scheduler.core.model.WorkloadId;
import dev.muster.scheduler.core.model.WorkloadKind;
import dev.muster.scheduler.core.model.WorkloadState;
import dev.muster.scheduler.core.quota.FlavorResource;
import dev.muster.scheduler.core.quota.QuotaUnits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** What is admitted as one: a gang object with its pods, a submitted job, or a lone pod. */
public final class Workload {
    private static final int MAX_NAMED_PODS = 100;
    public static final SortedMap<String, SortedMap<String, String>> NO_FLAVORS =
            Collections.unmodifiableSortedMap(new TreeMap<>());
    private static final QueueRef NO_QUEUE = QueueRef.named("");
    private static final SortedMap<String, String> NONE = Collections.unmodifiableSortedMap(new TreeMap<>());

    private final WorkloadId id;
    private final WorkloadKind kind;
    private final String namespace;
    private final String object;
    private final String tenant;
    /** Added to and removed from by {@link #add} and {@link #remove}. */
    final TreeMap<String, PodSet> podSets = new TreeMap<>();

    /** The same as a list; null until it is asked for. */
    private List<PodSet> inOrder;

    /** Null while there are none, as for most that wait or run. */
    private TreeMap<DecisionId, Hold> holds;

    final PodWishes podWishes = new PodWishes();
    String cluster;
    /** Room that is kept for it while others leave; null where none is. */
    Hold kept;

    String groupUid = "";
    String displayName;
    long arrivedSequence;
    long arrivedMillis;
    /** For submitted jobs. */
    SubmittedJob job;
    /** For gang objects: null while only pods that name it are known. */
    Row.Group group;

    boolean cancelled;
    /** A submitted job that its tenant suspended. */
    boolean suspended;

    long attempt;
    DecisionId decision;
    WorkloadState state = WorkloadState.INCOMPLETE;
    Reason reason = Reason.NONE;
    long sinceMillis;
    long backoffUntilMillis;
    int failures;
    int cascade;
    WorkloadId evictedFor;
    long evictedMillis;
    /** By which right, as the decision says it. */
    String evictedReason = "";

    boolean marked;
    /** Where it is found among those that run; null where it is not. */
    Running.Entry running;
    /** That is to be worked out again. */
    boolean runningStale;
    /** The entry that is being applied did something to it. */
    boolean touched;

    String queue = "";
    int priority;
    int minMember = 1;
    SortedMap<String, Integer> taskMinimums = Collections.emptySortedMap();
    SortedMap<String, Integer> taskPriorities = Collections.emptySortedMap();
    /** Its subgroups as a tree; null where it has none. */
    SubGroupTree tree;
    /** What the tree was made of. */
    GangShape treeOf = GangShape.PLAIN;
    /** Its minimum was met once since its gang object was made. */
    boolean onceStarted;
    /** Where its ranks were placed last, for gangs that ask for a place in the topology. */
    List<PlacedRanks> lastPlaces = List.of();
    /** The job that owns its PodGroup; empty where none does. */
    String ownerJob = "";

    /** LocalQueue of Kueue; empty where none is named. */
    String localQueue = "";
    /** WorkloadPriorityClass of Kueue; empty where none is named. */
    String workloadPriorityClass = "";
    /** The queue that it is to be charged to. */
    QueueRef queueRef = NO_QUEUE;
    /** The queue that its members are charged to. */
    QueueRef chargedQueue = NO_QUEUE;
    /** The LocalQueue, with its namespace, that they count for; empty for none. */
    String chargedLocalQueue = "";
    /** Members that are charged. */
    int charged;
    /** So many pods a batch Job keeps quota for while it runs. */
    int entitled;
    /** When it was decided last to evict it since its queue is to be emptied, domain time; 0 while it was not. */
    long drainMillis;
    /** Pods that quota is kept for: members, each with how many like it. */
    Map<Member, Integer> reserved = Collections.emptyMap();
    /** What is charged; one empty map for all that are charged nothing, as most that wait. */
    private SortedMap<FlavorResource, Long> used = Collections.emptySortedMap();
    /** Key of the queue of Kueue that it stands in, waiting; empty where it does not. */
    String waitsIn = "";
    /** Flavors by pod set and resource: what its pods are charged as, and where those are placed that wait. */
    SortedMap<String, SortedMap<String, String>> flavors = NO_FLAVORS;
    /** Nodes of those flavors, by pod set. */
    private Map<String, FlavorNodes> flavorNodes = Collections.emptyMap();

    long gpuMilli;
    int size;
    QueueKey place;
    /** Those that wanted the same when it got its place; null while it has none. */
    Lanes.Lane lane;
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

    /** Whether any of this is charged to its queue. */
    public boolean uses(FlavorResource column) {
        return used.containsKey(column)
                || column.resource().equals(ResourceNames.GPU)
                        && used.containsKey(new FlavorResource(column.flavor(), QuotaUnits.GPU_SHARES));
    }

    /** Whatever is charged to its queue any of: what {@link #uses} says, listed. */
    List<FlavorResource> chargedColumns() {
        List<FlavorResource> columns = new ArrayList<>(used.size());
        for (FlavorResource column : used.keySet()) {
            boolean shares = column.resource().equals(QuotaUnits.GPU_SHARES);
            FlavorResource counted = shares ? new FlavorResource(column.flavor(), ResourceNames.GPU) : column;
            if (!columns.contains(counted)) {
                columns.add(counted);
            }
        }
        return columns;
    }

    /** Charges so many pods that ask for this; flavors by resource. */
    void charge(SortedMap<String, String> ofFlavors, InternedRequirement requirement, int times, Sharing sharing) {
        used = used.isEmpty() ? new TreeMap<>() : used;
        QuotaLedger.charge(used, ofFlavors, requirement, times, sharing);
        used = used.isEmpty() ? Collections.emptySortedMap() : used;
    }

    /** What is charged to its queue: what its pods have, and what is kept for others of it. */
    public List<FlavorAmount> usedAmounts() {
        return QuotaLedger.amounts(used);
    }

    /** The queue that it is charged to. */
    public QueueRef queueRef() {
        return queueRef;
    }

    /** LocalQueue of Kueue that it names; empty where it names none. */
    public String localQueue() {
        return localQueue;
    }

    /** Flavors that a pod set has, by resource; none before it is admitted. */
    public SortedMap<String, String> flavorsOf(PodSet podSet) {
        return flavors.getOrDefault(podSet.name(), NONE);
    }

    /** Flavors of all pod sets that have any, by pod set and resource. */
    public SortedMap<String, SortedMap<String, String>> flavors() {
        return flavors;
    }

    /** Nodes that a pod set's flavors leave to it; null where it has none. */
    public FlavorNodes nodesOf(PodSet podSet) {
        return flavorNodes.isEmpty() ? null : flavorNodes.get(podSet.name());
    }

    void giveFlavors(SortedMap<String, SortedMap<String, String>> given, Map<String, FlavorNodes> nodes) {
        flavors = given;
        flavorNodes = nodes.isEmpty() ? Collections.emptyMap() : nodes;
        waitingChanged();
    }

    public int priority() {
        return priority;
    }

    /** Pods that must run together. */
    public int minMember() {
        return minMember;
    }

    /** What its pods have that are on nodes and neither leaving nor ended. */
    public RoughRoom runningRoom() {
        return running == null ? RoughRoom.NONE : running.room();
    }

    /** The journal entry that made it known. */
    public long arrivedSequence() {
        return arrivedSequence;
    }

    /** Its place in the order in which a round looks at what waits; null while it waits for nothing. */
    public QueueKey place() {
        return place;
    }

    /** Where it stands with others that want the same; null while it waits for nothing. */
    public Lanes.Lane lane() {
        return lane;
    }

    /** Whether its queue is to keep quota for pods of it. */
    public boolean reserves() {
        return !reserved.isEmpty();
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

    /** Placements in a row that did not come about. */
    public int failures() {
        return failures;
    }

    /** Priority class of its gang object; empty where it has none. */
    public String priorityClass() {
        return group == null ? "" : group.facts().priorityClass();
    }

    /** How many evictions in a row led to its own; 0 when it was not evicted since it last ran. */
    public int cascade() {
        return cascade;
    }

    /** For whom it was evicted last; null where it never was. */
    public WorkloadId evictedFor() {
        return evictedFor;
    }

    /** When it was evicted last, domain time. */
    public long evictedMillis() {
        return evictedMillis;
    }

    /** Its pods that have a node and are neither leaving nor ended. */
    public List<Member> boundMembers() {
        List<Member> bound = new ArrayList<>();
        for (PodSet podSet : podSets.values()) {
            for (Member member : podSet.members()) {
                if (member.bound()) {
                    bound.add(member);
                }
            }
        }
        return bound;
    }

    /** What is held for its decisions, in the order of these. */
    Collection<Hold> holds() {
        return holds == null ? List.of() : holds.values();
    }

    void add(Hold hold) {
        holds = holds == null ? new TreeMap<>() : holds;
        holds.put(hold.decision, hold);
    }

    void remove(Hold hold) {
        if (holds != null) {
            holds.remove(hold.decision);
            holds = holds.isEmpty() ? null : holds;
        }
    }

    /** Whether the binder has to create its pods. */
    public boolean createsPods() {
        return kind == WorkloadKind.JOB;
    }

    /** Its pod sets: a submitted job's in the order of its tasks, others by name. */
    public List<PodSet> podSetsInOrder() {
        if (inOrder == null) {
            inOrder = job == null
                    ? podSets.size() == 1 ? List.of(podSets.firstEntry().getValue()) : List.copyOf(podSets.values())
                    : job.tasks().stream().map(task -> podSets.get(task.name())).toList();
        }
        return inOrder;
    }

    void add(PodSet podSet) {
        podSets.put(podSet.name(), podSet);
        inOrder = null;
    }

    void remove(PodSet podSet) {
        podSets.remove(podSet.name());
        inOrder = null;
    }

    /** One of its pod sets; null where it has none of that name. */
    public PodSet podSet(String name) {
        return podSets.get(name);
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
        return ready(counts);
    }

    int ready(int[] byPhase) {
        int held = byPhase[Member.Phase.HELD.ordinal()];
        return matchPolicy() == MatchPolicy.ONLY_WAITING
                ? held
                : held + byPhase[Member.Phase.BOUND.ordinal()] + byPhase[Member.Phase.SUCCEEDED.ordinal()];
    }

    /** What the gang object says of its shape. */
    private GangShape shape() {
        return group == null ? GangShape.PLAIN : group.facts().shape();
    }

    MatchPolicy matchPolicy() {
        return shape().matchPolicy();
    }

    /** Whether its minimum counts no more: it was met once, and that is enough for this gang. */
    private boolean minimumIsPast() {
        return onceStarted && matchPolicy() == MatchPolicy.ONCE_SATISFIED;
    }

    /** Gangs of its kind, as namespace/name, that start only together, itself among them; empty where it stands alone. */
    public List<String> startsWith() {
        return shape().startsWith();
    }

    /** Level of a Topology at which all its pods must be together. */
    public PodSetTopology wholePlace() {
        return shape().place();
    }

    /** Its subgroups as a tree; null where it has none. */
    public SubGroupTree tree() {
        return tree;
    }

    /** Whether it, or what was placed of it, asks for a place in the topology. */
    boolean asksForPlace(List<Overlay.Reservation> reserved) {
        if (topology() != null
                || tree != null
                || wholePlace().given()
                || !subGroups().isEmpty()) {
            return true;
        }
        for (Overlay.Reservation reservation : reserved) {
            if (reservation.member().ownRequirement().topology().given()) {
                return true;
            }
        }
        return false;
    }

    /** Where its ranks were placed last, by pod set and rank; empty where that is not kept. */
    public List<PlacedRanks> lastPlaces() {
        return lastPlaces;
    }

    /** The strategy that its first member asks for; empty where it asks for none. */
    public String askedStrategy() {
        for (PodSet podSet : podSets.values()) {
            for (Member member : podSet.members()) {
                return member.requirement().requirement().strategy();
            }
        }
        return "";
    }

    /** Whether it is a pod of its own that has a label and asks for no more than so many thousandths of GPUs. */
    public boolean isLonePodWith(String label, long mostGpuMilli) {
        return kind == WorkloadKind.POD
                && podSets.values().stream()
                        .flatMap(podSet -> podSet.members().stream())
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
            for (Member member : podSet.members()) {
                if (!member.waits()) {
                    continue;
                }
                InternedRequirement its = member.requirement();
                if (same != null && its != same) {
                    return null;
                }
                same = its;
            }
        }
        return same;
    }

    void waitingChanged() {
        uniformKnown = false;
    }

    /** How far apart its pods may be; null where it does not matter. */
    public NetworkTopology topology() {
        if (job != null) {
            return job.topology();
        }
        return group == null ? null : group.facts().topology();
    }

    /** How it is divided into subgroups. */
    public List<SubGroupPolicy> subGroups() {
        return group == null ? List.of() : group.facts().subGroups();
    }

    /** Whether the minimum, in all, of each role and of subgroups, is met by members that are placed. */
    public boolean started() {
        if (minimumIsPast()) {
            return true;
        }
        return ready() >= minMember
                && roleShortage(false) == null
                && subGroupShortage(false) == null
                && (tree == null || tree.isMet(this, false));
    }

    /** Whether more than numbers of pods and of roles decide what may be missing of it. */
    public boolean dividedFurther() {
        return tree != null || !subGroups().isEmpty();
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
            for (Member member : podSet.members()) {
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
        if (minimumIsPast()) {
            return true;
        }
        return ready() + count(Member.Phase.WAITING) >= minMember
                && roleShortage(true) == null
                && subGroupShortage(true) == null
                && (tree == null || tree.isMet(this, true));
    }

    /** The first role that is short of its minimum, counting waiting members or not; null when none is. */
    public String roleShortage(boolean withWaiting) {
        for (var minimum : taskMinimums.entrySet()) {
            PodSet podSet = podSets.get(minimum.getKey());
            int there = podSet == null ? 0 : podSet.ready() + (withWaiting ? podSet.count(Member.Phase.WAITING) : 0);
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
        return specKnown()
                && !cancelled
                && !suspended
                && !state.ended()
                && count(Member.Phase.WAITING) > 0
                && complete();
    }

    /** Whether any pod of it exists. */
    boolean hasPods() {
        for (PodSet podSet : podSets.values()) {
            for (Member member : podSet.members()) {
                if (member.pod != null) {
                    return true;
                }
            }
        }
        return false;
    }

    Collection<Member> membersOf(String task) {
        PodSet podSet = podSets.get(task);
        return podSet == null ? List.of() : podSet.members();
    }

    private Eviction eviction() {
        return evictedFor == null ? null : new Eviction(evictedFor, evictedReason, evictedMillis);
    }

    /** Names of its pods that wait, as many as are told. */
    private List<String> waitingPods() {
        if (count(Member.Phase.WAITING) == 0) {
            return List.of();
        }
        List<String> waitingPods = new ArrayList<>(Math.min(count(Member.Phase.WAITING), MAX_NAMED_PODS));
        for (PodSet podSet : podSets.values()) {
            int left = podSet.count(Member.Phase.WAITING);
            for (Member member : podSet.members()) {
                if (left == 0 || waitingPods.size() == MAX_NAMED_PODS) {
                    break;
                }
                if (member.waits()) {
                    left--;
                    if (member.pod != null) {
                        waitingPods.add(member.name());
                    }
                }
            }
        }
        return waitingPods;
    }

    /** Whether its status by now would differ in nothing but what is counted, the numbers in the reason's sentence included. */
    boolean differsInCountsOnly(WorkloadStatus from) {
        return state == from.state()
                && reason.code().equals(from.reason().code())
                && attempt == from.attempt()
                && Objects.equals(decision, from.decision())
                && queue.equals(from.queue())
                && priority == from.priority()
                && minMember == from.minMember()
                && cluster.equals(from.cluster())
                && displayName.equals(from.name())
                && sinceMillis == from.sinceMillis()
                && Objects.equals(eviction(), from.eviction());
    }

    /** When all of it has ended at the latest, by deadlines of its pods or its job; 0 while part of it waits, or nothing bounds it. */
    private long endsByMillis() {
        int runs = count(Member.Phase.BOUND) + count(Member.Phase.LEAVING);
        int ended = count(Member.Phase.SUCCEEDED) + count(Member.Phase.FAILED);
        if (runs == 0 || runs + ended < size) {
            return 0;
        }
        long ofJob = group == null ? 0 : group.facts().endsByMillis();
        long ofPods = 0;
        for (PodSet podSet : podSets.values()) {
            for (Member member : podSet.members()) {
                if (member.counted() == Member.Phase.BOUND || member.counted() == Member.Phase.LEAVING) {
                    long its = member.pod == null ? 0 : member.pod.facts.endsByMillis();
                    if (its == 0) {
                        return ofJob;
                    }
                    ofPods = Math.max(ofPods, its);
                }
            }
        }
        return ofJob == 0 ? ofPods : Math.min(ofJob, ofPods);
    }

    /** What is told of it by now; workloads of one shape share what they are charged. */
    WorkloadStatus status(Sharing sharing) {
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
                waitingPods(),
                attempt,
                arrivedMillis,
                sinceMillis,
                decision,
                localQueue,
                sharing.one(QuotaLedger.amounts(used)),
                eviction(),
                endsByMillis());
    }

    /**
     * How the pods of a submitted job ended must be written once their own rows are gone. It is written for all that have
     * ended so far, so that pods which go together are written together.
     */
    private void keepEndedSlots() {
        List<Row.EndedSlot> ended = new ArrayList<>();
        List<PodSet> inOrder = podSetsInOrder();
        for (int podSet = 0; podSet < inOrder.size(); podSet++) {
            for (Member member : inOrder.get(podSet).members()) {
                if (member.ended()) {
                    member.endKept();
                    ended.add(new Row.EndedSlot(podSet, member.index(), member.endedWell()));
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
                untold,
                onceStarted,
                lastPlaces,
                lastPlaces.isEmpty() ? "" : ownerJob,
                cascade,
                evictedFor,
                evictedMillis,
                flavors,
                entitled,
                drainMillis,
                evictedReason,
                suspended);
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
