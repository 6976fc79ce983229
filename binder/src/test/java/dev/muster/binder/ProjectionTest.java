package dev.muster.binder;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProjectionTest {

    @Test
    void aBarePodIsUnboundAndUnfenced() {
        PodState pod = Projection.of(
                new PodBuilder().withNewMetadata().withName("p").endMetadata().build());

        assertThat(pod.bound()).isFalse();
        assertThat(pod.attempt()).isEqualTo(-1);
        assertThat(pod.owner()).isEqualTo(JobIdentity.NONE);
        assertThat(pod.waitingMessageHash()).isZero();
    }

    @Test
    void whatBindingNeedsIsKept() {
        PodState pod = Projection.of(new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .withNamespace("ml")
                .withUid("u")
                .withResourceVersion("7")
                .withDeletionTimestamp("2026-01-01T00:00:00Z")
                .addToAnnotations(Marks.DECISION, "d1")
                .addToAnnotations(Marks.ATTEMPT, "3")
                .addToAnnotations(Marks.TENANT, "acme")
                .addToLabels(Marks.JOB, "train")
                .endMetadata()
                .withNewSpec()
                .withNodeName("n")
                .endSpec()
                .withNewStatus()
                .withPhase("Failed")
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("False")
                .withReason("Unschedulable")
                .withMessage("no room")
                .endCondition()
                .endStatus()
                .build());

        assertThat(pod)
                .isEqualTo(new PodState(
                        new PodKey("ml", "p"),
                        "u",
                        "7",
                        "n",
                        true,
                        true,
                        "d1",
                        3,
                        "",
                        "",
                        new JobIdentity("acme", "train"),
                        PodState.waitingHash("no room")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1.5", "99999999999999999999", "0x10", " 1"})
    void whateverAStrangerWritesIsNoFence(String annotation) {
        assertThat(Projection.attempt(annotation)).isEqualTo(-1);
    }

    @Test
    void aNodeIsReadyOnlyIfItSaysSo() {
        assertThat(Projection.of(node("True")).ready()).isTrue();
        assertThat(Projection.of(node("False")).ready()).isFalse();
        assertThat(Projection.of(node("Unknown")).ready()).isFalse();
        assertThat(Projection.of(new NodeBuilder()
                                .withNewMetadata()
                                .withName("n")
                                .endMetadata()
                                .build())
                        .ready())
                .isFalse();
    }

    @Test
    void aWorkloadOfKindJobNamesTenantAndJob() {
        assertThat(JobIdentity.ofWorkload("acme/Job/train")).isEqualTo(new JobIdentity("acme", "train"));
        assertThat(JobIdentity.ofWorkload("east/ml/VolcanoPodGroup/train")).isEqualTo(JobIdentity.NONE);
        assertThat(JobIdentity.ofWorkload("nonsense")).isEqualTo(JobIdentity.NONE);
    }

    private static io.fabric8.kubernetes.api.model.Node node(String ready) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName("n")
                .withUid("nu")
                .endMetadata()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus(ready)
                .endCondition()
                .endStatus()
                .build();
    }
}
