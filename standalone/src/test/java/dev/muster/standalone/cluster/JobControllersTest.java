package dev.muster.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobControllersTest {

    private static final String TEMPLATE = """
        template:
          metadata: {annotations: {%s}}
          spec:
            terminationGracePeriodSeconds: 30
            restartPolicy: Never
            containers: [{name: main, image: train, resources: {requests: {cpu: 1}}}]
        """;

    private SimulatedCluster cluster;
    private KubernetesClient client;
    private MiniBinder binder;

    @BeforeEach
    void start() {
        cluster = SimulatedCluster.start(SimulatedClusterOptions.DEFAULT.withSpeed(100));
        client = cluster.client();
        cluster.store().apply(Manifests.node("n1", 64, 0));
    }

    @AfterEach
    void stop() {
        if (binder != null) {
            binder.close();
        }
        client.close();
        cluster.close();
    }

    @Test
    void aBatchJobRunsItsCompletionsInParallelAndCompletes() {
        binder = new MiniBinder(client, "n1");
        job("{name: train}", "completions: 5, parallelism: 2, completionMode: Indexed", "muster.dev/runtime: 5s");

        patiently().untilAsserted(() -> assertThat(conditions("train")).contains("Complete"));

        assertThat(names()).containsExactly("train-0", "train-1", "train-2", "train-3", "train-4");
        JsonNode pod = pod("train-3");
        assertThat(Json.annotation(pod, "batch.kubernetes.io/job-completion-index"))
                .isEqualTo("3");
        assertThat(Json.text(pod, "metadata", "labels", "job-name")).isEqualTo("train");
        assertThat(job("train").path("status").path("succeeded").asInt()).isEqualTo(5);
    }

    @Test
    void aBatchJobWhosePodsFailTooOftenFails() {
        binder = new MiniBinder(client, "n1");
        job("{name: bad}", "completions: 1, backoffLimit: 2", "muster.dev/fail-after: 1s");

        patiently().untilAsserted(() -> assertThat(conditions("bad")).contains("Failed"));

        assertThat(job("bad").path("status").path("failed").asInt()).isEqualTo(3);
    }

    @Test
    void aSuspendedJobHasNoPodsUntilItIsResumed() {
        job("{name: later}", "completions: 2, parallelism: 2, suspend: true", "");
        patiently().untilAsserted(() -> assertThat(conditions("later")).contains("Suspended"));
        assertThat(names()).isEmpty();

        suspend("later", false);
        patiently().untilAsserted(() -> assertThat(names()).containsExactly("later-0", "later-1"));

        suspend("later", true);
        patiently().untilAsserted(() -> assertThat(names()).isEmpty());
    }

    @Test
    void anEvictedPodOfAJobComesBackPendingAndPodsGoWithTheirJob() {
        binder = new MiniBinder(client, "n1");
        job("{name: long}", "completions: 1", "");
        patiently().until(() -> phase("long-0").equals("Running"));
        String uid = Json.text(pod("long-0"), "metadata", "uid");

        assertThat(client.pods().inNamespace("default").withName("long-0").evict())
                .isTrue();

        patiently()
                .until(() -> phase("long-0").equals("Running")
                        && !Json.text(pod("long-0"), "metadata", "uid").equals(uid));
        client.batch().v1().jobs().inNamespace("default").withName("long").delete();
        patiently().untilAsserted(() -> assertThat(names()).isEmpty());
    }

    @Test
    void aVolcanoJobMakesItsGroupFirstAndPodsWhenTheGroupMayGoAhead() {
        volcanoJob("muster.dev/runtime: 20s");
        patiently()
                .until(() ->
                        cluster.store().list(ResourceKinds.VOLCANO_POD_GROUPS).size() == 1);
        JsonNode group = cluster.store().list(ResourceKinds.VOLCANO_POD_GROUPS).getFirst();
        assertThat(Json.text(group, "metadata", "name")).startsWith("v-");
        assertThat(group.path("spec").path("minMember").asInt()).isEqualTo(3);
        assertThat(group.path("spec").path("minTaskMember").path("worker").asInt())
                .isEqualTo(2);
        assertThat(Json.text(group, "spec", "queue")).isEqualTo("research");
        assertThat(Json.text(group, "spec", "minResources", "cpu")).isEqualTo("3");
        await().during(Duration.ofMillis(200)).until(() -> names().isEmpty());

        binder = new MiniBinder(client, "n1");

        patiently()
                .untilAsserted(
                        () -> assertThat(names()).containsExactly("v-ps-0", "v-worker-0", "v-worker-1", "v-worker-2"));
        JsonNode pod = pod("v-worker-2");
        assertThat(Json.annotation(pod, "scheduling.k8s.io/group-name"))
                .isEqualTo(Json.text(group, "metadata", "name"));
        assertThat(Json.text(pod, "metadata", "labels", "volcano.sh/task-index"))
                .isEqualTo("2");
        assertThat(Json.text(pod, "spec", "schedulerName")).isEqualTo("volcano");
        patiently().until(() -> volcanoPhase().equals("Running"));
        patiently().until(() -> volcanoPhase().equals("Completed"));
        patiently()
                .until(() ->
                        cluster.store().list(ResourceKinds.VOLCANO_POD_GROUPS).isEmpty());
    }

    @Test
    void aPodTakenFromARunningVolcanoJobIsMadeAgainUnderItsName() {
        binder = new MiniBinder(client, "n1");
        volcanoJob("");
        patiently()
                .until(() ->
                        volcanoPhase().equals("Running") && phase("v-worker-0").equals("Running"));
        String uid = Json.text(pod("v-worker-0"), "metadata", "uid");

        client.pods().inNamespace("default").withName("v-worker-0").evict();

        patiently()
                .until(() -> phase("v-worker-0").equals("Running")
                        && !Json.text(pod("v-worker-0"), "metadata", "uid").equals(uid));
        assertThat(volcanoPhase()).isEqualTo("Running");
    }

    private void job(String metadata, String spec, String annotations) {
        cluster.store()
                .applyYaml("apiVersion: batch/v1\nkind: Job\nmetadata: " + metadata + "\nspec:\n  "
                        + spec.replace(", ", "\n  ") + "\n"
                        + TEMPLATE.formatted(annotations).indent(2));
    }

    private void volcanoJob(String annotations) {
        String template = TEMPLATE.formatted(annotations).indent(4);
        cluster.store().applyYaml("""
            apiVersion: batch.volcano.sh/v1alpha1
            kind: Job
            metadata: {name: v}
            spec:
              minAvailable: 3
              queue: research
              tasks:
              - name: ps
                replicas: 1
            %s  - name: worker
                replicas: 3
                minAvailable: 2
            %s\
            """.formatted(template, template));
    }

    private void suspend(String name, boolean suspended) {
        client.batch().v1().jobs().inNamespace("default").withName(name).edit(job -> {
            job.getSpec().setSuspend(suspended);
            return job;
        });
    }

    private List<String> names() {
        return cluster.store().list(ResourceKinds.PODS).stream()
                .map(pod -> Json.text(pod, "metadata", "name"))
                .toList();
    }

    private JsonNode pod(String name) {
        return cluster.store().get(ResourceKinds.PODS, "default", name).orElse(Json.object());
    }

    private String phase(String name) {
        return Json.text(pod(name), "status", "phase");
    }

    private JsonNode job(String name) {
        return cluster.store().get(ResourceKinds.JOBS, "default", name).orElseThrow();
    }

    private List<String> conditions(String name) {
        List<String> types = new java.util.ArrayList<>();
        for (JsonNode condition : job(name).path("status").path("conditions")) {
            if (condition.path("status").asText().equals("True")) {
                types.add(condition.path("type").asText());
            }
        }
        return types;
    }

    private String volcanoPhase() {
        return Json.text(
                cluster.store().get(ResourceKinds.VOLCANO_JOBS, "default", "v").orElseThrow(),
                "status",
                "state",
                "phase");
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofSeconds(30));
    }
}
