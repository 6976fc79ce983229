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
                QuotaObject,
                Storage {
    /**
     * A Volcano Queue: amounts sorted by resource, a resource that is not named is not limited.
     *
     * @param priority which of the queues comes first, and gives back last; 0 where none is given
     */
    record Queue(
            int weight,
            String parent,
            boolean reclaimable,
            List<Amount> capability,
            List<Amount> deserved,
            List<Amount> guarantee,
            boolean open,
            int priority)
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

    /**
     * What is made of GPU health signals.
     *
     * @param ttlMillis how long a signal counts in full after it was raised, then one step less, and so on; 0 for as long as
     *     it is on
     * @param flaps one that is raised so often counts until it has been quiet
     * @param quietMillis how long a signal must be off to be forgotten
     * @param eviction when what runs on sick GPUs and lost nodes is evicted
     */
    record Health(long ttlMillis, int flaps, long quietMillis, HealthEviction eviction) {
        /** In force until the operator says otherwise. */
        public static final Health DEFAULT = new Health(0, 3, 600_000);

        /** Evictions as usual. */
        public Health(long ttlMillis, int flaps, long quietMillis) {
            this(ttlMillis, flaps, quietMillis, HealthEviction.DEFAULT);
        }
    }

    /**
     * What the operator sets for the domain.
     *
     * @param strategy how nodes are scored for workloads that nothing else is said of
     * @param health what is made of GPU health signals
     * @param queueStrategies how nodes are scored for workloads of a queue, by queue
     * @param weights of score rules that have another than the usual one, by rule
     * @param volumeBindTimeoutMillis how much longer a placement may take where claims of volumes have to be bound first
     * @param preemption who may be evicted for whom, and how often
     * @param fairSharing how queues share what they do not own
     */
    record SchedulerPolicy(
            String strategy,
            long bindTimeoutMillis,
            long bindBackoffMillis,
            long bindBackoffMaxMillis,
            Health health,
            SortedMap<String, String> queueStrategies,
            SortedMap<String, Integer> weights,
            long volumeBindTimeoutMillis,
            PreemptionPolicy preemption,
            FairSharing fairSharing)
            implements Policy {
        /** As long as kube-scheduler waits for volumes by default (VolumeBindingArgs, bindTimeoutSeconds). */
        private static final long VOLUME_BIND_TIMEOUT_MILLIS = 600_000;

        /** In force until the operator says otherwise. */
        public static final SchedulerPolicy DEFAULT = new SchedulerPolicy("mixed", 30_000, 1_000, 300_000);

        public SchedulerPolicy {
            queueStrategies = Collections.unmodifiableSortedMap(new TreeMap<>(queueStrategies));
            weights = Collections.unmodifiableSortedMap(new TreeMap<>(weights));
        }

        /** Health signals, queues, weights, volumes, preemption and sharing as usual. */
        public SchedulerPolicy(
                String strategy, long bindTimeoutMillis, long bindBackoffMillis, long bindBackoffMaxMillis) {
            this(
                    strategy,
                    bindTimeoutMillis,
                    bindBackoffMillis,
                    bindBackoffMaxMillis,
                    Health.DEFAULT,
                    Collections.emptySortedMap(),
                    Collections.emptySortedMap(),
                    VOLUME_BIND_TIMEOUT_MILLIS,
                    PreemptionPolicy.DEFAULT,
                    FairSharing.DEFAULT);
        }

        /** The same with another strategy. */
        public SchedulerPolicy withStrategy(String other) {
            return new SchedulerPolicy(
                    other,
                    bindTimeoutMillis,
                    bindBackoffMillis,
                    bindBackoffMaxMillis,
                    health,
                    queueStrategies,
                    weights,
                    volumeBindTimeoutMillis,
                    preemption,
                    fairSharing);
        }

        /** The same with other guards of preemption. */
        public SchedulerPolicy withPreemption(PreemptionPolicy other) {
            return new SchedulerPolicy(
                    strategy,
                    bindTimeoutMillis,
                    bindBackoffMillis,
                    bindBackoffMaxMillis,
                    health,
                    queueStrategies,
                    weights,
                    volumeBindTimeoutMillis,
                    other,
                    fairSharing);
        }

        /** The same with another way of sharing. */
        public SchedulerPolicy withFairSharing(FairSharing other) {
            return new SchedulerPolicy(
                    strategy,
                    bindTimeoutMillis,
                    bindBackoffMillis,
                    bindBackoffMaxMillis,
                    health,
                    queueStrategies,
                    weights,
                    volumeBindTimeoutMillis,
                    preemption,
                    other);
        }
    }
}
