package dev.muster.ingest.map;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The effective request of a pod, as kube-scheduler works it out (component-helpers {@code resource.PodRequests}).
 *
 * <p>Containers and restartable init containers (sidecars) run together: they add up. A plain init container runs alone
 * beside the sidecars that were started before it: its peak counts where it is higher. Pod-level requests replace the
 * result for the resources that may be set there; the overhead of the runtime comes on top. A container's limit stands
 * in for a request that is missing, as the API server's defaulting does. One pod counts as one of {@code pods}.
 */
final class RequestArithmetic {

    private RequestArithmetic() {}

    /** The request, sorted by resource; what cannot be read is left out and reported. */
    static SortedMap<String, Long> effective(PodSpec spec, Problems problems) {
        SortedMap<String, Long> running = new TreeMap<>();
        forEach(spec.getContainers(), "spec.containers", problems, (c, own) -> add(running, own));

        SortedMap<String, Long> sidecars = new TreeMap<>();
        SortedMap<String, Long> peak = new TreeMap<>();
        forEach(spec.getInitContainers(), "spec.initContainers", problems, (container, own) -> {
            if ("Always".equals(container.getRestartPolicy())) {
                add(running, own);
                add(sidecars, own);
                max(peak, sidecars);
            } else {
                add(own, sidecars);
                max(peak, own);
            }
        });
        max(running, peak);
        podLevel(running, spec.getResources(), problems);
        add(running, Quantities.read(spec.getOverhead(), "spec.overhead", RoundingMode.CEILING, problems));
        running.put("pods", 1L);
        running.forEach((resource, amount) -> problems.within("request of " + resource, amount, Quantities.LARGEST));
        problems.within("resources of the pod", running.size(), Limits.RESOURCES);
        return running;
    }

    private interface Each {
        void take(Container container, SortedMap<String, Long> own);
    }

    private static void forEach(List<Container> containers, String field, Problems problems, Each each) {
        if (containers == null || !problems.within(field, containers.size(), Limits.CONTAINERS)) {
            return;
        }
        for (int i = 0; i < containers.size(); i++) {
            Container container = containers.get(i);
            each.take(container, own(container.getResources(), field + "[" + i + "].resources", problems));
        }
    }

    private static SortedMap<String, Long> own(ResourceRequirements resources, String field, Problems problems) {
        if (resources == null) {
            return new TreeMap<>();
        }
        SortedMap<String, Long> requests =
                Quantities.read(resources.getRequests(), field + ".requests", RoundingMode.CEILING, problems);
        Map<String, Quantity> limits = resources.getLimits();
        Quantities.read(limits, field + ".limits", RoundingMode.CEILING, problems)
                .forEach(requests::putIfAbsent);
        return requests;
    }

    private static void podLevel(SortedMap<String, Long> running, ResourceRequirements resources, Problems problems) {
        if (resources == null) {
            return;
        }
        Quantities.read(resources.getRequests(), "spec.resources.requests", RoundingMode.CEILING, problems)
                .forEach((resource, amount) -> {
                    if (isPodLevel(resource)) {
                        running.put(resource, amount);
                    }
                });
        Quantities.read(resources.getLimits(), "spec.resources.limits", RoundingMode.CEILING, problems)
                .forEach((resource, amount) -> {
                    if (isPodLevel(resource)) {
                        running.putIfAbsent(resource, amount);
                    }
                });
    }

    private static boolean isPodLevel(String resource) {
        return resource.equals("cpu") || resource.equals("memory") || resource.startsWith("hugepages-");
    }

    private static void add(SortedMap<String, Long> into, SortedMap<String, Long> more) {
        // Saturating: a sum above the largest amount is reported at the end, never wrapped into a small one.
        more.forEach((resource, amount) ->
                into.merge(resource, amount, (a, b) -> Math.min(a + b, Quantities.LARGEST + 1)));
    }

    private static void max(SortedMap<String, Long> into, SortedMap<String, Long> other) {
        other.forEach((resource, amount) -> into.merge(resource, amount, Math::max));
    }
}
