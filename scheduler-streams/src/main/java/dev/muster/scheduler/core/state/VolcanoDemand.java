package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.QueueRef;
import dev.muster.scheduler.core.quota.FlavorResource;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is asked for in Volcano Queues: what their workloads have, and what all pods ask for that wait and could start (Volcano,
 * plugin proportion: the request of a queue).
 */
final class VolcanoDemand {
    private final QueueTrees objects;
    /** By queue, with all below it; only looked up. */
    private final Map<String, SortedMap<String, Long>> asked = new HashMap<>();

    private VolcanoDemand(QueueTrees objects) {
        this.objects = objects;
    }

    /** By queue and resource, with all below each queue, in units of quotas. */
    static Map<String, SortedMap<String, Long>> of(DomainState state, QueueTrees objects, QuotaLedger ledger) {
        VolcanoDemand demand = new VolcanoDemand(objects);
        for (String name : objects.volcanoQueues().keySet()) {
            for (Map.Entry<FlavorResource, Long> used :
                    ledger.inQuotaUnits(name).entrySet()) {
                demand.add(name, used.getKey().resource(), used.getValue());
            }
        }
        for (Workload workload : state.placeable.values()) {
            if (workload.queueRef.kind() == QueueRef.Kind.NAMED) {
                demand.add(workload);
            }
        }
        return demand.asked;
    }

    private void add(Workload workload) {
        InternedRequirement uniform = workload.uniformWaiting();
        if (uniform != null) {
            add(workload, uniform, workload.count(Member.Phase.WAITING));
            return;
        }
        for (PodSet podSet : workload.podSets.values()) {
            podSet.waiting().forEach(member -> add(workload, member.requirement(), 1));
        }
    }

    private void add(Workload workload, InternedRequirement requirement, int pods) {
        requirement.charge().forEach((resource, amount) -> add(workload.queueRef.name(), resource, amount * pods));
    }

    /** Counts it for a queue that has an object, and for all that it is in. */
    private void add(String queue, String resource, long amount) {
        String name = queue;
        for (int depth = 0;
                depth <= objects.volcanoQueues().size()
                        && objects.volcanoQueues().containsKey(name);
                depth++) {
            asked.computeIfAbsent(name, key -> new TreeMap<>()).merge(resource, amount, Long::sum);
            name = objects.parentOf(name);
        }
    }
}
