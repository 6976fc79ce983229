package dev.muster.ingest.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.common.PodSetTopology;
import dev.muster.schemas.event.GroupRef;
import dev.muster.schemas.event.GroupSpec;
import dev.muster.schemas.event.MatchPolicy;
import dev.muster.schemas.event.PodSpec;
import dev.muster.schemas.event.SubGroup;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** PodGroups of KAI, and what Koordinator's annotations add to those of scheduler-plugins. */
class GangMappersTest {

    @Test
    void aKaiPodGroupIsATreeOfSubGroups() {
        GroupSpec spec = facts(KaiGroupMapper.map(Amounts.custom("""
            metadata: {name: g, namespace: ml}
            spec:
              queue: research
              priorityClassName: high
              minSubGroup: 1
              topologyConstraint: {topology: t, requiredTopologyLevel: zone, preferredTopologyLevel: rack}
              subGroups:
              - {name: pair, minSubGroup: 2}
              - {name: left, parent: pair, minMember: 3, topologyConstraint: {requiredTopologyLevel: rack}}
              - {name: right, parent: pair}
            """)));

        assertThat(spec.getQueue()).isEqualTo("research");
        assertThat(spec.getMinMember()).isZero();
        assertThat(spec.getMinSubGroups()).isEqualTo(1);
        assertThat(spec.getPlace()).isEqualTo(new PodSetTopology("zone", "rack", false, List.of(), "", false));
        assertThat(spec.getTree())
                .containsExactly(
                        new SubGroup("pair", "", 1, 2, null),
                        new SubGroup("left", "pair", 3, 0, new PodSetTopology("rack", "", false, List.of(), "", false)),
                        new SubGroup("right", "pair", 1, 0, null));
    }

    @Test
    void aKaiPodGroupWithoutSubGroupsNeedsOnePodAtLeast() {
        assertThat(facts(KaiGroupMapper.map(Amounts.custom("{metadata: {name: g}, spec: {}}")))
                        .getMinMember())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{name: a, parent: b}, {name: b, parent: a}]",
                "[{name: a, parent: a}]",
                "[{name: a, parent: nobody}]",
                "[{name: a}, {name: a}]",
                "[{minMember: 2}]"
            })
    void subGroupsThatAreNoTreeAreRefused(String subGroups) {
        Mapped<GroupSpec> mapped =
                KaiGroupMapper.map(Amounts.custom("{metadata: {name: g}, spec: {subGroups: " + subGroups + "}}"));

        assertThat(mapped.facts()).isEmpty();
        assertThat(mapped.refusals())
                .isNotEmpty()
                .allMatch(refusal -> refusal.field().startsWith("spec.subGroups["));
    }

    @Test
    void kaisPodsNameTheirGroupAndSubGroup() {
        Pod pod = Amounts.yaml(Pod.class, """
            metadata:
              name: p-3
              namespace: ml
              annotations: {pod-group-name: g}
              labels: {kai.scheduler/subgroup-name: left}
            spec: {schedulerName: muster, containers: [{name: c}]}
            """);
        PodSpec spec = new PodMapper(Set.of("muster")).map(pod).facts().orElseThrow();

        assertThat(spec.getGroup()).isEqualTo(new GroupRef("KaiPodGroup", "g"));
        assertThat(spec.getTask()).isEqualTo("left");
        assertThat(spec.getIndex()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "scheduling.x-k8s.io, , WAITING_AND_RUNNING",
        "scheduling.sigs.k8s.io, , ONCE_SATISFIED",
        "scheduling.sigs.k8s.io, waiting-and-running, WAITING_AND_RUNNING",
        "scheduling.x-k8s.io, only-waiting, ONLY_WAITING",
        "scheduling.x-k8s.io, once-satisfied, ONCE_SATISFIED"
    })
    void theMatchPolicyIsTheAnnotationsOrTheApis(String group, String policy, MatchPolicy expected) {
        String annotations = policy == null ? "{}" : "{gang.scheduling.koordinator.sh/match-policy: " + policy + "}";
        assertThat(podGroup(group, annotations).getMatchPolicy()).isEqualTo(expected);
    }

    @Test
    void aGroupOfGangsIsSortedAndHoldsTheGangItself() {
        GroupSpec spec = podGroup(
                "scheduling.x-k8s.io", "{gang.scheduling.koordinator.sh/groups: '[\"other/z\", \"b\", \"b\"]'}");

        assertThat(spec.getStartsWith()).containsExactly("ml/b", "ml/g", "other/z");
        assertThat(podGroup("scheduling.x-k8s.io", "{gang.scheduling.koordinator.sh/groups: '[\"ml/g\"]'}")
                        .getStartsWith())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gang.scheduling.koordinator.sh/match-policy: sometimes",
                "gang.scheduling.koordinator.sh/groups: a",
                "gang.scheduling.koordinator.sh/groups: '[1]'",
                "gang.scheduling.koordinator.sh/groups: '[\"a/b/c\"]'",
                "gang.scheduling.koordinator.sh/groups: '[\"/b\"]'",
                "gang.scheduling.koordinator.sh/groups: '[['"
            })
    void whatCannotBeReadIsRefusedByName(String annotation) {
        Mapped<GroupSpec> mapped = GroupMapper.schedulerPlugins(Amounts.custom(
                "{metadata: {name: g, namespace: ml, annotations: {" + annotation + "}}, spec: {minMember: 1}}"));

        assertThat(mapped.facts()).isEmpty();
        assertThat(mapped.refusals())
                .hasSize(1)
                .allMatch(refusal -> refusal.field()
                        .equals("metadata.annotations[" + annotation.substring(0, annotation.indexOf(':')) + "]"));
    }

    private static GroupSpec podGroup(String group, String annotations) {
        return facts(GroupMapper.schedulerPlugins(Amounts.custom("{apiVersion: " + group
                + "/v1alpha1, metadata: {name: g, namespace: ml, annotations: " + annotations
                + "}, spec: {minMember: 2}}")));
    }

    private static GroupSpec facts(Mapped<GroupSpec> mapped) {
        assertThat(mapped.refusals()).isEmpty();
        return mapped.facts().orElseThrow();
    }
}
