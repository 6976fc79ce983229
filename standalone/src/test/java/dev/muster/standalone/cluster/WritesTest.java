package dev.muster.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WritesTest {

    private SimulatedCluster cluster;
    private KubernetesClient client;

    @BeforeEach
    void start() {
        cluster = SimulatedCluster.start(SimulatedClusterOptions.DEFAULT.withGroupsOff(Set.of("scheduling.x-k8s.io")));
        client = cluster.client();
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    @Test
    void aCreatedPodIsCompletedAsARealServerDoes() {
        client.scheduling()
                .v1()
                .priorityClasses()
                .resource(new PriorityClassBuilder()
                        .withNewMetadata()
                        .withName("high")
                        .endMetadata()
                        .withValue(1000)
                        .withPreemptionPolicy("Never")
                        .build())
                .create();
        Pod template = Manifests.pod("a", 2, 1, Map.of());
        template.getSpec().setPriorityClassName("high");
        template.setStatus(new io.fabric8.kubernetes.api.model.PodStatusBuilder()
                .withPhase("Running")
                .build());

        Pod pod = Manifests.create(client, template);

        assertThat(pod.getMetadata().getUid()).isNotEmpty();
        assertThat(pod.getMetadata().getCreationTimestamp()).isNotEmpty();
        assertThat(pod.getSpec().getPriority()).isEqualTo(1000);
        assertThat(pod.getSpec().getPreemptionPolicy()).isEqualTo("Never");
        assertThat(pod.getSpec().getContainers().getFirst().getResources().getRequests())
                .containsEntry("nvidia.com/gpu", new Quantity("1"));
        assertThat(pod.getStatus().getPhase()).isEqualTo("Pending");
    }

    @Test
    void whatARealServerRefusesIsRefused() {
        Pod unknownClass = Manifests.pod("a", 1);
        unknownClass.getSpec().setPriorityClassName("nothing");
        assertRefused(403, () -> Manifests.create(client, unknownClass));

        Pod elsewhere = Manifests.pod("a", 1);
        elsewhere.getMetadata().setNamespace("missing");
        assertRefused(404, () -> client.resource(elsewhere).create());

        Pod unlimited = Manifests.pod("a", 1);
        unlimited
                .getSpec()
                .getContainers()
                .getFirst()
                .getResources()
                .setRequests(Map.of("nvidia.com/gpu", new Quantity("1")));
        assertRefused(422, () -> Manifests.create(client, unlimited));

        assertRefused(422, () -> Manifests.create(client, Manifests.pod("Not_A_Name", 1)));

        Manifests.create(client, Manifests.pod("a", 1));
        KubernetesClientException twice = catchThrowableOfType(
                KubernetesClientException.class, () -> Manifests.create(client, Manifests.pod("a", 1)));
        assertThat(twice.getCode()).isEqualTo(409);
        assertThat(twice.getStatus().getReason()).isEqualTo("AlreadyExists");
    }

    @Test
    void generatedNamesDiffer() {
        Pod template = Manifests.pod("a", 1);
        template.getMetadata().setName(null);
        template.getMetadata().setGenerateName("a-");

        String first = Manifests.create(client, template).getMetadata().getName();
        String second = Manifests.create(client, template).getMetadata().getName();

        assertThat(first).matches("a-[a-z0-9]{5}").isNotEqualTo(second);
    }

    @Test
    void anUpdateOfAnOlderVersionConflictsAndAnEqualOneChangesNothing() {
        Pod first = Manifests.create(client, Manifests.pod("a", 1));
        Pod second = client.pods()
                .inNamespace("default")
                .resource(labelled(first, "1"))
                .update();

        assertRefused(
                409,
                () -> client.pods()
                        .inNamespace("default")
                        .resource(labelled(first, "2"))
                        .update());
        assertThat(client.pods()
                        .inNamespace("default")
                        .resource(second)
                        .update()
                        .getMetadata()
                        .getResourceVersion())
                .isEqualTo(second.getMetadata().getResourceVersion());
    }

    @Test
    void theNodeOfAPodIsSetByBindingOnly() {
        Pod pod = Manifests.create(client, Manifests.pod("a", 1));
        Pod moved = new PodBuilder(pod).editSpec().withNodeName("n1").endSpec().build();

        assertRefused(
                422, () -> client.pods().inNamespace("default").resource(moved).update());
    }

    @Test
    void statusAndSpecAreWrittenApart() {
        Pod pod = Manifests.create(client, Manifests.pod("a", 1));
        Pod both = new PodBuilder(labelled(pod, "x"))
                .editStatus()
                .withMessage("hello")
                .endStatus()
                .build();

        assertThat(client.pods()
                        .inNamespace("default")
                        .resource(both)
                        .update()
                        .getStatus()
                        .getMessage())
                .isNull();
        Pod current = new PodBuilder(Manifests.get(client, "a"))
                .editSpec()
                .withNodeName("n1")
                .endSpec()
                .editStatus()
                .withMessage("hello")
                .endStatus()
                .build();
        Pod written = client.pods().inNamespace("default").resource(current).updateStatus();
        assertThat(written.getStatus().getMessage()).isEqualTo("hello");
        assertThat(written.getSpec().getNodeName()).isNull();
    }

    @Test
    void aStrategicPatchMergesConditionsByType() {
        Pod pod = Manifests.create(client, Manifests.pod("a", 1));
        for (String type : List.of("PodScheduled", "Other", "PodScheduled")) {
            Pod patch = new PodBuilder()
                    .withNewMetadata()
                    .withName("a")
                    .endMetadata()
                    .withNewStatus()
                    .withConditions(new PodConditionBuilder()
                            .withType(type)
                            .withStatus("False")
                            .withReason("Unschedulable")
                            .build())
                    .endStatus()
                    .build();
            client.pods()
                    .inNamespace("default")
                    .withName("a")
                    .subresource("status")
                    .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), patch);
        }
        assertThat(Manifests.get(client, "a").getStatus().getConditions())
                .extracting("type")
                .containsExactly("PodScheduled", "Other");
        assertThat(Manifests.get(client, "a").getMetadata().getUid())
                .isEqualTo(pod.getMetadata().getUid());
    }

    @Test
    void aMergePatchWithPreconditionsIsTheFenceOfARevoke() {
        Pod pod = Manifests.create(client, Manifests.pod("a", 1));
        String version = pod.getMetadata().getResourceVersion();
        String patch = "{\"metadata\":{\"resourceVersion\":\"" + version + "\",\"uid\":\""
                + pod.getMetadata().getUid() + "\",\"annotations\":{\"muster.dev/attempt\":\"2\"}}}";

        var target = client.pods().inNamespace("default").withName("a");
        Pod patched = target.patch(PatchContext.of(PatchType.JSON_MERGE), patch);

        assertThat(patched.getMetadata().getAnnotations()).containsEntry("muster.dev/attempt", "2");
        assertRefused(409, () -> target.patch(PatchContext.of(PatchType.JSON_MERGE), patch.replace("\"2\"", "\"3\"")));
        assertRefused(409, () -> Manifests.bind(client, pod, "n1"));
    }

    @Test
    void aJsonPatchTestsBeforeItWrites() {
        Manifests.create(client, Manifests.pod("a", 1));
        var target = client.pods().inNamespace("default").withName("a");
        String good = "[{\"op\":\"test\",\"path\":\"/metadata/labels/app\",\"value\":\"a\"},"
                + "{\"op\":\"add\",\"path\":\"/metadata/labels/x~1y\",\"value\":\"1\"}]";

        assertThat(target.patch(PatchContext.of(PatchType.JSON), good)
                        .getMetadata()
                        .getLabels())
                .containsEntry("x/y", "1");
        assertRefused(
                422,
                () -> target.patch(
                        PatchContext.of(PatchType.JSON), good.replace("\"value\":\"a\"", "\"value\":\"b\"")));
    }

    @Test
    void serverSideApplyCreatesAndMerges() {
        Pod pod = Manifests.pod("a", 1);
        client.pods().inNamespace("default").resource(pod).serverSideApply();
        Pod applied = client.pods()
                .inNamespace("default")
                .resource(labelled(pod, "second"))
                .serverSideApply();

        assertThat(applied.getMetadata().getLabels()).containsEntry("app", "a").containsEntry("x", "second");
    }

    @Test
    void customResourcesKnowNoStrategicPatchAndKeepMetadataInStatusWrites() {
        cluster.store().applyYaml("""
            apiVersion: scheduling.volcano.sh/v1beta1
            kind: PodGroup
            metadata: {name: g, namespace: default}
            spec: {minMember: 2}
            """);
        var groups = client.genericKubernetesResources(new ResourceDefinitionContext.Builder()
                .withGroup("scheduling.volcano.sh")
                .withVersion("v1beta1")
                .withPlural("podgroups")
                .withKind("PodGroup")
                .withNamespaced(true)
                .build());
        var group = groups.inNamespace("default").withName("g");

        assertRefused(415, () -> group.patch(PatchContext.of(PatchType.STRATEGIC_MERGE), "{\"spec\":{}}"));
        group.subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"labels\":{\"a\":\"b\"}},\"status\":{\"phase\":\"Inqueue\"}}");

        assertThat(group.get().getAdditionalProperties().get("status")).isEqualTo(Map.of("phase", "Inqueue"));
        assertThat(group.get().getMetadata().getLabels()).isNullOrEmpty();
    }

    @Test
    void aGroupWithoutItsDefinitionsIsNotFound() {
        assertRefused(404, () -> client.raw("/apis/scheduling.x-k8s.io/v1alpha1/podgroups", "GET", null));
        assertThat(client.hasApiGroup("scheduling.x-k8s.io", true)).isFalse();
        assertThat(client.hasApiGroup("scheduling.volcano.sh", true)).isTrue();
    }

    @Test
    void aLeaseIsTakenWithItsVersionOrNotAtAll() {
        Lease lease = client.leases()
                .inNamespace("kube-system")
                .resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withName("muster")
                        .withNamespace("kube-system")
                        .endMetadata()
                        .withNewSpec()
                        .withHolderIdentity("one")
                        .endSpec()
                        .build())
                .create();
        Lease mine = new LeaseBuilder(lease)
                .editSpec()
                .withHolderIdentity("two")
                .endSpec()
                .build();
        client.leases().inNamespace("kube-system").resource(mine).update();

        assertRefused(
                409,
                () -> client.leases()
                        .inNamespace("kube-system")
                        .resource(new LeaseBuilder(lease)
                                .editSpec()
                                .withHolderIdentity("three")
                                .endSpec()
                                .build())
                        .update());
    }

    @Test
    void deletionChecksTheUidAndWaitsForFinalizers() {
        Pod template = Manifests.pod("a", 1);
        template.getMetadata().setFinalizers(List.of("muster.dev/hold"));
        Pod pod = Manifests.create(client, template);
        String path = "/api/v1/namespaces/default/pods/a";

        assertRefused(409, () -> client.raw(path, "DELETE", Map.of("preconditions", Map.of("uid", "other"))));
        client.raw(
                path,
                "DELETE",
                Map.of("preconditions", Map.of("uid", pod.getMetadata().getUid())));
        assertThat(Manifests.get(client, "a").getMetadata().getDeletionTimestamp())
                .isNotNull();
        client.pods()
                .inNamespace("default")
                .withName("a")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");

        assertThat(Manifests.get(client, "a")).isNull();
    }

    @Test
    void aDeletedNamespaceTakesItsObjectsAlong() {
        Namespace namespace = new NamespaceBuilder()
                .withNewMetadata()
                .withName("team")
                .endMetadata()
                .build();
        client.resource(namespace).create();
        Pod pod = Manifests.pod("a", 1);
        pod.getMetadata().setNamespace("team");
        client.resource(pod).create();

        client.resource(namespace).delete();

        await().until(() -> client.namespaces().withName("team").get() == null);
        assertThat(cluster.store().list(ResourceKinds.PODS)).isEmpty();
    }

    @Test
    void aCordonedNodeGetsItsTaint() {
        cluster.store().apply(Manifests.node("n1", 1, 0));
        client.nodes().withName("n1").edit(node -> {
            node.getSpec().setUnschedulable(true);
            return node;
        });

        await().untilAsserted(() -> {
            Node node = client.nodes().withName("n1").get();
            assertThat(node.getSpec().getTaints())
                    .extracting("key")
                    .containsExactly("node.kubernetes.io/unschedulable");
            assertThat(node.getStatus().getConditions())
                    .anyMatch(each -> each.getType().equals("Ready"));
            assertThat(node.getStatus().getAllocatable()).isNotEmpty();
        });
    }

    private static Pod labelled(Pod pod, String value) {
        return new PodBuilder(pod)
                .editMetadata()
                .addToLabels("x", value)
                .endMetadata()
                .build();
    }

    private static void assertRefused(int code, ThrowingCallable call) {
        KubernetesClientException refusal = catchThrowableOfType(KubernetesClientException.class, call);
        assertThat(refusal).isNotNull();
        assertThat(refusal.getCode()).isEqualTo(code);
    }
}
