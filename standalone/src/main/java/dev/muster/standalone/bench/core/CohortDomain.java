package dev.muster.standalone.bench.core;

import dev.muster.scheduler.core.decision.Action.MemberPlacement;
import dev.muster.scheduler.core.decision.Action.NodePlacement;
import dev.muster.scheduler.core.decision.Action.PlaceGang;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.scheduler.core.model.QuotaObject.Preemption;
import dev.muster.scheduler.core.round.Effects;
import dev.muster.scheduler.core.round.Engine;
import dev.muster.standalone.bench.core.CohortNews.Pod;
import dev.muster.standalone.bench.core.CoreNews.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One engine, a cluster of 8-GPU nodes and its queues; plays ingest and binder. */
final class CohortDomain {
    private static final int MILLIS_PER_TICK = 5;

    private final CohortNews news = new CohortNews();
    private final CoreNews nodeNews = new CoreNews();
    private final Engine engine = Engine.empty();
    private final Map<String, Pod> pods = new HashMap<>();
    private long nowMillis;

    /** Tells of the nodes, the queues, and that all kinds were listed. */
    CohortDomain(int nodes, int queues, Preemption preemption, SchedulerPolicy policy) {
        apply(new ClusterEvent.EngineStarted(Engine.VERSION));
        apply(new ClusterEvent.PolicyChanged(nodeNews.operators(), Kinds.SCHEDULER_POLICY, policy));
        List<String> kinds = new ArrayList<>(Kinds.NEEDED_TO_PLACE);
        kinds.addAll(Kinds.QUOTA);
        kinds.forEach(kind -> apply(new ClusterEvent.ResyncBegan(CoreNews.CLUSTER, kind, 1)));
        for (int node = 0; node < nodes; node++) {
            apply(nodeNews.nodeChanged(node));
        }
        if (queues > 0) {
            news.quota(queues, nodes, preemption).forEach(this::apply);
        }
        kinds.forEach(kind -> apply(new ClusterEvent.ResyncEnded(CoreNews.CLUSTER, kind, 1, 0)));
    }

    /** Tells of a pod that waits; one of a gang comes after {@link #gang}. */
    void submit(Pod pod) {
        pods.put(pod.name(), pod);
        apply(news.pod(pod, "Pending", new Place("", List.of())));
    }

    void gang(String name, int size) {
        apply(news.gang(name, size));
    }

    /** Time passes. */
    void sleep(long millis) {
        nowMillis += millis;
    }

    /** One round. */
    List<Decision> tick() {
        nowMillis += MILLIS_PER_TICK;
        return apply(new ClusterEvent.Tick("marked")).decisions();
    }

    /** What the binder and the cluster say of a placement that was carried out. */
    void bind(Decision decision) {
        apply(CoreNews.bound(decision, nowMillis));
        for (NodePlacement node : ((PlaceGang) decision.action()).nodes()) {
            for (MemberPlacement member : node.members()) {
                apply(news.pod(pods.get(member.name()), "Running", new Place(node.node(), member.devices())));
            }
        }
    }

    /** What was placed by this decision ends, and is gone. */
    void end(Decision decision) {
        for (NodePlacement node : ((PlaceGang) decision.action()).nodes()) {
            for (MemberPlacement member : node.members()) {
                Pod pod = pods.remove(member.name());
                apply(news.pod(pod, "Succeeded", new Place(node.node(), member.devices())));
                apply(news.gone(pod));
            }
        }
    }

    private Effects apply(ClusterEvent event) {
        Effects effects = engine.apply(new JournalEntry(engine.nextSequence(), nowMillis, event));
        if (!effects.applied()) {
            throw new IllegalStateException("the engine passed over " + event);
        }
        return effects;
    }
}
