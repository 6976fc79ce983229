package dev.muster.scheduler.streams;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The topics that a domain's state was made of, by the ids that brokers give them, kept beside the state. A topic that was
 * deleted and made anew has another id: positions on it mean other records, and going on would skip or repeat input in
 * silence.
 */
final class TopicPins {
    static final String STORE = "topics";

    private final KeyValueStore<String, String> pins;
    private final Supplier<Map<String, String>> ids;

    /** @param ids name to id of each topic now; empty where there are no brokers, as on the test driver */
    TopicPins(KeyValueStore<String, String> pins, Supplier<Map<String, String>> ids) {
        this.pins = pins;
        this.ids = ids;
    }

    static StoreBuilder<KeyValueStore<String, String>> builder() {
        return Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(STORE), Serdes.String(), Serdes.String());
    }

    /**
     * Pins what is not pinned yet.
     *
     * @throws IllegalStateException when a topic is not the one that was pinned
     */
    void check() {
        new TreeMap<>(ids.get()).forEach((topic, id) -> {
            String pinned = pins.putIfAbsent(topic, id);
            if (pinned != null && !pinned.equals(id)) {
                throw new IllegalStateException("topic " + topic
                        + " is not the one that the state was made of: its id was "
                        + pinned + " and is " + id + ". It was deleted and made anew; bring the old one back, or start"
                        + " a new domain");
            }
        });
    }
}
