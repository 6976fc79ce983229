package dev.muster.scheduler.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.scheduler.core.state.Row;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowStoreTest {
    private final List<Row> encoded = new ArrayList<>();
    private final RowStore store = new RowStore(
            Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore("quotas"), Serdes.String(), Serdes.ByteArray())
                    .withLoggingDisabled()
                    .build());

    @TempDir
    File stateDir;

    @BeforeEach
    void open() {
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
        store.init(new MockProcessorContext<>(properties, new TaskId(0, 0), stateDir).getStateStoreContext(), store);
        store.encodeWith(row -> {
            encoded.add(row);
            return row.key().getBytes(StandardCharsets.UTF_8);
        });
    }

    @Test
    void aRowThatChangesOftenIsEncodedOnceAsItIsInTheEnd() {
        Row last = quota("b");
        store.put("one", quota("a"));
        store.put("one", last);
        assertThat(written()).isEmpty();

        store.flushCache();
        store.flushCache();
        assertThat(encoded).containsExactly(last);
        assertThat(written()).containsExactly(Map.entry("one", "b"));
    }

    @Test
    void aRowThatWasRemovedIsRemoved() {
        store.put("one", quota("a"));
        store.flushCache();
        store.put("one", quota("b"));
        store.put("one", null);
        store.flushCache();

        assertThat(encoded).hasSize(1);
        assertThat(written()).isEmpty();
    }

    @Test
    void whatATransactionChangedThatNeverEndedIsForgotten() {
        store.put("one", quota("a"));
        store.clearCache();
        store.flushCache();
        assertThat(written()).isEmpty();

        store.put("one", quota("a"));
        store.close();
        open();
        store.flushCache();
        assertThat(written()).isEmpty();
    }

    @Test
    void aRowThatCannotBeEncodedEndsTheTransaction() {
        store.encodeWith(row -> {
            throw new DomainHaltedException("halted", null);
        });
        store.put("one", quota("a"));
        assertThatThrownBy(store::flushCache).isInstanceOf(DomainHaltedException.class);
    }

    private Map<String, String> written() {
        Map<String, String> all = new TreeMap<>();
        store.forEach((key, value) -> all.put(key, new String(value, StandardCharsets.UTF_8)));
        return all;
    }

    private static Row quota(String queue) {
        return new Row.Quota(queue, List.of());
    }
}
