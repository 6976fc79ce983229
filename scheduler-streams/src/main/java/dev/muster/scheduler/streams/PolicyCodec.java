package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.HealthEviction;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.QuotaObject;
import dev.muster.scheduler.core.model.Storage;
import dev.muster.scheduler.core.rule.RuleCatalogue;
import dev.muster.schemas.event.ClaimSpec;
import dev.muster.schemas.event.ClusterQueueSpec;
import dev.muster.schemas.event.CohortSpec;
import dev.muster.schemas.event.CsiNodeSpec;
import dev.muster.schemas.event.DisruptionBudgetSpec;
import dev.muster.schemas.event.HealthPolicySpec;
import dev.muster.schemas.event.HyperNodeSpec;
import dev.muster.schemas.event.LocalQueueSpec;
import dev.muster.schemas.event.NamespaceSpec;
import dev.muster.schemas.event.PriorityClassSpec;
import dev.muster.schemas.event.QueueSpec;
import dev.muster.schemas.event.QueueStrategy;
import dev.muster.schemas.event.ResourceFlavorSpec;
import dev.muster.schemas.event.RuleWeight;
import dev.muster.schemas.event.SchedulerPolicySpec;
import dev.muster.schemas.event.StorageClassSpec;
import dev.muster.schemas.event.TopologySpec;
import dev.muster.schemas.event.VolumeSpec;
import dev.muster.schemas.event.WorkloadPriorityClassSpec;
import java.util.List;
import java.util.TreeMap;

/** Policy objects: Volcano Queues, PriorityClasses, PodDisruptionBudgets, namespaces, topologies, storage, Kueue's quota, the operator's policy. */
final class PolicyCodec {
    static final List<String> KINDS = List.of(
            Kinds.VOLCANO_QUEUE,
            Kinds.PRIORITY_CLASS,
            Kinds.DISRUPTION_BUDGET,
            Kinds.NAMESPACE,
            Kinds.TOPOLOGY,
            Kinds.KAI_TOPOLOGY,
            Kinds.HYPER_NODE,
            Kinds.CLAIM,
            Kinds.VOLUME,
            Kinds.STORAGE_CLASS,
            Kinds.CSI_NODE,
            Kinds.CLUSTER_QUEUE,
            Kinds.COHORT,
            Kinds.LOCAL_QUEUE,
            Kinds.RESOURCE_FLAVOR,
            Kinds.WORKLOAD_PRIORITY_CLASS,
            Kinds.SCHEDULER_POLICY);

    private static final List<String> STRATEGIES = RuleCatalogue.strategies();
    private static final long LONGEST_WAIT_MILLIS = 86_400_000;

    private PolicyCodec() {}

    /** The facts that an event of this kind carries. */
    static Policy read(String kind, Object spec) {
        Policy policy = spec == null ? null : policy(kind, spec);
        if (policy == null) {
            throw InvalidFieldException.of(
                    "spec", spec == null ? null : spec.getClass().getSimpleName(), "the facts of a " + kind);
        }
        return policy;
    }

    /** Null when the facts are not of the type that the kind names. */
    private static Policy policy(String kind, Object spec) {
        return switch (spec) {
            case QueueSpec queue when kind.equals(Kinds.VOLCANO_QUEUE) -> queue(queue);
            case PriorityClassSpec priority
            when kind.equals(Kinds.PRIORITY_CLASS) ->
                new Policy.PriorityClass(priority.getValue(), priority.getGlobalDefault(), priority.getMayPreempt());
            case DisruptionBudgetSpec budget when kind.equals(Kinds.DISRUPTION_BUDGET) -> budget(budget);
            case NamespaceSpec namespace
            when kind.equals(Kinds.NAMESPACE) ->
                new Policy.Namespace(RequirementCodec.byKey("spec.labels", namespace.getLabels()));
            case TopologySpec topology
            when kind.equals(Kinds.TOPOLOGY) || kind.equals(Kinds.KAI_TOPOLOGY) -> TopologyCodec.readLevels(topology);
            case HyperNodeSpec hyperNode when kind.equals(Kinds.HYPER_NODE) -> TopologyCodec.readHyperNode(hyperNode);
            case ClaimSpec claim when kind.equals(Kinds.CLAIM) -> StorageCodec.claim(claim);
            case VolumeSpec volume when kind.equals(Kinds.VOLUME) -> StorageCodec.volume(volume);
            case StorageClassSpec storageClass
            when kind.equals(Kinds.STORAGE_CLASS) -> StorageCodec.storageClass(storageClass);
            case CsiNodeSpec node when kind.equals(Kinds.CSI_NODE) -> StorageCodec.csiNode(node);
            case ClusterQueueSpec queue when kind.equals(Kinds.CLUSTER_QUEUE) -> QuotaCodec.queue(queue);
            case CohortSpec cohort when kind.equals(Kinds.COHORT) -> QuotaCodec.cohort(cohort);
            case LocalQueueSpec queue when kind.equals(Kinds.LOCAL_QUEUE) -> QuotaCodec.localQueue(queue);
            case ResourceFlavorSpec flavor when kind.equals(Kinds.RESOURCE_FLAVOR) -> QuotaCodec.flavor(flavor);
            case WorkloadPriorityClassSpec priority
            when kind.equals(Kinds.WORKLOAD_PRIORITY_CLASS) ->
                new QuotaObject.WorkloadPriorityClass(priority.getValue());
            case SchedulerPolicySpec ours when kind.equals(Kinds.SCHEDULER_POLICY) -> ours(ours);
            default -> null;
        };
    }

    static Object write(Policy from) {
        return switch (from) {
            case Policy.Queue queue ->
                new QueueSpec(
                        queue.weight(),
                        queue.parent(),
                        queue.reclaimable(),
                        RequirementCodec.writeAmounts(queue.capability()),
                        RequirementCodec.writeAmounts(queue.deserved()),
                        RequirementCodec.writeAmounts(queue.guarantee()),
                        queue.open(),
                        queue.priority());
            case Policy.PriorityClass priority ->
                new PriorityClassSpec(priority.value(), priority.globalDefault(), priority.mayPreempt());
            case Policy.DisruptionBudget budget ->
                new DisruptionBudgetSpec(
                        budget.minAvailable(),
                        budget.maxUnavailable(),
                        RequirementCodec.writeExpressions(budget.selector()),
                        budget.disruptionsAllowed());
            case Policy.Namespace namespace -> new NamespaceSpec(RequirementCodec.writeByKey(namespace.labels()));
            case Policy.Topology topology -> TopologyCodec.writeLevels(topology);
            case Policy.HyperNode hyperNode -> TopologyCodec.writeHyperNode(hyperNode);
            case Storage storage -> StorageCodec.write(storage);
            case QuotaObject quota -> QuotaCodec.write(quota);
            case Policy.SchedulerPolicy ours ->
                new SchedulerPolicySpec(
                        ours.strategy(),
                        ours.bindTimeoutMillis(),
                        ours.bindBackoffMillis(),
                        ours.bindBackoffMaxMillis(),
                        new HealthPolicySpec(
                                ours.health().ttlMillis(),
                                ours.health().flaps(),
                                ours.health().quietMillis(),
                                ours.health().eviction().enabled(),
                                ours.health().eviction().afterMillis(),
                                ours.health().eviction().nodeLostMillis(),
                                ours.health().eviction().slotsHeldMillis(),
                                ours.health().eviction().mostPercent()),
                        ours.queueStrategies().entrySet().stream()
                                .map(entry -> new QueueStrategy(entry.getKey(), entry.getValue()))
                                .toList(),
                        ours.weights().entrySet().stream()
                                .map(entry -> new RuleWeight(entry.getKey(), entry.getValue()))
                                .toList(),
                        ours.volumeBindTimeoutMillis(),
                        PreemptionCodec.write(ours.preemption()),
                        FairSharingCodec.write(ours.fairSharing()));
        };
    }

    private static Policy queue(QueueSpec from) {
        return new Policy.Queue(
                Checks.between("spec.weight", from.getWeight(), 1, Integer.MAX_VALUE),
                Checks.nameOrEmpty("spec.parent", from.getParent()),
                from.getReclaimable(),
                RequirementCodec.amounts("spec.capability", from.getCapability()),
                RequirementCodec.amounts("spec.deserved", from.getDeserved()),
                RequirementCodec.amounts("spec.guarantee", from.getGuarantee()),
                from.getOpen(),
                from.getPriority());
    }

    private static Policy budget(DisruptionBudgetSpec from) {
        return new Policy.DisruptionBudget(
                Checks.text("spec.minAvailable", from.getMinAvailable()),
                Checks.text("spec.maxUnavailable", from.getMaxUnavailable()),
                RequirementCodec.expressions("spec.selector", from.getSelector()),
                Checks.between("spec.disruptionsAllowed", from.getDisruptionsAllowed(), 0, Integer.MAX_VALUE));
    }

    private static Policy ours(SchedulerPolicySpec from) {
        long first = Checks.between("spec.bindBackoffMillis", from.getBindBackoffMillis(), 1, LONGEST_WAIT_MILLIS);
        return new Policy.SchedulerPolicy(
                Checks.oneOf("spec.strategy", from.getStrategy(), STRATEGIES),
                Checks.between("spec.bindTimeoutMillis", from.getBindTimeoutMillis(), 1, LONGEST_WAIT_MILLIS),
                first,
                Checks.between("spec.bindBackoffMaxMillis", from.getBindBackoffMaxMillis(), first, LONGEST_WAIT_MILLIS),
                health(from.getHealth()),
                queueStrategies(from.getQueueStrategies()),
                weights(from.getWeights()),
                Checks.between(
                        "spec.volumeBindTimeoutMillis", from.getVolumeBindTimeoutMillis(), 0, LONGEST_WAIT_MILLIS),
                Checks.part("spec.preemption", from.getPreemption(), PreemptionCodec::read),
                Checks.part("spec.fairSharing", from.getFairSharing(), FairSharingCodec::read));
    }

    private static Policy.Health health(HealthPolicySpec from) {
        return new Policy.Health(
                Checks.between("spec.health.ttlMillis", from.getTtlMillis(), 0, 365 * LONGEST_WAIT_MILLIS),
                Checks.between("spec.health.flaps", from.getFlaps(), 2, Integer.MAX_VALUE),
                Checks.between("spec.health.quietMillis", from.getQuietMillis(), 1, 365 * LONGEST_WAIT_MILLIS),
                new HealthEviction(
                        from.getEvict(),
                        Checks.between(
                                "spec.health.evictAfterMillis", from.getEvictAfterMillis(), 0, LONGEST_WAIT_MILLIS),
                        Checks.between("spec.health.nodeLostMillis", from.getNodeLostMillis(), 0, LONGEST_WAIT_MILLIS),
                        Checks.between(
                                "spec.health.slotsHeldMillis", from.getSlotsHeldMillis(), 1, LONGEST_WAIT_MILLIS),
                        Checks.between("spec.health.evictMostPercent", from.getEvictMostPercent(), 1, 100)));
    }

    private static TreeMap<String, String> queueStrategies(List<QueueStrategy> from) {
        TreeMap<String, String> strategies = new TreeMap<>();
        for (QueueStrategy one : from) {
            strategies.put(
                    Checks.name("spec.queueStrategies.queue", one.getQueue()),
                    Checks.oneOf("spec.queueStrategies.strategy", one.getStrategy(), STRATEGIES));
        }
        return strategies;
    }

    private static TreeMap<String, Integer> weights(List<RuleWeight> from) {
        TreeMap<String, Integer> weights = new TreeMap<>();
        for (RuleWeight weight : from) {
            weights.put(
                    Checks.oneOf("spec.weights.rule", weight.getRule(), RuleCatalogue.weighable()),
                    Checks.between("spec.weights.weight", weight.getWeight(), 0, RuleCatalogue.MOST_WEIGHT));
        }
        return weights;
    }
}
