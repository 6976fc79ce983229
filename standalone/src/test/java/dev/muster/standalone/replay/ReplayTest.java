package dev.muster.standalone.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.scheduler.streams.SchedulerApp;
import dev.muster.scheduler.streams.SchedulerConfig;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.PlaceGang;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.TopicAdmin;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.cli.Environment;
import dev.muster.standalone.cli.Muster;
import dev.muster.standalone.stack.Connection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scheduler on a real broker, stopped and started once in between; then what it left, replayed and altered. */
class ReplayTest {
    private static final Topics TOPICS = Topics.DEFAULT;
    private static final Domains DOMAINS = Domains.of("default");
    private static final int GANGS = 6;

    @TempDir
    static Path original;

    @TempDir
    Path dataDir;

    @BeforeAll
    static void letTheSchedulerWork() throws Exception {
        try (Connection connection = Connection.to(original)) {
            try (Admin admin = Admin.create(connection.kafka())) {
                TopicAdmin.ensure(admin, TOPICS.trusted(DOMAINS), Duration.ofSeconds(30));
            }
            ClusterNews news = new ClusterNews("default");
            try (SchedulerApp scheduler = scheduler(connection)) {
                publish(connection, news.nodes(4));
                publish(connection, news.gangs(0, GANGS / 2));
                awaitDecisions(connection, GANGS / 2);
                assertThat(scheduler.isHealthy()).isTrue();
                assertThat(scheduler.haltedDomains()).isEmpty();
            }
            try (SchedulerApp scheduler = scheduler(connection)) {
                publish(connection, news.gangs(GANGS / 2, GANGS));
                awaitDecisions(connection, GANGS);
                assertThat(scheduler.isHealthy()).isTrue();
            }
        }
    }

    @BeforeEach
    void copyTheDirectory() throws IOException {
        try (Stream<Path> files = Files.walk(original)) {
            files.forEach(
                    from -> copy(from, dataDir.resolve(original.relativize(from).toString())));
        }
    }

    @Test
    void whatTheSchedulerDecidedIsDecidedAgainByteForByte() {
        Answer answer = muster("replay", "--verify", "--data-dir", dataDir.toString());

        assertThat(answer.out()).contains(GANGS + " decisions equal, byte for byte, 0 not");
        assertThat(answer.exitCode()).isZero();
    }

    @Test
    void aDecisionOfWhichOneByteWasAlteredOnDiskIsNamed() throws IOException {
        flipByteInFirstRecord(dataDir.resolve("kafka/" + TOPICS.decisions() + "-0/00000000000000000000.log"));

        Answer answer = muster("replay", "--verify", "--data-dir", dataDir.toString(), "-o", "json");

        JsonNode json = new ObjectMapper().readTree(answer.out());
        assertThat(json.at("/good").asBoolean()).isFalse();
        assertThat(json.at("/differences").asInt()).isPositive();
        assertThat(json.at("/firstDifference/message").asText()).isNotEmpty();
        assertThat(answer.exitCode()).isOne();
    }

    @Test
    void aDecisionOfWhichOneFieldWasAlteredIsNamedByField() {
        try (Connection connection = Connection.to(dataDir)) {
            List<Decision> decisions = decisions(connection);
            Topics copy = new Topics("copy.");
            republish(connection, copy, TOPICS.journal(), Optional.empty());
            Decision altered = decisions.get(1);
            ((PlaceGang) altered.getAction()).getNodes().getFirst().setNode("elsewhere");
            republish(connection, copy, TOPICS.decisions(), Optional.of(altered));

            ReplayReport report = verify(connection, copy);

            ReplayReport.Comparison comparison = report.comparison().orElseThrow();
            assertThat(comparison.equal()).isEqualTo(GANGS - 1);
            assertThat(comparison.differences()).isOne();
            Difference first = comparison.first().orElseThrow();
            assertThat(first.kind()).isEqualTo(Difference.Kind.DIFFERENT);
            assertThat(first.index()).isOne();
            assertThat(first.id()).isEqualTo(altered.getId());
            assertThat(first.fields()).singleElement().satisfies(field -> {
                assertThat(field.path()).isEqualTo("action.nodes[0].node");
                assertThat(field.recorded()).isEqualTo("elsewhere");
            });
        }
    }

    @Test
    void decisionsThatAreMissingAreCounted() {
        try (Connection connection = Connection.to(dataDir)) {
            Topics copy = new Topics("copy.");
            republish(connection, copy, TOPICS.journal(), Optional.empty());
            createTopics(connection, copy);

            ReplayReport report = verify(connection, copy);

            assertThat(report.good()).isFalse();
            assertThat(report.comparison().orElseThrow().differences()).isEqualTo(GANGS);
            assertThat(report.comparison().orElseThrow().first().orElseThrow().kind())
                    .isEqualTo(Difference.Kind.MISSING);
        }
    }

    @Test
    void aReplayWithoutComparisonTellsWhatIsInTheJournal() throws IOException {
        Answer answer = muster("replay", "--data-dir", dataDir.toString(), "-o", "json");

        JsonNode json = new ObjectMapper().readTree(answer.out());
        assertThat(json.at("/decisions").asInt()).isEqualTo(GANGS);
        assertThat(json.at("/verified").asBoolean()).isFalse();
        assertThat(json.at("/journalEngines/0/fromSequence").asInt()).isZero();
        assertThat(answer.exitCode()).isZero();
    }

    @Test
    void aDirectoryWithoutTopicsCannotBeUsed(@TempDir Path empty) {
        Answer answer = muster("replay", "--verify", "--data-dir", empty.toString());

        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.err()).contains("holds no topics");
    }

    private static SchedulerApp scheduler(Connection connection) throws InterruptedException {
        SchedulerApp scheduler = new SchedulerApp(
                SchedulerConfig.of(connection.kafka(), TOPICS, DOMAINS, "test", original.resolve("streams")),
                connection.registry(),
                new SimpleMeterRegistry());
        scheduler.start();
        assertThat(scheduler.awaitRunning(Duration.ofSeconds(60))).isTrue();
        return scheduler;
    }

    private static void publish(Connection connection, List<ClusterNews.Item> items) {
        try (KafkaProducer<String, byte[]> producer = producer(connection)) {
            for (ClusterNews.Item item : items) {
                String topic = item.topic(TOPICS);
                producer.send(new ProducerRecord<>(topic, 0, "key", item.encode(connection.registry(), topic)));
            }
        }
    }

    private static void awaitDecisions(Connection connection, int count) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(decisions(connection)).hasSize(count));
    }

    private static List<Decision> decisions(Connection connection) {
        try (AvroSerde<Decision> serde = new AvroSerde<>(connection.registry(), Decision.class)) {
            return records(connection, TOPICS.decisions()).stream()
                    .map(record -> serde.deserializer().deserialize(TOPICS.decisions(), record.value()))
                    .toList();
        }
    }

    private static List<ConsumerRecord<byte[], byte[]>> records(Connection connection, String topic) {
        try (PartitionReader reader = new PartitionReader(connection.kafka(), new TopicPartition(topic, 0))) {
            return Stream.generate(reader::next)
                    .takeWhile(Optional::isPresent)
                    .map(Optional::get)
                    .toList();
        }
    }

    private static void createTopics(Connection connection, Topics topics) {
        try (Admin admin = Admin.create(connection.kafka())) {
            TopicAdmin.ensure(admin, topics.trusted(DOMAINS), Duration.ofSeconds(30));
        }
    }

    /** Copies a topic to another prefix, with one decision in place of the one of the same id. */
    private static void republish(Connection connection, Topics to, String topic, Optional<Decision> altered) {
        createTopics(connection, to);
        String target = to.prefix() + topic.substring(TOPICS.prefix().length());
        SchemaRegistry registry = connection.registry();
        try (AvroSerde<Decision> serde = new AvroSerde<>(registry, Decision.class);
                KafkaProducer<String, byte[]> producer = producer(connection)) {
            for (ConsumerRecord<byte[], byte[]> record : records(connection, topic)) {
                byte[] value = record.value();
                if (altered.isPresent()
                        && serde.deserializer()
                                .deserialize(topic, value)
                                .getId()
                                .equals(altered.get().getId())) {
                    value = serde.serializer().serialize(topic, altered.get());
                }
                producer.send(new ProducerRecord<>(target, 0, "default", value));
            }
        }
    }

    private static KafkaProducer<String, byte[]> producer(Connection connection) {
        return new KafkaProducer<>(
                new HashMap<>(connection.kafka()), new StringSerializer(), new ByteArraySerializer());
    }

    private static ReplayReport verify(Connection connection, Topics topics) {
        return new ReplayVerifier(connection.kafka(), connection.registry(), topics, DOMAINS, "default").verify();
    }

    private static void flipByteInFirstRecord(Path segment) throws IOException {
        int batchHeaderBytes = 61;
        try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
            long position = batchHeaderBytes + 40;
            file.seek(position);
            int before = file.read();
            file.seek(position);
            file.write(before ^ 1);
        }
    }

    private static void copy(Path from, Path to) {
        try {
            if (Files.isDirectory(from)) {
                Files.createDirectories(to);
            } else {
                Files.copy(from, to);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Answer(int exitCode, String out, String err) {}

    private static Answer muster(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode = Muster.execute(
                new Environment(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        Map.of(),
                        false,
                        false,
                        100),
                args);
        return new Answer(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
