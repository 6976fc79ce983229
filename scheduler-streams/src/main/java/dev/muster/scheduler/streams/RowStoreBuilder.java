package dev.muster.scheduler.streams;

import java.util.Map;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;

/** Builds a {@link RowStore} over the store that another builder builds. */
record RowStoreBuilder(StoreBuilder<KeyValueStore<String, byte[]>> below) implements StoreBuilder<RowStore> {
    @Override
    public RowStore build() {
        return new RowStore(below.build());
    }

    @Override
    public StoreBuilder<RowStore> withCachingEnabled() {
        throw new UnsupportedOperationException("it is a cache");
    }

    @Override
    public StoreBuilder<RowStore> withCachingDisabled() {
        return this;
    }

    @Override
    public StoreBuilder<RowStore> withLoggingEnabled(Map<String, String> config) {
        return new RowStoreBuilder(below.withLoggingEnabled(config));
    }

    @Override
    public StoreBuilder<RowStore> withLoggingDisabled() {
        return new RowStoreBuilder(below.withLoggingDisabled());
    }

    @Override
    public Map<String, String> logConfig() {
        return below.logConfig();
    }

    @Override
    public boolean loggingEnabled() {
        return below.loggingEnabled();
    }

    @Override
    public String name() {
        return below.name();
    }
}
