package dev.muster.standalone.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.standalone.cluster.DeleteOptions;
import dev.muster.standalone.cluster.ResourceKind;
import dev.muster.standalone.cluster.ResourceKinds;
import dev.muster.standalone.cluster.SimulatedCluster;
import java.time.Duration;

/**
 * Small gangs that go the whole way before the play begins, and are not counted: a JVM that has just started runs every
 * step for the first time, and the first seconds would tell of its class loader and compiler rather than of Muster.
 */
final class Rehearsal {
    /** Where its pods are: the scoreboard does not look there. */
    static final String NAMESPACE = "rehearsal";

    private static final int ROUNDS = 4;
    private static final int GANGS = 16;
    private static final int GANG = 4;
    private static final long RUNTIME_MILLIS = 50;
    private static final Duration ROUND_LIMIT = Duration.ofSeconds(4);
    private static final Duration LOOK = Duration.ofMillis(20);

    private final SimulatedCluster cluster;
    private final Interruption interruption;

    Rehearsal(SimulatedCluster cluster, Interruption interruption) {
        this.cluster = cluster;
        this.interruption = interruption;
    }

    /** Plays it; returns how many pods had their turn. */
    int play() throws InterruptedException {
        cluster.store().apply(Manifests.namespace(NAMESPACE));
        for (int round = 0; round < ROUNDS; round++) {
            for (int gang = 0; gang < GANGS; gang++) {
                gang("r" + round + "-" + gang);
            }
            awaitEnd();
        }
        int pods = cluster.store().list(ResourceKinds.PODS, NAMESPACE).size();
        deleteAll(ResourceKinds.PODS);
        deleteAll(ResourceKinds.POD_GROUPS);
        return pods;
    }

    private void gang(String name) {
        cluster.store().apply(Manifests.podGroup(NAMESPACE, name, GANG));
        for (int i = 0; i < GANG; i++) {
            ObjectNode pod = Manifests.pod(
                    NAMESPACE, name + "-" + i, Manifests.Ask.ofCpus(1), Manifests.Where.ANY, RUNTIME_MILLIS);
            Manifests.label(pod, "scheduling.x-k8s.io/pod-group", name);
            cluster.store().apply(pod);
        }
    }

    private void awaitEnd() throws InterruptedException {
        long beginNanos = System.nanoTime();
        while (!ended() && System.nanoTime() - beginNanos < ROUND_LIMIT.toNanos()) {
            if (interruption.within(LOOK)) {
                return;
            }
        }
    }

    private boolean ended() {
        return cluster.store().list(ResourceKinds.PODS, NAMESPACE).stream()
                .allMatch(pod -> pod.at("/status/phase").asText().equals("Succeeded"));
    }

    private void deleteAll(ResourceKind kind) {
        for (JsonNode object : cluster.store().list(kind, NAMESPACE)) {
            cluster.store().delete(kind, NAMESPACE, object.at("/metadata/name").asText(), DeleteOptions.NOW);
        }
    }
}
