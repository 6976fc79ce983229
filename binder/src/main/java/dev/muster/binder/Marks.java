package dev.muster.binder;

/** Annotations and labels that the binder writes, and those of Kubernetes that it goes by. */
final class Marks {

    /** Annotation: the decision that bound the pod. */
    static final String DECISION = "muster.dev/decision";

    /** Annotation: the fence. A decision whose attempt is not larger than this may not bind the pod. */
    static final String ATTEMPT = "muster.dev/attempt";

    /** Annotation: the decision that wrote the fence on an unbound pod. */
    static final String FENCED_BY = "muster.dev/fenced-by";

    /**
     * Annotation: why it did (a {@link Failure}), so that a binder that starts in the middle of a compensation knows.
     */
    static final String FENCED_BECAUSE = "muster.dev/fenced-because";

    /** Annotation: GPU devices of the pod, "0,3". */
    static final String GPU_DEVICES = "muster.dev/gpu-devices";

    /** Annotation: what the pod gets from which of the node's NUMA nodes, as it was foreseen. */
    static final String NUMA_NODES = "muster.dev/numa-nodes";

    /** Annotation: the tenant whose job made the pod. */
    static final String TENANT = "muster.dev/tenant";

    /** Annotation: index of the pod in its task. */
    static final String INDEX = "muster.dev/index";

    /** Label: the submitted job that the pod belongs to. */
    static final String JOB = "muster.dev/job";

    /** Label: the task that the pod belongs to. */
    static final String TASK = "muster.dev/task";

    /** Label of seals: how the placement ended ({@link Seal}). */
    static final String SEAL = "muster.dev/seal";

    /** Kubernetes' annotation of claims: the node for which a volume is to be made. */
    static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    /** Kubernetes' annotation of claims: the binding is complete. */
    static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";

    /** Kubernetes' annotation of volumes: not the user chose the claim, so that the controller may undo it. */
    static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

    /** spec.schedulerName of pods that the binder creates. */
    static final String SCHEDULER_NAME = "muster";

    private Marks() {}
}
