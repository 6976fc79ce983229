package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.round.Engine;
import dev.muster.scheduler.core.state.Row;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.virtual.SchedulerHost;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;

/**
 * The production topology in Kafka's test driver, as a virtual stack's scheduler. Its ticks come from the processor's own
 * punctuator and pacer; an engine that follows the journal tells when it wants the next, and so replays on the way. A
 * restart closes the driver and starts a new one on the bytes of its stores.
 */
public final class DrivenHost implements SchedulerHost {

    private final Setup setup;
    private final JournalCodec journalCodec;
    private final Deserializer<dev.muster.schemas.journal.JournalEntry> entries;
    private final Map<String, TestOutputTopic<String, byte[]>> outputs = new TreeMap<>();
    private final Map<String, Long> offsets = new TreeMap<>();
    private Map<Row.Table, Map<String, byte[]>> kept = Map.of();
    private TopologyTestDriver driver;
    private Engine follower = Engine.empty();

    public DrivenHost(Setup setup) {
        this.setup = setup;
        this.journalCodec = new JournalCodec(setup.domain());
        this.entries = new AvroSerde<>(setup.registry(), dev.muster.schemas.journal.JournalEntry.class).deserializer();
        open();
    }

    private void open() {
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, SchedulerConfig.defaultApplicationId(setup.topics()));
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
        DomainSetup domain = new DomainSetup(
                setup.topics(),
                Domains.of(setup.domain()),
                setup.registry(),
                new SimpleMeterRegistry(),
                setup.clock(),
                () -> setup.clock().millis() * 1_000_000,
                new Vitals(System::nanoTime));
        Map<Row.Table, Map<String, byte[]>> contents = kept;
        driver = new TopologyTestDriver(
                SchedulerTopology.of(domain, table -> KeptStore.builder(table, contents.getOrDefault(table, Map.of()))),
                properties,
                Instant.EPOCH);
        outputs.clear();
        Topics topics = setup.topics();
        for (String topic :
                List.of(topics.journal(), topics.decisions(), topics.workloadStatus(), topics.deadLetters())) {
            outputs.put(topic, driver.createOutputTopic(topic, new StringDeserializer(), new ByteArrayDeserializer()));
        }
    }

    @Override
    public void event(String topic, String key, byte[] value) {
        offsets.merge(topic, 1L, Long::sum);
        driver.createInputTopic(topic, new StringSerializer(), new ByteArraySerializer())
                .pipeInput(key, value, setup.clock().millis());
        publish();
    }

    @Override
    public void settle() {
        boolean more;
        do {
            // The processor ticks when it finds between two looks that nothing came.
            driver.advanceWallClockTime(DomainProcessor.TICK_EVERY);
            more = publish();
            driver.advanceWallClockTime(DomainProcessor.TICK_EVERY);
            more |= publish();
        } while (more);
        String wanted = follower.tickCause(setup.clock().millis());
        if (wanted != null) {
            throw new IllegalStateException("the processor wrote no tick, although one is wanted: " + wanted);
        }
    }

    /** Hands on what was written; whether that was anything. */
    private boolean publish() {
        Topics topics = setup.topics();
        boolean any = false;
        for (KeyValue<String, byte[]> record : outputs.get(topics.journal()).readKeyValuesToList()) {
            JournalEntry entry = journalCodec.read(entries.deserialize(topics.journal(), record.value));
            if (!follower.apply(entry).applied()) {
                throw new IllegalStateException("entry " + entry.sequence() + " changes nothing in a replay");
            }
            setup.output().published(topics.journal(), record.key, record.value);
            any = true;
        }
        for (String topic : List.of(topics.decisions(), topics.workloadStatus(), topics.deadLetters())) {
            for (KeyValue<String, byte[]> record : outputs.get(topic).readKeyValuesToList()) {
                setup.output().published(topic, record.key, record.value);
            }
        }
        return any;
    }

    @Override
    public long nextDeadlineMillis() {
        return follower.nextDeadlineMillis();
    }

    @Override
    public void restart() {
        Map<Row.Table, Map<String, byte[]>> contents = new EnumMap<>(Row.Table.class);
        for (Row.Table table : Row.Table.values()) {
            Map<String, byte[]> rows = new TreeMap<>();
            ((RowStore) driver.getStateStore(Store.nameOf(table))).forEach(rows::put);
            contents.put(table, rows);
        }
        driver.close();
        kept = contents;
        open();
        // The driver counts a topic's records from 0 again; tombstones, which are passed over, bring it to where it
        // was.
        offsets.forEach((topic, offset) -> {
            var input = driver.createInputTopic(topic, new StringSerializer(), new ByteArraySerializer());
            for (long i = 0; i < offset; i++) {
                input.pipeInput("", null, setup.clock().millis());
            }
        });
    }

    @Override
    public void close() {
        driver.close();
    }
}
