package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.NumaFacts;
import dev.muster.scheduler.core.model.PodRules;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.Taint;
import dev.muster.scheduler.core.numa.TopologyManager;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Shares equal requirements, and tells which nodes are alike for every rule that looks only at labels and taints. */
public final class Interner {
    private final ResourceIndex resources;
    private final Map<Requirement, InternedRequirement> requirements = new HashMap<>();
    private final Map<PodRules, Integer> podRules = new HashMap<>();
    private final Map<ClassKey, Integer> classes = new HashMap<>();
    private final Map<NumaFacts, TopologyManager> topologyManagers = new HashMap<>();

    private record ClassKey(SortedMap<String, String> labels, List<Taint> taints) {}

    /** Sizes of the domain's GPUs. */
    final GpuSizes gpuSizes = new GpuSizes();

    Interner(ResourceIndex resources) {
        this.resources = resources;
    }

    /** The one instance for requirements equal to this one. */
    public InternedRequirement requirement(Requirement requirement) {
        InternedRequirement known = requirements.get(requirement);
        if (known == null) {
            known = new InternedRequirement(requirement, requirements.size(), resources, this);
            requirements.put(requirement, known);
        }
        return known;
    }

    /** A number for rules about other pods: the same for equal ones. */
    int podRules(PodRules rules) {
        return podRules.computeIfAbsent(rules, same -> podRules.size());
    }

    /** Predicts the kubelets of nodes with that report; null where it names no zones, or more than a kubelet aligns by. */
    TopologyManager topologyManager(NumaFacts report) {
        return topologyManagers.computeIfAbsent(report.shape(), TopologyManager::of);
    }

    /** The class of nodes with these labels (the host name apart) and taints. */
    int nodeClass(NodeFacts facts) {
        TreeMap<String, String> labels = new TreeMap<>(facts.labels());
        labels.remove(InternedRequirement.HOSTNAME_LABEL);
        return classes.computeIfAbsent(new ClassKey(labels, facts.taints()), key -> classes.size());
    }
}
