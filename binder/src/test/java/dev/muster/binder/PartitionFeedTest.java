package dev.muster.binder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.decision.DeadLetter;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.job.PodTemplate;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.LocalRegistry;
import dev.muster.schemas.serde.RegistryClient;
import dev.muster.schemas.serde.RegistryConfig;
import dev.muster.schemas.serde.SchemaRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PartitionFeedTest {

    private static final TopicPartition TEMPLATES = new TopicPartition("muster.templates", 0);

    private final LocalRegistry registry = new LocalRegistry();
    private final AvroSerde<PodTemplate> serde = new AvroSerde<>(registry, PodTemplate.class);
    private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("none");
    private final MockProducer<String, byte[]> producer =
            new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    private final TemplateStore store = new TemplateStore();
    private boolean registryIsAway;
    private PartitionFeed<PodTemplate> feed;

    @BeforeEach
    void begin() {
        consumer.updateBeginningOffsets(Map.of(TEMPLATES, 0L));
        OutcomePublisher publisher = new OutcomePublisher(
                producer,
                new AvroSerde<>(registry, Outcome.class).serializer(),
                new AvroSerde<>(registry, DeadLetter.class).serializer(),
                new OutcomePublisher.Target("muster.outcomes", "muster.dead-letters", Decisions.DOMAIN, 0),
                new FakeClock());
        Deserializer<PodTemplate> deserializer = (topic, value) -> {
            if (registryIsAway) {
                unreachable().byId(1);
            }
            return serde.deserializer().deserialize(topic, value);
        };
        feed = new PartitionFeed<>(consumer, TEMPLATES, deserializer, store::take, publisher);
        feed.start();
    }

    @Test
    void whatIsOnTheTopicIsKnownAndWhatIsDeletedIsNot() throws InterruptedException {
        add(0, "main/t1", value("t1"));
        add(1, "main/t2", value("t2"));
        add(2, "main/t1", null);

        feed.turn();

        assertThat(store.json("t1")).isEmpty();
        assertThat(store.json("t2")).contains("{}");
    }

    @Test
    void whatCanNotBeDecodedBecomesADeadLetterAndTheNextGoesOn() throws InterruptedException {
        add(0, "main/t1", new byte[] {1, 2, 3});
        add(1, "main/t2", value("t2"));

        feed.turn();

        assertThat(producer.history()).hasSize(1);
        assertThat(producer.history().get(0).topic()).isEqualTo("muster.dead-letters");
        assertThat(store.json("t2")).isPresent();
    }

    @Test
    void whileTheRegistryIsAwayNothingIsSkipped() throws InterruptedException {
        registryIsAway = true;
        add(0, "main/t1", value("t1"));
        feed.turn();
        assertThat(store.json("t1")).isEmpty();

        registryIsAway = false;
        feed.turn();

        assertThat(store.json("t1")).isPresent();
        assertThat(producer.history()).isEmpty();
    }

    /** A registry behind a port on which nobody listens. */
    private static SchemaRegistry unreachable() {
        URI nowhere = URI.create("http://localhost:1");
        return new RegistryClient(
                new RegistryConfig(List.of(nowhere), Optional.empty(), Optional.empty(), Duration.ofMillis(200)));
    }

    private byte[] value(String hash) {
        return serde.serializer().serialize(TEMPLATES.topic(), new PodTemplate("main", hash, "{}"));
    }

    private void add(long offset, String key, byte[] value) {
        consumer.addRecord(new ConsumerRecord<>(TEMPLATES.topic(), 0, offset, key, value));
    }
}
