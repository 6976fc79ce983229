package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.state.Row;
import dev.muster.schemas.decision.DeadLetter;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.event.GroupEvent;
import dev.muster.schemas.event.HealthEvent;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.event.NumaEvent;
import dev.muster.schemas.event.PodEvent;
import dev.muster.schemas.event.PolicyEvent;
import dev.muster.schemas.job.Submission;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;

/** The production topology in Kafka's test driver, with the domain's clock in hand. */
final class DrivenDomain implements AutoCloseable {
    static final String DOMAIN = "prod";
    static final Topics TOPICS = Topics.DEFAULT;

    final SettableClock clock = new SettableClock();
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final Vitals vitals = new Vitals(System::nanoTime);

    private final SchemaRegistry registry;
    private final EventCodec codec = new EventCodec(DOMAIN);
    private final TopologyTestDriver driver;

    DrivenDomain(SchemaRegistry registry) {
        this.registry = registry;
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "muster-scheduler");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
        driver = new TopologyTestDriver(
                SchedulerTopology.of(
                        new DomainSetup(TOPICS, Domains.of(DOMAIN), registry, meters, clock, clock::nanos, vitals)),
                properties,
                Instant.EPOCH);
    }

    /** Feeds a journal's events as records of their topics, its ticks as passing time; each at its entry's time. */
    void feed(List<JournalEntry> journal) {
        for (JournalEntry entry : journal) {
            clock.set(entry.timeMillis());
            switch (entry.event()) {
                case ClusterEvent.EngineStarted started -> {
                    // The processor says so itself.
                }
                case ClusterEvent.Tick tick -> tick();
                default -> send(entry.event());
            }
        }
    }

    /** Lets the input pause: the processor sees that nothing came between two looks. */
    void tick() {
        driver.advanceWallClockTime(DomainProcessor.TICK_EVERY);
        driver.advanceWallClockTime(DomainProcessor.TICK_EVERY);
    }

    void send(ClusterEvent event) {
        SpecificRecord record = codec.write(event);
        String topic = topicOf(record);
        sendBytes(topic, Bytes.of(registry, topic, record));
    }

    void sendBytes(String topic, byte[] value) {
        driver.createInputTopic(topic, new StringSerializer(), new ByteArraySerializer())
                .pipeInput("key", value);
    }

    List<JournalEntry> journal() {
        JournalCodec journal = new JournalCodec(DOMAIN);
        return read(TOPICS.journal(), dev.muster.schemas.journal.JournalEntry.class).values().stream()
                .map(journal::read)
                .toList();
    }

    List<Decision> decisions() {
        DecisionCodec decisions = new DecisionCodec(DOMAIN);
        return read(TOPICS.decisions(), dev.muster.schemas.decision.Decision.class).values().stream()
                .map(decisions::read)
                .toList();
    }

    /** Key to latest status; null where it was forgotten. */
    Map<String, WorkloadStatus> statuses() {
        Map<String, WorkloadStatus> latest = new LinkedHashMap<>();
        Read<WorkloadStatus> all = read(TOPICS.workloadStatus(), WorkloadStatus.class);
        for (int i = 0; i < all.keys().size(); i++) {
            latest.put(all.keys().get(i), all.values().get(i));
        }
        return latest;
    }

    List<DeadLetter> deadLetters() {
        return read(TOPICS.deadLetters(), DeadLetter.class).values();
    }

    /** All rows, as a task that starts on these stores would read them. */
    List<Row> rows() {
        return new StateMirror(registry, "muster-scheduler", this::rowStore, IllegalStateException::new).rows();
    }

    Map<String, byte[]> store(Row.Table table) {
        Map<String, byte[]> copy = new LinkedHashMap<>();
        rowStore(Store.nameOf(table)).forEach(copy::put);
        return copy;
    }

    private RowStore rowStore(String name) {
        return (RowStore) driver.getStateStore(name);
    }

    static String topicOf(SpecificRecord record) {
        return switch (record) {
            case NodeEvent e -> TOPICS.nodes();
            case PodEvent e -> TOPICS.pods();
            case GroupEvent e -> TOPICS.workloads();
            case HealthEvent e -> TOPICS.gpuHealth();
            case NumaEvent e -> TOPICS.numa();
            case PolicyEvent e -> TOPICS.policies();
            case Submission e -> TOPICS.submissions();
            case Outcome e -> TOPICS.outcomes();
            default -> throw new AssertionError("no topic for " + record);
        };
    }

    private record Read<T>(List<String> keys, List<T> values) {}

    private <T extends SpecificRecord> Read<T> read(String topic, Class<T> type) {
        Read<T> read = new Read<>(new ArrayList<>(), new ArrayList<>());
        driver.createOutputTopic(topic, new StringDeserializer(), new ByteArrayDeserializer())
                .readKeyValuesToList()
                .forEach(entry -> {
                    read.keys().add(entry.key);
                    read.values().add(Bytes.read(registry, topic, type, entry.value));
                });
        return read;
    }

    @Override
    public void close() {
        driver.close();
    }
}
