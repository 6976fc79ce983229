package dev.muster.scheduler.core;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Action.MemberPlacement;
import dev.muster.scheduler.core.decision.Action.NodePlacement;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.decision.DecisionOutcome;
import dev.muster.scheduler.core.decision.DecisionOutcome.MemberOutcome;
import dev.muster.scheduler.core.decision.DecisionOutcome.MemberStatus;
import dev.muster.scheduler.core.decision.WorkloadStatus;
import dev.muster.scheduler.core.event.ClusterEvent;
import dev.muster.scheduler.core.event.ClusterEvent.EngineStarted;
import dev.muster.scheduler.core.event.ClusterEvent.GroupChanged;
import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.event.ClusterEvent.OutcomeReported;
import dev.muster.scheduler.core.event.ClusterEvent.PodChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PodGone;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncBegan;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncEnded;
import dev.muster.scheduler.core.event.ClusterEvent.Tick;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.GangShape;
import dev.muster.scheduler.core.model.GroupFacts;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.NumaPlacement;
import dev.muster.scheduler.core.model.PodFacts;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.WorkloadKind;
import dev.muster.scheduler.core.round.Effects;
import dev.muster.scheduler.core.round.Engine;
import dev.muster.scheduler.core.state.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** An engine with a journal, rows as the stores would hold them, and short ways to say what happens. */
public final class TestDomain {
    public static final String CLUSTER = "c1";
    public static final long GIB = 1L << 30;

    public final List<JournalEntry> journal = new ArrayList<>();
    public final List<Decision> decisions = new ArrayList<>();
    public final Map<String, WorkloadStatus> statuses = new LinkedHashMap<>();
    public final Map<String, Row> rows = new TreeMap<>();
    public final Map<String, PodChanged> pods = new TreeMap<>();
    private Engine engine = Engine.empty();
    private boolean checked = true;
    private long timeMillis = 1_000_000;
    private long resourceVersion = 1;

    public TestDomain() {
        apply(new EngineStarted(Engine.VERSION));
    }

    /** The same without working everything out again after each entry, for histories that are too long for that. */
    public static TestDomain unchecked() {
        TestDomain domain = synced();
        domain.checked = false;
        return domain;
    }

    /** A domain whose only cluster has been listed whole, empty. */
    public static TestDomain synced() {
        TestDomain domain = new TestDomain();
        for (String kind : Kinds.NEEDED_TO_PLACE) {
            domain.apply(new ResyncBegan(CLUSTER, kind, 1));
            domain.apply(new ResyncEnded(CLUSTER, kind, 1, 0));
        }
        return domain;
    }

    /** A kind has been listed whole: there is nothing of it so far. */
    public void listed(String kind) {
        apply(new ResyncBegan(CLUSTER, kind, 1));
        apply(new ResyncEnded(CLUSTER, kind, 1, 0));
    }

    public Engine engine() {
        return engine;
    }

    public Effects apply(ClusterEvent event) {
        JournalEntry entry = new JournalEntry(engine.nextSequence(), timeMillis, event);
        Effects effects = engine.apply(entry);
        if (checked) {
            engine.checkLaws();
        }
        if (effects.applied()) {
            journal.add(entry);
        }
        decisions.addAll(effects.decisions());
        effects.statuses().forEach(status -> statuses.put(status.id().value(), status));
        effects.forgotten().forEach(id -> statuses.remove(id.value()));
        for (Row.Change change : effects.rows()) {
            String key = change.table() + " " + change.key();
            if (change.row() == null) {
                rows.remove(key);
            } else {
                rows.put(key, change.row());
            }
        }
        return effects;
    }

    /** Stops the engine and goes on with one restored from the rows. */
    public void restart() {
        engine = Engine.restore(rows.values());
        engine.checkLaws();
    }

    /** Domain time, epoch milliseconds. */
    public long timeMillis() {
        return timeMillis;
    }

    public void pass(long millis) {
        timeMillis += millis;
    }

    /** Runs a round if the engine wants one, and gives its decisions. */
    public List<Decision> tick() {
        String cause = engine.tickCause(timeMillis);
        return cause == null ? List.of() : apply(new Tick(cause)).decisions();
    }

    /** Whether the engine wants a round. */
    public boolean wantsTick() {
        return engine.tickCause(timeMillis) != null;
    }

    // ---- what happens

    public Origin origin(String namespace, String name) {
        return new Origin(CLUSTER, 1, namespace, name, "uid-" + name, ++resourceVersion);
    }

    public void node(String name, int gpus) {
        node(name, gpus, Map.of());
    }

    public void node(String name, int gpus, Map<String, String> labels) {
        apply(new NodeChanged(origin("", name), nodeFacts(name, gpus, labels)));
    }

    public static NodeFacts nodeFacts(String name, int gpus, Map<String, String> labels) {
        SortedMap<String, String> all = new TreeMap<>(labels);
        all.put("kubernetes.io/hostname", name);
        List<Amount> allocatable = List.of(
                new Amount("cpu", 64_000),
                new Amount("memory", 512 * GIB),
                new Amount("nvidia.com/gpu", gpus),
                new Amount("pods", 110));
        return new NodeFacts(all, List.of(), false, true, allocatable);
    }

    public static Requirement gpus(int gpus) {
        return requirement(gpus, 0);
    }

    public static Requirement gpuShare(int milli) {
        return requirement(0, milli);
    }

    public static Requirement requirement(int gpus, int fractionMilli) {
        List<Amount> requests = new ArrayList<>(List.of(new Amount("cpu", 1_000), new Amount("memory", 4 * GIB)));
        if (gpus > 0) {
            requests.add(new Amount("nvidia.com/gpu", gpus));
        }
        requests.add(new Amount("pods", 1));
        return new Requirement(requests, fractionMilli, List.of(), List.of(), List.of(), List.of(), "");
    }

    /** A batch Job whose pods start together, in a LocalQueue; it keeps quota for as many as are wanted. */
    public void batchJob(String name, int pods, String localQueue, int wanted) {
        GroupFacts facts = new GroupFacts(
                "",
                "",
                pods,
                List.of(),
                "",
                "",
                0,
                0,
                null,
                List.of(),
                GangShape.PLAIN,
                localQueue,
                "",
                false,
                wanted,
                0);
        apply(new GroupChanged(origin("ml", name), Kinds.BATCH_JOB, facts));
    }

    public void podGroup(String name, int minMember, GroupFacts.Task... tasks) {
        GroupFacts facts = new GroupFacts("", "", minMember, List.of(tasks), "", "", 0, 0);
        apply(new GroupChanged(origin("ml", name), Kinds.VOLCANO_POD_GROUP, facts));
    }

    public void gangPods(String group, int count, Requirement requirement) {
        gangPods(group, "", count, requirement);
    }

    public void gangPods(String group, String task, int count, Requirement requirement) {
        for (int i = 0; i < count; i++) {
            String name = group + (task.isEmpty() ? "-" : "-" + task + "-") + i;
            pod(name, new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, group), task, i, 0, requirement);
        }
    }

    public void lonePod(String name, int priority, Requirement requirement) {
        pod(name, null, "", -1, priority, requirement);
    }

    public void pod(String name, GroupRef group, String task, int index, int priority, Requirement requirement) {
        pod("ml", name, group, task, index, priority, requirement, Map.of());
    }

    /** A lone pod with these labels. */
    public void labelled(String namespace, String name, Requirement requirement, Map<String, String> labels) {
        pod(namespace, name, null, "", -1, 0, requirement, labels);
    }

    public void pod(
            String namespace,
            String name,
            GroupRef group,
            String task,
            int index,
            int priority,
            Requirement requirement,
            Map<String, String> labels) {
        change(new PodChanged(
                origin(namespace, name),
                new PodFacts(
                        "muster",
                        true,
                        "Pending",
                        "",
                        false,
                        false,
                        priority,
                        true,
                        group,
                        task,
                        index,
                        "",
                        requirement,
                        List.of(),
                        "",
                        0,
                        new TreeMap<>(labels),
                        false,
                        NumaPlacement.NONE)));
    }

    /** The pod's labels are others from now on. */
    public void relabel(String pod, Map<String, String> labels) {
        PodChanged before = pods.get(pod);
        change(new PodChanged(
                origin(before.origin().namespace(), pod), before.facts().withLabels(new TreeMap<>(labels))));
    }

    private void change(PodChanged event) {
        pods.put(event.origin().name(), event);
        apply(event);
    }

    public void bound(String pod, String node, String phase, String decision, List<Integer> devices) {
        PodChanged before = pods.get(pod);
        PodFacts f = before.facts();
        change(new PodChanged(
                origin(before.origin().namespace(), pod),
                new PodFacts(
                        f.schedulerName(),
                        f.ours(),
                        phase,
                        node,
                        f.deleting(),
                        f.gated(),
                        f.priority(),
                        f.mayPreempt(),
                        f.group(),
                        f.task(),
                        f.index(),
                        f.queue(),
                        f.requirement(),
                        devices,
                        decision,
                        0,
                        f.labels(),
                        false,
                        f.numa())));
    }

    public void phase(String pod, String phase) {
        PodFacts facts = pods.get(pod).facts();
        bound(pod, facts.node(), phase, facts.decision(), facts.devices());
    }

    public void deleting(String pod) {
        PodChanged before = pods.get(pod);
        PodFacts f = before.facts();
        change(new PodChanged(
                origin(before.origin().namespace(), pod),
                new PodFacts(
                        f.schedulerName(),
                        f.ours(),
                        f.phase(),
                        f.node(),
                        true,
                        f.gated(),
                        f.priority(),
                        f.mayPreempt(),
                        f.group(),
                        f.task(),
                        f.index(),
                        f.queue(),
                        f.requirement(),
                        f.devices(),
                        f.decision(),
                        0,
                        f.labels(),
                        false,
                        f.numa())));
    }

    /** The kubelet could not align the pod: it fails with TopologyAffinityError. */
    public void turnedAway(String pod) {
        PodChanged before = pods.get(pod);
        PodFacts f = before.facts();
        change(new PodChanged(
                origin(before.origin().namespace(), pod),
                new PodFacts(
                        f.schedulerName(),
                        f.ours(),
                        "Failed",
                        f.node(),
                        f.deleting(),
                        f.gated(),
                        f.priority(),
                        f.mayPreempt(),
                        f.group(),
                        f.task(),
                        f.index(),
                        f.queue(),
                        f.requirement(),
                        f.devices(),
                        f.decision(),
                        0,
                        f.labels(),
                        true,
                        f.numa())));
    }

    public void gone(String pod) {
        PodChanged before = pods.remove(pod);
        apply(new PodGone(origin(before.origin().namespace(), pod)));
    }

    /** Does what a binder and a cluster would: every member is bound, then the outcome is reported. */
    public void carryOut(Decision decision) {
        Action.PlaceGang place = (Action.PlaceGang) decision.action();
        for (NodePlacement node : place.nodes()) {
            for (MemberPlacement member : node.members()) {
                bound(member.name(), node.node(), "Running", decision.id().toString(), member.devices());
            }
        }
        report(decision, DecisionOutcome.Status.BOUND, MemberStatus.BOUND, false);
    }

    public Effects report(Decision decision, DecisionOutcome.Status status, MemberStatus members, boolean refused) {
        List<MemberOutcome> outcomes = new ArrayList<>();
        for (MemberPlacement member : members(decision)) {
            String reason = members == MemberStatus.BOUND ? "" : "Refused";
            outcomes.add(new MemberOutcome(
                    member.podSet(), member.index(), member.name(), member.uid(), members, reason, "", 0));
        }
        return apply(new OutcomeReported(
                new DecisionOutcome(decision.id(), CLUSTER, decision.workload(), status, refused, outcomes, 0)));
    }

    /** A binder says what became of an eviction. */
    public Effects reportEviction(Decision decision, DecisionOutcome.Status status, MemberStatus each) {
        List<MemberOutcome> outcomes = new ArrayList<>();
        List<Action.Victim> victims = ((Action.Evict) decision.action()).victims();
        for (int i = 0; i < victims.size(); i++) {
            String reason = each == MemberStatus.KEPT ? "DisruptionBudget" : "";
            outcomes.add(new MemberOutcome(
                    0, i, victims.get(i).name(), victims.get(i).uid(), each, reason, "", 0));
        }
        return apply(new OutcomeReported(
                new DecisionOutcome(decision.id(), CLUSTER, decision.workload(), status, false, outcomes, 0)));
    }

    /** Does what a binder and a cluster would: victims are being deleted, and the outcome is reported. */
    public void evict(Decision decision) {
        victims(decision).forEach(this::deleting);
        reportEviction(decision, DecisionOutcome.Status.EVICTED, MemberStatus.EVICTED);
    }

    /** Names of the pods that an eviction is about, sorted; none where the decision is another. */
    public static List<String> victims(Decision decision) {
        return decision.action() instanceof Action.Evict evict
                ? evict.victims().stream().map(Action.Victim::name).sorted().toList()
                : List.of();
    }

    public static List<MemberPlacement> members(Decision decision) {
        return switch (decision.action()) {
            case Action.PlaceGang place ->
                place.nodes().stream().flatMap(node -> node.members().stream()).toList();
            case Action.Revoke revoke -> revoke.members();
            case Action.DeletePods delete -> delete.members();
            case Action.Evict evict -> List.of();
        };
    }

    public WorkloadStatus status(String group) {
        return status(WorkloadKind.VOLCANO_POD_GROUP, group);
    }

    public WorkloadStatus status(WorkloadKind kind, String group) {
        return statuses.get(CLUSTER + "/ml/" + kind.label() + "/" + group);
    }
}
