package dev.muster.standalone.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.ingest.intake.Grant;
import dev.muster.ingest.intake.Intake;
import dev.muster.ingest.intake.IntakeConfig;
import dev.muster.ingest.intake.TenantPolicy;
import dev.muster.schemas.decision.DeadLetter;
import dev.muster.schemas.job.JobAction;
import dev.muster.schemas.job.JobCommand;
import dev.muster.schemas.job.JobResult;
import dev.muster.schemas.job.JobSpec;
import dev.muster.schemas.job.JobTask;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.EmbeddedRegistry;
import dev.muster.schemas.serde.RegistryConfig;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.TopicAdmin;
import dev.muster.schemas.topic.TopicSpec;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.broker.EmbeddedBroker;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What strangers may put on a tenant's topic, on a real broker: answered or told as a dead letter, and nobody else waits. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadRecordsTest {
    private static final Topics TOPICS = Topics.DEFAULT;
    private static final Domains DOMAINS = Domains.of("default");
    private static final String STRICT = TOPICS.jobs("strict");
    private static final String LAX = TOPICS.jobs("lax");
    private static final String NEIGHBOUR = TOPICS.jobs("neighbour");

    /** 256 by {@code -Dmuster.bomb.mebibytes=256}: broker, intake and test share the memory of one test process. */
    private static final int BOMB_BYTES = Integer.getInteger("muster.bomb.mebibytes", 64) << 20;

    private final List<JobResult> results = new ArrayList<>();
    private final List<DeadLetter> letters = new ArrayList<>();
    private EmbeddedBroker broker;
    private EmbeddedRegistry registry;
    private Connection connection;
    private Intake intake;
    private TopicReader reader;
    private KafkaProducer<byte[], byte[]> producer;
    private Serializer<JobCommand> commands;
    private int sent;

    @BeforeAll
    void anIntakeOfThreeTenants(@TempDir Path directory) {
        AvroSerde.trustGeneratedClasses();
        broker = EmbeddedBroker.start(directory, 0);
        Map<String, Object> kafka = Map.of("bootstrap.servers", broker.bootstrapServers());
        registry = EmbeddedRegistry.start(0, kafka, "_schemas");
        List<TopicSpec> specs = new ArrayList<>(TOPICS.trusted(DOMAINS));
        specs.addAll(TOPICS.tenant("strict"));
        specs.addAll(TOPICS.tenant("neighbour"));
        TOPICS.tenant("lax").forEach(spec -> specs.add(spec.name().equals(LAX) ? takingWhatComes(spec) : spec));
        try (Admin admin = Admin.create(kafka)) {
            TopicAdmin.ensure(admin, specs, Duration.ofSeconds(60));
        }
        connection = Connection.to(
                kafka,
                new RegistryConfig(List.of(registry.uri()), Optional.empty(), Optional.empty(), Duration.ofSeconds(2)));
        commands = new AvroSerde<>(connection.registry(), JobCommand.class).serializer();
        producer = new KafkaProducer<>(kafka, new ByteArraySerializer(), new ByteArraySerializer());
        reader = new TopicReader(connection)
                .topic(TOPICS.deadLetters(), DeadLetter.class, (key, letter) -> letters.add(letter));
        for (String tenant : List.of("strict", "lax", "neighbour")) {
            reader.topic(TOPICS.results(tenant), JobResult.class, (key, result) -> results.add(result));
        }
        IntakeConfig config = IntakeConfig.of("test", List.of(policy("strict"), policy("lax"), policy("neighbour")));
        intake = new Intake(TOPICS, DOMAINS, kafka, connection.registry(), config, new SimpleMeterRegistry());
        intake.start();
        patiently().until(intake::isHealthy);
    }

    @AfterAll
    void stop() {
        intake.close();
        reader.close();
        producer.close();
        connection.close();
        registry.close();
        broker.close();
    }

    @AfterEach
    void theRestGoesOn() {
        for (String topic : List.of(NEIGHBOUR, STRICT, LAX)) {
            isAnswered(topic);
        }
        assertThat(intake.isHealthy()).isTrue();
    }

    @Test
    void aBombIsRefusedByTheBrokerWhereTheTopicIsAsMusterMakesIt() throws IOException {
        assertThat(Bomb.send(broker.bootstrapServers(), STRICT, BOMB_BYTES))
                .as("MESSAGE_TOO_LARGE")
                .isEqualTo(10);
    }

    @Test
    void aBombOnATopicThatTakesWhatComesIsADeadLetter() throws IOException {
        int before = lettersNow();
        assertThat(Bomb.send(broker.bootstrapServers(), LAX, BOMB_BYTES)).isZero();
        DeadLetter letter = letterAfter(before);
        assertThat(letter.getSource()).isEqualTo(LAX);
        assertThat(letter.getReason()).isEqualTo("TooLarge");
    }

    @Test
    void bytesThatAreNoCommandAreDeadLettersWithTheirReason() {
        int before = lettersNow();
        send(STRICT, new byte[] {1, 2, 3});
        send(STRICT, new byte[] {0, 0, 0, 9, 9, 1});
        send(STRICT, null);
        patiently().until(() -> lettersNow() == before + 3);
        assertThat(letters.subList(before, before + 3))
                .extracting(DeadLetter::getReason)
                .containsExactly("Undecodable", "UnknownSchema", "Invalid");
        assertThat(letters.get(before).getMessage()).isEqualTo("value of 3 bytes, expected at least 5");
    }

    @Test
    void whileTheRegistryIsAwayNothingIsJudgedByItAndNothingIsLost() {
        isAnswered(NEIGHBOUR); // whose schema is known from then on
        byte[] good = command("while-away");
        int port = registry.uri().getPort();
        registry.close();
        int before = lettersNow();
        try {
            send(STRICT, new byte[] {0, 0, 0, 77, 77, 1});
            send(NEIGHBOUR, good);
            patiently().until(() -> answer("while-away"));
            assertThat(lettersNow())
                    .as("a registry that is away is not the record's fault")
                    .isEqualTo(before);
        } finally {
            registry = EmbeddedRegistry.start(port, Map.of("bootstrap.servers", broker.bootstrapServers()), "_schemas");
        }
        assertThat(letterAfter(before).getReason()).isEqualTo("UnknownSchema");
    }

    @Test
    void aGangOfTenMillionIsRejectedWithItsField() {
        JobCommand command = cancel("large");
        send(NEIGHBOUR, commands.serialize(NEIGHBOUR, submitOf(command, 10_000_000)));
        patiently().until(() -> answer("large"));
        assertThat(results)
                .filteredOn(r -> r.getJobId().equals("large"))
                .singleElement()
                .satisfies(result -> {
                    assertThat(result.getStatus()).isEqualTo("Rejected");
                    assertThat(result.getReason()).isEqualTo("OutOfRange");
                    assertThat(result.getField()).isEqualTo("job.tasks[0].replicas");
                });
    }

    private static JobCommand submitOf(JobCommand command, int replicas) {
        var task =
                new JobTask("worker", replicas, -1, "{\"spec\":{\"containers\":[{\"name\":\"a\",\"image\":\"b\"}]}}");
        return JobCommand.newBuilder(command)
                .setAction(JobAction.SUBMIT)
                .setJob(JobSpec.newBuilder().setTasks(List.of(task)).build())
                .build();
    }

    private static TopicSpec takingWhatComes(TopicSpec spec) {
        Map<String, String> config = new HashMap<>(spec.config());
        config.put(TopicConfig.COMPRESSION_TYPE_CONFIG, "producer");
        return new TopicSpec(spec.name(), spec.partitions(), config);
    }

    private static TenantPolicy policy(String tenant) {
        return new TenantPolicy(tenant, "default", Grant.only("default"), Grant.everything(), Grant.everything(), 100);
    }

    /** A command that needs nothing but to be read: the cancellation of a job that nobody has. */
    private void isAnswered(String topic) {
        String job = "j" + sent++;
        send(topic, command(job));
        patiently().until(() -> answer(job));
    }

    private byte[] command(String job) {
        return commands.serialize(NEIGHBOUR, cancel(job));
    }

    private static JobCommand cancel(String job) {
        return JobCommand.newBuilder()
                .setCommandId("c-" + job)
                .setJobId(job)
                .setAction(JobAction.CANCEL)
                .build();
    }

    private boolean answer(String job) {
        reader.readToEnd();
        return results.stream().anyMatch(result -> result.getJobId().equals(job));
    }

    private int lettersNow() {
        reader.readToEnd();
        return letters.size();
    }

    private DeadLetter letterAfter(int before) {
        patiently().until(() -> lettersNow() > before);
        return letters.get(before);
    }

    private void send(String topic, byte[] value) {
        producer.send(new ProducerRecord<>(topic, value));
        producer.flush();
    }

    private static ConditionFactory patiently() {
        return await().pollInSameThread().atMost(Duration.ofSeconds(60));
    }
}
