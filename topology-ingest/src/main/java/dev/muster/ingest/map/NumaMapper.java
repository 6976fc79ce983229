package dev.muster.ingest.map;

import dev.muster.schemas.common.KeyValue;
import dev.muster.schemas.event.NumaSpec;
import dev.muster.schemas.event.NumaZone;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A NodeResourceTopology (topology.node.k8s.io). Policy and scope come from the attributes topologyManagerPolicy and
 * topologyManagerScope, else from the deprecated topologyPolicies.
 */
public final class NumaMapper {

    private NumaMapper() {}

    /** The facts of {@code object}, named like its node. */
    public static Mapped<NumaSpec> map(GenericKubernetesResource object) {
        Problems problems = new Problems();
        Tree root = Tree.of(object, problems);
        String policy = "";
        String scope = "";
        for (Tree attribute : root.children("attributes", Limits.TERMS)) {
            String value = attribute.scalar("value");
            switch (attribute.text("name")) {
                case "topologyManagerPolicy" -> policy = known(value, policy, problems);
                case "topologyManagerScope" -> scope = value.equals("pod") ? "pod" : "container";
                default -> {} // Attributes are free-form; only these two are the kubelet's.
            }
        }
        List<String> deprecated = root.texts("topologyPolicies", Limits.TERMS);
        if (policy.isEmpty() && !deprecated.isEmpty()) {
            policy = policyOf(deprecated.get(0));
            scope = deprecated.get(0).endsWith("PodLevel") ? "pod" : "container";
        }
        List<NumaZone> zones = new ArrayList<>();
        for (Tree zone : root.children("zones", Limits.ZONES)) {
            if (zone.text("type").equals("Node")) {
                zones.add(zone(zone));
            }
        }
        zones.sort(Comparator.comparing(NumaZone::getName));
        NumaSpec facts = new NumaSpec(policy.isEmpty() ? "none" : policy, scope.isEmpty() ? "container" : scope, zones);
        return Mapped.strict(facts, problems);
    }

    private static NumaZone zone(Tree zone) {
        SortedMap<String, Long> capacity = new TreeMap<>();
        SortedMap<String, Long> allocatable = new TreeMap<>();
        SortedMap<String, Long> available = new TreeMap<>();
        for (Tree resource : zone.children("resources", Limits.RESOURCES)) {
            String name = resource.text("name");
            resource.amountInto(capacity, name, "capacity");
            resource.amountInto(allocatable, name, "allocatable");
            resource.amountInto(available, name, "available");
        }
        SortedMap<String, String> costs = new TreeMap<>();
        for (Tree cost : zone.children("costs", Limits.ZONES)) {
            costs.put(cost.text("name"), cost.scalar("value"));
        }
        List<KeyValue> costList = new ArrayList<>(costs.size());
        costs.forEach((name, value) -> costList.add(new KeyValue(name, value)));
        return new NumaZone(
                zone.text("name"),
                Quantities.list(allocatable),
                Quantities.list(available),
                costList,
                Quantities.list(capacity));
    }

    private static String known(String policy, String otherwise, Problems problems) {
        return switch (policy) {
            case "none", "best-effort", "restricted", "single-numa-node" -> policy;
            default -> {
                problems.invalid(
                        "attributes[topologyManagerPolicy]",
                        policy,
                        "none, best-effort, restricted or single-numa-node");
                yield otherwise;
            }
        };
    }

    private static String policyOf(String deprecated) {
        if (deprecated.startsWith("SingleNUMANode")) {
            return "single-numa-node";
        }
        if (deprecated.startsWith("Restricted")) {
            return "restricted";
        }
        return deprecated.startsWith("BestEffort") ? "best-effort" : "none";
    }
}
