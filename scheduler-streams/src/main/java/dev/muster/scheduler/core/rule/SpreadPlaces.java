package dev.muster.scheduler.core.rule;

import dev.muster.scheduler.core.model.SpreadConstraint;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.PodTerms;
import dev.muster.scheduler.core.state.PodTerms.Stance;
import dev.muster.scheduler.core.state.SpreadGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How the pods that some spread constraints count are spread now, seen by one kind of pod: pods by place. A node takes part
 * if it has the topology keys of all these constraints, and in one of them if its node inclusion policies let it
 * (kube-scheduler podtopologyspread {@code calPreFilterState}, {@code matchNodeInclusionPolicies}).
 */
final class SpreadPlaces {
    private final List<Counted> constraints = new ArrayList<>();
    private final Map<NodeState, Place[]> byNode = new HashMap<>();
    private final InternedRequirement requirement;

    /** Nodes that share a value of one constraint's topology key. */
    static final class Place {
        /** Whether a node of it takes part: it is one of the places that are compared. */
        private boolean counts;

        private int pods;
        /** For whoever counts places: the last look that saw it. */
        long seenBy;

        int pods() {
            return pods;
        }
    }

    /** A constraint, whom it counts, and whether a pod of this kind is one of those. */
    static final class Counted {
        private final SpreadConstraint constraint;
        private final SpreadGroup group;
        private final boolean itself;
        private final List<Place> places = new ArrayList<>();

        private Counted(SpreadConstraint constraint, SpreadGroup group, boolean itself) {
            this.constraint = constraint;
            this.group = group;
            this.itself = itself;
        }

        SpreadConstraint constraint() {
            return constraint;
        }

        /** 1 if a pod of this kind counts itself, otherwise 0. */
        int itself() {
            return itself ? 1 : 0;
        }

        /** Pods at the place with the fewest; 0 where there are fewer places than the constraint wants. */
        int fewest() {
            int fewest = Integer.MAX_VALUE;
            int domains = 0;
            for (Place place : places) {
                if (place.counts) {
                    domains++;
                    fewest = Math.min(fewest, place.pods);
                }
            }
            return domains < constraint.minDomains() ? 0 : fewest;
        }
    }

    /** Counts for those constraints of a requirement that must hold, or for those that only score. */
    SpreadPlaces(
            InternedRequirement requirement, Stance stance, ClusterState cluster, PodTerms terms, boolean required) {
        this.requirement = requirement;
        List<SpreadConstraint> all = requirement.requirement().pods().spread();
        List<SpreadGroup> groups = terms.spreadOf(requirement, cluster);
        for (int i = 0; i < groups.size(); i++) {
            if (all.get(i).required() == required) {
                boolean itself = stance.counting().contains(groups.get(i));
                constraints.add(new Counted(all.get(i), groups.get(i), itself));
            }
        }
        if (!constraints.isEmpty()) {
            count(cluster);
        }
    }

    private void count(ClusterState cluster) {
        List<Map<String, Place>> byValue = new ArrayList<>();
        constraints.forEach(constraint -> byValue.add(new HashMap<>()));
        for (NodeState node : cluster.nodes()) {
            if (!hasAllKeys(node)) {
                continue;
            }
            Place[] places = new Place[constraints.size()];
            for (int i = 0; i < places.length; i++) {
                Counted counted = constraints.get(i);
                String value = node.facts().labels().get(counted.constraint.topologyKey());
                places[i] = byValue.get(i).get(value);
                if (places[i] == null) {
                    places[i] = new Place();
                    byValue.get(i).put(value, places[i]);
                    counted.places.add(places[i]);
                }
                if (takesPart(counted.constraint, node)) {
                    places[i].counts = true;
                    places[i].pods += counted.group.at(node);
                }
            }
            byNode.put(node, places);
        }
    }

    private boolean hasAllKeys(NodeState node) {
        return node.facts() != null && missingKey(node) == null;
    }

    /** The first topology key that the node has no label for; null where it has all. */
    String missingKey(NodeState node) {
        for (Counted counted : constraints) {
            if (!node.facts().labels().containsKey(counted.constraint.topologyKey())) {
                return counted.constraint.topologyKey();
            }
        }
        return null;
    }

    private boolean takesPart(SpreadConstraint constraint, NodeState node) {
        return (!constraint.honorAffinity() || NodeFilters.selects(requirement, node))
                && (!constraint.honorTaints() || NodeFilters.toleratesAll(requirement, node));
    }

    /** The constraints, in the order the pod gives them. */
    List<Counted> constraints() {
        return constraints;
    }

    /** The node's places, one for each constraint; null where it lacks a topology key. */
    Place[] at(NodeState node) {
        return byNode.get(node);
    }

    /** A pod of this kind has been placed on the node. */
    void placed(NodeState node) {
        Place[] places = byNode.get(node);
        for (int i = 0; places != null && i < places.length; i++) {
            Counted counted = constraints.get(i);
            if (counted.itself && takesPart(counted.constraint, node)) {
                places[i].pods++;
            }
        }
    }
}
