package dev.muster.scheduler.core.model;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeMap;

/**
 * What one pod needs, reduced to what placement looks at. Pods with equal requirements are interchangeable.
 *
 * @param requests effective request, sorted by resource, without zeros
 * @param gpuFractionMilli thousandths of one GPU, 1 to 999, for a pod that shares a GPU; 0 otherwise
 * @param nodeSelector spec.nodeSelector, sorted by key
 * @param requiredTerms one of them must match; empty means no constraint
 * @param preferredTerms raise the score of nodes that match
 * @param tolerations the pod's tolerations
 * @param cluster member cluster the pod must run in; empty means any
 * @param pods what it says of the places of other pods
 * @param hostPorts ports it takes on its node, sorted, each once
 * @param topology where its pod set wants to be
 * @param claims claims of volumes it uses, as namespace/name, sorted
 * @param alignedContainers containers of which kubelets take anything from NUMA nodes, in the order they are admitted
 * @param gpuWish what it asks of its GPUs beside their number
 * @param strategy how nodes are scored for it; empty for what its queue or the policy says
 */
public record Requirement(
        List<Amount> requests,
        int gpuFractionMilli,
        List<Label> nodeSelector,
        List<NodeTerm> requiredTerms,
        List<PreferredTerm> preferredTerms,
        List<Toleration> tolerations,
        String cluster,
        PodRules pods,
        List<HostPort> hostPorts,
        PodSetTopology topology,
        List<String> claims,
        List<AlignedContainer> alignedContainers,
        GpuWish gpuWish,
        String strategy) {
    public Requirement {
        requests = List.copyOf(requests);
        nodeSelector = List.copyOf(nodeSelector);
        requiredTerms = List.copyOf(requiredTerms);
        preferredTerms = List.copyOf(preferredTerms);
        tolerations = List.copyOf(tolerations);
        hostPorts = List.copyOf(hostPorts);
        claims = List.copyOf(claims);
        alignedContainers = List.copyOf(alignedContainers);
        if (gpuFractionMilli < 0 || gpuFractionMilli > 999) {
            throw new IllegalArgumentException("gpuFractionMilli must be 0..999, was " + gpuFractionMilli);
        }
        boolean shares = gpuFractionMilli > 0 || gpuWish.memoryMib() > 0;
        if (shares && requests.stream().anyMatch(amount -> amount.resource().equals(ResourceNames.GPU))) {
            throw new IllegalArgumentException("a pod asks for whole GPUs or for a share of one, not for both");
        }
    }

    /** A requirement that takes nothing from NUMA nodes. */
    public Requirement(
            List<Amount> requests,
            int gpuFractionMilli,
            List<Label> nodeSelector,
            List<NodeTerm> requiredTerms,
            List<PreferredTerm> preferredTerms,
            List<Toleration> tolerations,
            String cluster,
            PodRules pods,
            List<HostPort> hostPorts,
            PodSetTopology topology,
            List<String> claims) {
        this(
                requests,
                gpuFractionMilli,
                nodeSelector,
                requiredTerms,
                preferredTerms,
                tolerations,
                cluster,
                pods,
                hostPorts,
                topology,
                claims,
                List.of(),
                GpuWish.NONE,
                "");
    }

    /** A requirement that says nothing of other pods and takes neither ports nor volumes. */
    public Requirement(
            List<Amount> requests,
            int gpuFractionMilli,
            List<Label> nodeSelector,
            List<NodeTerm> requiredTerms,
            List<PreferredTerm> preferredTerms,
            List<Toleration> tolerations,
            String cluster) {
        this(
                requests,
                gpuFractionMilli,
                nodeSelector,
                requiredTerms,
                preferredTerms,
                tolerations,
                cluster,
                PodRules.NONE,
                List.of(),
                PodSetTopology.NONE,
                List.of());
    }

    /** The same requirement, saying this of other pods. */
    public Requirement withPods(PodRules others) {
        return with(others, hostPorts, topology, claims, alignedContainers, gpuWish, strategy);
    }

    /** The same with another wish for its pod set's place. */
    public Requirement withTopology(PodSetTopology other) {
        return with(pods, hostPorts, other, claims, alignedContainers, gpuWish, strategy);
    }

    /** The same requirement, taking this from NUMA nodes. */
    public Requirement withAlignedContainers(List<AlignedContainer> containers) {
        return with(pods, hostPorts, topology, claims, containers, gpuWish, strategy);
    }

    /** The same requirement, taking these ports. */
    public Requirement withHostPorts(List<HostPort> ports) {
        return with(pods, ports, topology, claims, alignedContainers, gpuWish, strategy);
    }

    /** The same requirement, using these claims of volumes. */
    public Requirement withClaims(List<String> used) {
        return with(pods, hostPorts, topology, used, alignedContainers, gpuWish, strategy);
    }

    /** The same requirement, asking this of its GPUs. */
    public Requirement withGpus(GpuWish wish) {
        return with(pods, hostPorts, topology, claims, alignedContainers, wish, strategy);
    }

    /** The same requirement, with nodes scored this way. */
    public Requirement withStrategy(String other) {
        return with(pods, hostPorts, topology, claims, alignedContainers, gpuWish, other);
    }

    /** The same on the nodes of flavors. */
    public Requirement on(FlavorNodes nodes) {
        TreeMap<String, Label> selector = new TreeMap<>();
        nodes.labels().forEach(label -> selector.put(label.key(), label));
        nodeSelector.forEach(label -> selector.put(label.key(), label));
        LinkedHashSet<Toleration> tolerated = new LinkedHashSet<>(tolerations);
        tolerated.addAll(nodes.tolerations());
        return new Requirement(
                requests,
                gpuFractionMilli,
                List.copyOf(selector.values()),
                requiredTerms,
                preferredTerms,
                List.copyOf(tolerated),
                cluster,
                pods,
                hostPorts,
                topology,
                claims,
                alignedContainers,
                gpuWish,
                strategy);
    }

    private Requirement with(
            PodRules otherPods,
            List<HostPort> otherPorts,
            PodSetTopology otherTopology,
            List<String> otherClaims,
            List<AlignedContainer> otherContainers,
            GpuWish otherWish,
            String otherStrategy) {
        return new Requirement(
                requests,
                gpuFractionMilli,
                nodeSelector,
                requiredTerms,
                preferredTerms,
                tolerations,
                cluster,
                otherPods,
                otherPorts,
                otherTopology,
                otherClaims,
                otherContainers,
                otherWish,
                otherStrategy);
    }

    /** The amount asked of a resource, 0 where it is not asked for. */
    public long request(String resource) {
        for (Amount amount : requests) {
            if (amount.resource().equals(resource)) {
                return amount.amount();
            }
        }
        return 0;
    }

    /** Whole GPUs asked for. */
    public int gpus() {
        return (int) Math.min(Integer.MAX_VALUE, request(ResourceNames.GPU));
    }

    /** Whether its GPUs must be of one NVLink island. */
    public boolean gpusLinked() {
        return gpuWish.linked();
    }

    /** Memory of one shared GPU asked for, in MiB; 0 for none. */
    public int gpuMemoryMib() {
        return gpuWish.memoryMib();
    }

    /** Thousandths of GPUs asked for, whole ones and the fraction; without what is asked for as memory. */
    public long gpuMilli() {
        return request(ResourceNames.GPU) * 1000L + gpuFractionMilli;
    }
}
