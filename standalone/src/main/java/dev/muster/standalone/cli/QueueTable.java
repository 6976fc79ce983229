package dev.muster.standalone.cli;

import dev.muster.schemas.common.Change;
import dev.muster.schemas.common.Origin;
import dev.muster.schemas.common.Quantity;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.event.PolicyEvent;
import dev.muster.schemas.event.QueueSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Queues: what topic policies says of them, and what their workloads have, from topic workload-status. */
final class QueueTable {
    private static final String KIND = "VolcanoQueue";
    private static final String GPU = "nvidia.com/gpu";

    private record Seen(String cluster, String name, long epoch, QueueSpec spec) {}

    /**
     * A queue and what it has.
     *
     * @param spec as its object says; empty for a queue that workloads name and no object describes
     * @param waiting workloads without a place, incomplete ones included
     * @param running workloads that are placed or run
     * @param ended workloads that ended and are still known
     * @param gpuMilli GPUs that bound or placed pods hold, in thousandths
     * @param longestWaitMillis since when the workload that waits longest is known, epoch milliseconds; 0 where none waits
     */
    record Queue(
            String name,
            Optional<QueueSpec> spec,
            int waiting,
            int running,
            int ended,
            int podsWaiting,
            int podsBound,
            long gpuMilli,
            long longestWaitMillis) {
        String state() {
            return spec.map(s -> s.getOpen() ? "Open" : "Closed").orElse("Undefined");
        }

        /** GPUs that the queue may use at most; empty where it is not capped. */
        Optional<Long> gpuCapability() {
            return spec.flatMap(s -> s.getCapability().stream()
                    .filter(q -> q.getResource().equals(GPU))
                    .map(Quantity::getAmount)
                    .findFirst());
        }
    }

    private final Map<String, Seen> objects = new HashMap<>();
    private final Map<String, Long> listed = new HashMap<>();

    /** Takes a record of topic policies; null forgets the key. */
    void take(String key, PolicyEvent event) {
        if (event == null) {
            objects.remove(key);
            return;
        }
        if (!event.getKind().equals(KIND)) {
            return;
        }
        Origin origin = event.getOrigin();
        if (origin.getChange() == Change.RESYNC_END) {
            listed.merge(origin.getCluster(), origin.getEpoch(), Math::max);
        } else if (origin.getChange() == Change.DELETE) {
            objects.remove(key);
        } else if (event.getSpec() instanceof QueueSpec spec) {
            objects.put(key, new Seen(origin.getCluster(), origin.getName(), origin.getEpoch(), spec));
        }
    }

    /** All queues that have an object or a workload, by name. Queues of one name in several clusters are one. */
    List<Queue> queues(Collection<WorkloadStatus> workloads) {
        TreeMap<String, QueueSpec> specs = new TreeMap<>();
        new TreeMap<>(objects).values().forEach(seen -> {
            if (seen.epoch() >= listed.getOrDefault(seen.cluster(), 0L)) {
                specs.putIfAbsent(seen.name(), seen.spec());
            }
        });
        TreeMap<String, List<WorkloadStatus>> byQueue = new TreeMap<>();
        specs.keySet().forEach(name -> byQueue.put(name, new ArrayList<>()));
        workloads.forEach(w ->
                byQueue.computeIfAbsent(w.getQueue(), name -> new ArrayList<>()).add(w));
        return byQueue.entrySet().stream()
                .map(queue -> queue(queue.getKey(), Optional.ofNullable(specs.get(queue.getKey())), queue.getValue()))
                .toList();
    }

    private static Queue queue(String name, Optional<QueueSpec> spec, List<WorkloadStatus> workloads) {
        int waiting = 0;
        int running = 0;
        int podsWaiting = 0;
        int podsBound = 0;
        long gpuMilli = 0;
        long longest = 0;
        for (WorkloadStatus w : workloads) {
            podsBound += w.getBound();
            gpuMilli += w.getGpuMilli();
            if (Statuses.waits(w)) {
                waiting++;
                podsWaiting += Math.max(0, w.getPods() - w.getBound());
                longest = longest == 0 ? w.getArrivedMillis() : Math.min(longest, w.getArrivedMillis());
            } else if (Statuses.runs(w)) {
                running++;
            }
        }
        return new Queue(
                name,
                spec,
                waiting,
                running,
                workloads.size() - waiting - running,
                podsWaiting,
                podsBound,
                gpuMilli,
                longest);
    }
}
