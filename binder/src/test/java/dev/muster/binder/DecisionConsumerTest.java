package dev.muster.binder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.schemas.decision.DeadLetter;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.OutcomeStatus;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.LocalRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DecisionConsumerTest {

    private static final TopicPartition DECISIONS = new TopicPartition("muster.decisions", 0);
    private static final TopicPartition OUTCOMES = new TopicPartition("muster.outcomes", 0);

    private final LocalRegistry registry = new LocalRegistry();
    private final AvroSerde<Decision> decisions = new AvroSerde<>(registry, Decision.class);
    private final AvroSerde<Outcome> outcomes = new AvroSerde<>(registry, Outcome.class);
    private final AvroSerde<DeadLetter> deadLetters = new AvroSerde<>(registry, DeadLetter.class);
    private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("none");
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<String> begun = new CopyOnWriteArrayList<>();
    private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();
    private MockProducer<String, byte[]> producer =
            new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    private final ClaimWaits waits = new ClaimWaits();
    private DecisionLanes lanes;
    private DecisionConsumer binder;

    @BeforeEach
    void begin() {
        consumer.updateBeginningOffsets(Map.of(DECISIONS, 0L, OUTCOMES, 0L));
        consumer.updateEndOffsets(Map.of(DECISIONS, 0L, OUTCOMES, 0L));
        build(2);
    }

    @AfterEach
    void end() {
        lanes.close(Duration.ZERO);
        threads.close();
    }

    @Test
    void everyDecisionOfTheClusterGetsAnOutcomeAndItsOffsetIsCommitted() {
        binder.start();
        add(0, "d0", "w0", Decisions.CLUSTER);
        add(1, "d1", "w1", "west");
        add(2, "d2", "w2", Decisions.CLUSTER);

        turnUntilCommitted(3);

        assertThat(published()).containsExactlyInAnyOrder("d0", "d2");
    }

    @Test
    void onlyWhatLiesBeforeTheLowestUnfinishedDecisionIsCommitted() {
        binder.start();
        hold("d1");
        add(0, "d0", "w0", Decisions.CLUSTER);
        add(1, "d1", "w1", Decisions.CLUSTER);
        add(2, "d2", "w2", Decisions.CLUSTER);

        await().until(() -> turned(() -> published().size() == 2));
        turnUntilCommitted(1);
        assertThat(published()).containsExactlyInAnyOrder("d0", "d2");

        gates.get("d1").countDown();
        turnUntilCommitted(3);
    }

    @Test
    void stopsReadingWhileTooManyAreUnderWay() {
        binder.start();
        for (int i = 0; i < 5; i++) {
            hold("d" + i);
            add(i, "d" + i, "w" + i, Decisions.CLUSTER);
        }

        await().until(() -> turned(() -> begun.size() == 2));
        binder.turn();
        assertThat(begun).hasSize(2);
        assertThat(consumer.paused()).containsExactly(DECISIONS);

        gates.values().forEach(CountDownLatch::countDown);
        turnUntilCommitted(5);
        assertThat(consumer.paused()).isEmpty();
    }

    @Test
    void decisionsThatWaitForVolumesKeepNoOthersFromBeingRead() {
        binder.start();
        for (int i = 0; i < 4; i++) {
            hold("d" + i);
            add(i, "d" + i, "w" + i, Decisions.CLUSTER);
        }
        waits.begin(5);

        await().until(() -> turned(() -> begun.size() == 3));
        binder.turn();
        assertThat(begun).hasSize(3);

        waits.end(5);
        gates.values().forEach(CountDownLatch::countDown);
        turnUntilCommitted(4);
    }

    @Test
    void anOutcomeThatTheBrokerHasNotConfirmedCommitsNothing() {
        producer = new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer());
        build(2);
        binder.start();
        add(0, "d0", "w0", Decisions.CLUSTER);

        await().until(() -> turned(() -> published().size() == 1));
        binder.turn();
        assertThat(committed()).isLessThanOrEqualTo(0);

        producer.completeNext();
        turnUntilCommitted(1);
    }

    @Test
    void anOutcomeIsSentAgainUntilTheBrokerConfirmsIt() {
        producer = new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer());
        build(2);
        binder.start();
        add(0, "d0", "w0", Decisions.CLUSTER);
        await().until(() -> turned(() -> published().size() == 1));

        producer.errorNext(new NotEnoughReplicasException("broker down"));
        await().until(() -> published().size() == 2);
        producer.completeNext();

        turnUntilCommitted(1);
    }

    @Test
    void anOutcomeThatCanNeverBeWrittenStopsTheBinder() {
        producer = new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer());
        build(2);
        binder.start();
        add(0, "d0", "w0", Decisions.CLUSTER);
        await().until(() -> turned(() -> published().size() == 1));

        producer.errorNext(new RecordTooLargeException("no"));

        await().untilAsserted(() -> assertThatThrownBy(binder::turn).hasMessageContaining("can't be carried out"));
        assertThat(committed()).isLessThanOrEqualTo(0);
    }

    @Test
    void aDecisionThatCanNotBeDecodedBecomesADeadLetterAndTheNextGoesOn() {
        binder.start();
        consumer.addRecord(new ConsumerRecord<>(DECISIONS.topic(), 0, 0, "main", new byte[] {0, 0, 0, 0, 99, 1}));
        consumer.addRecord(new ConsumerRecord<>(DECISIONS.topic(), 0, 1, "main", new byte[] {7}));
        add(2, "d2", "w2", Decisions.CLUSTER);

        turnUntilCommitted(3);

        assertThat(published()).containsExactly("d2");
        List<DeadLetter> letters = letters();
        assertThat(letters).extracting(DeadLetter::getReason).containsExactly("UnknownSchema", "Undecodable");
        assertThat(letters.get(1).getSizeBytes()).isEqualTo(1);
        assertThat(letters.get(1).getBy()).isEqualTo("binder");
        assertThat(letters.get(1).getOffset()).isEqualTo(1);
    }

    @Test
    void aDecisionOfAnotherDomainBecomesADeadLetter() {
        binder.start();
        Decision stray = Decisions.decision("d0", "w0", 1, Decisions.gangOf(1));
        stray.setDomain("other");
        add(0, stray);

        turnUntilCommitted(1);

        assertThat(letters()).extracting(DeadLetter::getReason).containsExactly("WrongDomain");
    }

    @Test
    void aSuccessorBeginsAtTheCommittedOffset() {
        consumer.assign(List.of(DECISIONS));
        consumer.commitSync(Map.of(DECISIONS, new OffsetAndMetadata(1)));
        consumer.updateEndOffsets(Map.of(DECISIONS, 2L));
        add(1, "d1", "w1", Decisions.CLUSTER);

        OptionalLong waitsSince = binder.start();

        assertThat(waitsSince).isPresent();
        turnUntilCommitted(2);
        assertThat(begun).containsExactly("d1");
    }

    @Test
    void whatWasAnsweredBeforeIsNotDoneAgain() {
        binder.start();
        binder.skip(Set.of("d0"));
        add(0, "d0", "w0", Decisions.CLUSTER);
        add(1, "d1", "w1", Decisions.CLUSTER);

        turnUntilCommitted(2);

        assertThat(begun).containsExactly("d1");
    }

    @Test
    void theOutcomesOfThePredecessorAreFound() {
        MockConsumer<String, byte[]> reader = new MockConsumer<>("none") {
            @Override
            public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
                    Map<TopicPartition, Long> times) {
                return Map.of(OUTCOMES, new OffsetAndTimestamp(1, times.get(OUTCOMES)));
            }
        };
        reader.updateEndOffsets(Map.of(OUTCOMES, 4L));
        reader.schedulePollTask(() -> {
            reader.addRecord(outcome(1, "d1", Decisions.CLUSTER));
            reader.addRecord(outcome(2, "d2", "west"));
            reader.addRecord(new ConsumerRecord<>(OUTCOMES.topic(), 0, 3, "main", new byte[] {1}));
        });

        assertThat(AnsweredDecisions.since(5_000_000, reader, OUTCOMES, outcomes.deserializer(), Decisions.CLUSTER))
                .containsExactly("d1");
    }

    @Test
    void closingCommitsWhatIsDoneAndLeavesTheRest() {
        binder.start();
        hold("d1");
        add(0, "d0", "w0", Decisions.CLUSTER);
        add(1, "d1", "w1", Decisions.CLUSTER);
        await().until(() -> turned(() -> published().size() == 1 && binder.inFlight() == 1));

        lanes.close(Duration.ZERO);
        binder.close();

        assertThat(consumer.closed()).isTrue();
        assertThat(published()).containsExactly("d0");
    }

    private void build(int maxInFlight) {
        OutcomePublisher publisher = new OutcomePublisher(
                producer,
                outcomes.serializer(),
                deadLetters.serializer(),
                new OutcomePublisher.Target(OUTCOMES.topic(), "muster.dead-letters", Decisions.DOMAIN, 0),
                new FakeClock());
        lanes = new DecisionLanes(this::carryOut, publisher::publish, threads, new SimpleMeterRegistry());
        binder = new DecisionConsumer(
                consumer,
                new DecisionConsumer.Source(DECISIONS, Decisions.DOMAIN, Decisions.CLUSTER, maxInFlight),
                decisions.deserializer(),
                lanes,
                waits,
                publisher);
    }

    private Outcome carryOut(Decision decision, Halt halt) {
        begun.add(decision.getId());
        CountDownLatch gate = gates.get(decision.getId());
        if (gate != null) {
            await().pollInterval(Duration.ofMillis(1)).until(() -> gate.getCount() == 0 || halt.isClosed());
        }
        halt.checkOpen();
        return Outcomes.of(decision, Decisions.CLUSTER, OutcomeStatus.BOUND, false, List.of(), 0);
    }

    private void hold(String id) {
        gates.put(id, new CountDownLatch(1));
    }

    private void add(long offset, String id, String workload, String cluster) {
        var place = Decisions.gangOf(1);
        place.setCluster(cluster);
        add(offset, Decisions.decision(id, workload, 1, place));
    }

    private void add(long offset, Decision decision) {
        consumer.schedulePollTask(() -> consumer.addRecord(new ConsumerRecord<>(
                DECISIONS.topic(), 0, offset, "main", decisions.serializer().serialize(DECISIONS.topic(), decision))));
    }

    private ConsumerRecord<String, byte[]> outcome(long offset, String id, String cluster) {
        Decision decision = Decisions.decision(id, "w", 1, Decisions.gangOf(1));
        Outcome outcome = Outcomes.of(decision, cluster, OutcomeStatus.BOUND, false, List.of(), 0);
        return new ConsumerRecord<>(
                OUTCOMES.topic(), 0, offset, "main", outcomes.serializer().serialize(OUTCOMES.topic(), outcome));
    }

    private boolean turned(java.util.function.BooleanSupplier condition) {
        binder.turn();
        return condition.getAsBoolean();
    }

    private void turnUntilCommitted(long offset) {
        await().pollInterval(Duration.ofMillis(1)).until(() -> turned(() -> committed() == offset));
    }

    private long committed() {
        OffsetAndMetadata committed = consumer.committed(Set.of(DECISIONS)).get(DECISIONS);
        return committed == null ? -1 : committed.offset();
    }

    private List<String> published() {
        return producer.history().stream()
                .filter(record -> record.topic().equals(OUTCOMES.topic()))
                .map(ProducerRecord::value)
                .map(value -> outcomes.deserializer()
                        .deserialize(OUTCOMES.topic(), value)
                        .getDecisionId())
                .toList();
    }

    private List<DeadLetter> letters() {
        return producer.history().stream()
                .filter(record -> record.topic().equals("muster.dead-letters"))
                .map(record -> deadLetters.deserializer().deserialize(record.topic(), record.value()))
                .toList();
    }
}
