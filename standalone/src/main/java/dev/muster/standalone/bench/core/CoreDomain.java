package dev.muster.standalone.bench.core;

import dev.muster.scheduler.core.decision.Action.MemberPlacement;
import dev.muster.scheduler.core.decision.Action.NodePlacement;
import dev.muster.scheduler.core.decision.Action.PlaceGang;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.PodSetTopology;
import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.scheduler.core.round.Effects;
import dev.muster.scheduler.core.round.Engine;
import dev.muster.standalone.bench.core.CoreNews.Place;
import dev.muster.standalone.bench.core.CoreWorkload.Role;
import java.util.ArrayList;
import java.util.List;

/** One engine and the made-up cluster that it is told of; plays ingest and binder. */
final class CoreDomain {
    private static final int MILLIS_PER_TICK = 5;

    private final CoreWorkload workload;
    private final CoreOptions options;
    private final int queues;
    private final CoreNews news = new CoreNews();
    private final Engine engine = Engine.empty();
    private long nowMillis;

    /** A domain that places by a strategy; its gangs are in one queue. */
    CoreDomain(CoreOptions options, CoreWorkload workload, String strategy) {
        this(options, workload, strategy, 1);
    }

    /** The same with gangs in so many queues. */
    CoreDomain(CoreOptions options, CoreWorkload workload, String strategy, int queues) {
        this.options = options;
        this.workload = workload;
        this.queues = queues;
        apply(new ClusterEvent.EngineStarted(Engine.VERSION));
        apply(new ClusterEvent.PolicyChanged(
                news.operators(), Kinds.SCHEDULER_POLICY, SchedulerPolicy.DEFAULT.withStrategy(strategy)));
    }

    /** Tells of the cluster's nodes, and that all its kinds were listed. */
    void list(int nodes) {
        List<String> kinds = new ArrayList<>(Kinds.NEEDED_TO_PLACE);
        kinds.addAll(List.of(Kinds.TOPOLOGY, Kinds.HYPER_NODE));
        kinds.forEach(kind -> apply(new ClusterEvent.ResyncBegan(CoreNews.CLUSTER, kind, 1)));
        if (options.topology() != CoreOptions.Topology.none) {
            apply(news.topology());
        }
        for (int node = 0; node < nodes; node++) {
            apply(news.nodeChanged(node));
            if (options.numa()) {
                apply(news.numaChanged(node));
            }
        }
        kinds.forEach(kind -> apply(new ClusterEvent.ResyncEnded(CoreNews.CLUSTER, kind, 1, 0)));
    }

    /** Tells of a gang that waits: its group and its pods. */
    void submit(int gang) {
        String name = nameOf(gang);
        if (!workload.lone()) {
            apply(news.group(name, workload.rolesOf(gang), "queue-" + gang % queues));
        }
        for (Role role : workload.rolesOf(gang)) {
            for (int index = 0; index < role.pods(); index++) {
                apply(news.waitingPod(name, workload.lone(), role, index, place()));
            }
        }
    }

    /** Where the pods of a gang ask to be. */
    private PodSetTopology place() {
        if (options.topology() != CoreOptions.Topology.required || workload.lone()) {
            return PodSetTopology.NONE;
        }
        boolean inRack = workload.gpusPerGang() <= CoreNews.GPUS_PER_RACK;
        return new PodSetTopology(inRack ? CoreNews.RACK_LABEL : CoreNews.BLOCK_LABEL, "", false, List.of(), "gang");
    }

    /** One round. */
    List<Decision> tick() {
        return round().decisions();
    }

    /** The same with all that it says to the outside. */
    Effects round() {
        nowMillis += MILLIS_PER_TICK;
        return apply(new ClusterEvent.Tick("marked"));
    }

    /** What the binder and the cluster say of a placement that was carried out: the decision is bound, its pods run. */
    void bind(Decision decision) {
        PlaceGang placed = (PlaceGang) decision.action();
        apply(CoreNews.bound(decision, nowMillis));
        for (NodePlacement node : placed.nodes()) {
            for (MemberPlacement member : node.members()) {
                Place place = new Place(new String(node.node().toCharArray()), member.devices());
                int gang = gangOf(member.name());
                Role role = roleOf(gang, placed.podSets().get(member.podSet()).name());
                apply(news.runningPod(
                        nameOf(gang), workload.lone(), role, Math.max(0, member.index()), place, place()));
            }
        }
    }

    /** Tells that a gang which was placed by this decision ended, and is gone. */
    void end(Decision decision) {
        PlaceGang placed = (PlaceGang) decision.action();
        int gang = -1;
        for (NodePlacement node : placed.nodes()) {
            for (MemberPlacement member : node.members()) {
                gang = gangOf(member.name());
                Role role = roleOf(gang, placed.podSets().get(member.podSet()).name());
                int index = Math.max(0, member.index());
                Place place = new Place(node.node(), member.devices());
                apply(news.endedPod(nameOf(gang), workload.lone(), role, index, place, place()));
                apply(news.podGone(nameOf(gang), role, index));
            }
        }
        if (!workload.lone()) {
            apply(news.groupGone(nameOf(gang)));
        }
    }

    /** The name of a gang's group. */
    static String nameOf(int gang) {
        return "g" + gang;
    }

    private static int gangOf(String pod) {
        return Integer.parseInt(pod, 1, pod.indexOf('-'), 10);
    }

    private Role roleOf(int gang, String task) {
        return workload.rolesOf(gang).stream()
                .filter(role -> role.task().equals(task))
                .findFirst()
                .orElseThrow();
    }

    private Effects apply(ClusterEvent event) {
        Effects effects = engine.apply(new JournalEntry(engine.nextSequence(), nowMillis, event));
        if (!effects.applied()) {
            throw new IllegalStateException("the engine passed over " + event);
        }
        return effects;
    }
}
