package dev.muster.ingest.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.common.KeyValue;
import dev.muster.schemas.common.MatchExpression;
import dev.muster.schemas.common.Quantity;
import dev.muster.schemas.common.Taint;
import dev.muster.schemas.event.HyperNodeMatch;
import dev.muster.schemas.event.HyperNodeMember;
import dev.muster.schemas.event.NetworkTopology;
import dev.muster.schemas.event.NumaZone;
import dev.muster.schemas.event.ResourceQuota;
import dev.muster.schemas.event.SubGroupPolicy;
import dev.muster.schemas.event.TaskSpec;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CustomResourceMappersTest {

    private static <S> S facts(Function<GenericKubernetesResource, Mapped<S>> mapper, String yaml) {
        Mapped<S> mapped = mapper.apply(Amounts.custom(yaml));
        assertThat(mapped.refusals()).isEmpty();
        return mapped.facts().orElseThrow();
    }

    @Test
    void aNodeIsToldSortedAndRoundedDown() {
        var spec = NodeMapper.map(Amounts.yaml(Node.class, """
            metadata: {name: n, labels: {b: "", a: x}}
            spec: {unschedulable: true, taints: [{key: t, value: v, effect: NoSchedule}, {key: s, effect: NoExecute}]}
            status:
              allocatable: {memory: 1500m, cpu: "8", nvidia.com/gpu: "8", ephemeral-storage: bad}
              conditions: [{type: Ready, status: "True"}]
            """));
        assertThat(spec.refusals()).extracting(Refusal::field).containsExactly("status.allocatable[ephemeral-storage]");
        var facts = spec.facts().orElseThrow();
        assertThat(facts.getLabels()).containsExactly(new KeyValue("a", "x"), new KeyValue("b", ""));
        assertThat(facts.getTaints())
                .containsExactly(new Taint("s", "", "NoExecute"), new Taint("t", "v", "NoSchedule"));
        assertThat(facts.getCordoned()).isTrue();
        assertThat(facts.getReady()).isTrue();
        assertThat(facts.getAllocatable())
                .containsExactly(
                        new Quantity("cpu", 8000L), new Quantity("memory", 1L), new Quantity("nvidia.com/gpu", 8L));
    }

    @Test
    void aNodeWithoutAReadyConditionIsNotReady() {
        var facts = NodeMapper.map(Amounts.yaml(Node.class, "metadata: {name: n}"))
                .facts()
                .orElseThrow();
        assertThat(facts.getReady()).isFalse();
    }

    @Test
    void aNodeWhoseLabelsCannotBeTakenIsRefusedWhole() {
        var mapped =
                NodeMapper.map(Amounts.yaml(Node.class, "{metadata: {name: n, labels: {a: " + "x".repeat(300) + "}}}"));
        assertThat(mapped.facts()).isEmpty();
        assertThat(mapped.refusals()).extracting(Refusal::reason).containsExactly(Refusal.TOO_LARGE);
    }

    @Test
    void aVolcanoJobGetsTheDefaultsOfItsWebhook() {
        var spec = facts(JobMapper::map, """
            metadata: {name: j, namespace: n}
            spec:
              queue: research
              tasks:
              - {replicas: 3, template: {spec: {priorityClassName: high}}}
              - {name: worker, replicas: 8, minAvailable: 2}
              - {name: parts, replicas: 8, partitionPolicy: {totalPartitions: 4, partitionSize: 2, minPartitions: 3}}
            status: {state: {phase: Running}}
            """);
        assertThat(spec.getMinMember()).isEqualTo(3 + 2 + 6);
        assertThat(spec.getTasks())
                .containsExactly(
                        new TaskSpec("default0", 3, 3, "high"),
                        new TaskSpec("worker", 2, 8, ""),
                        new TaskSpec("parts", 6, 8, ""));
        assertThat(spec.getPhase()).isEqualTo("Running");
    }

    @Test
    void aVolcanoPodGroupKnowsItsJob() {
        var spec = facts(GroupMapper::volcano, """
            metadata: {name: j-uid, ownerReferences: [{kind: Job, name: j, uid: u, apiVersion: batch.volcano.sh/v1alpha1}]}
            spec: {minMember: 4, queue: q, priorityClassName: high, minTaskMember: {worker: 3, master: 1}}
            status: {phase: Pending}
            """);
        assertThat(spec.getOwnerJob()).isEqualTo("j");
        assertThat(spec.getMinMember()).isEqualTo(4);
        assertThat(spec.getTasks())
                .containsExactly(new TaskSpec("master", 1, -1, ""), new TaskSpec("worker", 3, -1, ""));
        assertThat(spec.getPhase()).isEqualTo("Pending");
    }

    @Test
    void aSchedulerPluginsPodGroupKnowsItsTimeout() {
        var spec = facts(
                GroupMapper::schedulerPlugins,
                "{metadata: {name: g}, spec: {minMember: 2, scheduleTimeoutSeconds: 30}}");
        assertThat(spec.getMinMember()).isEqualTo(2);
        assertThat(spec.getScheduleTimeoutSeconds()).isEqualTo(30);
    }

    @Test
    void aFieldOfTheWrongTypeIsRefusedByName() {
        var mapped = GroupMapper.volcano(Amounts.custom("{metadata: {name: g}, spec: {minMember: -1, queue: {a: b}}}"));
        assertThat(mapped.facts()).isEmpty();
        assertThat(mapped.refusals()).extracting(Refusal::field).containsExactly("spec.queue", "spec.minMember");
    }

    @Test
    void aVolcanoPodGroupSaysHowNearItsPodsMustBe() {
        var spec = facts(GroupMapper::volcano, """
            metadata: {name: g}
            spec:
              minMember: 4
              networkTopology: {highestTierAllowed: 2}
              subGroupPolicy:
              - name: trainer
                subGroupSize: 2
                minSubGroups: 1
                labelSelector: {matchLabels: {volcano.sh/task-spec: trainer}}
                matchLabelKeys: [volcano.sh/partition-id]
                networkTopology: {mode: soft, highestTierName: leaf}
            """);
        assertThat(spec.getTopology()).isEqualTo(new NetworkTopology(true, 2, ""));
        assertThat(spec.getSubGroups())
                .containsExactly(new SubGroupPolicy(
                        "trainer",
                        2,
                        1,
                        List.of(new MatchExpression("volcano.sh/task-spec", "In", List.of("trainer"), false)),
                        List.of("volcano.sh/partition-id"),
                        new NetworkTopology(false, -1, "leaf")));
    }

    @Test
    void aTopologyIsItsLevels() {
        var spec = facts(TopologyMapper::map, """
            metadata: {name: default}
            spec: {levels: [{nodeLabel: block}, {nodeLabel: rack}]}
            """);
        assertThat(spec.getLevels()).containsExactly("block", "rack");
        assertThat(TopologyMapper.map(Amounts.custom("""
            metadata: {name: default}
            spec: {levels: [{nodeLabel: block}, {nodeLabel: block}]}
            """)).refusals())
                .extracting(Refusal::field)
                .containsExactly("spec.levels[1].nodeLabel");
    }

    @Test
    void aHyperNodeChoosesItsMembersInThreeWays() {
        var spec = facts(HyperNodeMapper::map, """
            metadata: {name: s0}
            spec:
              tier: 1
              tierName: leaf
              members:
              - {type: Node, selector: {exactMatch: {name: n1}}}
              - {type: HyperNode, selector: {regexMatch: {pattern: "^s[12]$"}}}
              - {type: Node, selector: {labelMatch: {matchLabels: {rack: r1}}}}
            """);
        assertThat(spec.getTier()).isEqualTo(1);
        assertThat(spec.getMembers())
                .containsExactly(
                        new HyperNodeMember(false, HyperNodeMatch.NAME, "n1", List.of()),
                        new HyperNodeMember(true, HyperNodeMatch.PATTERN, "^s[12]$", List.of()),
                        new HyperNodeMember(
                                false,
                                HyperNodeMatch.LABELS,
                                "",
                                List.of(new MatchExpression("rack", "In", List.of("r1"), false))));
        assertThat(HyperNodeMapper.map(Amounts.custom("""
            metadata: {name: s0}
            spec: {tier: -1, members: [{type: Rack, selector: {regexMatch: {pattern: "(("}}}]}
            """)).refusals())
                .extracting(Refusal::field)
                .containsExactlyInAnyOrder(
                        "spec.tier", "spec.members[0].type", "spec.members[0].selector.regexMatch.pattern");
    }

    @Test
    void aJobIsAGangWhereItsPodsAskForAPlace() {
        var asking = BatchJobMapper.map(Amounts.yaml(Job.class, """
            metadata: {name: j}
            spec:
              parallelism: 4
              completions: 3
              template: {metadata: {annotations: {kueue.x-k8s.io/podset-preferred-topology: rack}}}
            """));
        assertThat(asking.facts().orElseThrow().getMinMember()).isEqualTo(3);
        var plain = BatchJobMapper.map(Amounts.yaml(Job.class, "{metadata: {name: j}, spec: {parallelism: 4}}"));
        assertThat(plain.facts().orElseThrow().getAlone()).isTrue();
    }

    @Test
    void aJobWithALocalQueueIsAGangThatWantsWhatIsLeftToRun() {
        var queued = BatchJobMapper.map(Amounts.yaml(Job.class, """
            metadata: {name: j, labels: {kueue.x-k8s.io/queue-name: work, kueue.x-k8s.io/priority-class: urgent}}
            spec: {parallelism: 4, completions: 6}
            status: {succeeded: 3}
            """)).facts().orElseThrow();
        assertThat(queued.getAlone()).isFalse();
        assertThat(queued.getLocalQueue()).isEqualTo("work");
        assertThat(queued.getWorkloadPriorityClass()).isEqualTo("urgent");
        assertThat(queued.getMinMember()).isEqualTo(4);
        assertThat(queued.getWanted()).isEqualTo(3);
        var over = BatchJobMapper.map(Amounts.yaml(Job.class, """
            metadata: {name: j, labels: {kueue.x-k8s.io/queue-name: work}}
            spec: {parallelism: 4, completions: 6}
            status: {succeeded: 3, conditions: [{type: Failed, status: 'True'}]}
            """)).facts().orElseThrow();
        assertThat(over.getWanted()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"3, 3, 0", "1, 1, 0", "4, 4, 1", "0, 4, 1", "-2, 4, 1", "many, 4, 1", "3.5, 4, 1"})
    void aJobMayRunWithFewer(String least, int minMember, int refusals) {
        var mapped = BatchJobMapper.map(Amounts.yaml(Job.class, """
            metadata:
              name: j
              labels: {kueue.x-k8s.io/queue-name: work}
              annotations: {kueue.x-k8s.io/job-min-parallelism: '%s'}
            spec: {parallelism: 4, completions: 6}
            """.formatted(least)));
        assertThat(mapped.facts().orElseThrow().getMinMember()).isEqualTo(minMember);
        assertThat(mapped.facts().orElseThrow().getWanted()).isEqualTo(4);
        assertThat(mapped.refusals()).hasSize(refusals);
    }

    @Test
    void aClusterQueueInTheWordsOfBothVersionsIsTheSame() {
        String groups = """
              resourceGroups:
              - coveredResources: [cpu, nvidia.com/gpu]
                flavors:
                - name: any
                  resources:
                  - {name: cpu, nominalQuota: 1500m, borrowingLimit: 1}
                  - {name: nvidia.com/gpu, nominalQuota: 4, lendingLimit: '1'}
            """;
        var now = facts(QuotaMapper::clusterQueue, """
            metadata: {name: q}
            spec:
              cohortName: all
              queueingStrategy: StrictFIFO
              namespaceSelector: {matchLabels: {team: a}}
              flavorFungibility: {whenCanBorrow: TryNextFlavor, whenCanPreempt: MayStopSearch}
              fairSharing: {weight: '0.5'}
            """ + groups);
        var before = facts(QuotaMapper::clusterQueue, """
            metadata: {name: q}
            spec:
              cohort: all
              queueingStrategy: StrictFIFO
              namespaceSelector: {matchLabels: {team: a}}
              flavorFungibility: {whenCanBorrow: TryNextFlavor, whenCanPreempt: Preempt}
              fairSharing: {weight: 500m}
            """ + groups);
        assertThat(now).isEqualTo(before);
        assertThat(now.getWeightMilli()).isEqualTo(500);
        assertThat(now.getResourceGroups().getFirst().getFlavors().getFirst().getResources())
                .containsExactly(
                        new ResourceQuota("cpu", 1500L, 1000L, -1L), new ResourceQuota("nvidia.com/gpu", 4L, -1L, 1L));
        assertThat(facts(QuotaMapper::clusterQueue, "{metadata: {name: q}}").getSelectsNamespaces())
                .isFalse();
    }

    @Test
    void quotaThatCannotBeReadIsRefusedWithItsField() {
        assertThat(QuotaMapper.clusterQueue(Amounts.custom("""
            metadata: {name: q}
            spec:
              stopPolicy: Never
              resourceGroups:
              - coveredResources: [cpu, memory]
                flavors:
                - name: a
                  resources: [{name: cpu, nominalQuota: -1}, {name: memory, nominalQuota: 1Gi, lendingLimit: 1Gi}]
                - name: b
                  resources: [{name: memory, nominalQuota: 1Gi}]
            """)).refusals())
                .extracting(Refusal::field)
                .containsExactlyInAnyOrder(
                        "spec.stopPolicy",
                        "spec.resourceGroups[0].flavors[0].resources[0].nominalQuota[cpu]",
                        "spec.resourceGroups[0].flavors[0].resources[1].borrowingLimit",
                        "spec.resourceGroups[0].flavors[1].resources[0].name");
        assertThat(QuotaMapper.localQueue(Amounts.custom("{metadata: {name: q}}"))
                        .refusals())
                .hasSize(1);
    }

    @Test
    void aQueueHasDefaultsAndAState() {
        var plain = facts(QueueMapper::map, "{metadata: {name: q}}");
        assertThat(plain.getWeight()).isEqualTo(1);
        assertThat(plain.getReclaimable()).isTrue();
        assertThat(plain.getOpen()).isTrue();
        var full = facts(QueueMapper::map, """
            metadata: {name: q}
            spec:
              weight: 4
              parent: root
              reclaimable: false
              capability: {nvidia.com/gpu: 16, cpu: "64"}
              deserved: {nvidia.com/gpu: "8"}
              guarantee: {resource: {cpu: 500m}}
            status: {state: Closing}
            """);
        assertThat(full.getCapability())
                .containsExactly(new Quantity("cpu", 64000L), new Quantity("nvidia.com/gpu", 16L));
        assertThat(full.getGuarantee()).containsExactly(new Quantity("cpu", 500L));
        assertThat(full.getOpen()).isFalse();
    }

    @Test
    void numaZonesComeSortedWithWhatIsAvailable() {
        var spec = facts(NumaMapper::map, """
            metadata: {name: n1}
            attributes:
            - {name: topologyManagerPolicy, value: single-numa-node}
            - {name: topologyManagerScope, value: pod}
            - {name: other, value: "1"}
            zones:
            - name: node-1
              type: Node
              costs: [{name: node-1, value: 10}, {name: node-0, value: 20}]
              resources: [{name: nvidia.com/gpu, capacity: "4", allocatable: "4", available: "3"}]
            - {name: node-0, type: Node, resources: [{name: cpu, allocatable: "30", available: 29500m}]}
            - {name: core-0, type: Core}
            """);
        assertThat(spec.getPolicy()).isEqualTo("single-numa-node");
        assertThat(spec.getScope()).isEqualTo("pod");
        assertThat(spec.getZones()).extracting(NumaZone::getName).containsExactly("node-0", "node-1");
        assertThat(spec.getZones().get(1).getAvailable()).containsExactly(new Quantity("nvidia.com/gpu", 3L));
        assertThat(spec.getZones().get(1).getCosts())
                .containsExactly(new KeyValue("node-0", "20"), new KeyValue("node-1", "10"));
    }

    @Test
    void deprecatedTopologyPoliciesAreUnderstood() {
        var spec = facts(NumaMapper::map, "{metadata: {name: n}, topologyPolicies: [RestrictedPodLevel]}");
        assertThat(spec.getPolicy()).isEqualTo("restricted");
        assertThat(spec.getScope()).isEqualTo("pod");
    }

    @Test
    void aBudgetIsToldAsWritten() {
        var spec = DisruptionBudgetMapper.map(Amounts.yaml(PodDisruptionBudget.class, """
            metadata: {name: b, namespace: n}
            spec:
              minAvailable: 50%
              selector: {matchLabels: {z: "1", a: "2"}, matchExpressions: [{key: t, operator: Exists}]}
            status: {disruptionsAllowed: 2}
            """))
                .facts()
                .orElseThrow();
        assertThat(spec.getMinAvailable()).isEqualTo("50%");
        assertThat(spec.getMaxUnavailable()).isEmpty();
        assertThat(spec.getSelector())
                .containsExactly(
                        new MatchExpression("a", "In", List.of("2"), false),
                        new MatchExpression("z", "In", List.of("1"), false),
                        new MatchExpression("t", "Exists", List.of(), false));
        assertThat(spec.getDisruptionsAllowed()).isEqualTo(2);
    }

    @Test
    void aBudgetWithoutASelectorProtectsNobody() {
        assertThat(DisruptionBudgetMapper.map(
                        Amounts.yaml(PodDisruptionBudget.class, "{metadata: {name: b}, spec: {minAvailable: 1}}")))
                .isEqualTo(Mapped.unused());
    }

    @Test
    void aPriorityClassMayForbidPreemption() {
        var spec = PriorityClassMapper.map(Amounts.yaml(
                        PriorityClass.class, "{metadata: {name: p}, value: 1000, preemptionPolicy: Never}"))
                .facts()
                .orElseThrow();
        assertThat(spec.getValue()).isEqualTo(1000);
        assertThat(spec.getMayPreempt()).isFalse();
        assertThat(spec.getGlobalDefault()).isFalse();
    }

    @Test
    void aMapperThatBreaksRefusesItsObjectOnly() {
        Mapped<String> mapped = Mapped.<String, String>total(object -> {
                    throw new IllegalStateException("a bug");
                })
                .apply("object");
        assertThat(mapped.facts()).isEmpty();
        assertThat(mapped.refusals()).hasSize(1);
    }
}
