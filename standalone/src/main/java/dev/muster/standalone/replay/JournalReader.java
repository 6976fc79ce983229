package dev.muster.standalone.replay;

import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.streams.JournalCodec;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.serde.UndecodableException;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;

/** The journal of one domain, committed entries only, in order. */
public final class JournalReader implements AutoCloseable {
    private final PartitionReader reader;
    private final String topic;
    private final JournalCodec codec;
    private final Deserializer<dev.muster.schemas.journal.JournalEntry> values;

    /**
     * A reader at the journal's beginning; it ends where the journal ends now.
     *
     * @param kafka settings that every Kafka client needs
     * @throws org.apache.kafka.common.errors.TimeoutException when Kafka does not answer
     */
    public JournalReader(
            Map<String, Object> kafka, SchemaRegistry registry, Topics topics, Domains domains, String domain) {
        this.topic = topics.journal();
        this.reader = new PartitionReader(kafka, new TopicPartition(topic, domains.partitionOf(domain)));
        this.codec = new JournalCodec(domain);
        this.values = new AvroSerde<>(registry, dev.muster.schemas.journal.JournalEntry.class).deserializer();
    }

    /**
     * The next entry; empty at the end.
     *
     * @throws JournalUnusableException when what is there is no entry of this domain's journal, or its bytes were altered
     */
    public Optional<JournalEntry> next() {
        Optional<ConsumerRecord<byte[], byte[]>> record = reader.next();
        reader.damage().ifPresent(damage -> {
            throw new JournalUnusableException(topic + " offset " + damage.offset() + ": " + damage.message());
        });
        return record.map(this::read);
    }

    /** Whether entries were committed since the reading started. */
    public boolean grown() {
        return reader.grown();
    }

    @Override
    public void close() {
        reader.close();
    }

    private JournalEntry read(ConsumerRecord<byte[], byte[]> record) {
        try {
            return codec.read(values.deserialize(topic, record.value()));
        } catch (UndecodableException | IllegalArgumentException e) {
            throw new JournalUnusableException(topic + " offset " + record.offset() + ": " + e.getMessage());
        }
    }
}
