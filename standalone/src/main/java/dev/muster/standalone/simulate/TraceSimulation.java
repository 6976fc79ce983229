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
import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.scheduler.core.round.Effects;
import dev.muster.scheduler.core.round.Engine;
import dev.muster.standalone.trace.CoreFacts;
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
    private static final String CLUSTER = CoreFacts.CLUSTER;
    private static final long MILLIS = 1000;

    private final OpenbTrace trace;
    private final CoreFacts facts = new CoreFacts();
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
        apply(new PolicyChanged(facts.origin("default"), Kinds.SCHEDULER_POLICY, policy));
        List<String> kinds = Kinds.NEEDED_TO_PLACE;
        kinds.forEach(kind -> apply(new ResyncBegan(CLUSTER, kind, 1)));
        for (TraceNode node : trace.nodes()) {
            audit.node(node.name(), node.cpuMillis(), node.memoryMib(), node.gpus());
            apply(new NodeChanged(facts.origin(node.name()), CoreFacts.node(node)));
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
        apply(new PodChanged(facts.origin(pod.name()), CoreFacts.waiting(pod)));
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
                Origin origin = facts.origin(pod.name());
                bound.put(pod.name(), origin);
                String decisionId = decision.id().toString();
                apply(new PodChanged(origin, CoreFacts.running(pod, node.node(), member.devices(), decisionId)));
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
}
