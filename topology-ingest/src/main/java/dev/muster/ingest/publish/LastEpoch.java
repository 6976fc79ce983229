package dev.muster.ingest.publish;

import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Keys;
import dev.muster.schemas.topic.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * The epoch under which a cluster was last listed, read from the nodes topic. The Lease carries the epoch; where it was
 * deleted, or the cluster was set up anew under an old name, the topic still knows it, and epochs go on from there
 * instead of starting at 1 and being ignored.
 */
public final class LastEpoch {

    private static final Duration POLL = Duration.ofMillis(500);

    private LastEpoch() {}

    /**
     * Reads it from a Kafka cluster; 0 when the cluster was never listed.
     *
     * @param kafka client settings
     */
    public static long read(
            Map<String, Object> kafka,
            SchemaRegistry registry,
            Topics topics,
            Domains domains,
            String domain,
            String cluster) {
        Map<String, Object> config = new HashMap<>(kafka);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        try (Consumer<String, byte[]> consumer =
                new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer())) {
            return read(consumer, registry, topics.nodes(), domains.partitionOf(domain), domain, cluster);
        }
    }

    /**
     * Reads the domain's partition of {@code nodesTopic} once, from the beginning to its present end; 0 when the cluster
     * was never listed.
     *
     * @param consumer without group, for nothing else at the same time; left unassigned
     */
    static long read(
            Consumer<String, byte[]> consumer,
            SchemaRegistry registry,
            String nodesTopic,
            int partition,
            String domain,
            String cluster) {
        Deserializer<NodeEvent> deserializer = new AvroSerde<>(registry, NodeEvent.class).deserializer();
        String key = Keys.resync(domain, cluster, "Node");
        TopicPartition from = new TopicPartition(nodesTopic, partition);
        consumer.assign(List.of(from));
        consumer.seekToBeginning(List.of(from));
        Map<TopicPartition, Long> end = consumer.endOffsets(List.of(from));
        long epoch = 0;
        while (consumer.position(from) < end.get(from)) {
            for (ConsumerRecord<String, byte[]> bracket : consumer.poll(POLL)) {
                if (key.equals(bracket.key()) && bracket.value() != null) {
                    NodeEvent event = deserializer.deserialize(nodesTopic, bracket.value());
                    epoch = Math.max(epoch, event.getOrigin().getEpoch());
                }
            }
        }
        consumer.unsubscribe();
        return epoch;
    }
}
