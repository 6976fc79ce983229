package dev.muster.scheduler.core.model;

/** The gang that a pod says it belongs to: kind, and the group object's name in the pod's namespace (for a Job tenant/id). */
public record GroupRef(WorkloadKind kind, String name) {}
