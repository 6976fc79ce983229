package dev.muster.ingest.map;

import dev.muster.schemas.common.AlignedContainer;
import dev.muster.schemas.common.ContainerKind;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What of each container's requests a kubelet takes from NUMA nodes. Devices always; of pods of class Guaranteed cpus where
 * the container asks for whole ones, memory and huge pages (kubernetes/kubernetes pkg/kubelet/cm: cpumanager and
 * memorymanager, policy static). The managers leave pods with pod-level cpus or memory alone, their devices apart.
 *
 * <p>Amounts that cannot be read are reported where the pod's request is worked out, and left out here.
 */
final class AlignedContainers {
    private static final List<String> QOS_RESOURCES = List.of("cpu", "memory");
    private static final long CORE_MILLIS = 1000;

    private AlignedContainers() {}

    /** Containers that ask for any of it, in the order the kubelet admits them: init containers first. */
    static List<AlignedContainer> of(PodSpec spec) {
        boolean pinned = guaranteed(spec) && !hasPodLevelRequests(spec);
        List<AlignedContainer> containers = new ArrayList<>();
        for (Container container : orEmpty(spec.getInitContainers())) {
            boolean sidecar = "Always".equals(container.getRestartPolicy());
            add(containers, container, sidecar ? ContainerKind.SIDECAR : ContainerKind.INIT, pinned);
        }
        for (Container container : orEmpty(spec.getContainers())) {
            add(containers, container, ContainerKind.MAIN, pinned);
        }
        return containers;
    }

    private static void add(
            List<AlignedContainer> containers, Container container, ContainerKind kind, boolean pinned) {
        SortedMap<String, Long> aligned = new TreeMap<>();
        amounts(container, true).forEach((resource, amount) -> {
            boolean device = resource.contains("/");
            boolean wholeCpus = resource.equals("cpu") && amount % CORE_MILLIS == 0;
            boolean memory = resource.equals("memory") || resource.startsWith("hugepages-");
            if (amount > 0 && (device || pinned && (wholeCpus || memory))) {
                aligned.put(resource, amount);
            }
        });
        if (!aligned.isEmpty() && aligned.size() <= Limits.RESOURCES && containers.size() < Limits.CONTAINERS) {
            containers.add(new AlignedContainer(kind, Quantities.list(aligned)));
        }
    }

    /** Requests, limits where a request is missing; or limits alone. */
    private static SortedMap<String, Long> amounts(Container container, boolean requests) {
        ResourceRequirements resources = container.getResources();
        if (resources == null) {
            return new TreeMap<>();
        }
        SortedMap<String, Long> amounts = read(requests ? resources.getRequests() : null);
        read(resources.getLimits()).forEach(amounts::putIfAbsent);
        return amounts;
    }

    private static SortedMap<String, Long> read(Map<String, Quantity> amounts) {
        return Quantities.read(amounts, "resources", RoundingMode.CEILING, new Problems());
    }

    /** Every container has limits of cpu and memory, and asks for as much (core/v1 helper qos.GetPodQOS). */
    private static boolean guaranteed(PodSpec spec) {
        List<Container> all = new ArrayList<>(orEmpty(spec.getInitContainers()));
        all.addAll(orEmpty(spec.getContainers()));
        return !all.isEmpty()
                && all.stream().allMatch(container -> {
                    SortedMap<String, Long> limits = amounts(container, false);
                    SortedMap<String, Long> requests = amounts(container, true);
                    return QOS_RESOURCES.stream()
                            .allMatch(resource -> limits.getOrDefault(resource, 0L) > 0
                                    && Objects.equals(limits.get(resource), requests.get(resource)));
                });
    }

    private static boolean hasPodLevelRequests(PodSpec spec) {
        ResourceRequirements ofPod = spec.getResources();
        return ofPod != null
                && (!read(ofPod.getRequests()).isEmpty()
                        || !read(ofPod.getLimits()).isEmpty());
    }

    private static <T> List<T> orEmpty(List<T> list) {
        return list == null ? List.of() : list;
    }
}
