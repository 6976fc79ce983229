package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.FlavorNodes;
import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.NodeTerm;
import dev.muster.scheduler.core.model.PreferredTerm;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.ResourceNames;
import dev.muster.scheduler.core.numa.NumaDemand;
import dev.muster.scheduler.core.numa.NumaLayout;
import dev.muster.scheduler.core.quota.QuotaUnits;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;

/**
 * A requirement prepared for comparing with many nodes: amounts in arrays, and the verdict of each node class remembered.
 * Equal requirements share one instance, so identity is equality.
 */
public final class InternedRequirement {
    static final String HOSTNAME_LABEL = "kubernetes.io/hostname";
    private static final byte UNKNOWN = -1;

    private final Requirement requirement;
    private final int id;
    private final int podRules;
    private final int[] resources;
    private final long[] amounts;
    private final int gpus;
    private final long gpuMilli;
    private final boolean linked;
    private final int countOfPods;
    private final boolean namesNodes;
    private byte[] classVerdicts = new byte[0];
    private final Interner interner;
    /** On nodes of flavors; only looked up. */
    private final Map<FlavorNodes, InternedRequirement> on = new HashMap<>();

    private NumaLayout numaLayout;
    private NumaDemand numaDemand;

    InternedRequirement(Requirement requirement, int id, ResourceIndex index, Interner interner) {
        this.requirement = requirement;
        this.interner = interner;
        this.id = id;
        this.podRules = interner.podRules(requirement.pods());
        Amount[] counted = requirement.requests().stream()
                .filter(amount -> !amount.resource().equals(ResourceNames.GPU))
                .toArray(Amount[]::new);
        this.resources = new int[counted.length];
        this.amounts = new long[counted.length];
        for (int i = 0; i < counted.length; i++) {
            resources[i] = index.of(counted[i].resource());
            amounts[i] = counted[i].amount();
        }
        this.gpus = requirement.gpus();
        this.gpuMilli = requirement.gpuMilli();
        this.linked = gpus > 0 && requirement.gpusLinked();
        this.countOfPods = Arrays.stream(counted).map(Amount::resource).toList().indexOf(ResourceNames.PODS);
        this.namesNodes = requirement.nodeSelector().stream()
                        .anyMatch(label -> label.key().equals(HOSTNAME_LABEL))
                || requirement.requiredTerms().stream().anyMatch(InternedRequirement::namesNodes)
                || requirement.preferredTerms().stream()
                        .map(PreferredTerm::term)
                        .anyMatch(InternedRequirement::namesNodes);
    }

    private static boolean namesNodes(NodeTerm term) {
        return term.expressions().stream().anyMatch(InternedRequirement::namesNode);
    }

    private static boolean namesNode(NodeExpression expression) {
        return expression.onField() || expression.key().equals(HOSTNAME_LABEL);
    }

    /** The requirement itself. */
    public Requirement requirement() {
        return requirement;
    }

    /** A number that differs from that of every other requirement in this engine; never an input to a decision. */
    public int id() {
        return id;
    }

    /** A number for its rules about other pods, which are the same on whatever flavor's nodes. */
    int podRules() {
        return podRules;
    }

    /** How many countable resources are asked for, GPUs apart. */
    public int resourceCount() {
        return resources.length;
    }

    /** Number of the i-th countable resource in the resource index. */
    public int resource(int i) {
        return resources[i];
    }

    /** Amount asked of the i-th countable resource. */
    public long amount(int i) {
        return amounts[i];
    }

    /** So many pods with it can be on one node at most, whatever room there is: they would take the same ports. */
    public int mostPerNode() {
        return requirement.hostPorts().isEmpty() ? Integer.MAX_VALUE : 1;
    }

    /** Whether the i-th countable resource is the number of pods. */
    public boolean isCountOfPods(int i) {
        return i == countOfPods;
    }

    /** Whole GPUs asked for. */
    public int gpus() {
        return gpus;
    }

    /** Thousandths of one shared GPU asked for; 0 for none, and where what it asks for depends on the node. */
    public int gpuFractionMilli() {
        return requirement.gpuFractionMilli();
    }

    /** Thousandths of GPUs asked for, whole ones and the fraction; without what is asked for as memory. */
    long gpuMilli() {
        return gpuMilli;
    }

    /** Thousandths of GPUs that it takes of a node. */
    public long gpuMilli(NodeState node) {
        return (long) gpus() * Devices.WHOLE + shareMilli(node);
    }

    /** Whether its GPUs must be of one NVLink island. */
    public boolean linked() {
        return linked;
    }

    /** Whether it shares a GPU. */
    public boolean sharesGpu() {
        return requirement.gpuFractionMilli() > 0 || requirement.gpuMemoryMib() > 0;
    }

    /**
     * Thousandths of one shared GPU of a node that it asks for; 0 for none. Memory of a GPU is as large a part of it as of the
     * memory that the node's GPUs have, rounded up; a whole one where it is not known or not more.
     */
    public int shareMilli(NodeState node) {
        int mib = requirement.gpuMemoryMib();
        if (mib == 0) {
            return requirement.gpuFractionMilli();
        }
        int ofGpu = node.gpuMemoryMib();
        return ofGpu <= mib ? Devices.WHOLE : GpuSizes.partMilli(mib, ofGpu);
    }

    /** Thousandths of one shared GPU that its queue is charged for: the same on every node. */
    public int chargedShareMilli() {
        int mib = requirement.gpuMemoryMib();
        return mib == 0 ? requirement.gpuFractionMilli() : interner.gpuSizes.shareMilli(mib);
    }

    /** What one pod with it is charged, by resource, in units of quotas. */
    public SortedMap<String, Long> charge() {
        return QuotaUnits.of(requirement.requests(), chargedShareMilli());
    }

    /** Whether kubelets take anything of it from NUMA nodes. */
    public boolean aligned() {
        return !requirement.alignedContainers().isEmpty();
    }

    /** What it asks of NUMA nodes of that layout; worked out again only when another layout is asked for. */
    NumaDemand numaDemand(NumaLayout layout) {
        if (numaLayout != layout) {
            numaLayout = layout;
            numaDemand = new NumaDemand(requirement.alignedContainers(), layout);
        }
        return numaDemand;
    }

    /** The same on the nodes of flavors. */
    InternedRequirement on(FlavorNodes nodes) {
        InternedRequirement known = on.get(nodes);
        if (known == null) {
            known = nodes.equals(FlavorNodes.ANY) ? this : interner.requirement(requirement.on(nodes));
            on.put(nodes, known);
        }
        return known;
    }

    /** Whether it speaks of nodes by name, so that nodes of one class can differ for it. */
    public boolean namesNodes() {
        return namesNodes;
    }

    /** The verdict remembered for a node class, or -1 where there is none yet. */
    public int classVerdict(int classId) {
        return classId < classVerdicts.length ? classVerdicts[classId] : UNKNOWN;
    }

    /** Remembers the verdict for a node class, 0..127. */
    public void rememberClassVerdict(int classId, int verdict) {
        if (classId >= classVerdicts.length) {
            int known = classVerdicts.length;
            classVerdicts = Arrays.copyOf(classVerdicts, Math.max(8, Math.max(classId + 1, known * 2)));
            Arrays.fill(classVerdicts, known, classVerdicts.length, UNKNOWN);
        }
        classVerdicts[classId] = (byte) verdict;
    }
}
