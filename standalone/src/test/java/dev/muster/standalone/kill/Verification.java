package dev.muster.standalone.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.round.Effects;
import dev.muster.scheduler.core.round.Engine;
import dev.muster.scheduler.core.state.Row;
import dev.muster.scheduler.streams.StatusCodec;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.NodePlacement;
import dev.muster.schemas.decision.PlaceGang;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.job.JobResult;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.LocalRegistry;
import dev.muster.schemas.topic.Keys;
import dev.muster.standalone.replay.JournalReader;
import dev.muster.standalone.replay.ReplayReport;
import dev.muster.standalone.replay.ReplayVerifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Judges a run that came to rest: the topics against a fresh engine that reads the journal, byte by byte, and against
 * what happened in the cluster.
 */
final class Verification {
    /** How long past its deadline a gang may look bound in part: the last eviction's grace period, and its delivery. */
    private static final Duration EVICTION = Duration.ofSeconds(4);

    private final Installation installation;
    private final Oracle oracle;
    private final Story story;
    private final Load load;

    Verification(Installation installation, Oracle oracle, Story story, Load load) {
        this.installation = installation;
        this.oracle = oracle;
        this.story = story;
        this.load = load;
    }

    /** Throws at the first promise that was broken. */
    void check() {
        assertThat(load.problems()).as("commands that Kafka took").isEmpty();
        theClusterWasNeverPromisedTwice();
        everyDecisionFollowsFromTheJournal();
        everyDecisionHasAnOutcome();
        everyBindingWasDecided();
        noGangWasBoundInPartPastItsDeadline();
        everyCommandWasAnsweredOnce();
    }

    private void theClusterWasNeverPromisedTwice() {
        assertThat(oracle.violations()).as("room used twice").isEmpty();
        assertThat(installation.cluster().counters().violations())
                .as("pods that a kubelet had to turn away")
                .isZero();
        assertThat(oracle.bindings()).extracting(Oracle.Bound::uid).doesNotHaveDuplicates();
    }

    private void everyDecisionFollowsFromTheJournal() {
        ReplayReport report = new ReplayVerifier(
                        installation.kafka(),
                        installation.registry(),
                        PartMain.TOPICS,
                        PartMain.DOMAINS,
                        PartMain.DOMAIN)
                .verify();
        assertThat(report.good()).as(report.toText()).isTrue();
        assertThat(report.comparison().orElseThrow().equal())
                .as("decisions compared byte for byte")
                .isEqualTo(report.decisions())
                .isEqualTo(story.decisions().size());
        everyStatusFollowsFromTheJournal();
        noInputWasTakenTwice();
    }

    /** What the journal, read by a fresh engine, comes to. */
    private record Replayed(Engine engine, Map<String, byte[]> statuses, Map<String, Row> holds) {}

    private Replayed replay() {
        Replayed replayed = new Replayed(Engine.empty(), new HashMap<>(), new TreeMap<>());
        StatusCodec codec = new StatusCodec(PartMain.DOMAIN);
        Serializer<WorkloadStatus> encoder = new AvroSerde<>(new LocalRegistry(), WorkloadStatus.class).serializer();
        try (JournalReader journal = new JournalReader(
                installation.kafka(), installation.registry(), PartMain.TOPICS, PartMain.DOMAINS, PartMain.DOMAIN)) {
            for (Optional<JournalEntry> next = journal.next(); next.isPresent(); next = journal.next()) {
                Effects effects = replayed.engine().apply(next.get());
                effects.statuses()
                        .forEach(status -> replayed.statuses()
                                .put(
                                        Keys.workload(
                                                PartMain.DOMAIN, status.id().value()),
                                        AvroSerde.bodyOf(encoder.serialize("", codec.write(status)))));
                effects.forgotten()
                        .forEach(id -> replayed.statuses().remove(Keys.workload(PartMain.DOMAIN, id.value())));
                for (Row.Change change : effects.rows()) {
                    if (change.table() == Row.Table.HOLDS) {
                        replayed.holds().put(change.key(), change.row());
                    }
                }
            }
        }
        replayed.holds().values().removeIf(Objects::isNull);
        return replayed;
    }

    /** Keys of the room that is set aside, by the journal as it is now. */
    Set<String> heldRoom() {
        return replay().holds().keySet();
    }

    /** The last status of each workload, byte by byte, and nothing left held. */
    private void everyStatusFollowsFromTheJournal() {
        Replayed replayed = replay();
        replayed.engine().checkLaws();
        assertThat(replayed.holds()).as("room that is still held").isEmpty();
        Map<String, byte[]> told = new HashMap<>();
        for (ConsumerRecord<String, byte[]> record : read(PartMain.TOPICS.workloadStatus())) {
            if (record.value() == null) {
                told.remove(record.key());
            } else {
                told.put(record.key(), AvroSerde.bodyOf(record.value()));
            }
        }
        assertThat(told.keySet()).isEqualTo(replayed.statuses().keySet());
        told.forEach((key, value) ->
                assertThat(value).as(key).isEqualTo(replayed.statuses().get(key)));
    }

    /** Each record of an input is at most one entry, in the order of its topic. */
    private void noInputWasTakenTwice() {
        Deserializer<dev.muster.schemas.journal.JournalEntry> values =
                new AvroSerde<>(installation.registry(), dev.muster.schemas.journal.JournalEntry.class).deserializer();
        Map<String, Long> last = new HashMap<>();
        for (ConsumerRecord<String, byte[]> record : read(PartMain.TOPICS.journal())) {
            var entry = values.deserialize(record.topic(), record.value());
            if (!entry.getTopic().isEmpty()) {
                Long before = last.put(entry.getTopic(), entry.getOffset());
                assertThat(before == null || before < entry.getOffset())
                        .as(
                                "entry %s: %s offset %s after %s",
                                entry.getSequence(), entry.getTopic(), entry.getOffset(), before)
                        .isTrue();
            }
        }
    }

    private void everyDecisionHasAnOutcome() {
        Set<String> answered = story.outcomes().stream()
                .map(told -> told.value().getDecisionId())
                .collect(Collectors.toSet());
        assertThat(story.decisions()).extracting(told -> told.value().getId()).doesNotHaveDuplicates();
        assertThat(decisions().keySet()).as("decisions with an outcome").isEqualTo(answered);
    }

    private void everyBindingWasDecided() {
        Map<String, Decision> decisions = decisions();
        assertThat(oracle.bindings()).allSatisfy(bound -> {
            Decision decision = decisions.get(bound.decision());
            assertThat(decision).as("decision of %s", bound).isNotNull();
            assertThat(decision.getAction())
                    .isInstanceOfSatisfying(
                            PlaceGang.class,
                            place -> assertThat(place.getNodes().stream()
                                            .filter(node -> node.getNode().equals(bound.node()))
                                            .map(NodePlacement::getMembers)
                                            .flatMap(List::stream)
                                            .anyMatch(member -> member.getName().equals(bound.pod())
                                                    && (member.getUid().isEmpty()
                                                            || member.getUid().equals(bound.uid()))))
                                    .as("%s is what %s says", bound, decision)
                                    .isTrue());
        });
    }

    private void noGangWasBoundInPartPastItsDeadline() {
        assertThat(oracle.partlyBound()).as("gangs bound in part").isEmpty();
        Map<String, Decision> decisions = decisions();
        for (Oracle.Partial partial : oracle.partials()) {
            Decision decision = decisions.get(partial.decision());
            long allowedMillis = ((PlaceGang) decision.getAction()).getDeadlineMillis()
                    - decision.getTimeMillis()
                    + EVICTION.toMillis();
            assertThat(partial.toMillis() - partial.fromMillis())
                    .as("%s", partial)
                    .isLessThan(allowedMillis);
        }
    }

    private void everyCommandWasAnsweredOnce() {
        Map<String, Integer> answers = new TreeMap<>();
        for (Story.Told<JobResult> told : story.answers()) {
            if (!told.value().getCommandId().isEmpty()) {
                answers.merge(told.value().getCommandId(), 1, Integer::sum);
                assertThat(told.value().getStatus()).as("%s", told.value()).isEqualTo("Accepted");
            }
        }
        assertThat(answers.keySet()).as("commands answered").isEqualTo(load.commands());
        assertThat(answers.values()).as("answers to a command").allMatch(count -> count == 1);
    }

    private Map<String, Decision> decisions() {
        Map<String, Decision> decisions = new LinkedHashMap<>();
        story.decisions().forEach(told -> decisions.put(told.value().getId(), told.value()));
        return decisions;
    }

    private List<ConsumerRecord<String, byte[]>> read(String topic) {
        Map<String, Object> config = new HashMap<>(installation.kafka());
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        TopicPartition partition = new TopicPartition(topic, PartMain.DOMAINS.partitionOf(PartMain.DOMAIN));
        List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<String, byte[]> consumer =
                new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(Set.of(partition));
            consumer.seekToBeginning(Set.of(partition));
            long end = consumer.endOffsets(Set.of(partition)).get(partition);
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
        }
        return records;
    }
}
