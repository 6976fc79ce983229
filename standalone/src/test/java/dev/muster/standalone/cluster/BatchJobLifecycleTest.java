package dev.muster.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the Job controller does with a job and its pods, second by second. */
class BatchJobLifecycleTest {

    private final JobRig rig = new JobRig();

    @Test
    void thePodsLeftToRunAreNoMoreThanTheCompletionsLeft() {
        rig.apply(job("parallelism: 2; completions: 3", "muster.dev/runtime: 60s", 0));
        rig.at(50);
        assertThat(rig.pods()).isEqualTo(Map.of("t-0", "Running", "t-1", "Running"));
        rig.at(70);
        assertThat(rig.pods()).isEqualTo(Map.of("t-0", "Succeeded", "t-1", "Succeeded", "t-2", "Running"));
        rig.at(121);
        assertThat(JobRig.reason(rig.batchJob(), "Complete")).isEqualTo("CompletionsReached");
    }

    @Test
    void aSuspendedJobGivesItsPodsUpAndGetsThemBackWhenItIsResumed() {
        rig.apply(job("parallelism: 2; completions: 2", "", 10)).at(60);
        rig.apply(job("parallelism: 2; completions: 2; suspend: true", "", 10)).at(69);
        assertThat(rig.pods()).isEqualTo(Map.of("t-0", "Terminating", "t-1", "Terminating"));
        rig.at(71);
        assertThat(rig.pods()).isEmpty();
        assertThat(JobRig.reason(rig.batchJob(), "Suspended")).isEqualTo("JobSuspended");
        rig.apply(job("parallelism: 2; completions: 2; suspend: false", "", 10)).at(73);
        assertThat(rig.pods()).isEqualTo(Map.of("t-0", "Running", "t-1", "Running"));
    }

    @Test
    void aFailedPodIsTriedAgainLaterEachTimeUntilTheLimit() {
        // Fails after 5 s; again 10 s later, at 15 s; fails at 20 s; again 20 s later, at 40 s; fails at 45 s.
        rig.apply(job("completions: 1; backoffLimit: 2", "muster.dev/fail-after: 5s", 0));
        rig.at(14);
        assertThat(rig.pods()).isEmpty();
        rig.at(16);
        assertThat(rig.pods()).isEqualTo(Map.of("t-0", "Running"));
        rig.at(39);
        assertThat(rig.pods()).isEmpty();
        rig.at(44);
        assertThat(rig.pods()).isEqualTo(Map.of("t-0", "Running"));
        rig.at(46);
        assertThat(JobRig.reason(rig.batchJob(), "Failed")).isEqualTo("BackoffLimitExceeded");
        assertThat(Json.at(rig.batchJob(), "status", "failed").asInt()).isEqualTo(3);
    }

    @Test
    void aJobIsFailedOnlyWhenItsLastPodIsGone() {
        rig.apply(job("completions: 2; parallelism: 2; activeDeadlineSeconds: 30", "", 20))
                .at(29);
        assertThat(rig.pods().values()).containsOnly("Running");
        rig.at(31);
        assertThat(JobRig.reason(rig.batchJob(), "FailureTarget")).isEqualTo("DeadlineExceeded");
        assertThat(JobRig.reason(rig.batchJob(), "Failed")).isEmpty();
        rig.at(51);
        assertThat(JobRig.reason(rig.batchJob(), "Failed")).isEqualTo("DeadlineExceeded");
        assertThat(rig.pods()).isEmpty();
    }

    @Test
    void thePodFailurePolicyDecidesWhatAFailureCountsFor() {
        String policy = "; podFailurePolicy: {rules: [{action: FailJob, onExitCodes: {operator: In, values: [42]}},"
                + " {action: Ignore, onExitCodes: {operator: NotIn, values: [1]}}]}";
        rig.apply(job("completions: 1; backoffLimit: 0" + policy, "", 0)).at(1);
        rig.cluster.kubelet().endPod("default", "t-0", 7);
        rig.at(15);
        assertThat(rig.pods()).isEqualTo(Map.of("t-0", "Running"));
        assertThat(Json.at(rig.batchJob(), "status", "failed").asInt()).isZero();
        rig.cluster.kubelet().endPod("default", "t-0", 42);
        rig.at(16);
        assertThat(JobRig.reason(rig.batchJob(), "Failed")).isEqualTo("PodFailurePolicy");
    }

    @Test
    void aSmallerParallelismTakesPodsAwayAndAFinishedJobGoesAfterItsTime() {
        rig.apply(job("completions: 9; parallelism: 3", "", 0)).at(2);
        rig.apply(job("completions: 9; parallelism: 1", "", 0)).at(4);
        assertThat(rig.pods().keySet()).containsExactly("t-0");

        JobRig other = new JobRig()
                .apply(job("completions: 1; ttlSecondsAfterFinished: 20", "muster.dev/runtime: 5s", 0))
                .at(24);
        assertThat(other.pods()).isEqualTo(Map.of("t-0", "Succeeded"));
        other.at(26);
        assertThat(other.cluster.store().list(ResourceKinds.JOBS)).isEmpty();
        assertThat(other.pods()).isEmpty();
    }

    @Test
    void aPodIsEvictedAtTheMomentItsAnnotationSaysAndItsSuccessorIsNot() {
        rig.apply(job("completions: 1", "muster.dev/evict-at: 30s", 5)).at(29);
        String uid = rig.uid("t-0");
        rig.at(31);
        assertThat(rig.pods()).isEqualTo(Map.of("t-0", "Terminating"));
        assertThat(JobRig.reason(rig.pod("t-0"), "DisruptionTarget")).isEqualTo("EvictionByEvictionAPI");
        rig.at(90);
        assertThat(rig.pods()).isEqualTo(Map.of("t-0", "Running"));
        assertThat(rig.uid("t-0")).isNotEqualTo(uid);
        assertThat(rig.cluster.counters().evictions()).isEqualTo(1);
    }

    private static String job(String spec, String annotations, int grace) {
        return """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: t, namespace: default}
                spec:
                  %s
                  template:
                    metadata: {annotations: {%s}}
                    spec:
                      terminationGracePeriodSeconds: %d
                      restartPolicy: Never
                      containers: [{name: main, image: train, resources: {requests: {cpu: 1}}}]
                """.formatted(spec.replace("; ", "\n  "), annotations, grace);
    }
}
