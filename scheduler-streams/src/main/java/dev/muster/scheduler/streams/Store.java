package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.state.Row;
import dev.muster.schemas.topic.Topics;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** The state store of a table: in memory, with a changelog that it is restored from. */
final class Store {
    private Store() {}

    static String nameOf(Row.Table table) {
        return table.name().toLowerCase(Locale.ROOT);
    }

    /** The changelog as Kafka Streams names it; values are registered under its subject. */
    static String changelogOf(String applicationId, Row.Table table) {
        return applicationId + "-" + nameOf(table) + "-changelog";
    }

    static StoreBuilder<RowStore> builderOf(Row.Table table) {
        return builderOf(Stores.inMemoryKeyValueStore(nameOf(table)));
    }

    /** The store of a table whose bytes are kept in a store of one's own. */
    static StoreBuilder<RowStore> builderOf(KeyValueBytesStoreSupplier bytes) {
        return new RowStoreBuilder(Stores.keyValueStoreBuilder(bytes, Serdes.String(), Serdes.ByteArray())
                .withLoggingEnabled(Map.of(
                        // The hold of a gang of 10,000 pods is one row.
                        TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(Topics.MAX_TRUSTED_BATCH_BYTES))));
    }
}
