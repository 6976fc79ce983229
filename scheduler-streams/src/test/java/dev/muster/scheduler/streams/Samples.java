package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.ClaimPlacement;
import dev.muster.scheduler.core.model.FairSharing;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.HealthEviction;
import dev.muster.scheduler.core.model.HostPort;
import dev.muster.scheduler.core.model.Label;
import dev.muster.scheduler.core.model.NetworkTopology;
import dev.muster.scheduler.core.model.PodSetTopology;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.PreemptionPolicy;
import dev.muster.scheduler.core.model.QuotaObject;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.Storage;
import dev.muster.scheduler.core.model.SubGroup;
import dev.muster.scheduler.core.model.SubmittedJob;
import dev.muster.scheduler.core.model.WorkloadKind;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Random values of the core's records, valid and full: built by reflection, so that a component added to a record is in the
 * tests at once.
 */
final class Samples {
    private static final Set<String> NULLABLE = Set.of(
            "PodFacts.group",
            "GroupFacts.topology",
            "SubGroupPolicy.topology",
            "NumaChanged.facts",
            "WorkloadStatus.decision",
            "WorkloadStatus.eviction",
            "Node.origin",
            "Node.facts",
            "Node.healthOrigin",
            "Node.numaOrigin",
            "Node.numa",
            "Workload.job",
            "Preemption.borrowThreshold",
            "Workload.decision",
            "Workload.evictedFor");

    private static final Map<String, List<String>> WORDS = Map.ofEntries(
            Map.entry("NodeExpression.operator", List.of("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")),
            Map.entry("Toleration.operator", List.of("Equal", "Exists")),
            Map.entry("Toleration.effect", List.of("", "NoSchedule", "PreferNoSchedule", "NoExecute")),
            Map.entry("Taint.effect", List.of("NoSchedule", "PreferNoSchedule", "NoExecute")),
            Map.entry("HostPort.protocol", List.of("TCP", "UDP", "SCTP")),
            Map.entry("PodFacts.phase", List.of("Pending", "Running", "Succeeded", "Failed", "Unknown")),
            Map.entry("NumaFacts.policy", List.of("none", "best-effort", "restricted", "single-numa-node")),
            Map.entry("NumaFacts.scope", List.of("container", "pod")),
            Map.entry("SchedulerPolicy.strategy", List.of("binpack", "spread", "fgd", "mixed")),
            Map.entry("Preemption.withinClusterQueue", List.of("Never", "LowerPriority", "LowerOrNewerEqualPriority")),
            Map.entry("Preemption.reclaimWithinCohort", List.of("Never", "LowerPriority", "Any")),
            Map.entry("Preemption.borrowWithinCohort", List.of("Never", "LowerPriority")));

    private static final List<String> POLICY_KINDS = List.of(
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
    private static final List<String> GROUP_KINDS =
            List.of(Kinds.VOLCANO_POD_GROUP, Kinds.POD_GROUP, Kinds.VOLCANO_JOB, Kinds.BATCH_JOB, Kinds.KAI_POD_GROUP);
    private static final List<String> LISTED_KINDS = List.of(
            Kinds.NODE,
            Kinds.POD,
            Kinds.GPU_HEALTH,
            Kinds.NUMA,
            Kinds.VOLCANO_POD_GROUP,
            Kinds.POD_GROUP,
            Kinds.VOLCANO_JOB,
            Kinds.VOLCANO_QUEUE,
            Kinds.BATCH_JOB,
            Kinds.KAI_POD_GROUP,
            Kinds.KAI_TOPOLOGY,
            Kinds.PRIORITY_CLASS,
            Kinds.TOPOLOGY,
            Kinds.HYPER_NODE,
            Kinds.CLUSTER_QUEUE,
            Kinds.LOCAL_QUEUE,
            Kinds.DISRUPTION_BUDGET);

    private final Random random;
    private int names;

    Samples(long seed) {
        random = new Random(seed);
    }

    <T> T of(Class<T> type) {
        return type.cast(value("", type));
    }

    private Object value(String path, Type type) {
        if (NULLABLE.contains(path) && random.nextInt(3) == 0) {
            return null;
        }
        if (WORDS.containsKey(path)) {
            return pick(WORDS.get(path));
        }
        if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            return list(path, list.getActualTypeArguments()[0]);
        }
        if (type instanceof ParameterizedType map && map.getRawType() == SortedMap.class) {
            Type values = map.getActualTypeArguments()[1];
            return values == String.class
                    ? new TreeMap<>(Map.of(name(), name(), name(), ""))
                    : new TreeMap<>(Map.of(name(), value("", values)));
        }
        Class<?> raw = (Class<?>) type;
        if (raw == String.class) {
            return name();
        } else if (raw == long.class) {
            return 1 + random.nextLong(1L << 40);
        } else if (raw == int.class || raw == Integer.class) {
            return number(path);
        } else if (raw == boolean.class) {
            return random.nextBoolean();
        } else if (raw == GroupRef.class) {
            return new GroupRef(
                    pick(List.of(
                            WorkloadKind.VOLCANO_POD_GROUP,
                            WorkloadKind.POD_GROUP,
                            WorkloadKind.KAI_POD_GROUP,
                            WorkloadKind.JOB)),
                    name());
        } else if (raw == SubmittedJob.class) {
            return job();
        } else if (raw == SubGroup.class) {
            return new SubGroup(name(), "", random.nextInt(9), random.nextInt(3), of(PodSetTopology.class));
        } else if (raw == Policy.SchedulerPolicy.class) {
            return new Policy.SchedulerPolicy(
                    pick(List.of("binpack", "spread", "fgd", "mixed")),
                    5,
                    10,
                    10 + random.nextInt(1000),
                    new Policy.Health(
                            random.nextInt(1000),
                            2 + random.nextInt(9),
                            1 + random.nextInt(1000),
                            new HealthEviction(
                                    random.nextBoolean(),
                                    random.nextInt(1000),
                                    random.nextInt(1000),
                                    1 + random.nextInt(1000),
                                    1 + random.nextInt(100))),
                    new TreeMap<>(Map.of(name(), pick(List.of("spread", "mixed")))),
                    new TreeMap<>(Map.of("GpuIslands", random.nextInt(1000))),
                    random.nextInt(1000),
                    of(PreemptionPolicy.class),
                    of(FairSharing.class));
        } else if (raw == PreemptionPolicy.class) {
            return preemption();
        } else if (raw == FairSharing.class) {
            return fairSharing();
        } else if (raw.isEnum()) {
            return pick(List.of(raw.getEnumConstants()));
        } else if (raw.isSealed()) {
            return value(path, pick(List.of(raw.getPermittedSubclasses())));
        }
        return build(raw);
    }

    private PreemptionPolicy preemption() {
        return new PreemptionPolicy(
                random.nextBoolean(),
                pick(List.of(PreemptionPolicy.Fence.values())),
                random.nextInt(1000),
                random.nextInt(1000),
                random.nextInt(1000),
                random.nextInt(1000),
                random.nextInt(100_000),
                random.nextInt(5),
                random.nextInt(100_000),
                random.nextInt(5),
                List.of(name(), name()),
                List.of(new PreemptionPolicy.Ceiling(name(), random.nextInt())),
                1 + random.nextInt(100_000),
                List.of(name()));
    }

    private FairSharing fairSharing() {
        return new FairSharing(
                random.nextBoolean(),
                random.nextBoolean() ? List.of() : List.of(pick(List.of(FairSharing.Strategy.values()))),
                random.nextInt(1001),
                pick(List.of(FairSharing.VolcanoShare.values())),
                random.nextInt(1000),
                1000 + random.nextInt(1000),
                new TreeMap<>(Map.of(name(), random.nextInt(1000))),
                random.nextBoolean());
    }

    private Object build(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = value(type.getSimpleName() + "." + components[i].getName(), components[i].getGenericType());
        }
        for (int i = 0; i < components.length; i++) {
            if (components[i].getName().equals("kind") && types[i] == String.class) {
                values[i] = kind(type.getSimpleName(), values);
            }
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("cannot build a " + type, e);
        }
    }

    private String kind(String type, Object[] values) {
        return switch (type) {
            case "ResyncBegan", "ResyncEnded", "Sync" -> pick(LISTED_KINDS);
            case "GroupChanged", "GroupGone", "Group" -> pick(GROUP_KINDS);
            case "PolicyGone" -> pick(POLICY_KINDS);
            case "PolicyChanged", "PolicyObject" ->
                switch ((Policy) values[values.length - 1]) {
                    case Policy.Queue p -> Kinds.VOLCANO_QUEUE;
                    case Policy.PriorityClass p -> Kinds.PRIORITY_CLASS;
                    case Policy.DisruptionBudget p -> Kinds.DISRUPTION_BUDGET;
                    case Policy.Namespace p -> Kinds.NAMESPACE;
                    case Policy.Topology p -> pick(List.of(Kinds.TOPOLOGY, Kinds.KAI_TOPOLOGY));
                    case Policy.HyperNode p -> Kinds.HYPER_NODE;
                    case Storage.Claim p -> Kinds.CLAIM;
                    case Storage.Volume p -> Kinds.VOLUME;
                    case Storage.Class p -> Kinds.STORAGE_CLASS;
                    case Storage.CsiNode p -> Kinds.CSI_NODE;
                    case QuotaObject.ClusterQueue p -> Kinds.CLUSTER_QUEUE;
                    case QuotaObject.Cohort p -> Kinds.COHORT;
                    case QuotaObject.LocalQueue p -> Kinds.LOCAL_QUEUE;
                    case QuotaObject.ResourceFlavor p -> Kinds.RESOURCE_FLAVOR;
                    case QuotaObject.WorkloadPriorityClass p -> Kinds.WORKLOAD_PRIORITY_CLASS;
                    case Policy.SchedulerPolicy p -> Kinds.SCHEDULER_POLICY;
                };
            default -> name();
        };
    }

    private Object list(String path, Type element) {
        int size = random.nextInt(4);
        if (element == Integer.class) {
            TreeSet<Integer> rising = new TreeSet<>();
            for (int i = 0; i < size; i++) {
                rising.add(random.nextInt(16));
            }
            return List.copyOf(rising);
        }
        List<Object> items = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            items.add(value("", element));
        }
        if (element == Amount.class) {
            items.sort(Comparator.comparing(item -> ((Amount) item).resource()));
        } else if (element == ClaimPlacement.class) {
            items.sort(Comparator.comparing(item -> ((ClaimPlacement) item).claim()));
        } else if (element == HostPort.class) {
            return List.copyOf(new TreeSet<>(items));
        } else if (element == Label.class) {
            items.sort(Comparator.comparing(item -> ((Label) item).key()));
        }
        return items;
    }

    private int number(String path) {
        return switch (path) {
            case "ResourceQuota.borrowing", "ResourceQuota.lending", "GroupFacts.wanted" -> random.nextInt(10) - 1;
            case "PreferredTerm.weight" -> 1 + random.nextInt(100);
            case "PreferredPodTerm.weight" -> (random.nextBoolean() ? 1 : -1) * (1 + random.nextInt(100));
            case "HealthSignal.device", "HealthSignal.peer", "PodFacts.index", "Task.replicas" ->
                random.nextInt(10) - 1;
            case "PodFacts.priority", "PriorityClass.value", "WorkloadStatus.priority" -> random.nextInt();
            case "Requirement.gpuFractionMilli" -> random.nextInt(1000);
            default -> 1 + random.nextInt(1000);
        };
    }

    private SubmittedJob job() {
        List<SubmittedJob.Task> tasks = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            int replicas = 1 + random.nextInt(50);
            tasks.add(new SubmittedJob.Task(
                    name(),
                    replicas,
                    random.nextInt(replicas + 1),
                    of(Requirement.class),
                    name(),
                    new TreeMap<>(Map.of(name(), name()))));
        }
        return new SubmittedJob(
                name(),
                pick(List.of("", name())),
                pick(List.of("", name())),
                random.nextInt(),
                1,
                tasks,
                random.nextBoolean() ? null : of(NetworkTopology.class),
                random.nextBoolean());
    }

    /** Always another one, of characters from everywhere. */
    private String name() {
        return pick(List.of("n", "ü", "日", "😀", "a/b", "x.y")) + names++ + "-" + random.nextInt(1000);
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
