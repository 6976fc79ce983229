package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.GroupFacts;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.NumaFacts;
import dev.muster.scheduler.core.model.PodFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Keeps equal parts of facts once. Each event is decoded into objects of its own, and thousands of pods repeat the same
 * namespace, phase, labels and requests. A memory only: facts with shared parts equal those without.
 */
final class Sharing {
    /** Bounded, since tenants choose some of the words: once full it begins anew. */
    private static final int MOST = 1 << 16;

    private static final int RECENT = 1 << 8;

    private final Map<Object, Object> kept = new HashMap<>();

    /** Facts of pods that were met lately: those of a gang that waits are the same but for the index. */
    private final PodFacts[] recent = new PodFacts[RECENT];

    private final GroupFacts[] recentGroups = new GroupFacts[RECENT];

    /** The one that was met first of all that equal this one. */
    @SuppressWarnings("unchecked") // what equals a string or a record of ours is of its class
    <T> T one(T part) {
        Object known = kept.get(part);
        if (known != null) {
            return (T) known;
        }
        if (kept.size() == MOST) {
            kept.clear();
        }
        kept.put(part, part);
        return part;
    }

    /** An object's origin; name and uid are those that are kept of it already, if they are the same. */
    Origin origin(Origin origin, String name, String uid) {
        return new Origin(
                one(origin.cluster()),
                origin.epoch(),
                one(origin.namespace()),
                origin.name().equals(name) ? name : origin.name(),
                origin.uid().equals(uid) ? uid : origin.uid(),
                origin.resourceVersion());
    }

    /** A pod's facts without its index; its requirement is interned, its node may be known under that name. */
    PodFacts pod(PodFacts facts, InternedRequirement requirement, NodeState node) {
        PodFacts shared = facts.sharing(
                this::one,
                node == null ? facts.node() : node.id().name(),
                facts.group() == null ? null : one(facts.group()),
                requirement.requirement());
        int slot = Objects.hash(shared.group(), shared.node(), shared.task()) & RECENT - 1;
        if (!shared.equals(recent[slot])) {
            recent[slot] = shared;
        }
        return recent[slot];
    }

    /** What gang objects say: those of one size and queue that came lately say the same. */
    GroupFacts group(GroupFacts facts) {
        int slot = facts.hashCode() & RECENT - 1;
        if (!facts.equals(recentGroups[slot])) {
            recentGroups[slot] = facts;
        }
        return recentGroups[slot];
    }

    /** A node's NUMA nodes: machines of one make report the same of them, but for what is free. */
    NumaFacts numa(NumaFacts facts) {
        boolean idle = true;
        List<NumaFacts.Zone> zones = new ArrayList<>();
        for (NumaFacts.Zone zone : facts.zones()) {
            List<Amount> allocatable = one(zone.allocatable());
            boolean free = zone.available().equals(allocatable);
            idle &= free;
            zones.add(new NumaFacts.Zone(
                    one(zone.name()),
                    one(zone.capacity()),
                    allocatable,
                    free ? allocatable : zone.available(),
                    one(zone.costs())));
        }
        NumaFacts shared = new NumaFacts(one(facts.policy()), one(facts.scope()), zones);
        return idle ? one(shared) : shared;
    }

    /** A node's facts; a label that repeats its name shares it. */
    NodeFacts node(NodeFacts facts, String name) {
        TreeMap<String, String> labels = new TreeMap<>();
        facts.labels().forEach((key, value) -> labels.put(one(key), value.equals(name) ? name : one(value)));
        return new NodeFacts(
                labels,
                one(facts.taints()),
                facts.cordoned(),
                facts.ready(),
                one(facts.allocatable()),
                facts.gpuCapacity(),
                one(facts.deviceGroups()));
    }
}
