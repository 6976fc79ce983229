package dev.muster.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EvictionTest {

    private SimulatedCluster cluster;
    private KubernetesClient client;

    @BeforeEach
    void threePodsRun() {
        cluster = SimulatedCluster.start(SimulatedClusterOptions.DEFAULT.withStartDelay(Duration.ZERO));
        client = cluster.client();
        cluster.store().apply(Manifests.node("n1", 8, 0));
        for (String name : new String[] {"web-0", "web-1", "web-2"}) {
            Manifests.bind(client, Manifests.create(client, Manifests.pod(name, 1)), "n1");
        }
        await().until(() -> cluster.store().list(ResourceKinds.PODS).stream()
                .allMatch(pod -> Json.text(pod, "status", "phase").equals("Running")));
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    @Test
    void aBudgetWithRoomLetsOnePodGoAndKeepsTheNext() {
        budget("minAvailable", new IntOrString(2));

        evict("web-0", null);
        KubernetesClientException refused = refusedEviction("web-1", null);

        assertThat(refused.getCode()).isEqualTo(429);
        assertThat(refused.getStatus().getReason()).isEqualTo("TooManyRequests");
        assertThat(refused.getStatus().getDetails().getCauses()).singleElement().satisfies(cause -> {
            assertThat(cause.getReason()).isEqualTo("DisruptionBudget");
            assertThat(cause.getMessage()).contains("needs 2 healthy pods and has 2 currently");
        });
        assertThat(Manifests.get(client, "web-0").getMetadata().getDeletionTimestamp())
                .isNotNull();
        assertThat(Manifests.get(client, "web-1").getMetadata().getDeletionTimestamp())
                .isNull();
        assertThat(cluster.counters().evictions()).isEqualTo(1);
        assertThat(cluster.counters().evictionsRefused()).isEqualTo(1);
    }

    @Test
    void percentagesAreRoundedUp() {
        budget("minAvailable", new IntOrString("34%"));
        awaitAllowed(1);

        evict("web-0", null);

        assertThat(refusedEviction("web-1", null).getCode()).isEqualTo(429);
    }

    @Test
    void maxUnavailableCountsTheSame() {
        budget("maxUnavailable", new IntOrString(1));
        awaitAllowed(1);

        evict("web-0", null);

        assertThat(refusedEviction("web-1", null).getCode()).isEqualTo(429);
        awaitAllowed(0);
    }

    @Test
    void twoBudgetsForOnePodAreAServerError() {
        budget("minAvailable", new IntOrString(0));
        client.policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace("default")
                .resource(new PodDisruptionBudgetBuilder()
                        .withNewMetadata()
                        .withName("second")
                        .endMetadata()
                        .withNewSpec()
                        .withMinAvailable(new IntOrString(0))
                        .withNewSelector()
                        .endSelector()
                        .endSpec()
                        .build())
                .create();
        client.getConfiguration().setRequestRetryBackoffLimit(0);

        assertThat(refusedEviction("web-0", null).getCode()).isEqualTo(500);
    }

    @Test
    void anEvictionForAnotherUidConflicts() {
        assertThat(refusedEviction("web-0", "another-uid").getCode()).isEqualTo(409);
        assertThat(Manifests.get(client, "web-0").getMetadata().getDeletionTimestamp())
                .isNull();
    }

    @Test
    void aPendingPodIsNotProtected() {
        budget("minAvailable", new IntOrString(4));
        Manifests.create(client, Manifests.pod("web-3", 1));

        evict("web-3", null);

        assertThat(Manifests.get(client, "web-3")).isNull();
    }

    private void budget(String field, IntOrString value) {
        var spec = new PodDisruptionBudgetBuilder()
                .withNewMetadata()
                .withName("web")
                .endMetadata()
                .withNewSpec()
                .withNewSelector()
                .withMatchLabels(Map.of("app", "web"))
                .endSelector();
        var budget = field.equals("minAvailable")
                ? spec.withMinAvailable(value).endSpec().build()
                : spec.withMaxUnavailable(value).endSpec().build();
        client.policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace("default")
                .resource(budget)
                .create();
    }

    private void awaitAllowed(int allowed) {
        await().untilAsserted(() -> assertThat(client.policy()
                        .v1()
                        .podDisruptionBudget()
                        .inNamespace("default")
                        .withName("web")
                        .get()
                        .getStatus()
                        .getDisruptionsAllowed())
                .isEqualTo(allowed));
    }

    private void evict(String name, String uid) {
        var eviction = new EvictionBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .withDeleteOptions(new DeleteOptionsBuilder()
                        .withNewPreconditions()
                        .withUid(uid)
                        .endPreconditions()
                        .build())
                .build();
        client.raw("/api/v1/namespaces/default/pods/" + name + "/eviction", "POST", eviction);
    }

    private KubernetesClientException refusedEviction(String name, String uid) {
        client.getConfiguration().setRequestRetryBackoffLimit(0);
        return catchThrowableOfType(KubernetesClientException.class, () -> evict(name, uid));
    }
}
