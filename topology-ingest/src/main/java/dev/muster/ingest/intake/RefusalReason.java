package dev.muster.ingest.intake;

/**
 * Why a command is refused. The constant's name is the code that tenants see in {@code JobResult.reason}; codes are
 * stable.
 */
enum RefusalReason {
    /** A field that must be given is missing or empty. */
    MissingField,
    /** A name is not of the form that Kubernetes or Muster asks for. */
    InvalidName,
    /** A value has the wrong type or form. */
    InvalidValue,
    /** A number, a size or a count is outside its range. */
    OutOfRange,
    /** Two entries of a list that must differ are the same. */
    Duplicate,
    /** The pod template is not strict JSON: syntax, a key given twice, or nested too deep. */
    MalformedTemplate,
    /** The pod template uses a field that is not on the allow-list. */
    FieldNotAllowed,
    /** The field may be set, but not to this value. */
    ValueNotAllowed,
    /** The tenant may not use the namespace. */
    NamespaceNotAllowed,
    /** The tenant may not use the queue. */
    QueueNotAllowed,
    /** The tenant may not use the member cluster. */
    ClusterNotAllowed,
    /** The priority is above the tenant's ceiling. */
    PriorityAboveCeiling,
    /** The job id belongs to another job of the tenant, or to one that was cancelled. */
    JobIdInUse,
    /** The command id belongs to another command of the tenant. */
    CommandIdInUse,
    /** The tenant has no such job. */
    UnknownJob
}
