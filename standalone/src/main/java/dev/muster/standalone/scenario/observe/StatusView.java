package dev.muster.standalone.scenario.observe;

/**
 * What the scheduler says of a workload.
 *
 * @param name name for people: of the job that owns the group where there is one
 * @param object name of the group object, or of the pod
 * @param code reason code; empty while there is nothing to explain
 */
public record StatusView(
        String cluster, String namespace, String kind, String name, String object, String code, String message) {}
