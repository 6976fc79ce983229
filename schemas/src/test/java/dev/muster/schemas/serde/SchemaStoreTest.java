package dev.muster.schemas.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class SchemaStoreTest {
    private static final String V1 =
            "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"a\",\"type\":\"int\"}]}";
    private static final String V2 =
            "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"a\",\"type\":\"long\"}]}";

    private final CompactedLog log = new CompactedLog();

    @Test
    void aStoreThatReadsTheLogKnowsWhatTheEarlierOneKnew() {
        SchemaStore earlier = new SchemaStore(log);
        int first = earlier.register("s", V1);
        int second = earlier.register("s", V2);
        earlier.setRule(Optional.of("s"), Compatibility.NONE);
        earlier.setRule(Optional.empty(), Compatibility.FULL);
        earlier.setRule(Optional.empty(), Compatibility.FORWARD);

        SchemaStore later = new SchemaStore(log);

        assertThat(later.state().versions("s"))
                .extracting(RegistryEntry.Version::id)
                .containsExactly(first, second);
        assertThat(later.state().rule("s")).isEqualTo(Compatibility.NONE);
        assertThat(later.state().defaultRule()).isEqualTo(Compatibility.FORWARD);
        assertThat(later.register("t", V2)).isEqualTo(second);
        assertThat(later.register("u", "\"string\"")).isEqualTo(3);
    }

    @Test
    void whatIsNotInTheLogIsNotAnswered() {
        SchemaStore store = new SchemaStore(log);
        log.failNext = true;
        assertThatThrownBy(() -> store.register("s", V1))
                .isInstanceOf(RegistryError.class)
                .hasMessageContaining("no answer");
        assertThat(store.state().subjects()).isEmpty();
        assertThat(store.register("s", V2)).isEqualTo(1);
        assertThat(log.opened).isEqualTo(2);
    }

    @Test
    void aWriteThatWasLostFromSightIsFoundBeforeTheNextOne() {
        SchemaStore store = new SchemaStore(log);
        log.failNext = true;
        log.keepsWhatFails = true;
        assertThatThrownBy(() -> store.register("s", V1)).isInstanceOf(RegistryError.class);
        assertThat(store.register("s", V2)).isEqualTo(2);
        assertThat(store.state().versions("s")).hasSize(2);
    }

    @Test
    void whenTwoStoresWriteAtOnceTheSecondReadsWhatTheFirstWroteAndNothingIsLost() {
        SchemaStore one = new SchemaStore(log);
        SchemaStore other = new SchemaStore(log);
        assertThat(one.register("s", V1)).isEqualTo(1);
        log.failNext = true;
        log.keepsWhatFails = true;
        assertThatThrownBy(() -> other.register("s", V2)).isInstanceOf(RegistryError.class);
        assertThat(other.state().subjects()).isEmpty();
        assertThat(other.register("s", V2)).isEqualTo(2);
        assertThat(new SchemaStore(log).state().versions("s"))
                .extracting(RegistryEntry.Version::version, RegistryEntry.Version::id, RegistryEntry.Version::schema)
                .containsExactly(tuple(1, 1, V1), tuple(2, 2, V2));
    }

    @Test
    void aTopicWithSomethingElseInItIsNotReadAsALog() {
        assertThatThrownBy(() -> RegistryEntryJson.read("{\"keytype\":\"NOOP\"}", "{}"))
                .isInstanceOf(SerializationException.class);
        assertThatThrownBy(() -> RegistryEntryJson.read("{\"keytype\":\"SCHEMA\"}", "{}"))
                .isInstanceOf(SerializationException.class);
        assertThatThrownBy(() -> RegistryEntryJson.read(null, null)).isInstanceOf(RuntimeException.class);
    }

    /** A compacted topic: for each key the latest value, in the order of writing. */
    private static final class CompactedLog implements RegistryLog {
        private final Map<String, String> records = new LinkedHashMap<>();
        private boolean failNext;
        private boolean keepsWhatFails;
        private int opened;

        @Override
        public List<RegistryEntry> open() {
            opened++;
            List<RegistryEntry> entries = new ArrayList<>();
            records.forEach((key, value) -> entries.add(RegistryEntryJson.read(key, value)));
            return entries;
        }

        @Override
        public void append(RegistryEntry entry) throws KafkaException {
            boolean fails = failNext;
            failNext = false;
            if (!fails || keepsWhatFails) {
                records.remove(RegistryEntryJson.key(entry));
                records.put(RegistryEntryJson.key(entry), RegistryEntryJson.value(entry));
            }
            if (fails) {
                throw new TimeoutException("no answer");
            }
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
