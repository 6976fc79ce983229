package dev.muster.standalone.simulate;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Action.MemberPlacement;
import dev.muster.scheduler.core.decision.Action.NodePlacement;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.decision.DecisionOutcome;
import dev.muster.scheduler.core.decision.DecisionOutcome.MemberOutcome;
import dev.muster.scheduler.core.decision.DecisionOutcome.MemberStatus;
import dev.muster.scheduler.core.decision.DecisionOutcome.Status;
import dev.muster.scheduler.core.decision.WorkloadStatus;
import dev.muster.scheduler.core.event.ClusterEvent;
import dev.muster.scheduler.core.event.ClusterEvent.EngineStarted;
import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.event.ClusterEvent.OutcomeReported;
import dev.muster.scheduler.core.event.ClusterEvent.PodChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PodGone;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncBegan;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncEnded;
import dev.muster.scheduler.core.event.ClusterEvent.Tick;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.NodeTerm;
import dev.muster.scheduler.core.model.PodFacts;
import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.round.Effects;
import dev.muster.scheduler.core.round.Engine;
import dev.muster.standalone.trace.OpenbTrace;
import dev.muster.standalone.trace.TraceNode;
import dev.muster.standalone.trace.TracePod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * A trace through the scheduling core on simulated time. Pods arrive when the trace says; each runs as long as it did
 * there, counted from the moment it is placed, and gives its room back when it ends.
 */
final class TraceSimulation {
    private static final String CLUSTER = "openb";
    private static final String NAMESPACE = "openb";
    private static final String GPU_MODEL = "nvidia.com/gpu.product";
    private static final int MAX_PODS_PER_NODE = 1001;
    private static final long MILLIS = 1000;
    private static final long BYTES_PER_MIB = 1 << 20;

    private final OpenbTrace trace;
    private final Engine engine = Engine.empty();
    private final List<JournalEntry> journal = new ArrayList<>();
    private final List<Decision> decisions = new ArrayList<>();
    private final CapacityAudit audit = new CapacityAudit();
    private final AllocationCurve curve;
    private final Map<String, TracePod> pods = new HashMap<>();
    private final Map<String, Origin> bound = new HashMap<>();
    private final TreeMap<String, WorkloadStatus> waiting = new TreeMap<>();
    private final PriorityQueue<End> ends =
            new PriorityQueue<>(Comparator.comparingLong(End::millis).thenComparing(End::pod));
    private long nowMillis;
    private long resourceVersion;
    private long engineNanos;

    private record End(long millis, String pod) {}

    private TraceSimulation(OpenbTrace trace) {
        this.trace = trace;
        this.curve = new AllocationCurve(trace);
    }

    /** Plays the trace from its first arrival until nothing more can happen. */
    static SimulationReport run(OpenbTrace trace, SchedulerPolicy policy) {
        TraceSimulation simulation = new TraceSimulation(trace);
        long start = System.nanoTime();
        simulation.setUp(policy);
        simulation.play();
        long wallNanos = System.nanoTime() - start;
        return simulation.report(wallNanos);
    }

    private void setUp(SchedulerPolicy policy) {
        nowMillis = trace.pods().isEmpty() ? 0 : trace.pods().getFirst().createdSeconds() * MILLIS;
        apply(new EngineStarted(Engine.VERSION));
        apply(new PolicyChanged(origin("default"), Kinds.SCHEDULER_POLICY, policy));
        List<String> kinds = Kinds.NEEDED_TO_PLACE;
        kinds.forEach(kind -> apply(new ResyncBegan(CLUSTER, kind, 1)));
        for (TraceNode node : trace.nodes()) {
            audit.node(node.name(), node.cpuMillis(), node.memoryMib(), node.gpus());
            apply(new NodeChanged(origin(node.name()), facts(node)));
        }
        kinds.forEach(kind -> apply(new ResyncEnded(CLUSTER, kind, 1, 1)));
    }

    private void play() {
        int arrived = 0;
        while (arrived < trace.pods().size() || !ends.isEmpty()) {
            long arrival = arrived < trace.pods().size()
                    ? trace.pods().get(arrived).createdSeconds() * MILLIS
                    : Long.MAX_VALUE;
            long end = ends.isEmpty() ? Long.MAX_VALUE : ends.peek().millis();
            nowMillis = Math.max(nowMillis, Math.min(arrival, end));
            while (!ends.isEmpty() && ends.peek().millis() <= nowMillis) {
                end(ends.poll().pod());
            }
            while (arrived < trace.pods().size() && trace.pods().get(arrived).createdSeconds() * MILLIS <= nowMillis) {
                arrive(trace.pods().get(arrived));
                arrived++;
                // One by one, also within one second: the order of arrival is the order of the trace.
                rounds();
            }
            rounds();
            curve.record(nowMillis / MILLIS, audit.gpuMilliInUse(), audit.running());
        }
    }

    private void rounds() {
        for (String cause = engine.tickCause(nowMillis); cause != null; cause = engine.tickCause(nowMillis)) {
            apply(new Tick(cause)).decisions().forEach(this::carryOut);
        }
    }

    private void arrive(TracePod pod) {
        pods.put(pod.name(), pod);
        apply(new PodChanged(origin(pod.name()), facts(pod, "Pending", "", List.of(), "")));
    }

    /** Binds at once, as a perfect cluster would. */
    private void carryOut(Decision decision) {
        Action.PlaceGang place = (Action.PlaceGang) decision.action();
        List<MemberOutcome> outcomes = new ArrayList<>();
        for (NodePlacement node : place.nodes()) {
            for (MemberPlacement member : node.members()) {
                TracePod pod = pods.get(member.name());
                audit.place(
                        pod.name(),
                        node.node(),
                        new CapacityAudit.Taken(pod.cpuMillis(), pod.memoryMib(), pod.gpuMilli(), member.devices()),
                        pod.gpus());
                Origin origin = origin(pod.name());
                bound.put(pod.name(), origin);
                String decisionId = decision.id().toString();
                apply(new PodChanged(origin, facts(pod, "Running", node.node(), member.devices(), decisionId)));
                outcomes.add(new MemberOutcome(
                        member.podSet(), member.index(), member.name(), member.uid(), MemberStatus.BOUND, "", "", 1));
                if (pod.deletedSeconds() != TracePod.NEVER) {
                    long runsMillis = (pod.deletedSeconds() - pod.createdSeconds()) * MILLIS;
                    ends.add(new End(nowMillis + runsMillis, pod.name()));
                }
            }
        }
        apply(new OutcomeReported(new DecisionOutcome(
                decision.id(), CLUSTER, decision.workload(), Status.BOUND, false, outcomes, nowMillis)));
    }

    private void end(String pod) {
        audit.end(pod);
        Origin origin = bound.remove(pod);
        apply(new PodGone(origin));
    }

    private Effects apply(ClusterEvent event) {
        JournalEntry entry = new JournalEntry(engine.nextSequence(), nowMillis, event);
        long start = System.nanoTime();
        Effects effects = engine.apply(entry);
        engineNanos += System.nanoTime() - start;
        if (effects.applied()) {
            journal.add(entry);
        }
        decisions.addAll(effects.decisions());
        effects.statuses().forEach(status -> {
            if (status.bound() + (status.gpuMilli() > 0 ? 1 : 0) == 0) {
                waiting.put(status.id().value(), status);
            } else {
                waiting.remove(status.id().value());
            }
        });
        effects.forgotten().forEach(id -> waiting.remove(id.value()));
        return effects;
    }

    /** The journal through a fresh core: how many decisions come out equal. */
    private long replayedEqual() {
        Engine fresh = Engine.empty();
        int equal = 0;
        int next = 0;
        for (JournalEntry entry : journal) {
            for (Decision decision : fresh.apply(entry).decisions()) {
                boolean same = next < decisions.size() && decision.equals(decisions.get(next));
                equal += same ? 1 : 0;
                next++;
            }
        }
        return equal;
    }

    private SimulationReport report(long wallNanos) {
        return new SimulationReport(
                trace.nodes().size(),
                trace.nodes().stream().mapToLong(TraceNode::gpus).sum(),
                trace.pods().size(),
                decisions.size(),
                List.copyOf(waiting.values()),
                curve.points(),
                curve.meanGpuMilli(),
                curve.peakGpuMilli(),
                audit.checks(),
                audit.violationCount(),
                audit.violations(),
                journal.size(),
                replayedEqual(),
                engineNanos,
                wallNanos);
    }

    private Origin origin(String name) {
        return new Origin(CLUSTER, 1, NAMESPACE, name, name, ++resourceVersion);
    }

    private static NodeFacts facts(TraceNode node) {
        TreeMap<String, String> labels = new TreeMap<>();
        labels.put("kubernetes.io/hostname", node.name());
        if (!node.model().isEmpty()) {
            labels.put(GPU_MODEL, node.model());
        }
        List<Amount> allocatable = new ArrayList<>();
        allocatable.add(new Amount("cpu", node.cpuMillis()));
        allocatable.add(new Amount("memory", node.memoryMib() * BYTES_PER_MIB));
        allocatable.add(new Amount("nvidia.com/gpu", node.gpus()));
        allocatable.add(new Amount("pods", MAX_PODS_PER_NODE));
        return new NodeFacts(labels, List.of(), false, true, allocatable);
    }

    private static PodFacts facts(TracePod pod, String phase, String node, List<Integer> devices, String decision) {
        return new PodFacts(
                "muster",
                true,
                phase,
                node,
                false,
                false,
                0,
                true,
                null,
                "",
                -1,
                "",
                requirement(pod),
                devices,
                decision,
                pod.createdSeconds() * MILLIS);
    }

    private static Requirement requirement(TracePod pod) {
        List<Amount> requests = new ArrayList<>();
        addIfAny(requests, "cpu", pod.cpuMillis());
        addIfAny(requests, "memory", pod.memoryMib() * BYTES_PER_MIB);
        addIfAny(requests, "nvidia.com/gpu", pod.sharesGpu() ? 0 : pod.gpus());
        requests.add(new Amount("pods", 1));
        List<NodeTerm> models = pod.models().isEmpty()
                ? List.of()
                : List.of(new NodeTerm(List.of(new NodeExpression(GPU_MODEL, "In", pod.models(), false))));
        return new Requirement(
                requests, pod.sharesGpu() ? pod.gpuMilli() : 0, List.of(), models, List.of(), List.of(), "");
    }

    private static void addIfAny(List<Amount> requests, String resource, long amount) {
        if (amount > 0) {
            requests.add(new Amount(resource, amount));
        }
    }
}
