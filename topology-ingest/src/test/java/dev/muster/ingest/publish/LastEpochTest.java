package dev.muster.ingest.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.common.Change;
import dev.muster.schemas.common.Origin;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.LocalRegistry;
import dev.muster.schemas.topic.Keys;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class LastEpochTest {

    private static final TopicPartition PARTITION = new TopicPartition("nodes", 1);

    private final LocalRegistry registry = new LocalRegistry();
    private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("none");
    private long offset;

    private void add(String key, long epoch) {
        Origin origin = new Origin("d", "c", epoch, Change.RESYNC_BEGIN, "", "", "", 0L);
        byte[] value =
                new AvroSerde<>(registry, NodeEvent.class).serializer().serialize("nodes", new NodeEvent(origin, null));
        consumer.addRecord(new ConsumerRecord<>("nodes", 1, offset++, key, value));
    }

    private long read() {
        return LastEpoch.read(consumer, registry, "nodes", 1, "d", "c");
    }

    @Test
    void aClusterThatWasNeverListedHasNoEpoch() {
        consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
        consumer.updateEndOffsets(Map.of(PARTITION, 0L));
        assertThat(read()).isZero();
    }

    @Test
    void theLatestBracketOfTheClusterCounts() {
        consumer.schedulePollTask(() -> {
            add(Keys.resync("d", "c", "Node"), 4);
            add(Keys.resync("d", "c", "Node"), 5);
            add(Keys.resync("d", "other", "Node"), 9);
            add(Keys.node("d", "c", "n1"), 7);
        });
        consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
        consumer.updateEndOffsets(Map.of(PARTITION, 4L));
        assertThat(read()).isEqualTo(5);
    }
}
