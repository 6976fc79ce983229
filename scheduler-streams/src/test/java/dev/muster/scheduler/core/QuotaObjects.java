package dev.muster.scheduler.core;

import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyGone;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.QuotaObject;
import dev.muster.scheduler.core.model.QuotaObject.ClusterQueue;
import dev.muster.scheduler.core.model.QuotaObject.Cohort;
import dev.muster.scheduler.core.model.QuotaObject.FlavorQuotas;
import dev.muster.scheduler.core.model.QuotaObject.Fungibility;
import dev.muster.scheduler.core.model.QuotaObject.LocalQueue;
import dev.muster.scheduler.core.model.QuotaObject.Preemption;
import dev.muster.scheduler.core.model.QuotaObject.ResourceFlavor;
import dev.muster.scheduler.core.model.QuotaObject.ResourceGroup;
import dev.muster.scheduler.core.model.QuotaObject.ResourceQuota;
import dev.muster.scheduler.core.model.QuotaObject.StopPolicy;
import dev.muster.scheduler.core.model.Taint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Kueue's objects, put into a domain. Quotas are of GPUs, in whole ones; cpu and memory are as good as endless. */
final class QuotaObjects {
    static final String GPU = "nvidia.com/gpu";
    private static final long PLENTY = 1L << 40;

    private final TestDomain domain;

    QuotaObjects(TestDomain domain) {
        this.domain = domain;
        Kinds.QUOTA.forEach(domain::listed);
    }

    void flavor(String name, Map<String, String> labels, Taint... taints) {
        put("", name, Kinds.RESOURCE_FLAVOR, new ResourceFlavor(new TreeMap<>(labels), List.of(taints), List.of()));
    }

    /** What a queue or cohort has of a flavor: nominal, borrowing and lending limit, -1 for none. */
    static FlavorQuotas gpus(String flavor, long nominal, long borrowing, long lending) {
        return new FlavorQuotas(
                flavor,
                List.of(
                        new ResourceQuota("cpu", PLENTY, -1, -1),
                        new ResourceQuota("memory", PLENTY, -1, -1),
                        new ResourceQuota(GPU, nominal, borrowing, lending)));
    }

    static List<ResourceGroup> group(FlavorQuotas... flavors) {
        return List.of(new ResourceGroup(List.of("cpu", "memory", GPU), List.of(flavors)));
    }

    void queue(String name, String cohort, FlavorQuotas... flavors) {
        queue(name, cohort, false, StopPolicy.NONE, Fungibility.DEFAULT, Preemption.NEVER, flavors);
    }

    void queue(
            String name,
            String cohort,
            boolean strict,
            StopPolicy stop,
            Fungibility fungibility,
            Preemption preemption,
            FlavorQuotas... flavors) {
        put(
                "",
                name,
                Kinds.CLUSTER_QUEUE,
                new ClusterQueue(
                        cohort, strict, stop, true, List.of(), fungibility, preemption, 1000, false, group(flavors)));
    }

    void cohort(String name, String parent, FlavorQuotas... flavors) {
        put("", name, Kinds.COHORT, new Cohort(parent, 1000, flavors.length == 0 ? List.of() : group(flavors)));
    }

    /** A cohort of a weight, in thousandths. */
    void weighted(String name, String parent, int weightMilli, FlavorQuotas... flavors) {
        put("", name, Kinds.COHORT, new Cohort(parent, weightMilli, group(flavors)));
    }

    /** A queue of a weight, in thousandths, that preempts nobody. */
    void weightedQueue(String name, String cohort, int weightMilli, FlavorQuotas... flavors) {
        weightedQueue(name, cohort, weightMilli, Preemption.NEVER, flavors);
    }

    void weightedQueue(String name, String cohort, int weightMilli, Preemption preemption, FlavorQuotas... flavors) {
        put(
                "",
                name,
                Kinds.CLUSTER_QUEUE,
                new ClusterQueue(
                        cohort,
                        false,
                        StopPolicy.NONE,
                        true,
                        List.of(),
                        Fungibility.DEFAULT,
                        preemption,
                        weightMilli,
                        false,
                        group(flavors)));
    }

    /** A Volcano Queue by what it deserves. */
    void deserving(String name, String parent, long deserved, long guarantee, boolean reclaimable, int priority) {
        put(
                "",
                name,
                Kinds.VOLCANO_QUEUE,
                new Policy.Queue(
                        1, parent, reclaimable, List.of(), amounts(deserved), amounts(guarantee), true, priority));
    }

    void localQueue(String namespace, String name, String queue) {
        put(namespace, name, Kinds.LOCAL_QUEUE, new LocalQueue(queue, StopPolicy.NONE, 1000));
    }

    void priorityClass(String name, int value) {
        put("", name, Kinds.WORKLOAD_PRIORITY_CLASS, new QuotaObject.WorkloadPriorityClass(value));
    }

    void volcano(String name, String parent, long capability, long guarantee) {
        put(
                "",
                name,
                Kinds.VOLCANO_QUEUE,
                new Policy.Queue(1, parent, true, amounts(capability), List.of(), amounts(guarantee), true, 0));
    }

    private static List<Amount> amounts(long gpus) {
        List<Amount> amounts = new ArrayList<>();
        if (gpus >= 0) {
            amounts.add(new Amount(GPU, gpus));
        }
        return amounts;
    }

    void gone(String namespace, String name, String kind) {
        domain.apply(new PolicyGone(domain.origin(namespace, name), kind));
    }

    private void put(String namespace, String name, String kind, Policy policy) {
        domain.apply(new PolicyChanged(domain.origin(namespace, name), kind, policy));
    }
}
