package dev.muster.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BindingTest {

    private SimulatedCluster cluster;
    private KubernetesClient client;

    @BeforeEach
    void start() {
        cluster = SimulatedCluster.start(SimulatedClusterOptions.DEFAULT);
        client = cluster.client();
        cluster.store().apply(Manifests.node("n1", 8, 0));
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    @Test
    void aBindingSetsTheNodeTheConditionAndItsAnnotations() {
        Pod pod = Manifests.create(client, Manifests.pod("a", 1));

        Manifests.bind(client, pod, "n1");

        Pod bound = Manifests.get(client, "a");
        assertThat(bound.getSpec().getNodeName()).isEqualTo("n1");
        assertThat(bound.getMetadata().getAnnotations()).containsEntry("muster.dev/decision", "d-1");
        assertThat(bound.getStatus().getConditions())
                .anyMatch(each -> each.getType().equals("PodScheduled")
                        && each.getStatus().equals("True"));
        assertThat(cluster.counters().binds()).isEqualTo(1);
    }

    @Test
    void aBoundPodIsNotBoundAgain() {
        Pod pod = Manifests.create(client, Manifests.pod("a", 1));
        Manifests.bind(client, pod, "n1");

        assertConflict(Manifests.binding(Manifests.get(client, "a"), "n2"), "already assigned to node \"n1\"");
        assertThat(Manifests.get(client, "a").getSpec().getNodeName()).isEqualTo("n1");
        assertThat(cluster.counters().bindConflicts()).isEqualTo(1);
    }

    @Test
    void aBindingForAnotherUidConflicts() {
        Pod old = Manifests.create(client, Manifests.pod("a", 1));
        client.pods().inNamespace("default").withName("a").delete();
        Pod replacement = Manifests.create(client, Manifests.pod("a", 1));
        Binding binding = Manifests.binding(replacement, "n1");
        binding.getMetadata().setUid(old.getMetadata().getUid());

        assertConflict(binding, "UID in precondition");
    }

    @Test
    void aBindingForAnOlderVersionConflicts() {
        Pod old = Manifests.create(client, Manifests.pod("a", 1));
        client.pods().inNamespace("default").withName("a").edit(pod -> {
            pod.getMetadata().setAnnotations(Map.of("muster.dev/attempt", "2"));
            return pod;
        });

        assertConflict(Manifests.binding(old, "n1"), "ResourceVersion in precondition");
        assertThat(Manifests.get(client, "a").getSpec().getNodeName()).isNull();
    }

    @Test
    void aPodThatIsBeingDeletedIsNotBound() {
        Pod template = Manifests.pod("a", 1);
        template.getMetadata().getFinalizers().add("muster.dev/test");
        Manifests.create(client, template);
        client.pods().inNamespace("default").withName("a").delete();

        assertConflict(Manifests.binding(Manifests.get(client, "a"), "n1"), "is being deleted");
    }

    @Test
    void aNodeThatIsNotThereIsAcceptedAndNobodyRunsThePod() {
        Pod pod = Manifests.create(client, Manifests.pod("a", 1));

        Manifests.bind(client, pod, "nowhere");

        assertThat(Manifests.get(client, "a").getSpec().getNodeName()).isEqualTo("nowhere");
        assertThat(Manifests.get(client, "a").getStatus().getPhase()).isEqualTo("Pending");
    }

    @Test
    void theOlderBindingsResourceWorksToo() {
        Pod pod = Manifests.create(client, Manifests.pod("a", 1));

        client.bindings()
                .inNamespace("default")
                .resource(Manifests.binding(pod, "n1"))
                .create();

        assertThat(Manifests.get(client, "a").getSpec().getNodeName()).isEqualTo("n1");
    }

    @Test
    void aLostReplyLeavesThePodBound() {
        Pod pod = Manifests.create(client, Manifests.pod("a", 1));
        Faults.Rule rule =
                cluster.faults().add("create", "pods/binding", "default/a", 1, new Faults.Action.LoseReply());

        // The client repeats the request by itself, and meets what the first one did.
        assertThatThrownBy(() -> Manifests.bind(client, pod, "n1")).isInstanceOf(KubernetesClientException.class);

        assertThat(rule.hits()).isEqualTo(1);
        assertThat(Manifests.get(client, "a").getSpec().getNodeName()).isEqualTo("n1");
        assertThat(cluster.counters().binds()).isEqualTo(1);
    }

    @Test
    void anAnnotatedPodIsRefusedAsOftenAsItSays() {
        Pod pod = Manifests.create(
                client,
                Manifests.pod("a", 1, 0, Map.of("muster.dev/bind-error", "no", "muster.dev/bind-error-times", "2")));

        for (int i = 0; i < 2; i++) {
            KubernetesClientException refusal =
                    catchThrowableOfType(KubernetesClientException.class, () -> Manifests.bind(client, pod, "n1"));
            assertThat(refusal.getCode()).isEqualTo(403);
            assertThat(refusal.getMessage()).contains("no");
        }
        Manifests.bind(client, pod, "n1");

        assertThat(Manifests.get(client, "a").getSpec().getNodeName()).isEqualTo("n1");
    }

    @Test
    void anAnnotatedNodeRefusesEveryBinding() {
        cluster.store()
                .edit(
                        ResourceKinds.NODES,
                        "",
                        "n1",
                        node -> node.withObject("/metadata/annotations").put("muster.dev/bind-error", "quota"));
        Pod pod = Manifests.create(client, Manifests.pod("a", 1));

        KubernetesClientException refusal =
                catchThrowableOfType(KubernetesClientException.class, () -> Manifests.bind(client, pod, "n1"));

        assertThat(refusal.getCode()).isEqualTo(403);
    }

    @Test
    void aRuleRefusesTheBindingItIsMadeFor() {
        Pod pod = Manifests.create(client, Manifests.pod("a", 1));
        cluster.faults().add("create", "pods/binding", "a*", 1, new Faults.Action.Refuse(422, "Invalid", "not today"));

        KubernetesClientException refusal =
                catchThrowableOfType(KubernetesClientException.class, () -> Manifests.bind(client, pod, "n1"));

        assertThat(refusal.getCode()).isEqualTo(422);
        assertThat(refusal.getStatus().getReason()).isEqualTo("Invalid");
        Manifests.bind(client, pod, "n1");
    }

    private void assertConflict(Binding binding, String why) {
        KubernetesClientException conflict =
                catchThrowableOfType(KubernetesClientException.class, () -> Manifests.bind(client, binding));
        assertThat(conflict.getCode()).isEqualTo(409);
        assertThat(conflict.getStatus().getReason()).isEqualTo("Conflict");
        assertThat(conflict.getMessage()).contains(why);
    }
}
