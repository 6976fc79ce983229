package dev.muster.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims, volumes and what waits for them in a simulated cluster. */
class VolumeControllerTest {

    private static final long START = 1_700_000_000_000L;
    private static final String PATCH = "application/merge-patch+json";

    private final VirtualTime time = new VirtualTime(START);
    private final VirtualCluster cluster =
            new VirtualCluster(SimulatedClusterOptions.DEFAULT.withName("c").withCreateNamespaces(true), time);

    @BeforeEach
    void nodesAndClasses() {
        cluster.store().applyYaml("""
                apiVersion: v1
                kind: Node
                metadata: {name: n1, labels: {zone: a}}
                status: {capacity: {cpu: '8', memory: 8Gi, pods: '10'}}
                ---
                apiVersion: v1
                kind: Node
                metadata: {name: n2, labels: {zone: b}, annotations: {muster.dev/provision-error: full}}
                status: {capacity: {cpu: '8', memory: 8Gi, pods: '10'}}
                ---
                apiVersion: storage.k8s.io/v1
                kind: CSINode
                metadata: {name: n1}
                spec: {drivers: [{name: disk.csi, nodeID: n1, topologyKeys: [zone]}]}
                ---
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: cloud, annotations: {muster.dev/provision-after: 3s}}
                provisioner: disk.csi
                volumeBindingMode: WaitForFirstConsumer
                ---
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data, namespace: lab}
                spec: {storageClassName: cloud, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """);
    }

    @Test
    void aVolumeIsMadeWhereTheClaimsNodeIsAndBoundAfterAWhile() {
        time.runUntil(START + 60_000);
        assertThat(claim("data").at("/status/phase").asText()).isEqualTo("Pending");

        select("data", "n1");
        time.runUntil(START + 62_999);
        assertThat(PodClaims.isBound(claim("data"))).isFalse();
        time.runUntil(START + 63_000);

        JsonNode volume = volume(claim("data").at("/spec/volumeName").asText()).orElseThrow();
        assertThat(PodClaims.isBound(claim("data"))).isTrue();
        assertThat(volume.at("/spec/nodeAffinity/required/nodeSelectorTerms/0/matchExpressions/0")
                        .toString())
                .isEqualTo("{\"key\":\"zone\",\"operator\":\"In\",\"values\":[\"a\"]}");
        assertThat(volume.at("/spec/claimRef/uid").asText())
                .isEqualTo(claim("data").at("/metadata/uid").asText());

        cluster.store().delete(ResourceKinds.CLAIMS, "lab", "data", DeleteOptions.NOW);
        time.runUntil(START + 64_000);
        assertThat(cluster.store().list(ResourceKinds.VOLUMES))
                .as("goes with its claim")
                .isEmpty();
    }

    @Test
    void whereNothingCanBeMadeTheClaimLosesItsNode() {
        select("data", "n2");
        time.runUntil(START + 2_999);
        assertThat(Json.annotation(claim("data"), "volume.kubernetes.io/selected-node"))
                .isEqualTo("n2");
        time.runUntil(START + 3_000);

        assertThat(Json.annotation(claim("data"), "volume.kubernetes.io/selected-node"))
                .isEmpty();
        assertThat(cluster.store().list(ResourceKinds.VOLUMES)).isEmpty();

        select("data", "n1");
        time.runUntil(START + 6_000);
        assertThat(PodClaims.isBound(claim("data"))).isTrue();
    }

    @Test
    void aVolumeThatNamesAClaimIsBoundToItAndOneTooManyIsFreeAgain() {
        disk("d1");
        disk("d2");
        give("d1");
        give("d2");
        time.runUntil(START + 1);

        assertThat(claim("data").at("/spec/volumeName").asText()).isEqualTo("d1");
        assertThat(volume("d1").orElseThrow().at("/status/phase").asText()).isEqualTo("Bound");
        assertThat(volume("d2").orElseThrow().at("/status/phase").asText()).isEqualTo("Available");
        assertThat(volume("d2").orElseThrow().at("/spec/claimRef").isMissingNode())
                .isTrue();

        cluster.store().delete(ResourceKinds.CLAIMS, "lab", "data", DeleteOptions.NOW);
        time.runUntil(START + 1_000);
        assertThat(volume("d1").orElseThrow().at("/status/phase").asText()).isEqualTo("Released");
    }

    @Test
    void aPodStartsWhenItsClaimsAreBoundAndItsTimeCountsFromThen() {
        pod("p", "{name: v, persistentVolumeClaim: {claimName: data}}");
        time.runUntil(START + 60_000);
        assertThat(phase("p")).isEqualTo("Pending");

        select("data", "n1");
        time.runUntil(START + 63_000);
        assertThat(phase("p")).isEqualTo("Pending");
        time.runUntil(
                START + 63_000 + SimulatedClusterOptions.DEFAULT.startDelay().toMillis());
        assertThat(phase("p")).isEqualTo("Running");
        time.runUntil(START + 72_999);
        assertThat(phase("p")).isEqualTo("Running");
        time.runUntil(START + 73_000);
        assertThat(phase("p")).isEqualTo("Succeeded");
    }

    @Test
    void anEphemeralVolumeIsAClaimThatGoesWithItsPod() {
        pod(
                "p",
                "{name: scratch, ephemeral: {volumeClaimTemplate: {metadata: {labels: {a: b}}, spec:"
                        + " {storageClassName: cloud, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}");
        time.runUntil(START + 1);
        assertThat(claim("p-scratch").at("/metadata/labels/a").asText()).isEqualTo("b");

        select("p-scratch", "n1");
        time.runUntil(START + 5_000);
        assertThat(phase("p")).isEqualTo("Running");

        cluster.store().delete(ResourceKinds.PODS, "lab", "p", DeleteOptions.NOW);
        time.runUntil(START + 6_000);
        assertThat(cluster.store().get(ResourceKinds.CLAIMS, "lab", "p-scratch"))
                .isEmpty();
        assertThat(cluster.store().list(ResourceKinds.VOLUMES)).isEmpty();
    }

    private void pod(String name, String volume) {
        cluster.store().applyYaml("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: lab, annotations: {muster.dev/runtime: 10s}}
                spec: {nodeName: n1, volumes: [%s], containers: [{name: main, image: 'i:1'}]}
                """.formatted(name, volume));
    }

    private void disk(String name) {
        cluster.store().applyYaml("""
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: %s}
                spec: {storageClassName: cloud, accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}}
                status: {phase: Available}
                """.formatted(name));
    }

    private void select(String claim, String node) {
        request(
                "/api/v1/namespaces/lab/persistentvolumeclaims/" + claim,
                "{\"metadata\":{\"annotations\":{\"volume.kubernetes.io/selected-node\":\"" + node + "\"}}}");
    }

    private void give(String volume) {
        ObjectNode reference = Json.object();
        reference
                .put("kind", "PersistentVolumeClaim")
                .put("namespace", "lab")
                .put("name", "data")
                .put("uid", claim("data").at("/metadata/uid").asText());
        request(
                "/api/v1/persistentvolumes/" + volume,
                "{\"metadata\":{\"annotations\":{\"pv.kubernetes.io/bound-by-controller\":\"yes\"}},"
                        + "\"spec\":{\"claimRef\":" + reference + "}}");
    }

    private void request(String path, String patch) {
        assertThat(cluster.request("PATCH", path, PATCH, patch).code()).isEqualTo(200);
    }

    private JsonNode claim(String name) {
        return cluster.store().get(ResourceKinds.CLAIMS, "lab", name).orElseThrow();
    }

    private Optional<JsonNode> volume(String name) {
        return cluster.store().get(ResourceKinds.VOLUMES, "", name);
    }

    private String phase(String pod) {
        return cluster.store()
                .get(ResourceKinds.PODS, "lab", pod)
                .orElseThrow()
                .at("/status/phase")
                .asText();
    }
}
