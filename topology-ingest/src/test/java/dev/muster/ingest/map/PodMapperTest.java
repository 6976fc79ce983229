package dev.muster.ingest.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.common.HostPort;
import dev.muster.schemas.common.KeyValue;
import dev.muster.schemas.common.MatchExpression;
import dev.muster.schemas.common.NumaShare;
import dev.muster.schemas.common.PodSetTopology;
import dev.muster.schemas.common.PodTerm;
import dev.muster.schemas.common.SpreadConstraint;
import dev.muster.schemas.common.Toleration;
import dev.muster.schemas.common.TopologySlice;
import dev.muster.schemas.common.WeightedPodTerm;
import dev.muster.schemas.event.GroupRef;
import dev.muster.schemas.event.PodSpec;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PodMapperTest {

    private final PodMapper mapper = new PodMapper(Set.of("muster", "volcano"));

    private Mapped<PodSpec> map(String yaml) {
        return mapper.map(Amounts.yaml(Pod.class, yaml));
    }

    private PodSpec facts(String yaml) {
        Mapped<PodSpec> mapped = map(yaml);
        assertThat(mapped.refusals()).isEmpty();
        return mapped.facts().orElseThrow();
    }

    private static String asking(String annotations) {
        return """
            metadata:
              name: train-3
              namespace: ml
              annotations: {%s}
              ownerReferences: [{apiVersion: batch/v1, kind: Job, name: train, uid: u, controller: true}]
            spec: {schedulerName: muster, containers: [{name: a}]}
            """.formatted(annotations);
    }

    @Test
    void podsOfAJobThatAskForAPlaceInTheTopologyAreOneGang() {
        PodSpec spec = facts(asking("kueue.x-k8s.io/podset-required-topology: block,"
                + " kueue.x-k8s.io/podset-slice-required-topology: rack, kueue.x-k8s.io/podset-slice-size: '4',"
                + " kueue.x-k8s.io/podset-group-name: all"));

        assertThat(spec.getGroup()).isEqualTo(new GroupRef("BatchJob", "train"));
        assertThat(spec.getIndex()).isEqualTo(3);
        assertThat(spec.getRequirement().getTopology())
                .isEqualTo(new PodSetTopology("block", "", false, List.of(new TopologySlice("rack", 4)), "all", false));
        assertThat(facts(asking("a: b")).getGroup()).isEqualTo(new GroupRef("BatchJob", "train"));
    }

    @Test
    void slicesCanHaveSeveralLayers() {
        PodSpec spec = facts(asking("kueue.x-k8s.io/podset-slice-required-topology-constraints:"
                + " '[{\"topology\": \"block\", \"size\": 32}, {\"topology\": \"rack\", \"size\": 16}]'"));

        assertThat(spec.getRequirement().getTopology().getSlices())
                .containsExactly(new TopologySlice("block", 32), new TopologySlice("rack", 16));
    }

    @Test
    void podsMayAskToBeDividedEvenly() {
        PodSpec spec =
                facts(asking("kueue.x-k8s.io/podset-preferred-topology: rack, muster.dev/balanced-placement: 'true'"));

        assertThat(spec.getRequirement().getTopology())
                .isEqualTo(new PodSetTopology("", "rack", false, List.of(), "", true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kueue.x-k8s.io/podset-required-topology: ''",
                "kueue.x-k8s.io/podset-required-topology: rack, kueue.x-k8s.io/podset-preferred-topology: rack",
                "kueue.x-k8s.io/podset-unconstrained-topology: perhaps",
                "kueue.x-k8s.io/podset-unconstrained-topology: 'true', kueue.x-k8s.io/podset-group-name: g",
                "kueue.x-k8s.io/podset-preferred-topology: rack, muster.dev/balanced-placement: evenly",
                "kueue.x-k8s.io/podset-required-topology: rack, muster.dev/balanced-placement: 'true'",
                "kueue.x-k8s.io/podset-slice-required-topology: rack",
                "kueue.x-k8s.io/podset-slice-required-topology: rack, kueue.x-k8s.io/podset-slice-size: '0'",
                "kueue.x-k8s.io/podset-slice-required-topology-constraints: '{}'",
                "kueue.x-k8s.io/podset-slice-required-topology-constraints: 'x'",
                "kueue.x-k8s.io/podset-slice-required-topology-constraints:"
                        + " '[{\"topology\": \"block\", \"size\": 3}, {\"topology\": \"rack\", \"size\": 2}]'",
            })
    void wishesThatCannotBeMeantAreRefused(String annotations) {
        assertThat(map(asking(annotations)).refusals()).isNotEmpty();
    }

    private static final String AFFINITY = """
            metadata: {name: p, namespace: ml, labels: {lane: bulk, app: x}}
            spec:
              schedulerName: %s
              nodeName: %s
              containers: [{name: a}]
              affinity:
                podAffinity:
                  requiredDuringSchedulingIgnoredDuringExecution:
                  - topologyKey: zone
                    labelSelector: {matchLabels: {app: x}, matchExpressions: [{key: run, operator: Exists}]}
                    namespaces: [other, ml]
                    namespaceSelector: {matchLabels: {team: a}}
                podAntiAffinity:
                  requiredDuringSchedulingIgnoredDuringExecution:
                  - {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {lane: bulk}}}
                  - {topologyKey: rack}
                  - {topologyKey: rack, labelSelector: {}, namespaceSelector: {}}
            """;

    @Test
    void affinityTermsComeWithTheirNamespacesAndPodsWithTheirLabels() {
        PodSpec spec = facts(AFFINITY.formatted("muster", ""));

        assertThat(spec.getLabels()).containsExactly(new KeyValue("app", "x"), new KeyValue("lane", "bulk"));
        MatchExpression app = new MatchExpression("app", "In", List.of("x"), false);
        MatchExpression run = new MatchExpression("run", "Exists", List.of(), false);
        MatchExpression team = new MatchExpression("team", "In", List.of("a"), false);
        MatchExpression lane = new MatchExpression("lane", "In", List.of("bulk"), false);
        assertThat(spec.getRequirement().getPodAffinity())
                .containsExactly(new PodTerm("zone", List.of(app, run), List.of("ml", "other"), true, List.of(team)));
        // A term without a selector keeps nobody away and is left out; {} is all pods, or all namespaces.
        assertThat(spec.getRequirement().getPodAntiAffinity())
                .containsExactly(
                        new PodTerm("kubernetes.io/hostname", List.of(lane), List.of("ml"), false, List.of()),
                        new PodTerm("rack", List.of(), List.of(), true, List.of()));
    }

    @Test
    void aPodThatOthersPlaceIsToldWithWhatItKeepsAwayAndWhatItDrawsNear() {
        PodSpec spec = facts(AFFINITY.formatted("default-scheduler", "n1"));

        assertThat(spec.getRequirement().getPodAntiAffinity()).hasSize(2);
        assertThat(spec.getRequirement().getPodAffinity()).hasSize(1);
        assertThat(spec.getLabels()).hasSize(2);
        PodSpec wishes = facts(WISHES.replace("schedulerName: muster", "nodeName: n1"));
        assertThat(wishes.getRequirement().getPreferredPodTerms()).hasSize(3);
        assertThat(wishes.getRequirement().getTopologySpread()).isEmpty();
    }

    private static final String WISHES = """
            metadata: {name: p, namespace: ml, labels: {app: x, run: r1}}
            spec:
              schedulerName: muster
              topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, labelSelector: {matchLabels: {app: x}}}]
              affinity:
                podAffinity:
                  preferredDuringSchedulingIgnoredDuringExecution:
                  - weight: 7
                    podAffinityTerm:
                      {topologyKey: zone, labelSelector: {matchLabels: {app: x}}, matchLabelKeys: [run, none], mismatchLabelKeys: [app]}
                  - {weight: 100, podAffinityTerm: {topologyKey: zone, labelSelector: {}, namespaceSelector: {}}}
                  - {weight: 100, podAffinityTerm: {topologyKey: zone}}
                podAntiAffinity:
                  preferredDuringSchedulingIgnoredDuringExecution:
                  - {weight: 3, podAffinityTerm: {topologyKey: rack, labelSelector: {matchLabels: {app: x}}}}
            """;

    @Test
    void preferredTermsComeWithTheirWeightsNegativeForDistance() {
        MatchExpression app = new MatchExpression("app", "In", List.of("x"), false);
        MatchExpression run = new MatchExpression("run", "In", List.of("r1"), false);
        MatchExpression notApp = new MatchExpression("app", "NotIn", List.of("x"), false);

        assertThat(facts(WISHES).getRequirement().getPreferredPodTerms())
                .containsExactly(
                        new WeightedPodTerm(
                                7, new PodTerm("zone", List.of(app, run, notApp), List.of("ml"), false, List.of())),
                        new WeightedPodTerm(100, new PodTerm("zone", List.of(), List.of(), true, List.of())),
                        new WeightedPodTerm(-3, new PodTerm("rack", List.of(app), List.of("ml"), false, List.of())));
        assertThat(map(WISHES.replace("weight: 7", "weight: 101")).refusals())
                .singleElement()
                .satisfies(
                        refusal -> assertThat(refusal.field()).isEqualTo("spec.affinity.podAffinity.preferred.weight"));
    }

    @Test
    void anAffinityTermThatSelectsNoPodCanNeverHoldAndIsRefused() {
        String nothing = AFFINITY.formatted("muster", "")
                .replace(
                        "labelSelector: {matchLabels: {app: x}, matchExpressions: [{key: run, operator: Exists}]}", "");

        assertThat(map(nothing).refusals())
                .anySatisfy(refusal -> assertThat(refusal.toString()).contains("podAffinity.required.labelSelector"));
    }

    private static final String SPREAD = """
            metadata: {name: p, namespace: ml, labels: {app: x, version: v1, unused: y}}
            spec:
              schedulerName: muster
              topologySpreadConstraints:
              - {maxSkew: 2, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, minDomains: 3, nodeTaintsPolicy: Honor,
                 nodeAffinityPolicy: Ignore, labelSelector: {matchLabels: {app: x}}, matchLabelKeys: [version, missing]}
              - {maxSkew: 1, topologyKey: rack, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {version: v1}},
                 matchLabelKeys: [version]}
              - {maxSkew: 1, topologyKey: rack, whenUnsatisfiable: ScheduleAnyway}
              - {maxSkew: 1, topologyKey: rack, whenUnsatisfiable: ScheduleAnyway, labelSelector: {}}
            """;

    @Test
    void spreadConstraintsComeWithTheirDefaultsAndWhatTheirLabelKeysMean() {
        MatchExpression app = new MatchExpression("app", "In", List.of("x"), false);
        MatchExpression version = new MatchExpression("version", "In", List.of("v1"), false);

        assertThat(facts(SPREAD).getRequirement().getTopologySpread())
                .containsExactly(
                        new SpreadConstraint(2, "zone", true, "ml", List.of(app, version), 3, false, true),
                        // The API server wrote the key's value into the selector already.
                        new SpreadConstraint(1, "rack", false, "ml", List.of(version), 1, true, false),
                        // kube-scheduler counts nobody by a selector that is missing or empty.
                        new SpreadConstraint(1, "rack", false, "", List.of(), 1, true, false),
                        new SpreadConstraint(1, "rack", false, "", List.of(), 1, true, false));
    }

    @ParameterizedTest
    @CsvSource({
        "maxSkew: 2, maxSkew: 0, maxSkew",
        "topologyKey: zone, topologyKey: '', topologyKey",
        "minDomains: 3, minDomains: 0, minDomains",
        "DoNotSchedule, Never, whenUnsatisfiable",
        "nodeTaintsPolicy: Honor, nodeTaintsPolicy: honor, nodeTaintsPolicy",
        "nodeAffinityPolicy: Ignore, nodeAffinityPolicy: No, nodeAffinityPolicy"
    })
    void aSpreadConstraintThatMakesNoSenseRefusesThePod(String before, String now, String field) {
        assertThat(map(SPREAD.replace(before, now)).refusals())
                .anySatisfy(refusal -> assertThat(refusal.field()).endsWith("." + field));
        assertThat(map(SPREAD.replace(before, now)).facts()).isEmpty();
    }

    private static final String PORTS = """
            metadata: {name: p}
            spec:
              schedulerName: muster
              hostNetwork: %s
              initContainers:
              - {name: i, ports: [{containerPort: 1, hostPort: 1}]}
              - {name: s, restartPolicy: Always, ports: [{containerPort: 2, hostPort: 2, protocol: UDP}]}
              containers:
              - {name: a, ports: [{containerPort: 90}, {containerPort: 80, hostPort: 8080}, {containerPort: 81, hostPort: 8080}]}
              - {name: b, ports: [{containerPort: 70, hostPort: 70, hostIP: 127.0.0.1}]}
            """;

    @Test
    void hostPortsAreThoseOfContainersAndSidecarsAndOnTheHostsNetworkAllPorts() {
        HostPort sidecar = new HostPort(2, "UDP", "0.0.0.0");
        HostPort local = new HostPort(70, "TCP", "127.0.0.1");
        HostPort web = new HostPort(8080, "TCP", "0.0.0.0");

        assertThat(facts(PORTS.formatted("false")).getRequirement().getHostPorts())
                .containsExactly(sidecar, local, web);
        assertThat(facts(PORTS.formatted("true")).getRequirement().getHostPorts())
                .containsExactly(sidecar, local, new HostPort(90, "TCP", "0.0.0.0"), web);
        String others = PORTS.formatted("false").replace("schedulerName: muster", "nodeName: n1");
        assertThat(facts(others).getRequirement().getHostPorts()).hasSize(3);
        assertThat(map(PORTS.formatted("false").replace("hostPort: 70,", "hostPort: 70000,"))
                        .refusals())
                .hasSize(1);
    }

    @Test
    void aWaitingPodOfOursIsToldWithAllThatPlacementLooksAt() {
        PodSpec spec = facts("""
            metadata:
              name: train-worker-7
              creationTimestamp: "2026-11-01T00:00:01Z"
              annotations: {scheduling.k8s.io/group-name: train-1, volcano.sh/task-spec: worker}
              labels: {volcano.sh/queue-name: research}
            spec:
              schedulerName: volcano
              priority: 50
              preemptionPolicy: Never
              schedulingGates: [{name: wait}]
              nodeSelector: {z: "1", a: "2"}
              tolerations: [{key: gpu, operator: Exists, effect: NoSchedule}, {key: k, value: v}, {key: n, operator: Gt, value: "1"}]
              affinity:
                nodeAffinity:
                  requiredDuringSchedulingIgnoredDuringExecution:
                    nodeSelectorTerms:
                    - matchExpressions: [{key: gpu, operator: In, values: [a100, h100]}]
                      matchFields: [{key: metadata.name, operator: NotIn, values: [n1]}]
                  preferredDuringSchedulingIgnoredDuringExecution:
                  - {weight: 10, preference: {matchExpressions: [{key: mem, operator: Gt, values: ["64"]}]}}
                  - {weight: 10, preference: {}}
              containers: [{name: a, resources: {requests: {cpu: "1"}}}]
            status: {phase: Pending}
            """);
        assertThat(spec.getOurs()).isTrue();
        assertThat(spec.getGated()).isTrue();
        assertThat(spec.getMayPreempt()).isFalse();
        assertThat(spec.getPriority()).isEqualTo(50);
        assertThat(spec.getGroup()).isEqualTo(new GroupRef("VolcanoPodGroup", "train-1"));
        assertThat(spec.getTask()).isEqualTo("worker");
        assertThat(spec.getIndex()).isEqualTo(7);
        assertThat(spec.getQueue()).isEqualTo("research");
        assertThat(spec.getCreatedMillis()).isEqualTo(1793491201000L);
        var requirement = spec.getRequirement();
        assertThat(requirement.getNodeSelector()).containsExactly(new KeyValue("a", "2"), new KeyValue("z", "1"));
        assertThat(requirement.getTolerations())
                .containsExactly(
                        new Toleration("gpu", "Exists", "", "NoSchedule"), new Toleration("k", "Equal", "v", ""));
        assertThat(requirement.getRequiredNodeTerms().get(0).getExpressions())
                .containsExactly(
                        new MatchExpression("gpu", "In", List.of("a100", "h100"), false),
                        new MatchExpression("metadata.name", "NotIn", List.of("n1"), true));
        assertThat(requirement.getPreferredNodeTerms()).hasSize(1);
    }

    @Test
    void anAffinityWithoutTermsMatchesNothingInsteadOfEverything() {
        var terms = facts("""
            metadata: {name: p}
            spec:
              schedulerName: muster
              affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: []}}}
            """).getRequirement().getRequiredNodeTerms();
        assertThat(terms).hasSize(1);
        assertThat(terms.get(0).getExpressions()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'labels: {scheduling.x-k8s.io/pod-group: g}', PodGroup, g",
        "'labels: {pod-group.scheduling.sigs.k8s.io: h}', PodGroup, h",
        "'{labels: {muster.dev/job: j}, annotations: {muster.dev/tenant: t}}', Job, t/j"
    })
    void theGroupIsFoundWhereItsControllerNamesIt(String meta, String kind, String name) {
        String text = meta.startsWith("{") ? meta.substring(1, meta.length() - 1) : meta;
        PodSpec spec = facts("{metadata: {name: p, " + text + "}, spec: {schedulerName: muster}}");
        assertThat(spec.getGroup()).isEqualTo(new GroupRef(kind, name));
    }

    @Test
    void aPodOfSomebodyElseMattersOnlyWhileItHoldsRoom() {
        String pod = "{metadata: {name: p}, spec: {schedulerName: default-scheduler%s}, status: {phase: %s}}";
        assertThat(map(pod.formatted("", "Pending"))).isEqualTo(Mapped.unused());
        assertThat(map(pod.formatted(", nodeName: n", "Succeeded"))).isEqualTo(Mapped.unused());
        PodSpec bound = facts(pod.formatted(", nodeName: n, nodeSelector: {a: b}", "Running"));
        assertThat(bound.getNode()).isEqualTo("n");
        assertThat(bound.getRequirement().getNodeSelector()).isEmpty();
        assertThat(Amounts.of(bound.getRequirement())).containsEntry("pods", 1L);
    }

    @Test
    void aBoundPodSaysWhatItHasOfNumaNodes() {
        String pod = "{metadata: {name: p, annotations: {muster.dev/numa-nodes: "
                + "'node-0 cpu=8000 nvidia.com/gpu=4; node-1 nvidia.com/gpu=2'}}, spec: {schedulerName: muster%s}}";
        assertThat(facts(pod.formatted("")).getNuma()).isEmpty();
        assertThat(facts(pod.formatted(", nodeName: n")).getNuma())
                .containsExactly(
                        new NumaShare("node-0", "cpu", 8000L),
                        new NumaShare("node-0", "nvidia.com/gpu", 4L),
                        new NumaShare("node-1", "nvidia.com/gpu", 2L));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "node-0",
                "node-0 cpu",
                "node-0 cpu=-1",
                "node-0 cpu=1;",
                "node-0  cpu=1",
                "; node-0 cpu=1",
                " cpu=x"
            })
    void whatABoundPodSaysBadlyOfNumaNodesIsPassedOver(String text) {
        Mapped<PodSpec> mapped = map("{metadata: {name: p, annotations: {muster.dev/numa-nodes: '" + text
                + "'}}, spec: {schedulerName: muster, nodeName: n}}");
        assertThat(mapped.facts().orElseThrow().getNuma()).isEmpty();
        assertThat(mapped.refusals()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"TopologyAffinityError, true", "Evicted, false"})
    void aPodThatItsKubeletCouldNotAlignSaysSo(String reason, boolean unaligned) {
        PodSpec facts = facts("{metadata: {name: p}, spec: {schedulerName: muster, nodeName: n},"
                + " status: {phase: Failed, reason: " + reason + "}}");
        assertThat(facts.getUnaligned()).isEqualTo(unaligned);
    }

    @ParameterizedTest
    @CsvSource({
        "n, 2026-01-01T00:09:00Z, 1767226140000",
        "n, 2026-01-01T01:09:00+01:00, 1767226140000",
        "n, soon, 0",
        "n, +300000-01-01T00:00:00Z, 0",
        "'', 2026-01-01T00:09:00Z, 0"
    })
    void aPodThatRunsSaysWhenItsWorkWasSaved(String node, String time, long millis) {
        Mapped<PodSpec> mapped = map("{metadata: {name: p, annotations: {muster.dev/last-checkpoint: '" + time
                + "'}}, spec: {schedulerName: muster, nodeName: '" + node + "'}}");
        assertThat(mapped.facts().orElseThrow().getCheckpointMillis()).isEqualTo(millis);
        assertThat(mapped.refusals()).hasSize(node.isEmpty() || millis > 0 ? 0 : 1);
    }

    @ParameterizedTest
    @CsvSource({
        "n, 2026-01-01T00:09:00Z, 600, 1767226740000",
        "n, 2026-01-01T00:09:00Z, 9000000000000000000, 253402300799000",
        "n, '', 600, 0",
        "'', 2026-01-01T00:09:00Z, 600, 0"
    })
    void aPodWithADeadlineEndsSoLongAfterItsStart(String node, String start, long seconds, long millis) {
        PodSpec facts = facts("{metadata: {name: p}, spec: {schedulerName: muster, nodeName: '" + node
                + "', activeDeadlineSeconds: " + seconds + "}, status: {phase: Running, startTime: '" + start + "'}}");
        assertThat(facts.getEndsByMillis()).isEqualTo(millis);
    }

    @Test
    void theFractionMayBeWrittenAsKaiReadsIt() {
        PodSpec spec =
                facts("{metadata: {name: p, annotations: {gpu-fraction: '0.25'}}, spec: {schedulerName: muster}}");
        assertThat(spec.getRequirement().getGpuFractionMilli()).isEqualTo(250);
    }

    @ParameterizedTest
    @CsvSource({"0.5, 500", ".25, 250", "0.125, 125", "0.9, 900", "0.001, 1"})
    void aFractionOfAGpuIsThousandths(String text, int milli) {
        PodSpec spec = facts("{metadata: {name: p, annotations: {muster.dev/gpu-fraction: '" + text
                + "'}}, spec: {schedulerName: muster}}");
        assertThat(spec.getRequirement().getGpuFractionMilli()).isEqualTo(milli);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "0", "1", "1.0", "0.0", "-0.5", "0.0005", "1e-1", "NaN", "0,5", "half", "99999999999999"})
    void aBadFractionRefusesTheWaitingPodWithAReason(String text) {
        Mapped<PodSpec> mapped = map("{metadata: {name: p, annotations: {muster.dev/gpu-fraction: '" + text
                + "'}}, spec: {schedulerName: muster}}");
        assertThat(mapped.facts()).isEmpty();
        assertThat(mapped.refusals()).singleElement().satisfies(refusal -> {
            assertThat(refusal.reason()).isEqualTo(Refusal.INVALID);
            assertThat(refusal.field()).isEqualTo("metadata.annotations[muster.dev/gpu-fraction]");
        });
    }

    @Test
    void aPodAsksForAFractionOrForWholeGpus() {
        Mapped<PodSpec> mapped = map("""
            metadata: {name: p, annotations: {muster.dev/gpu-fraction: "0.5"}}
            spec: {schedulerName: muster, containers: [{name: a, resources: {limits: {nvidia.com/gpu: "1"}}}]}
            """);
        assertThat(mapped.facts()).isEmpty();
    }

    @Test
    void aBoundPodIsCountedWhateverItsOwnerWroteIntoIt() {
        Mapped<PodSpec> mapped = map("""
            metadata: {name: p, annotations: {muster.dev/gpu-fraction: lots, muster.dev/gpu-devices: "3,1"}}
            spec: {schedulerName: muster, nodeName: n, containers: [{name: a, resources: {requests: {cpu: "2"}}}]}
            """);
        assertThat(mapped.refusals()).hasSize(2);
        assertThat(Amounts.of(mapped.facts().orElseThrow().getRequirement())).containsEntry("cpu", 2000L);
    }

    @Test
    void devicesAndDecisionAreBelievedOnlyOfABoundPod() {
        String pod = "{metadata: {name: p, annotations: {muster.dev/gpu-devices: '0,3', muster.dev/decision: 'd:1:0'}},"
                + " spec: {schedulerName: muster%s}}";
        assertThat(facts(pod.formatted("")).getDevices()).isEmpty();
        assertThat(facts(pod.formatted("")).getDecision()).isEmpty();
        assertThat(facts(pod.formatted(", nodeName: n")).getDevices()).containsExactly(0, 3);
        assertThat(facts(pod.formatted(", nodeName: n")).getDecision()).isEqualTo("d:1:0");
    }

    @Test
    void hostileValuesAreRefusedAndQuotedShortAndClean() {
        Mapped<PodSpec> mapped = map("{metadata: {name: p, annotations: {muster.dev/gpu-fraction: \"a\\u0000\\n"
                + "x".repeat(100_000) + "\"}}, spec: {schedulerName: muster}}");
        assertThat(mapped.refusals().get(0).message()).hasSizeLessThan(300).doesNotContain("\n", "\u0000");
    }

    @ParameterizedTest
    @CsvSource({"40960, 40960", "1, 1", "0, -1", "-1, -1", "4Gi, -1", "1000000000, -1", "'', -1"})
    void memoryOfAGpuIsInMebibytes(String text, int mib) {
        Mapped<PodSpec> mapped =
                map("{metadata: {name: p, annotations: {gpu-memory: '" + text + "'}}, spec: {schedulerName: muster}}");
        assertThat(mapped.facts()
                        .map(facts -> facts.getRequirement().getGpuMemoryMib())
                        .orElse(-1))
                .isEqualTo(mib);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gpu-memory: '1', gpu-fraction: '0.5'",
                "gpu-memory: '1', gpu-fraction-num-devices: '2'",
                "muster.dev/gpu-link: always"
            })
    void demandsThatCannotBeMetRefuseThePod(String annotations) {
        assertThat(map("{metadata: {name: p, annotations: {" + annotations + "}}, spec: {schedulerName: muster}}")
                        .facts())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"required, true", "preferred, false"})
    void gpusMayHaveToBeLinked(String text, boolean linked) {
        assertThat(facts("{metadata: {name: p, annotations: {muster.dev/gpu-link: " + text
                                + ", scheduling.k8s.io/nvidia-gpu-topology: nvswitch-full-mesh}},"
                                + " spec: {schedulerName: muster}}")
                        .getRequirement()
                        .getGpusLinked())
                .isEqualTo(linked);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "scheduling.k8s.io/nvidia-gpu-topology: ring",
                "nvme-iops-request: lots",
                "muster.dev/strategy: best"
            })
    void aWishThatCannotBeReadIsSeenAndPassedOver(String annotation) {
        Mapped<PodSpec> mapped =
                map("{metadata: {name: p, annotations: {" + annotation + "}}, spec: {schedulerName: muster}}");
        assertThat(mapped.facts()).isPresent();
        assertThat(mapped.refusals()).hasSize(1);
    }

    @Test
    void diskOperationsAreAskedForByAnnotationWhereNoContainerDoes() {
        String pod = "{metadata: {name: p, annotations: {nvme-iops-request: 500k}}, spec: {schedulerName: muster%s}}";
        assertThat(Amounts.of(facts(pod.formatted("")).getRequirement())).containsEntry("nvme-iops", 500_000L);
        assertThat(Amounts.of(facts(pod.formatted(
                                ", containers: [{name: a, resources: {limits: {a.b/local-nvme-iops: '7'}}}]"))
                        .getRequirement()))
                .containsEntry("a.b/local-nvme-iops", 7L)
                .containsEntry("nvme-iops", 7L);
    }

    @Test
    void aStrategyIsTaken() {
        assertThat(facts(
                                "{metadata: {name: p, annotations: {muster.dev/strategy: spread}}, spec: {schedulerName: muster}}")
                        .getRequirement()
                        .getStrategy())
                .isEqualTo("spread");
    }
}
