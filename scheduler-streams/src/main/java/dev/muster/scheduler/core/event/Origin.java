package dev.muster.scheduler.core.event;

/**
 * Which object a fact is about, and which state of it.
 *
 * @param cluster member cluster; empty for what the operator publishes
 * @param epoch of the ingest that published it; older ones are ignored
 * @param namespace empty for cluster-scoped objects
 * @param name object name
 * @param uid object uid
 * @param resourceVersion within one uid an older or equal one changes nothing; 0 where unknown
 */
public record Origin(String cluster, long epoch, String namespace, String name, String uid, long resourceVersion) {}
