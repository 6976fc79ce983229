package dev.muster.binder;

import java.util.Objects;

/**
 * A pod as far as binding cares.
 *
 * @param key namespace and name
 * @param uid metadata.uid
 * @param resourceVersion metadata.resourceVersion
 * @param node spec.nodeName; empty while unbound
 * @param deleting metadata.deletionTimestamp is set
 * @param ended status.phase is Succeeded or Failed
 * @param decision annotation muster.dev/decision; empty where there is none
 * @param attempt annotation muster.dev/attempt; -1 where there is none or it can't be read
 * @param fencedBy annotation muster.dev/fenced-by; empty where there is none
 * @param fencedBecause annotation muster.dev/fenced-because; empty where there is none
 * @param owner the submitted job that the labels and annotations name
 * @param waitingMessageHash hash of reason and message of the condition PodScheduled=False; 0 where there is none
 */
record PodState(
        PodKey key,
        String uid,
        String resourceVersion,
        String node,
        boolean deleting,
        boolean ended,
        String decision,
        long attempt,
        String fencedBy,
        String fencedBecause,
        JobIdentity owner,
        int waitingMessageHash) {

    /** The resource version as a number; 0 where it is none. */
    long version() {
        boolean number = resourceVersion.length() < 19 && resourceVersion.matches("[0-9]+");
        return number ? Long.parseLong(resourceVersion) : 0;
    }

    boolean bound() {
        return !node.isEmpty();
    }

    boolean boundBy(String decisionId) {
        return bound() && decision.equals(decisionId);
    }

    /** Hash under which a waiting condition is remembered. */
    static int waitingHash(String message) {
        int hash = Objects.hash("Unschedulable", message);
        return hash == 0 ? 1 : hash;
    }
}
