package dev.muster.ingest.map;

/** How much of an object Muster takes: far above what clusters use, far below what would hurt the scheduler. */
final class Limits {

    /** Longest name of an object: a DNS subdomain. */
    static final int NAME = 253;

    /** Longest qualified name: prefix of 253, a slash, a name of 63. */
    static final int QUALIFIED_NAME = 317;

    /** Longest label or taint value that is taken; Kubernetes allows 63. */
    static final int VALUE = 253;

    /** Labels of a node. */
    static final int LABELS = 1_000;

    /** Taints of a node, tolerations of a pod. */
    static final int TAINTS = 256;

    /** Resources that one object names. */
    static final int RESOURCES = 128;

    /** Containers of a pod, of each sort. */
    static final int CONTAINERS = 1_000;

    /** Host ports of a pod. */
    static final int HOST_PORTS = 1_000;

    /** Terms of a node affinity, expressions of a term, entries of a selector. */
    static final int TERMS = 256;

    /** Values of one expression. */
    static final int EXPRESSION_VALUES = 5_000;

    /** Expressions and values that one object may hold in all. */
    static final int SELECTOR_WEIGHT = 20_000;

    /** GPU devices of a node. */
    static final int DEVICES = 256;

    /** Tasks of a gang. */
    static final int TASKS = 1_000;

    /** Members of a gang. */
    static final int MEMBERS = 1_000_000;

    /** Levels of a topology; Kueue allows 16. */
    static final int LEVELS = 16;

    /** Selectors of a HyperNode. */
    static final int HYPER_NODE_MEMBERS = 5_000;

    /** Layers of slices of a pod set; Kueue allows 3. */
    static final int SLICES = 3;

    /** Resource groups of a queue; Kueue allows 16. */
    static final int RESOURCE_GROUPS = 64;

    /** Flavors of a resource group; Kueue allows 64. */
    static final int FLAVORS = 256;

    /** NUMA zones of a node. */
    static final int ZONES = 256;

    private Limits() {}
}
