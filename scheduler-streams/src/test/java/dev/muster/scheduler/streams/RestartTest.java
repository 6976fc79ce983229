package dev.muster.scheduler.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.scheduler.core.TestDomain;
import dev.muster.scheduler.core.event.ClusterEvent;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.state.Row;
import dev.muster.scheduler.streams.Outputs.Routed;
import dev.muster.schemas.serde.LocalRegistry;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.File;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One task alone, stopped and started again on what its stores held: a processor that keeps anything else would show. */
class RestartTest {
    private static final Domains DOMAINS = Domains.of("staging", DrivenDomain.DOMAIN);
    private static final int PARTITION = 1;

    @TempDir
    File stateDir;

    private final LocalRegistry registry = new LocalRegistry();
    private final SettableClock clock = new SettableClock();
    private final Vitals vitals = new Vitals(System::nanoTime);
    private final List<String> written = new ArrayList<>();

    private MockProcessorContext<Routed, byte[]> context;
    private DomainProcessor processor;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aDomainThatIsRestartedAtEveryTenthEntryWritesWhatAnUninterruptedOneWrites(long seed) {
        List<JournalEntry> journal = History.of(seed).journal;
        start(Map.of());
        journal.forEach(this::feed);
        List<String> uninterrupted = List.copyOf(written);
        written.clear();

        clock.set(journal.getFirst().timeMillis());
        start(Map.of());
        for (int i = 0; i < journal.size(); i++) {
            if (i % 10 == 9) {
                restart();
            }
            feed(journal.get(i));
        }

        assertThat(written)
                .hasSameSizeAs(uninterrupted)
                .isEqualTo(uninterrupted)
                .isNotEmpty();
    }

    @Test
    void aTaskWritesToItsOwnPartitionWhateverTheKey() {
        start(Map.of());
        History.of(1).journal.forEach(this::feed);

        assertThat(written).allSatisfy(line -> assertThat(line).contains(" p1 "));
    }

    @Test
    void aStateThatCannotBeReadStopsItsDomainAndNoOther() {
        Map<Row.Table, Map<String, byte[]>> broken = Map.of(Row.Table.PODS, Map.of("c1/uid", new byte[] {1, 2, 3}));

        start(broken);

        assertThat(vitals.isHalted(PARTITION)).isTrue();
        assertThat(vitals.isHalted(0)).isFalse();
        assertThat(context.scheduledPunctuators()).isEmpty();
        start(broken);
        assertThat(context.scheduledPunctuators()).isEmpty();
    }

    @Test
    void aHaltedTaskTakesNothingUntilItsProcessStartsAnew() {
        start(Map.of());
        vitals.halt(PARTITION, "a law was broken");

        assertThatThrownBy(() -> feed(new JournalEntry(0, 1_000_000, pod()))).isInstanceOf(DomainHaltedException.class);
        assertThat(written).isEmpty();
    }

    @Test
    void aRoundRunsUnderLoadTooAndWhatOthersWaitForAsksForACommit() {
        start(Map.of());
        gang().forEach(this::receive);
        assertThat(context.committed()).isFalse();
        clock.set(1_000_005);
        look();

        assertThat(context.forwarded("decisions")).hasSize(1);
        assertThat(context.committed()).isTrue();
    }

    private static List<JournalEntry> gang() {
        TestDomain plain = TestDomain.synced();
        plain.node("n1", 8);
        plain.lonePod("p", 0, TestDomain.gpus(1));
        return plain.journal;
    }

    private void look() {
        context.scheduledPunctuators().getFirst().getPunctuator().punctuate(0);
    }

    private static ClusterEvent pod() {
        TestDomain plain = new TestDomain();
        plain.lonePod("p", 0, TestDomain.gpus(1));
        return plain.pods.get("p");
    }

    private void restart() {
        Map<Row.Table, Map<String, byte[]>> contents = new LinkedHashMap<>();
        for (Row.Table table : Row.Table.values()) {
            Map<String, byte[]> entries = new LinkedHashMap<>();
            RowStore store = context.getStateStore(Store.nameOf(table));
            store.flushCache();
            store.forEach(entries::put);
            contents.put(table, entries);
        }
        processor.close();
        start(contents);
    }

    private void start(Map<Row.Table, Map<String, byte[]>> contents) {
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "muster-scheduler");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
        context = new MockProcessorContext<>(properties, new TaskId(0, PARTITION), stateDir);
        for (Row.Table table : Row.Table.values()) {
            KeyValueStore<String, byte[]> bytes = Stores.keyValueStoreBuilder(
                            Stores.inMemoryKeyValueStore(Store.nameOf(table)), Serdes.String(), Serdes.ByteArray())
                    .withLoggingDisabled()
                    .build();
            RowStore store = new RowStore(bytes);
            store.init(context.getStateStoreContext(), store);
            contents.getOrDefault(table, Map.of()).forEach(bytes::put);
            context.addStateStore(store);
        }
        processor = new DomainProcessor(new DomainSetup(
                Topics.DEFAULT, DOMAINS, registry, new SimpleMeterRegistry(), clock, clock::nanos, vitals));
        processor.init(context);
    }

    private void feed(JournalEntry entry) {
        receive(entry);
        context.forwarded().forEach(forward -> {
            byte[] value = forward.record().value();
            Routed routed = forward.record().key();
            written.add(forward.childName().orElseThrow() + " p" + routed.partition() + " " + routed.key() + " "
                    + (value == null ? "null" : HexFormat.of().formatHex(value)));
        });
        context.resetForwards();
    }

    private void receive(JournalEntry entry) {
        clock.set(entry.timeMillis());
        switch (entry.event()) {
            case ClusterEvent.EngineStarted started -> {
                // The processor says so itself.
            }
            case ClusterEvent.Tick tick -> {
                look();
                look();
            }
            default -> {
                SpecificRecord record = new EventCodec(DrivenDomain.DOMAIN).write(entry.event());
                String topic = DrivenDomain.topicOf(record);
                context.setRecordMetadata(topic, PARTITION, entry.sequence());
                processor.process(new Record<>(null, Bytes.of(registry, topic, record), entry.timeMillis()));
            }
        }
    }
}
