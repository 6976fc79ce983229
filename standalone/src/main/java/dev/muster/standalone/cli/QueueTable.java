package dev.muster.standalone.cli;

import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.FairSharing.VolcanoShare;
import dev.muster.scheduler.core.model.FlavorAmount;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.QuotaObject.ClusterQueue;
import dev.muster.scheduler.core.model.QuotaObject.StopPolicy;
import dev.muster.scheduler.core.quota.FlavorResource;
import dev.muster.scheduler.core.quota.Limits;
import dev.muster.scheduler.core.quota.QuotaNode;
import dev.muster.scheduler.core.quota.QuotaNode.Id;
import dev.muster.scheduler.core.quota.QuotaTree;
import dev.muster.scheduler.core.quota.QuotaUnits;
import dev.muster.scheduler.core.quota.Share;
import dev.muster.scheduler.core.state.QueueTrees;
import dev.muster.scheduler.core.state.VolcanoShares;
import dev.muster.schemas.decision.WorkloadStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Queues and cohorts: what their objects say, and what their workloads have. The quota tree is the scheduler's own, made of
 * the same objects and of what workloads are charged.
 */
final class QueueTable {
    static final String GPU = "nvidia.com/gpu";

    /** What queues may use that nobody bounds is more than that. */
    private static final long UNBOUNDED = 1L << 59;

    /** Who waits goes in this order; the scheduler's ends in the order of arrival within a millisecond. */
    private static final Comparator<WorkloadStatus> IN_ORDER = Comparator.comparingInt(
                    (WorkloadStatus status) -> -status.getPriority())
            .thenComparing(WorkloadStatus::getArrivedMillis)
            .thenComparing(WorkloadStatus::getWorkload);

    /** What a queue or cohort is. */
    enum Kind {
        COHORT("Cohort"),
        CLUSTER_QUEUE("ClusterQueue"),
        VOLCANO_QUEUE("Queue"),
        /** A name that workloads give and no object describes. */
        UNDEFINED("-");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    /**
     * What a queue or cohort has of one resource of a flavor, in units of quotas.
     *
     * @param nominal its own; of a cohort with what all queues below it own; of a Volcano Queue its guarantee
     * @param borrowed used beyond that
     * @param lent of its own: not used by itself, and not to be had since others use it
     * @param available how much more it may use now; of a cohort 0
     * @param most how much it may use if nothing were used
     * @param deserved what a Volcano Queue takes back from others; empty where that is not known, and of others
     */
    record Quota(
            FlavorResource column,
            long nominal,
            long used,
            long borrowed,
            long lent,
            long available,
            long most,
            Optional<Long> deserved) {
        /** Whether the queue, or what it is in, bounds what may be used. */
        boolean bounded() {
            return most < UNBOUNDED;
        }
    }

    /**
     * What a queue or cohort is called and is.
     *
     * @param parent cohort or parent queue; empty for none
     * @param strict only the one in front may start
     */
    record Title(String name, Kind kind, String parent, String state, boolean strict, int weightMilli) {}

    /**
     * A queue or cohort.
     *
     * @param workloads charged to it
     * @param quotas by flavor and resource
     * @param shareMilli in thousandths, what its order goes by: of ClusterQueues and cohorts the share of what their cohort could
     *     lend, by weight, empty where nothing is borrowed; of a Volcano Queue that of what it deserves, or of all nodes by weight
     * @param gpuCapability GPUs that a Volcano Queue may use at most; empty where it is not capped
     */
    record Queue(
            Title title,
            List<WorkloadStatus> workloads,
            List<Quota> quotas,
            Optional<Long> shareMilli,
            Optional<Long> gpuCapability) {
        /** Workloads without a place, incomplete ones included, in the order in which they are looked at. */
        List<WorkloadStatus> waiting() {
            return workloads.stream().filter(Statuses::waits).sorted(IN_ORDER).toList();
        }

        int running() {
            return (int) workloads.stream().filter(Statuses::runs).count();
        }

        int ended() {
            return (int) workloads.stream().filter(Statuses::over).count();
        }

        int podsWaiting() {
            return waiting().stream()
                    .mapToInt(status -> Math.max(0, status.getPods() - status.getBound()))
                    .sum();
        }

        int podsBound() {
            return workloads.stream().mapToInt(WorkloadStatus::getBound).sum();
        }

        /** GPUs that bound or placed pods hold, in thousandths. */
        long gpuMilli() {
            return workloads.stream().mapToLong(WorkloadStatus::getGpuMilli).sum();
        }

        /** Since when the workload that waits longest is known, epoch milliseconds; 0 where none waits. */
        long longestWaitMillis() {
            return waiting().stream()
                    .mapToLong(WorkloadStatus::getArrivedMillis)
                    .min()
                    .orElse(0);
        }

        /** A figure of its GPUs, of all flavors, in thousandths; empty where it has no quota of GPUs. */
        Optional<Long> gpus(ToLongFunction<Quota> figure) {
            List<Quota> ofGpus = quotas.stream()
                    .filter(quota -> quota.column().resource().equals(GPU))
                    .toList();
            return ofGpus.isEmpty()
                    ? Optional.empty()
                    : Optional.of(ofGpus.stream().mapToLong(figure).sum());
        }
    }

    private final QueueTrees objects;
    private final TreeMap<Id, QuotaNode> described = new TreeMap<>();
    private final TreeMap<String, List<WorkloadStatus>> ofKueue = new TreeMap<>();
    private final TreeMap<String, List<WorkloadStatus>> others = new TreeMap<>();
    private final QuotaTree kueue;
    private final QuotaTree volcano;
    private final VolcanoShare sharing;
    private final VolcanoShares shares;

    /**
     * The queues of these objects with these workloads.
     *
     * @param total what all nodes have, in units of quotas
     * @param sharing how Volcano Queues share
     */
    QueueTable(
            QueueTrees objects,
            Collection<WorkloadStatus> workloads,
            SortedMap<String, Long> total,
            VolcanoShare sharing) {
        this.objects = objects;
        this.sharing = sharing;
        this.shares = VolcanoShares.stated(objects, total);
        objects.kueue().forEach(node -> described.put(node.id(), node));
        for (WorkloadStatus status : workloads) {
            var byQueue = status.getLocalQueue().isEmpty() ? others : ofKueue;
            byQueue.computeIfAbsent(status.getQueue(), name -> new ArrayList<>())
                    .add(status);
        }
        this.kueue = new QuotaTree(objects.kueue(), usage(ofKueue));
        this.volcano = new QuotaTree(objects.volcano(total), usage(others));
        objects.clusterQueues().keySet().forEach(name -> ofKueue.putIfAbsent(name, List.of()));
        objects.volcanoQueues().keySet().forEach(name -> others.putIfAbsent(name, List.of()));
    }

    private static SortedMap<String, SortedMap<FlavorResource, Long>> usage(
            SortedMap<String, List<WorkloadStatus>> byQueue) {
        SortedMap<String, SortedMap<FlavorResource, Long>> usage = new TreeMap<>();
        byQueue.forEach((queue, workloads) -> {
            List<FlavorAmount> used = new ArrayList<>();
            workloads.forEach(status -> status.getUsed()
                    .forEach(each -> used.add(
                            new FlavorAmount(each.getFlavor(), new Amount(each.getResource(), each.getAmount())))));
            usage.put(queue, QuotaUnits.of(used));
        });
        return usage;
    }

    /** Cohorts, ClusterQueues, then Volcano Queues and names that workloads give; each by name. */
    List<Queue> queues() {
        List<Queue> queues = new ArrayList<>();
        kueue.ids().stream().filter(id -> id.kind() == QuotaNode.Kind.COHORT).forEach(id -> queues.add(cohort(id)));
        ofKueue.forEach((name, workloads) -> queues.add(clusterQueue(name, workloads)));
        others.forEach((name, workloads) -> queues.add(volcanoQueue(name, workloads)));
        return queues;
    }

    private Queue cohort(Id id) {
        List<Quota> quotas = new ArrayList<>();
        for (FlavorResource column : kueue.columns()) {
            long nominal = 0;
            long used = 0;
            for (Id below : kueue.ids()) {
                if (kueue.path(below).contains(id)) {
                    QuotaNode node = described.get(below);
                    Limits limits = node == null ? null : node.limits().get(column);
                    nominal += limits == null ? 0 : limits.nominal();
                    used += below.kind() == QuotaNode.Kind.QUEUE ? kueue.usage(below, column) : 0;
                }
            }
            if (nominal > 0 || used > 0) {
                long most = kueue.potential(id, column);
                quotas.add(new Quota(column, nominal, used, kueue.borrowed(id, column), 0, 0, most, Optional.empty()));
            }
        }
        List<Id> path = kueue.path(id);
        String parent = path.size() > 1 ? path.get(1).name() : "";
        String state = kueue.disabled(id) ? "Inactive" : "Active";
        return new Queue(
                new Title(id.name(), Kind.COHORT, parent, state, false, weightMilli(id)),
                List.of(),
                quotas,
                share(id),
                Optional.empty());
    }

    private int weightMilli(Id id) {
        QuotaNode node = described.get(id);
        return node == null ? QuotaNode.DEFAULT_WEIGHT_MILLI : node.weightMilli();
    }

    private Queue clusterQueue(String name, List<WorkloadStatus> workloads) {
        ClusterQueue queue = objects.clusterQueue(name);
        if (queue == null) {
            return undefined(name, workloads);
        }
        Id id = Id.queue(name);
        List<Quota> quotas = described.get(id).limits().keySet().stream()
                .map(column -> quota(kueue, id, id, column))
                .toList();
        return new Queue(
                new Title(name, Kind.CLUSTER_QUEUE, queue.cohort(), state(id, queue), queue.strict(), weightMilli(id)),
                workloads,
                quotas,
                share(id),
                Optional.empty());
    }

    private String state(Id id, ClusterQueue queue) {
        if (kueue.disabled(id) || !objects.missingFlavors(queue).isEmpty()) {
            return "Inactive";
        }
        return queue.stop() == StopPolicy.NONE ? "Active" : queue.stop().label();
    }

    private Queue volcanoQueue(String name, List<WorkloadStatus> workloads) {
        Policy.Queue queue = objects.volcanoQueues().get(name);
        if (queue == null) {
            return undefined(name, workloads);
        }
        List<Quota> quotas = volcano.columns().stream()
                .filter(column -> named(queue, column.resource()))
                .map(column -> quota(volcano, Id.queue(name), Id.cohort(name), column))
                .map(quota -> deserving(quota, name))
                .toList();
        Optional<Long> capability = queue.capability().stream()
                .filter(amount -> amount.resource().equals(GPU))
                .map(Amount::amount)
                .findFirst();
        int weightMilli = (int) Math.min(Integer.MAX_VALUE, queue.weight() * 1000L);
        Title title = new Title(
                name, Kind.VOLCANO_QUEUE, queue.parent(), queue.open() ? "Open" : "Closed", false, weightMilli);
        return new Queue(title, workloads, quotas, volcanoShare(Id.cohort(name)), capability);
    }

    private boolean named(Policy.Queue queue, String resource) {
        return deserves(resource)
                || Stream.concat(queue.capability().stream(), queue.guarantee().stream())
                        .anyMatch(amount -> amount.resource().equals(resource));
    }

    /** By weight, what is deserved hangs on what all pods ask for that wait, which is known to the scheduler alone. */
    private boolean deserves(String resource) {
        return (sharing == VolcanoShare.DESERVED || sharing == VolcanoShare.DOMINANT) && shares.concerns(resource);
    }

    private Quota deserving(Quota quota, String name) {
        String resource = quota.column().resource();
        return new Quota(
                quota.column(),
                quota.nominal(),
                quota.used(),
                quota.borrowed(),
                quota.lent(),
                quota.available(),
                quota.most(),
                deserves(resource) ? Optional.of(shares.deserved(Id.cohort(name), resource)) : Optional.empty());
    }

    private Optional<Long> volcanoShare(Id id) {
        return switch (sharing) {
            case DOMINANT -> Optional.of(shares.dominant(id, volcano).milli());
            case DESERVED ->
                shares.anyDeserved()
                        ? Optional.of(shares.ofDeserved(id, volcano).milli())
                        : Optional.empty();
            case NONE, PROPORTION -> Optional.empty();
        };
    }

    private static Queue undefined(String name, List<WorkloadStatus> workloads) {
        Title title = new Title(name, Kind.UNDEFINED, "", "Undefined", false, QuotaNode.DEFAULT_WEIGHT_MILLI);
        return new Queue(title, workloads, List.of(), Optional.empty(), Optional.empty());
    }

    private static Quota quota(QuotaTree tree, Id queue, Id owner, FlavorResource column) {
        long nominal = tree.quota(owner, column);
        long used = tree.usage(queue, column);
        long available = Math.max(0, tree.available(queue.name(), column));
        long unused = Math.max(0, nominal - used);
        return new Quota(
                column,
                nominal,
                used,
                Math.max(0, used - nominal),
                Math.max(0, unused - available),
                available,
                tree.potential(queue, column),
                Optional.empty());
    }

    private Optional<Long> share(Id id) {
        Share share = kueue.share(id, new TreeMap<>());
        return share.borrowing() ? Optional.of(share.milli()) : Optional.empty();
    }
}
