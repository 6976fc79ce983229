package dev.muster.standalone.replay;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.serde.UndecodableException;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;

/** What topic decisions holds of a domain, in order, with a look ahead. */
final class RecordedDecisions implements AutoCloseable {
    private final PartitionReader reader;
    private final String topic;
    private final Deserializer<Decision> values;
    private Optional<Recorded> ahead;

    RecordedDecisions(Map<String, Object> kafka, SchemaRegistry registry, TopicPartition partition) {
        this.reader = new PartitionReader(kafka, partition);
        this.topic = partition.topic();
        this.values = new AvroSerde<>(registry, Decision.class).deserializer();
        this.ahead = read();
    }

    /**
     * One recorded decision.
     *
     * @param decision null where the value cannot be decoded
     * @param problem why not; empty otherwise
     */
    record Recorded(long offset, byte[] value, Decision decision, String problem) {}

    Optional<Recorded> peek() {
        return ahead;
    }

    void advance() {
        ahead = read();
    }

    /** The first damage of what was read so far. */
    Optional<PartitionReader.Damage> damage() {
        return reader.damage();
    }

    @Override
    public void close() {
        reader.close();
    }

    private Optional<Recorded> read() {
        return reader.next().map(this::decode);
    }

    private Recorded decode(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null) {
            return new Recorded(record.offset(), new byte[0], null, "no value");
        }
        try {
            return new Recorded(record.offset(), record.value(), values.deserialize(topic, record.value()), "");
        } catch (UndecodableException e) {
            return new Recorded(record.offset(), record.value(), null, e.getMessage());
        }
    }
}
