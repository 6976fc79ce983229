package dev.muster.standalone.openb;

import dev.muster.scheduler.core.decision.Action.MemberPlacement;
import dev.muster.scheduler.core.decision.Action.NodePlacement;
import dev.muster.scheduler.core.decision.Action.PlaceGang;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent;
import dev.muster.scheduler.core.event.ClusterEvent.EngineStarted;
import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PodChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PodGone;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncBegan;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncEnded;
import dev.muster.scheduler.core.event.ClusterEvent.Tick;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.scheduler.core.round.Engine;
import dev.muster.standalone.trace.CoreFacts;
import dev.muster.standalone.trace.TracePod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Muster's scheduling core, told of one pod after the other; a pod that it does not place at once is deleted. Nodes are told in
 * the order of their ranks, which makes the core break ties as the ranks say.
 */
final class CoreScheduler implements Scheduler {
    private final Engine engine = Engine.empty();
    private final CoreFacts facts = new CoreFacts();
    private final Map<String, GpuNode> nodes = new HashMap<>();
    private long podNumber;

    CoreScheduler(SchedulerPolicy policy, List<GpuNode> inOrder) {
        apply(new EngineStarted(Engine.VERSION));
        apply(new PolicyChanged(facts.origin("default"), Kinds.SCHEDULER_POLICY, policy));
        List<String> kinds = Kinds.NEEDED_TO_PLACE;
        kinds.forEach(kind -> apply(new ResyncBegan(CoreFacts.CLUSTER, kind, 1)));
        for (GpuNode node : inOrder) {
            nodes.put(node.facts().name(), node);
            apply(new NodeChanged(facts.origin(node.facts().name()), CoreFacts.node(node.facts())));
        }
        kinds.forEach(kind -> apply(new ResyncEnded(CoreFacts.CLUSTER, kind, 1, 0)));
    }

    @Override
    public Placement place(Shape shape) {
        TracePod pod = shape.pod("pod-" + ++podNumber);
        apply(new PodChanged(facts.origin(pod.name()), CoreFacts.waiting(pod)));
        List<Decision> decisions = apply(new Tick(engine.tickCause(0)));
        if (decisions.isEmpty()) {
            apply(new PodGone(facts.origin(pod.name())));
            return null;
        }
        Decision decision = decisions.getFirst();
        NodePlacement on = ((PlaceGang) decision.action()).nodes().getFirst();
        MemberPlacement member = on.members().getFirst();
        GpuNode node = nodes.get(on.node());
        // What the core decides is checked here against what is free.
        int[] devices = member.devices().stream().mapToInt(Integer::intValue).toArray();
        node.take(shape, devices);
        // Seen on its node: that ends the hold, too.
        String id = decision.id().toString();
        apply(new PodChanged(facts.origin(pod.name()), CoreFacts.running(pod, on.node(), member.devices(), id)));
        return new Placement(node, devices);
    }

    private List<Decision> apply(ClusterEvent event) {
        return engine.apply(new JournalEntry(engine.nextSequence(), 0, event)).decisions();
    }
}
