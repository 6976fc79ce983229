package dev.muster.scheduler.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.schemas.common.Change;
import dev.muster.schemas.common.KeyValue;
import dev.muster.schemas.common.Origin;
import dev.muster.schemas.common.PodRequirement;
import dev.muster.schemas.common.Quantity;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.OutcomeStatus;
import dev.muster.schemas.event.GroupEvent;
import dev.muster.schemas.event.GroupRef;
import dev.muster.schemas.event.GroupSpec;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.event.NodeSpec;
import dev.muster.schemas.event.PodEvent;
import dev.muster.schemas.event.PodSpec;
import dev.muster.schemas.event.PolicyEvent;
import dev.muster.schemas.event.PriorityClassSpec;
import dev.muster.schemas.job.JobAction;
import dev.muster.schemas.job.Submission;
import dev.muster.schemas.job.SubmittedJob;
import dev.muster.schemas.job.SubmittedTask;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EventRefusalTest {
    private final EventCodec codec = new EventCodec("prod");

    @ParameterizedTest(name = "{1}: {2}")
    @MethodSource("invalidRecords")
    void aRecordThatSaysSomethingImpossibleIsRefusedByField(
            SpecificRecord record, String field, String message, String reason) {
        assertThat(codec.read(record)).isEqualTo(new Decoded.Refused(new Refusal(reason, field, message)));
    }

    @Test
    void theSameRecordsWithoutTheFaultAreEvents() {
        assertThat(codec.read(node("prod", "n1", quantities("cpu", 1L)))).isInstanceOf(Decoded.Event.class);
        assertThat(codec.read(pod("Pending", null, List.of(0, 1)))).isInstanceOf(Decoded.Event.class);
        assertThat(codec.read(group("PodGroup", 2))).isInstanceOf(Decoded.Event.class);
        assertThat(codec.read(outcome("prod", "prod:1:0"))).isInstanceOf(Decoded.Event.class);
        assertThat(codec.read(submission(task("a", 2, 2)))).isInstanceOf(Decoded.Event.class);
    }

    @Test
    void requestsComeOutSortedAndWithoutZeros() {
        PodEvent record = pod("Pending", null, List.of());
        record.getSpec()
                .getRequirement()
                .setRequests(List.of(new Quantity("memory", 5L), new Quantity("cpu", 1L), new Quantity("x/y", 0L)));

        Decoded decoded = codec.read(record);

        assertThat(decoded.toString())
                .contains("requests=[Amount[resource=cpu, amount=1], Amount[resource=memory, amount=5]]");
    }

    @Test
    void aJournalOfAnotherDomainIsNotRead() {
        var entry = new JournalCodec("other")
                .write(
                        new dev.muster.scheduler.core.event.JournalEntry(
                                0, 0, new dev.muster.scheduler.core.event.ClusterEvent.Tick("marked")),
                        "",
                        -1);

        assertThatThrownBy(() -> new JournalCodec("prod").read(entry))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("domain is other, expected prod");
    }

    private static Stream<Arguments> invalidRecords() {
        NodeEvent twice = node("prod", "n1", List.of());
        twice.getSpec().setLabels(List.of(new KeyValue("zone", "a"), new KeyValue("zone", "b")));
        NodeEvent noSpec = node("prod", "n1", List.of());
        noSpec.setSpec(null);
        NodeEvent control = node("prod", "n1", List.of());
        control.getOrigin().setDomain("a\nb");
        return Stream.of(
                wrongDomain(node("other", "n1", List.of()), "origin.domain", "is 'other', expected prod"),
                wrongDomain(control, "origin.domain", "is 'a?b', expected prod"),
                invalid(node("prod", "", List.of()), "origin.name", "is '', expected 1 to 317 characters"),
                invalid(noSpec, "spec", "is null, expected a value"),
                invalid(twice, "spec.labels", "has 'zone' twice, expected each once"),
                invalid(
                        node("prod", "n1", quantities("cpu", -1L)),
                        "spec.allocatable[0].amount",
                        "is -1, expected 0 to 9223372036854775807"),
                invalid(
                        node("prod", "n1", Collections.nCopies(20_001, new Quantity("cpu", 1L))),
                        "spec.allocatable",
                        "has 20001 entries, expected at most 20000"),
                invalid(
                        pod("Dancing", null, List.of()),
                        "spec.phase",
                        "is 'Dancing', expected one of Pending, Running, Succeeded, Failed, Unknown"),
                invalid(
                        pod("Pending", new GroupRef("Gang", "g"), List.of()),
                        "spec.group.kind",
                        "is 'Gang', expected one of VolcanoPodGroup, PodGroup, BatchJob, KaiPodGroup, Job"),
                invalid(
                        pod("Pending", null, List.of(1, 0)),
                        "spec.devices",
                        "is [1, 0], expected rising indices from 0 to 1023"),
                invalid(
                        group("Gang", 1),
                        "kind",
                        "is 'Gang', expected one of VolcanoPodGroup, PodGroup, VolcanoJob, BatchJob, KaiPodGroup"),
                invalid(group("PodGroup", -1), "spec.minMember", "is -1, expected 0 to 1000000"),
                invalid(
                        new PolicyEvent(origin("prod", "q"), "VolcanoQueue", new PriorityClassSpec(1, false, true)),
                        "spec",
                        "is 'PriorityClassSpec', expected the facts of a VolcanoQueue"),
                wrongDomain(outcome("other", "prod:1:0"), "domain", "is 'other', expected prod"),
                wrongDomain(
                        outcome("prod", "other:1:0"),
                        "decisionId",
                        "is 'other:1:0', expected a decision of domain prod"),
                invalid(outcome("prod", "prod:01:0"), "decisionId", "is 'prod:01:0', expected domain:sequence:ordinal"),
                invalid(outcome("prod", "prod:-1:0"), "decisionId", "is 'prod:-1:0', expected domain:sequence:ordinal"),
                wrongDomain(outcome("prod", "::"), "decisionId", "is '::', expected a decision of domain prod"),
                invalid(outcome("prod", "17"), "decisionId", "is '17', expected domain:sequence:ordinal"),
                invalid(submission(), "job.tasks", "is 0, expected 1 to 10000"),
                invalid(
                        submission(task("a", 6_000, 1), task("b", 6_000, 1)),
                        "job.tasks",
                        "is 12000, expected 1 to 10000"),
                invalid(
                        submission(task("a", 1, 1), task("a", 1, 1)),
                        "job.tasks",
                        "has 'a' twice, expected each task once"),
                invalid(submission(task("a", 2, 3)), "job.tasks[0].minAvailable", "is 3, expected 0 to 2"),
                invalid(
                        new dev.muster.schemas.journal.Tick("marked"),
                        "record",
                        "is 'Tick', expected a record of an input topic"));
    }

    private static Arguments invalid(SpecificRecord record, String field, String message) {
        return Arguments.of(record, field, message, Refusal.INVALID);
    }

    private static Arguments wrongDomain(SpecificRecord record, String field, String message) {
        return Arguments.of(record, field, message, Refusal.WRONG_DOMAIN);
    }

    private static Origin origin(String domain, String name) {
        return new Origin(domain, "east", 1L, Change.UPSERT, "default", name, "uid-" + name, 1L);
    }

    private static List<Quantity> quantities(String resource, Long amount) {
        return List.of(new Quantity(resource, amount));
    }

    private static NodeEvent node(String domain, String name, List<Quantity> allocatable) {
        return new NodeEvent(
                origin(domain, name), new NodeSpec(List.of(), List.of(), false, true, allocatable, 0, List.of()));
    }

    private static PodRequirement requirement() {
        return PodRequirement.newBuilder().build();
    }

    private static PodEvent pod(String phase, GroupRef group, List<Integer> devices) {
        return new PodEvent(
                origin("prod", "p1"),
                new PodSpec(
                        "muster",
                        true,
                        phase,
                        "",
                        false,
                        false,
                        0,
                        true,
                        group,
                        "",
                        -1,
                        "",
                        requirement(),
                        devices,
                        "",
                        0L,
                        List.of(),
                        false,
                        List.of(),
                        0L,
                        0L));
    }

    private static GroupEvent group(String kind, int minMember) {
        return new GroupEvent(
                origin("prod", "g1"),
                kind,
                GroupSpec.newBuilder()
                        .setMinMember(minMember)
                        .setTasks(List.of())
                        .setSubGroups(List.of())
                        .build());
    }

    private static Outcome outcome(String domain, String decisionId) {
        return new Outcome(domain, "east", decisionId, "w", OutcomeStatus.BOUND, false, List.of(), 0L);
    }

    private static SubmittedTask task(String name, int replicas, int minAvailable) {
        return new SubmittedTask(name, replicas, minAvailable, requirement(), "abc", List.of());
    }

    private static Submission submission(SubmittedTask... tasks) {
        return new Submission(
                "prod",
                "default",
                "c1",
                "j1",
                JobAction.SUBMIT,
                new SubmittedJob("default", "", "", 0, 0, List.of(tasks), null, false),
                0L);
    }
}
