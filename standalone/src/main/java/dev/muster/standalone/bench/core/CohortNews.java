package dev.muster.standalone.bench.core;

import dev.muster.scheduler.core.event.ClusterEvent.GroupChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PodChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PodGone;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.GroupFacts;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.PodFacts;
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
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.WorkloadKind;
import dev.muster.standalone.bench.core.CoreNews.Place;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;

/** The events of a made-up cluster whose queues are in a tree of cohorts: its quota, and pods that are charged to it. */
final class CohortNews {
    /** Levels of cohorts above the queues. */
    static final int LEVELS = 5;

    private static final String NAMESPACE = "ml";
    private static final String FLAVOR = "gpu-8x";
    private static final long GIB = 1L << 30;
    private static final long EPOCH = 1;
    private static final int WEIGHT_MILLI = 1_000;

    private long resourceVersion;

    /**
     * A pod.
     *
     * @param gang empty for none
     * @param queue negative for none
     */
    record Pod(String name, String gang, int queue, int priority, Requirement requirement) {}

    /**
     * The flavor, so many ClusterQueues with a LocalQueue each, and five levels of cohorts above them. What nodes have is
     * shared out equally; what is left over, the root owns.
     */
    List<PolicyChanged> quota(int queues, int nodes, Preemption preemption) {
        List<PolicyChanged> objects = new ArrayList<>();
        objects.add(object(
                "",
                FLAVOR,
                Kinds.RESOURCE_FLAVOR,
                new ResourceFlavor(Collections.emptySortedMap(), List.of(), List.of())));
        long gpus = (long) nodes * CoreNews.GPUS_PER_NODE;
        objects.add(object("", cohort(0, 0), Kinds.COHORT, new Cohort("", WEIGHT_MILLI, groups(gpus % queues, gpus))));
        for (int level = 1; level < LEVELS; level++) {
            int width = width(level, queues);
            for (int i = 0; i < width; i++) {
                String parent = cohort(level - 1, above(i, width, width(level - 1, queues)));
                objects.add(object("", cohort(level, i), Kinds.COHORT, new Cohort(parent, WEIGHT_MILLI, List.of())));
            }
        }
        for (int queue = 0; queue < queues; queue++) {
            String parent = cohort(LEVELS - 1, above(queue, queues, width(LEVELS - 1, queues)));
            ClusterQueue described = new ClusterQueue(
                    parent,
                    false,
                    StopPolicy.NONE,
                    true,
                    List.of(),
                    Fungibility.DEFAULT,
                    preemption,
                    WEIGHT_MILLI,
                    false,
                    groups(gpus / queues, gpus));
            objects.add(object("", queueName(queue), Kinds.CLUSTER_QUEUE, described));
            objects.add(object(
                    NAMESPACE,
                    queueName(queue),
                    Kinds.LOCAL_QUEUE,
                    new LocalQueue(queueName(queue), StopPolicy.NONE, WEIGHT_MILLI)));
        }
        return objects;
    }

    /** Cohorts of a level: as many times more than of the level above as that has more than the one above it. */
    private static int width(int level, int queues) {
        return (int) Math.ceil(Math.pow(queues, (double) level / LEVELS) - 1e-9);
    }

    private static int above(int i, int width, int widthAbove) {
        return (int) ((long) i * widthAbove / width);
    }

    private static String cohort(int level, int i) {
        return "cohort-" + level + "-" + i;
    }

    private static String queueName(int queue) {
        return "queue-" + queue;
    }

    /** Only GPUs are short. */
    private static List<ResourceGroup> groups(long gpus, long all) {
        List<ResourceQuota> quotas = List.of(
                new ResourceQuota("cpu", all * 12_000, -1, -1),
                new ResourceQuota("memory", all * 128 * GIB, -1, -1),
                new ResourceQuota("nvidia.com/gpu", gpus, -1, -1));
        return List.of(new ResourceGroup(
                List.of("cpu", "memory", "nvidia.com/gpu"), List.of(new FlavorQuotas(FLAVOR, quotas))));
    }

    private PolicyChanged object(String namespace, String name, String kind, QuotaObject policy) {
        return new PolicyChanged(origin(namespace, name), kind, policy);
    }

    /** What a pod with so many GPUs asks for; variants differ in their CPUs. */
    static Requirement requirement(int gpus, int variant) {
        return new Requirement(
                List.of(
                        new Amount("cpu", 8_000L * gpus + 1_000L * variant),
                        new Amount("memory", 64 * GIB * gpus),
                        new Amount("nvidia.com/gpu", gpus),
                        new Amount("pods", 1)),
                0,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                "");
    }

    /** The PodGroup of a gang. */
    GroupChanged gang(String name, int pods) {
        return new GroupChanged(
                origin(NAMESPACE, name),
                Kinds.VOLCANO_POD_GROUP,
                new GroupFacts("", "", pods, List.of(), "", "Pending", 0, 0));
    }

    /** A pod as it is now: in a phase, at a place. */
    PodChanged pod(Pod pod, String phase, Place place) {
        TreeMap<String, String> labels = new TreeMap<>();
        if (pod.queue() >= 0) {
            labels.put("kueue.x-k8s.io/queue-name", queueName(pod.queue()));
        }
        PodFacts facts = new PodFacts(
                "muster",
                true,
                phase,
                place.node(),
                false,
                false,
                pod.priority(),
                true,
                pod.gang().isEmpty() ? null : new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, pod.gang()),
                "",
                -1,
                "",
                pod.requirement(),
                place.devices(),
                "",
                0);
        return new PodChanged(origin(NAMESPACE, pod.name()), facts.withLabels(labels));
    }

    PodGone gone(Pod pod) {
        return new PodGone(origin(NAMESPACE, pod.name()));
    }

    private Origin origin(String namespace, String name) {
        return new Origin(CoreNews.CLUSTER, EPOCH, namespace, name, "uid-of-" + name, ++resourceVersion);
    }
}
