package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.DecisionId;
import dev.muster.scheduler.core.model.GangShape;
import dev.muster.scheduler.core.model.GroupFacts;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.PodFacts;
import dev.muster.scheduler.core.model.PodId;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.QuotaObject;
import dev.muster.scheduler.core.model.WorkloadId;
import dev.muster.scheduler.core.model.WorkloadKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** Keeps workloads and their members in step with pods, gang objects, submissions and holds. */
public final class Members {
    static final String DEFAULT_QUEUE = "default";

    private final DomainState state;
    final Holds holds;
    private final KeptRoom kept;
    private final SlotHolds slots;

    public Members(DomainState state) {
        this.state = state;
        this.holds = new Holds(state);
        this.kept = new KeptRoom(state, holds);
        this.slots = new SlotHolds(state, holds, kept);
    }

    /** Slots of gangs that lost members. */
    public SlotHolds slots() {
        return slots;
    }

    /** Room kept for workloads while others leave. */
    public KeptRoom kept() {
        return kept;
    }

    // ---- pods

    /** Makes a pod of ours part of its workload. */
    void attach(PodState pod) {
        attach(pod, false);
    }

    /** The same for a pod of which its row says whether it is a stranger. */
    void reattach(PodState pod) {
        attach(pod, true);
    }

    private void attach(PodState pod, boolean known) {
        PodFacts facts = pod.facts;
        if (!facts.ours()) {
            return;
        }
        if (ofBatchJob(pod)) {
            state.podsOfJobs
                    .computeIfAbsent(jobKey(pod), key -> new TreeSet<>())
                    .add(pod.id());
        }
        GroupRef ref = gangOf(pod);
        if (ref != null && ref.kind() == WorkloadKind.JOB) {
            if (!pod.stranger) {
                attachToSlot(pod, ref, known);
            }
            return;
        }
        Workload workload =
                ref == null ? lonePod(pod) : group(pod.id().cluster(), ref.kind(), pod.namespace(), ref.name());
        PodSet podSet = workload.podSet(facts.task());
        if (podSet == null) {
            podSet = new PodSet(workload, facts.task());
            workload.add(podSet);
        }
        Member member = new Member(podSet, pod.index, pod.name, pod.requirement);
        member.pod = pod;
        pod.member = member;
        podSet.add(member);
        workload.size++;
        workload.podWishes.add(facts, state.sharing);
        refreshSpec(workload);
        state.recount(workload, member);
    }

    /** The gang that a pod belongs to; null where it stands alone, as do pods of a batch Job that does not start together. */
    private GroupRef gangOf(PodState pod) {
        GroupRef ref = pod.facts.group();
        if (ref != null && ref.kind() == WorkloadKind.BATCH_JOB) {
            Row.Group job = state.groups.get(jobKey(pod));
            return job != null && job.facts().alone() ? null : ref;
        }
        return ref;
    }

    private static String jobKey(PodState pod) {
        return Row.Group.key(
                pod.id().cluster(),
                Kinds.BATCH_JOB,
                pod.namespace(),
                pod.facts.group().name());
    }

    private static boolean ofBatchJob(PodState pod) {
        return pod.facts.ours()
                && pod.facts.group() != null
                && pod.facts.group().kind() == WorkloadKind.BATCH_JOB;
    }

    /** A pod that the binder made for a submitted job takes the place that was kept for it. */
    private void attachToSlot(PodState pod, GroupRef ref, boolean known) {
        // Whoever comes without having been called stays a stranger: only the binder makes pods for a job's places.
        pod.stranger = true;
        Member place = placeOf(pod, ref);
        if (place == null || !known && (!open(place, pod) || precedes(pod, place.held))) {
            return;
        }
        pod.stranger = false;
        place.pod = pod;
        pod.member = place;
        Workload workload = place.podSet().workload();
        if ((workload.cancelled || workload.suspended) && !pod.facts.terminal()) {
            state.latecomers.add(place);
        }
        state.recount(workload, place);
    }

    /** A place is for one pod after the other, and when one has ended only for one that its decision made anew. */
    private static boolean open(Member place, PodState pod) {
        return place.pod == null && (!place.ended() || pod.facts.terminal() || boundFor(place, pod));
    }

    private static boolean boundFor(Member place, PodState pod) {
        return place.held != null
                && !pod.facts.node().isEmpty()
                && placedBy(pod.facts.decision(), place.held.hold.decision);
    }

    /** Whether a binder has seen a later pod in this one's place already: what is heard of this one is history. */
    private static boolean precedes(PodState pod, HeldMember held) {
        return held != null
                && held.confirmed
                && !held.uid.equals(pod.id().uid())
                && pod.resourceVersion < held.seenVersion;
    }

    /** The place in a submitted job that a pod is made for; null where there is none. */
    private Member placeOf(PodState pod, GroupRef ref) {
        Workload workload = jobOf(ref);
        if (workload == null
                || !workload.namespace().equals(pod.namespace())
                || !workload.cluster().equals(pod.id().cluster())) {
            return null;
        }
        for (Member member : workload.membersOf(pod.facts.task())) {
            if (member.index() == pod.index && member.name().equals(pod.name)) {
                return member;
            }
        }
        return null;
    }

    private Workload jobOf(GroupRef ref) {
        int slash = ref.name().indexOf('/');
        return slash < 0
                ? null
                : state.workloads.get(WorkloadId.ofJob(
                        ref.name().substring(0, slash), ref.name().substring(slash + 1)));
    }

    /**
     * The pod that is known to have a submitted job's place, where a later one under its name has come: it is gone, though its
     * deletion was not heard of. Null where there is none.
     */
    PodState replacedBy(PodState pod) {
        GroupRef ref = pod.facts.group();
        if (!pod.facts.ours() || ref == null || ref.kind() != WorkloadKind.JOB) {
            return null;
        }
        Member place = placeOf(pod, ref);
        boolean later = place != null && place.pod != null && place.pod.resourceVersion < pod.resourceVersion;
        return later ? place.pod : null;
    }

    /**
     * A stranger that a decision of its job bound after all is one of the job's, also when it has ended by the time it is seen:
     * it was made for an earlier decision, and seen only when that had been taken back.
     */
    void adopt(PodState pod) {
        if (!pod.stranger || pod.facts.node().isEmpty()) {
            return;
        }
        GroupRef ref = pod.facts.group();
        Workload workload = jobOf(ref);
        boolean bound = workload != null
                && workload.membersOf(pod.facts.task()).stream()
                        .anyMatch(member -> member.name().equals(pod.name) && boundFor(member, pod));
        if (bound) {
            attachToSlot(pod, ref, false);
        }
    }

    /** Outside, an id is preceded by its domain. */
    private static boolean placedBy(String decision, DecisionId id) {
        return decision.equals(id.toString()) || decision.endsWith(":" + id);
    }

    private Workload lonePod(PodState pod) {
        WorkloadId id = WorkloadId.ofPod(
                pod.id().cluster(), pod.namespace(), pod.name, pod.id().uid());
        return named(id, WorkloadKind.POD, pod.id().cluster(), pod.namespace(), pod.name);
    }

    private Workload group(String cluster, WorkloadKind kind, String namespace, String name) {
        WorkloadId id = WorkloadId.ofGroup(cluster, kind, namespace, name);
        Workload workload = named(id, kind, cluster, namespace, name);
        workload.group = state.gang(Row.Group.key(cluster, kind.label(), namespace, name));
        return workload;
    }

    private Workload named(WorkloadId id, WorkloadKind kind, String cluster, String namespace, String object) {
        Workload known = state.workloads.get(id);
        if (known != null) {
            return known;
        }
        Workload workload = new Workload(id, kind, cluster, namespace, object, "");
        workload.arrivedSequence = state.nextSequence;
        workload.arrivedMillis = state.timeMillis;
        workload.sinceMillis = state.timeMillis;
        state.workloads.put(id, workload);
        state.touch(workload);
        return workload;
    }

    /**
     * Makes a pod part of the workload that it now says it belongs to. What is held for it stays held: a binder may be about
     * to bind it by the decision of the workload it came from.
     */
    void move(PodState pod, Runnable change) {
        HeldMember held = pod.member == null ? null : pod.member.held;
        long attempt = pod.member == null ? 0 : pod.member.podSet().workload().attempt;
        String job = ofBatchJob(pod) ? jobKey(pod) : "";
        if (held != null) {
            pod.member.held = null;
            held.member = null;
        }
        detach(pod);
        change.run();
        attach(pod);
        forgetIfGone(job);
        if (held == null) {
            return;
        }
        if (pod.member == null) {
            holds.release(held);
            state.freeRoom();
            return;
        }
        Workload workload = pod.member.podSet().workload();
        workload.attempt = Math.max(workload.attempt, attempt);
        held.member = pod.member;
        pod.member.held = held;
        state.recount(workload, pod.member);
    }

    /** Takes a pod out of its workload. */
    void detach(PodState pod) {
        pod.stranger = false;
        if (ofBatchJob(pod)) {
            forgetPodOfJob(pod);
        }
        if (pod.member == null) {
            return;
        }
        Workload workload = pod.member.podSet().workload();
        Member member = pod.member;
        pod.member = null;
        if (workload.createsPods()) {
            member.pod = null;
            holds.endHandOver(member);
            if (member.ended() && !member.isEndKept()) {
                workload.endedSlotsStale = true;
            }
            holds.podGone(workload);
            state.recount(workload, member);
            return;
        }
        state.uncount(workload, member);
        member.podSet().remove(member);
        if (member.podSet().members().isEmpty()) {
            workload.remove(member.podSet());
        }
        workload.size--;
        workload.podWishes.remove(pod.facts);
        refreshSpec(workload);
    }

    private void forgetPodOfJob(PodState pod) {
        TreeSet<PodId> pods = state.podsOfJobs.get(jobKey(pod));
        if (pods != null && pods.remove(pod.id()) && pods.isEmpty()) {
            state.podsOfJobs.remove(jobKey(pod));
        }
    }

    /** Counts a pod's member anew; a pod that ended while room was held for it needs the room no more, but its place may. */
    void podSeen(PodState pod) {
        Member member = pod.member;
        if (member == null) {
            return;
        }
        Workload workload = member.podSet().workload();
        if (pod.facts.terminal() && workload.createsPods()) {
            if (!pod.facts.stopped()) {
                noteEnd(member, pod.facts.succeeded());
            } else if (member.ended() && !member.isEndKept()) {
                workload.endedSlotsStale = true; // by its pod's row alone it would only have been stopped
            }
            holds.left(member, pod.id().uid());
        } else if (pod.facts.terminal() && member.held != null) {
            holds.releaseSeen(member.held);
            state.freeRoom();
        }
        state.recount(workload, member);
    }

    /** What the row says stays: the place ended before, and a pod made anew changes nothing. */
    private static void noteEnd(Member member, boolean well) {
        if (!member.isEndKept()) {
            member.end(well);
        }
    }

    /**
     * A pod no longer exists: what was held for it is free, and a submitted job's place is vacant again. But whoever makes
     * pods for a decision may make another one by the same decision until its outcome is in.
     */
    void podGone(PodState pod) {
        Member member = pod.member;
        if (member != null && member.podSet().workload().createsPods()) {
            holds.left(member, pod.id().uid());
        } else if (member != null && member.held != null) {
            holds.release(member.held);
            state.freeRoom();
        }
        detach(pod);
        if (ofBatchJob(pod)) {
            forgetIfGone(jobKey(pod));
        }
        if (member != null && member.held != null) {
            state.podTerms().recount(member.held); // room for nobody known yet again, as before the pod was seen
        }
    }

    // ---- gang objects

    /** @param back it was no more, but pods of it still are: a batch Job that was suspended goes on */
    void groupChanged(Row.Group group, boolean back) {
        if (group.kind().equals(Kinds.VOLCANO_JOB)) {
            groupsOwnedBy(group).forEach(this::respecify);
            return;
        }
        rejoin(group.key());
        if (group.facts().alone()) {
            return;
        }
        Workload workload = group(
                group.origin().cluster(),
                WorkloadKind.ofLabel(group.kind()),
                group.origin().namespace(),
                group.origin().name());
        if (back) {
            state.arrivedAnew(workload);
        }
        if (!workload.groupUid.isEmpty()
                && !workload.groupUid.equals(group.origin().uid())) {
            if (!state.jobOwns(workload)) {
                // Made anew under the same name: it has no claim to the old one's place.
                state.arrivedAnew(workload);
                workload.lastPlaces = List.of();
            }
            workload.failures = 0;
            workload.onceStarted = false;
            state.wakeUp(workload);
        }
        workload.groupUid = group.origin().uid();
        if (!workload.reserved.isEmpty()) {
            state.freeRoom(); // it may keep less quota for what is still to run
        }
        respecify(workload);
    }

    /** A batch Job said whether its pods start together: those that are known already become what they are by that. */
    private void rejoin(String job) {
        for (PodId id : List.copyOf(state.podsOfJobs.getOrDefault(job, new TreeSet<>()))) {
            PodState pod = state.pods.get(id);
            boolean alone = pod.member == null || pod.member.podSet().workload().kind() == WorkloadKind.POD;
            if (alone != (gangOf(pod) == null)) {
                move(pod, () -> {});
                state.touch(pod);
            }
        }
    }

    /** The last pod of a batch Job that was gone already is gone, too. */
    private void forgetIfGone(String job) {
        Row.Group group = state.groups.get(job);
        if (group != null && group.gone() && !hasPods(group)) {
            state.groups.remove(job);
            state.dirty(Row.Table.GROUPS, job, () -> state.groups.get(job));
            groupGone(group);
        }
    }

    /** Whether pods of a batch Job are still there. */
    boolean hasPods(Row.Group job) {
        return state.podsOfJobs.containsKey(job.key());
    }

    /** A batch Job is no more, or suspended, and pods of it are still there. */
    void groupLeft(Row.Group group) {
        Workload workload = state.workloads.get(WorkloadId.ofGroup(
                group.origin().cluster(),
                WorkloadKind.BATCH_JOB,
                group.origin().namespace(),
                group.origin().name()));
        if (workload != null) {
            workload.group = state.gang(group.key());
            state.touch(workload);
        }
    }

    void groupGone(Row.Group group) {
        if (group.kind().equals(Kinds.VOLCANO_JOB)) {
            groupsOwnedBy(group).forEach(this::respecify);
            Origin job = group.origin();
            Workload itsGang = state.workloads.get(WorkloadId.ofGroup(
                    job.cluster(), WorkloadKind.VOLCANO_POD_GROUP, job.namespace(), job.name() + "-" + job.uid()));
            if (itsGang != null) {
                state.touch(itsGang); // kept for as long as its job could make it anew
            }
            return;
        }
        Workload workload = state.workloads.get(WorkloadId.ofGroup(
                group.origin().cluster(),
                WorkloadKind.ofLabel(group.kind()),
                group.origin().namespace(),
                group.origin().name()));
        if (workload != null) {
            workload.group = null;
            respecify(workload);
        }
    }

    void priorityClassChanged(String cluster) {
        for (Row.Group group : new ArrayList<>(state.groups.values())) {
            if (group.origin().cluster().equals(cluster) && !group.kind().equals(Kinds.VOLCANO_JOB)) {
                Workload workload = state.workloads.get(WorkloadId.ofGroup(
                        cluster,
                        WorkloadKind.ofLabel(group.kind()),
                        group.origin().namespace(),
                        group.origin().name()));
                if (workload == null) {
                    continue; // a batch Job whose pods stand alone
                }
                int before = workload.priority;
                refreshSpec(workload);
                if (workload.priority != before) {
                    state.mark(workload);
                }
            }
        }
    }

    /** A WorkloadPriorityClass has another value, or is new or gone. */
    void workloadPriorityClassChanged(String cluster, String name) {
        List<Workload> concerned = state.workloads.values().stream()
                .filter(workload -> workload.cluster().equals(cluster) && workload.workloadPriorityClass.equals(name))
                .sorted(Comparator.comparing(Workload::id))
                .toList();
        for (Workload workload : concerned) {
            refreshSpec(workload);
            state.mark(workload);
        }
    }

    private List<Workload> groupsOwnedBy(Row.Group job) {
        String prefix = Row.Group.key(
                job.origin().cluster(), Kinds.VOLCANO_POD_GROUP, job.origin().namespace(), "");
        List<Workload> owned = new ArrayList<>();
        for (Row.Group group : state.groups.tailMap(prefix).values()) {
            if (!group.key().startsWith(prefix)) {
                break;
            }
            if (group.facts().ownerJob().equals(job.origin().name())) {
                owned.add(group(
                        group.origin().cluster(),
                        WorkloadKind.VOLCANO_POD_GROUP,
                        group.origin().namespace(),
                        group.origin().name()));
            }
        }
        return owned;
    }

    private void respecify(Workload workload) {
        refreshSpec(workload);
        state.mark(workload);
    }

    /** Works out queue, priority and minimums from what is known. */
    void refreshSpec(Workload workload) {
        if (workload.job != null) {
            return;
        }
        String named = workload.podWishes.queue();
        String podQueue = named.isEmpty() ? DEFAULT_QUEUE : named;
        workload.queue = podQueue;
        workload.priority = workload.podWishes.priority();
        workload.displayName = workload.object();
        workload.minMember = 1;
        workload.taskMinimums = Collections.emptySortedMap();
        workload.taskPriorities = Collections.emptySortedMap();
        GangShape shape = workload.group == null
                ? GangShape.PLAIN
                : workload.group.facts().shape();
        if (workload.treeOf != shape) {
            workload.treeOf = shape;
            workload.tree = SubGroupTree.of(shape);
        }
        if (workload.group != null) {
            specifyByGroup(workload, workload.group.facts(), podQueue);
        }
        specifyByKueue(workload);
        state.queues.resolve(workload);
        state.touch(workload);
    }

    /** Kueue's labels stand on the gang object, or on the pods where that is not there or names nothing. */
    private void specifyByKueue(Workload workload) {
        GroupFacts facts = workload.group == null ? null : workload.group.facts();
        workload.localQueue =
                facts != null && !facts.localQueue().isEmpty() ? facts.localQueue() : workload.podWishes.localQueue();
        String priorityClass = facts != null && !facts.workloadPriorityClass().isEmpty()
                ? facts.workloadPriorityClass()
                : workload.podWishes.priorityClass();
        workload.workloadPriorityClass = priorityClass;
        Row.PolicyObject known =
                state.policies.get(Kinds.WORKLOAD_PRIORITY_CLASS + "/" + workload.cluster() + "//" + priorityClass);
        if (known != null && known.policy() instanceof QuotaObject.WorkloadPriorityClass found) {
            workload.priority = found.value();
        }
    }

    /**
     * A Volcano gang is valid when the group's minimum is met and, unless the sum of the roles' minimums is larger than
     * that, each role's too (Volcano JobInfo.CheckTaskValid).
     */
    private void specifyByGroup(Workload workload, GroupFacts facts, String podQueue) {
        Row.Group owner = facts.ownerJob().isEmpty()
                ? null
                : state.groups.get(
                        Row.Group.key(workload.cluster(), Kinds.VOLCANO_JOB, workload.namespace(), facts.ownerJob()));
        workload.ownerJob = facts.ownerJob();
        if (!facts.ownerJob().isEmpty()) {
            workload.displayName = facts.ownerJob();
        }
        workload.queue = facts.queue().isEmpty() ? podQueue : facts.queue();
        workload.priority = priorityOf(workload, facts.priorityClass());
        workload.minMember =
                Math.max(facts.minMember(), workload.tree == null ? 1 : Math.max(1, workload.tree.fewestPods()));
        List<GroupFacts.Task> tasks =
                facts.tasks().isEmpty() && owner != null ? owner.facts().tasks() : facts.tasks();
        TreeMap<String, Integer> minimums = new TreeMap<>();
        long sum = 0;
        for (GroupFacts.Task task : tasks) {
            minimums.put(task.name(), task.minMember());
            sum += task.minMember();
        }
        if (!tasks.isEmpty() && workload.minMember >= sum) {
            workload.taskMinimums = minimums;
        }
        TreeMap<String, Integer> priorities = new TreeMap<>();
        for (GroupFacts.Task task : owner == null ? tasks : owner.facts().tasks()) {
            Integer value = priorityClassValue(workload.cluster(), task.priorityClass());
            if (value != null) {
                priorities.put(task.name(), value);
            }
        }
        if (!priorities.isEmpty()) {
            workload.taskPriorities = priorities;
        }
    }

    private int priorityOf(Workload workload, String priorityClass) {
        Integer value = priorityClassValue(workload.cluster(), priorityClass);
        return value != null ? value : workload.priority;
    }

    private Integer priorityClassValue(String cluster, String priorityClass) {
        if (priorityClass.isEmpty()) {
            return null;
        }
        Row.PolicyObject known = state.policies.get(Kinds.PRIORITY_CLASS + "/" + cluster + "//" + priorityClass);
        return known != null && known.policy() instanceof Policy.PriorityClass found ? found.value() : null;
    }
}
