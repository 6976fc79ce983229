package dev.muster.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** What Volcano's job controller does with a job and its pods, second by second. */
class VolcanoLifecycleTest {

    private final JobRig rig = new JobRig();

    @Test
    void aJobThatMayRestartTwiceRunsTwiceFailsAndReleasesItsHealthyPods() {
        rig.apply(job("maxRetry: 2; policies: [{event: PodFailed, action: RestartJob}]", """
                - {name: crash, replicas: 1, template: %s}
                - {name: steady, replicas: 1, template: %s}
                """.formatted(
                        template("muster.dev/fail-after: 20s", 0), template("", 0))));

        rig.at(10);
        assertThat(rig.pods()).isEqualTo(Map.of("j-crash-0", "Running", "j-steady-0", "Running"));
        rig.at(30);
        assertThat(rig.retries()).isEqualTo(1);
        assertThat(rig.phase()).isEqualTo("Running");
        rig.at(60);
        assertThat(rig.phase()).isEqualTo("Failed");
        assertThat(rig.retries()).isEqualTo(2);
        // The pod of the last try stays, so that one can see why.
        assertThat(rig.pods()).isEqualTo(Map.of("j-crash-0", "Failed"));
        assertThat(rig.cluster.store().list(ResourceKinds.VOLCANO_POD_GROUPS)).isEmpty();
    }

    @Test
    void theDriversEndCompletesTheJobAndStopsItsWorkers() {
        rig.apply(job("maxRetry: 1", """
                - name: driver
                  replicas: 1
                  policies: [{event: TaskCompleted, action: CompleteJob}]
                  template: %s
                - {name: worker, replicas: 2, template: %s}
                """.formatted(template("muster.dev/runtime: 60s", 30), template("", 30))));

        rig.at(59);
        assertThat(rig.phase()).isEqualTo("Running");
        rig.at(61);
        assertThat(rig.phase()).isEqualTo("Completing");
        assertThat(rig.pods()).containsEntry("j-worker-0", "Terminating").containsEntry("j-driver-0", "Succeeded");
        rig.at(91);
        assertThat(rig.phase()).isEqualTo("Completed");
        assertThat(rig.pods().keySet()).containsExactly("j-driver-0");
    }

    @Test
    void onlyTheTaskOrThePodIsRestartedWhereThePolicySaysSo() {
        rig.apply(job(
                "policies: [{event: PodFailed, action: RestartPod}]", """
                - {name: a, replicas: 2, template: %s}
                - name: b
                  replicas: 2
                  policies: [{event: PodFailed, action: RestartTask}]
                  template: %s
                """.formatted(template("", 0), template("", 0))));
        rig.at(2);
        Map<String, String> uids = uids("j-a-0", "j-a-1", "j-b-0", "j-b-1");

        rig.cluster.kubelet().endPod("default", "j-a-0", 1);
        rig.at(4);
        assertThat(changed(uids)).containsExactly("j-a-0");
        assertThat(rig.phase()).isEqualTo("Running");
        assertThat(rig.retries()).isEqualTo(1);

        rig.cluster.kubelet().endPod("default", "j-b-0", 1);
        rig.at(6);
        assertThat(changed(uids)).containsExactly("j-a-0", "j-b-0", "j-b-1");
        assertThat(rig.retries()).isEqualTo(2);
        assertThat(rig.cluster.store().list(ResourceKinds.VOLCANO_POD_GROUPS)).hasSize(1);
    }

    @Test
    void anExitCodeIsToldFromOthersAndTheTasksPolicyGoesFirst() {
        rig.apply(job(
                "policies: [{exitCode: 3, action: AbortJob}, {event: PodFailed, action: RestartJob}]",
                """
                - name: a
                  replicas: 1
                  policies: [{exitCode: 5, action: TerminateJob}]
                  template: %s
                """.formatted(template("", 0))));
        rig.at(2);
        rig.cluster.kubelet().endPod("default", "j-a-0", 7);
        rig.at(4);
        assertThat(rig.retries()).isEqualTo(1);
        rig.cluster.kubelet().endPod("default", "j-a-0", 3);
        rig.at(6);
        assertThat(rig.phase()).isEqualTo("Aborted");

        rig.command("j", "ResumeJob");
        rig.at(7);
        assertThat(rig.retries()).isEqualTo(2);
        // The pod of the abort stays, as in Volcano: the job counts it as ended, and fails with it.
        assertThat(rig.phase()).isEqualTo("Failed");
    }

    @Test
    void anAbortedJobHoldsNothingUntilItIsResumed() {
        rig.apply(job("", "- {name: a, replicas: 2, template: %s}".formatted(template("", 5))));
        rig.at(2);
        rig.command("j", "AbortJob");
        rig.at(4);
        assertThat(rig.phase()).isEqualTo("Aborting");
        rig.at(20);
        assertThat(rig.phase()).isEqualTo("Aborted");
        assertThat(rig.pods()).isEmpty();
        assertThat(rig.cluster.store().list(ResourceKinds.VOLCANO_COMMANDS)).isEmpty();

        rig.command("j", "ResumeJob");
        rig.at(22);
        assertThat(rig.phase()).isEqualTo("Running");
        assertThat(rig.pods()).isEqualTo(Map.of("j-a-0", "Running", "j-a-1", "Running"));
    }

    @Test
    void anEvictedPodRestartsTheWholeJobOnceHoweverOftenItIsSeenLeaving() {
        rig.apply(job(
                "policies: [{event: PodEvicted, action: RestartJob}]",
                "- {name: a, replicas: 3, template: %s}".formatted(template("", 10))));
        rig.at(2);
        assertThat(rig.evict("j-a-1").successful()).isTrue();
        rig.at(5);
        assertThat(rig.phase()).isEqualTo("Restarting");
        assertThat(rig.pods().values()).containsOnly("Terminating");
        rig.at(20);
        assertThat(rig.phase()).isEqualTo("Running");
        assertThat(rig.pods().values()).containsOnly("Running").hasSize(3);
        assertThat(rig.retries()).isEqualTo(1);
    }

    @Test
    void aPodThatIsPendingTooLongAnswersItsPolicyAndOneThatStartsInTimeDoesNot() {
        rig.binding = false;
        rig.apply(job(
                "policies: [{event: PodPending, action: TerminateJob, timeout: 60s}]",
                "- {name: a, replicas: 1, template: %s}".formatted(template("", 0))));
        rig.at(50);
        rig.binding = true;
        rig.time.execute(() -> {}); // the scheduler takes its turn after an event
        rig.at(100);
        assertThat(rig.phase()).isEqualTo("Running");

        rig.binding = false;
        rig.evict("j-a-0");
        rig.at(159);
        assertThat(rig.phase()).isEqualTo("Pending");
        rig.at(162);
        assertThat(rig.phase()).isEqualTo("Terminated");
        assertThat(rig.pods()).isEmpty();
    }

    @Test
    void enoughSuccessesCompleteAJobAndTooFewOfATaskFailIt() {
        rig.apply(job("minAvailable: 1; minSuccess: 1", """
                - {name: quick, replicas: 1, template: %s}
                - {name: slow, replicas: 1, template: %s}
                """.formatted(
                        template("muster.dev/runtime: 5s", 0), template("", 0))));
        rig.at(8);
        assertThat(rig.phase()).isEqualTo("Completed");
        assertThat(rig.pods().keySet()).containsExactly("j-quick-0");

        JobRig other = new JobRig().apply(job("minAvailable: 2", """
                - {name: good, replicas: 2, minAvailable: 1, template: %s}
                - {name: bad, replicas: 1, minAvailable: 1, template: %s}
                """.formatted(
                        template("muster.dev/runtime: 5s", 0), template("muster.dev/fail-after: 5s", 0))));
        other.at(8);
        assertThat(other.phase()).isEqualTo("Failed");
    }

    @Test
    void aTasksPodsWaitUntilEnoughOfTheTasksItDependsOnRun() {
        rig.apply(job("minAvailable: 1", """
                - {name: ps, replicas: 2, minAvailable: 1, template: %s}
                - {name: worker, replicas: 1, dependsOn: {name: [ps]}, template: %s}
                """.formatted(template("", 0), template("", 0))));
        rig.binding = false;
        rig.at(5);
        assertThat(rig.pods().keySet()).containsExactly("j-ps-0", "j-ps-1");
        rig.binding = true;
        rig.at(6);
        rig.time.execute(() -> {}); // the scheduler takes its turn after an event
        rig.at(8);
        assertThat(rig.pods()).containsEntry("j-worker-0", "Running");
    }

    @Test
    void replicasFollowTheSpecAndTheGroupsMinimumWithThem() {
        String task = "- {name: a, replicas: %d, minAvailable: 1, template: %s}";
        rig.apply(job("", task.formatted(3, template("", 0)))).at(2);
        rig.apply(job("minAvailable: 1", task.formatted(1, template("", 0)))).at(4);
        assertThat(rig.pods().keySet()).containsExactly("j-a-0");
        rig.apply(job("minAvailable: 2", task.formatted(4, template("", 0)))).at(6);
        assertThat(rig.pods().keySet()).containsExactly("j-a-0", "j-a-1", "j-a-2", "j-a-3");
        assertThat(Json.at(
                                rig.cluster
                                        .store()
                                        .list(ResourceKinds.VOLCANO_POD_GROUPS)
                                        .getFirst(),
                                "spec",
                                "minMember")
                        .asInt())
                .isEqualTo(2);
    }

    @Test
    void aFinishedJobGoesWhenItsTimeIsOverAndTakesItsPodsAlong() {
        rig.apply(job(
                "ttlSecondsAfterFinished: 30",
                "- {name: a, replicas: 1, template: %s}".formatted(template("muster.dev/runtime: 5s", 0))));
        rig.at(34);
        assertThat(rig.phase()).isEqualTo("Completed");
        rig.at(37);
        assertThat(rig.cluster.store().list(ResourceKinds.VOLCANO_JOBS)).isEmpty();
        assertThat(rig.pods()).isEmpty();
    }

    private Map<String, String> uids(String... pods) {
        Map<String, String> uids = new java.util.TreeMap<>();
        for (String pod : pods) {
            uids.put(pod, rig.uid(pod));
        }
        return uids;
    }

    private java.util.List<String> changed(Map<String, String> before) {
        return before.keySet().stream()
                .filter(pod -> !rig.uid(pod).equals(before.get(pod)))
                .toList();
    }

    private static String template(String annotations, int grace) {
        return "{metadata: {annotations: {" + annotations + "}}, spec: {terminationGracePeriodSeconds: " + grace
                + ", restartPolicy: Never, containers: [{name: main, image: train, resources: {requests: {cpu: 1}}}]}}";
    }

    private static String job(String spec, String tasks) {
        return """
                apiVersion: batch.volcano.sh/v1alpha1
                kind: Job
                metadata: {name: j, namespace: default}
                spec:
                """ + (spec.isEmpty() ? "" : "  " + spec.replace("; ", "\n  ") + "\n") + "  tasks:\n" + tasks.indent(2);
    }
}
