package dev.muster.standalone.faults;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.schemas.event.HealthPolicySpec;
import dev.muster.schemas.event.PreemptionSpec;
import dev.muster.schemas.event.SchedulerPolicySpec;
import dev.muster.standalone.cluster.ObjectStore;
import dev.muster.standalone.cluster.ResourceKinds;
import dev.muster.standalone.cluster.VirtualCluster;
import dev.muster.standalone.cluster.VirtualTime;
import dev.muster.standalone.faults.Objects.PodShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a seed plays beside gangs and nodes: priorities with preemption, queues with quota, GPUs that fail for good. It draws
 * from a source of its own, so that seeds without any of it play as they would if there were none. Played only where {@code
 * -Dmuster.worlds=true} asks for it, since seeds that fail with it are not all mended.
 */
final class Worlds {
    /** Queues: {@code queue-0} and so on, each with a LocalQueue of the same name in each cluster. */
    static final int QUEUES = 3;

    private static final int LOW = 10;
    private static final int HIGH = 1_000;
    private static final long LONGEST_ILLNESS_MILLIS = 60_000;
    private static final String HEALTH = "muster.dev/gpu-health";

    final boolean priorities;
    final boolean queues;
    final boolean health;

    private final List<VirtualCluster> clusters;
    private final VirtualTime time;
    private final FaultPlan faults;
    private final SplittableRandom random;
    private int names;

    Worlds(long seed, List<VirtualCluster> clusters, VirtualTime time, FaultPlan faults) {
        this.clusters = clusters;
        this.time = time;
        this.faults = faults;
        this.random = new SplittableRandom(seed * 6_364_137 + 1_442);
        boolean played = Boolean.getBoolean("muster.worlds");
        this.priorities = random.nextInt(3) == 0 && played;
        this.queues = random.nextInt(3) == 0 && played;
        this.health = random.nextInt(4) == 0 && played;
    }

    /** Guards and pauses that fit into virtual minutes. */
    void policy(SchedulerPolicySpec.Builder policy) {
        if (priorities || queues) {
            policy.setPreemption(PreemptionSpec.newBuilder()
                    .setMinimumRuntimeMillis(2_000L)
                    .setCycleMemoryMillis(60_000L)
                    .setRoomKeptMillis(120_000L)
                    .build());
        }
        if (health) {
            policy.setHealth(HealthPolicySpec.newBuilder()
                    .setEvictAfterMillis(2_000L)
                    .setQuietMillis(20_000L)
                    .setSlotsHeldMillis(60_000L)
                    .build());
        }
    }

    /** Classes and queues are there from the beginning. */
    void furnish() {
        for (VirtualCluster cluster : clusters) {
            ObjectStore store = cluster.store();
            if (priorities) {
                store.create(Objects.priorityClass("low", LOW));
                store.create(Objects.priorityClass("high", HIGH));
            }
            if (queues) {
                store.create(Objects.flavor("any"));
            }
        }
        for (int i = 0; queues && i < QUEUES; i++) {
            String name = "queue-" + i;
            int nominal = 2 + random.nextInt(7);
            int borrowing = random.nextInt(3) == 0 ? -1 : random.nextInt(9);
            ObjectNode queue = Objects.clusterQueue(name, nominal, borrowing, random.nextInt(3) != 0);
            // A queue is the domain's: what its first cluster says counts.
            clusters.getFirst().store().create(queue);
            clusters.forEach(cluster -> cluster.store().create(Objects.localQueue(name)));
        }
    }

    /** One more turn of everything that the seed plays. */
    void act() {
        if (priorities) {
            switch (random.nextInt(14)) {
                case 0, 1 -> gang("low", "", 40 + random.nextInt(80));
                case 2 -> gang("high", "", 3 + random.nextInt(20));
                default -> {
                    // Mostly nobody comes.
                }
            }
        }
        if (queues) {
            if (random.nextInt(6) == 0) {
                gang(priorities && random.nextBoolean() ? "high" : "", queue(), 10 + random.nextInt(60));
            }
            if (random.nextInt(15) == 0) {
                changeQueue();
            }
        }
        if (health && faults.strikes(Fault.GPU_FATAL)) {
            breakGpu();
        }
    }

    private String queue() {
        return "queue-" + random.nextInt(QUEUES);
    }

    private VirtualCluster cluster() {
        return clusters.get(random.nextInt(clusters.size()));
    }

    /** Pods of whole GPUs, since these are what queues and classes are about. */
    private void gang(String priorityClass, String queue, int runtimeSeconds) {
        String name = "world-" + names++;
        int gpus = new int[] {1, 1, 2, 4}[random.nextInt(4)];
        int size = 1 + random.nextInt(4);
        int minimum = 1 + random.nextInt(size);
        PodShape shape = new PodShape(
                new Ask(500L * gpus, 1024L * gpus, gpus, 0, 1), runtimeSeconds, 1 + random.nextInt(15), false);
        ObjectStore store = cluster().store();
        if (random.nextInt(3) == 0) {
            ObjectNode job = Objects.volcanoJob(name, size, minimum, shape);
            ObjectNode template = (ObjectNode) job.at("/spec/tasks/0/template");
            Objects.inWorld(template, priorityClass, queue);
            Objects.inQueue(job, queue);
            store.create(job);
            return;
        }
        List<Runnable> steps = new ArrayList<>();
        ObjectNode group = Objects.inQueue(Objects.podGroup(name, minimum), queue);
        steps.add(() -> store.create(group));
        for (int i = 0; i < size; i++) {
            ObjectNode pod = Objects.inPodGroup(Objects.pod(name + "-" + i, shape), name);
            ObjectNode member = Objects.inWorld(pod, priorityClass, queue);
            steps.add(() -> store.create(member));
        }
        long at = 0;
        for (Runnable step : steps) {
            time.after(Duration.ofMillis(at), step);
            at += random.nextLong(5);
        }
    }

    /** The operator gives a queue more or less, or stops it for a while. */
    private void changeQueue() {
        ObjectStore store = clusters.getFirst().store();
        String name = queue();
        if (random.nextBoolean()) {
            int nominal = 1 + random.nextInt(8);
            store.edit(ResourceKinds.CLUSTER_QUEUES, "", name, queue -> Objects.nominal(queue, nominal));
            return;
        }
        String stop = random.nextBoolean() ? "Hold" : "HoldAndDrain";
        store.edit(ResourceKinds.CLUSTER_QUEUES, "", name, queue -> stop(queue, stop));
        time.after(
                Duration.ofMillis(2_000 + random.nextInt(30_000)),
                () -> store.edit(ResourceKinds.CLUSTER_QUEUES, "", name, queue -> stop(queue, "None")));
    }

    private static void stop(ObjectNode queue, String policy) {
        queue.withObject("/spec").put("stopPolicy", policy);
    }

    /** A GPU falls off the bus, or the whole node's do; somebody resets them later. */
    private void breakGpu() {
        ObjectStore store = cluster().store();
        List<String> nodes = store.list(ResourceKinds.NODES).stream()
                .filter(node -> node.at("/status/allocatable").path(Ask.GPU).asInt(0) > 0)
                .map(node -> node.at("/metadata/name").asText())
                .toList();
        if (nodes.isEmpty()) {
            return;
        }
        String node = nodes.get(random.nextInt(nodes.size()));
        String signal = random.nextInt(3) == 0 ? "xid=79" : "gpu=0 xid=79";
        store.edit(
                ResourceKinds.NODES,
                "",
                node,
                object -> object.withObject("/metadata/annotations").put(HEALTH, signal));
        time.after(Duration.ofMillis(faults.amount(Fault.GPU_FATAL, 1_000, LONGEST_ILLNESS_MILLIS)), () -> {
            if (store.get(ResourceKinds.NODES, "", node).isPresent()) {
                store.edit(
                        ResourceKinds.NODES,
                        "",
                        node,
                        object -> object.withObject("/metadata/annotations").remove(HEALTH));
            }
        });
    }
}
