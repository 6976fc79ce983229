package dev.muster.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ListTest {

    private SimulatedCluster cluster;
    private KubernetesClient client;

    @BeforeEach
    void fivePods() {
        cluster = SimulatedCluster.start(SimulatedClusterOptions.DEFAULT);
        client = cluster.client();
        for (int i = 0; i < 5; i++) {
            Manifests.create(client, Manifests.pod("p-" + i, 1));
        }
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    @Test
    void thePagesOfAListShowOneMoment() {
        PodList first = page(2L, null);
        cluster.store().delete(ResourceKinds.PODS, "default", "p-3", DeleteOptions.NOW);
        Manifests.create(client, Manifests.pod("p-2a", 1));
        PodList second = page(2L, first.getMetadata().getContinue());
        PodList third = page(2L, second.getMetadata().getContinue());

        assertThat(first.getMetadata().getRemainingItemCount()).isEqualTo(3);
        assertThat(second.getItems())
                .extracting(pod -> pod.getMetadata().getName())
                .containsExactly("p-2", "p-3");
        assertThat(third.getItems())
                .extracting(pod -> pod.getMetadata().getName())
                .containsExactly("p-4");
        assertThat(third.getMetadata().getContinue()).isNull();
        assertThat(third.getMetadata().getResourceVersion())
                .isEqualTo(first.getMetadata().getResourceVersion());
    }

    @Test
    void aContinueTokenOfForgottenHistoryIsGone() {
        PodList first = page(2L, null);
        cluster.faults().compact(ResourceKinds.PODS);

        KubernetesClientException gone = catchThrowableOfType(
                KubernetesClientException.class,
                () -> page(2L, first.getMetadata().getContinue()));

        assertThat(gone.getCode()).isEqualTo(410);
        assertThat(gone.getStatus().getReason()).isEqualTo("Expired");
    }

    @Test
    void selectorsByLabelAndField() {
        Pod pod = Manifests.get(client, "p-1");
        Manifests.bind(client, pod, "n1");

        assertThat(names("spec.nodeName", "n1")).containsExactly("p-1");
        assertThat(names("metadata.name", "p-2")).containsExactly("p-2");
        assertThat(names("spec.schedulerName", "other")).isEmpty();
        assertThat(client.pods()
                        .inAnyNamespace()
                        .withLabelNotIn("app", "q")
                        .list()
                        .getItems())
                .hasSize(5);
        assertThat(client.pods().inAnyNamespace().withoutLabel("app").list().getItems())
                .isEmpty();
        KubernetesClientException unknown =
                catchThrowableOfType(KubernetesClientException.class, () -> names("spec.priority", "1"));
        assertThat(unknown.getCode()).isEqualTo(400);
    }

    @Test
    void aListFromTheFutureIsNotServed() {
        client.getConfiguration().setRequestRetryBackoffLimit(0);
        KubernetesClientException early = catchThrowableOfType(
                KubernetesClientException.class,
                () -> client.raw("/api/v1/pods?resourceVersion=999999&resourceVersionMatch=NotOlderThan"));

        assertThat(early.getCode()).isEqualTo(504);
    }

    private java.util.List<String> names(String field, String value) {
        return client.pods().inAnyNamespace().withField(field, value).list().getItems().stream()
                .map(pod -> pod.getMetadata().getName())
                .toList();
    }

    private PodList page(Long limit, String token) {
        return client.pods()
                .inNamespace("default")
                .list(new ListOptionsBuilder()
                        .withLimit(limit)
                        .withContinue(token)
                        .build());
    }
}
