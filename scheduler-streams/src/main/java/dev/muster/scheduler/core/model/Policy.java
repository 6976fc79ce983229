package dev.muster.scheduler.core.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** An object that steers scheduling rather than being scheduled. */
public sealed interface Policy
        permits Policy.Queue,
                Policy.PriorityClass,
                Policy.DisruptionBudget,
                Policy.Namespace,
                Policy.Topology,
                Policy.HyperNode,
                Policy.SchedulerPolicy,
                Storage {
    /** A Volcano Queue: amounts sorted by resource, a resource that is not named is not limited. */
    record Queue(
            int weight,
            String parent,
            boolean reclaimable,
            List<Amount> capability,
            List<Amount> deserved,
            List<Amount> guarantee,
            boolean open)
            implements Policy {
        public Queue {
            capability = List.copyOf(capability);
            deserved = List.copyOf(deserved);
            guarantee = List.copyOf(guarantee);
        }
    }

    /** A PriorityClass. */
    record PriorityClass(int value, boolean globalDefault, boolean mayPreempt) implements Policy {}

    /** A PodDisruptionBudget: bounds as written, selector as expressions (empty selects the whole namespace). */
    record DisruptionBudget(
            String minAvailable, String maxUnavailable, List<NodeExpression> selector, int disruptionsAllowed)
            implements Policy {
        public DisruptionBudget {
            selector = List.copyOf(selector);
        }
    }

    /** A namespace: its labels by key, what affinity terms choose namespaces by. */
    record Namespace(SortedMap<String, String> labels) implements Policy {
        public Namespace {
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        }
    }

    /** A Topology of Kueue: labels of nodes, the widest level first. */
    record Topology(List<String> levels) implements Policy {
        public Topology {
            levels = List.copyOf(levels);
        }
    }

    /** A HyperNode of Volcano: the lower the tier, the nearer its members. */
    record HyperNode(int tier, String tierName, List<HyperNodeMember> members) implements Policy {
        public HyperNode {
            members = List.copyOf(members);
        }
    }

    /** What the operator sets for the domain. */
    record SchedulerPolicy(String strategy, long bindTimeoutMillis, long bindBackoffMillis, long bindBackoffMaxMillis)
            implements Policy {
        /** In force until the operator says otherwise. */
        public static final SchedulerPolicy DEFAULT = new SchedulerPolicy("fgd", 30_000, 1_000, 300_000);

        /** The same with another strategy. */
        public SchedulerPolicy withStrategy(String other) {
            return new SchedulerPolicy(other, bindTimeoutMillis, bindBackoffMillis, bindBackoffMaxMillis);
        }
    }
}
