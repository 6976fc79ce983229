package dev.muster.ingest.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.ingest.map.GpuHealthMapper;
import dev.muster.ingest.map.HealthMapping;
import dev.muster.ingest.map.NodeMapper;
import dev.muster.schemas.decision.DeadLetter;
import dev.muster.schemas.event.HealthEvent;
import dev.muster.schemas.event.HealthSignal;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.LocalRegistry;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class KindPublisherTest {

    private final MockProducer<String, byte[]> producer =
            new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer());
    private final LocalRegistry registry = new LocalRegistry();
    private final List<String> lost = new ArrayList<>();
    private final KindPublisher<Node> nodes = new KindPublisher<>(
            "Node",
            List.of(
                    new Projection<>(
                            "Node", "nodes", NodeMapper::map, NodeEvent::new, id -> "d/c/" + id.name(), spec -> false),
                    new Projection<Node, List<HealthSignal>>(
                            "GpuHealth",
                            "gpu-health",
                            new GpuHealthMapper(HealthMapping.defaults())::map,
                            (origin, signals) -> new HealthEvent(origin, signals == null ? List.of() : signals),
                            id -> "d/c/" + id.name(),
                            List::isEmpty)),
            new KindPublisher.Context(
                    "d",
                    "c",
                    new EventPublisher(
                            producer,
                            registry,
                            2,
                            "dead-letters",
                            (topic, key, tooLarge, cause) -> lost.add(topic + " " + key + " " + tooLarge)),
                    object -> "{}",
                    new SimpleMeterRegistry(),
                    Clock.fixed(Instant.ofEpochMilli(42), ZoneOffset.UTC)));

    private static Node node(long version, String label, String value) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName("n")
                .withUid("u")
                .withResourceVersion(Long.toString(version))
                .addToLabels(label, value)
                .endMetadata()
                .build();
    }

    private List<String> sent() {
        List<String> topics =
                producer.history().stream().map(ProducerRecord::topic).toList();
        producer.clear();
        return topics;
    }

    private <R extends SpecificRecord> R last(Class<R> type) {
        ProducerRecord<String, byte[]> last =
                producer.history().get(producer.history().size() - 1);
        return new AvroSerde<>(registry, type).deserializer().deserialize(last.topic(), last.value());
    }

    @Test
    void aNodeTellsItsHealthOnlyWhenThereIsSomethingToTell() {
        nodes.begin(1);
        assertThat(sent()).containsExactly("nodes", "gpu-health");
        nodes.seen(nodes.project(node(1, "a", "b")));
        assertThat(sent()).containsExactly("nodes");
        nodes.seen(nodes.project(node(2, "nvidia.com/ecc-uncorrected", "50")));
        assertThat(last(HealthEvent.class).getSignals()).hasSize(1);
        assertThat(sent()).containsExactly("nodes", "gpu-health");
        nodes.seen(nodes.project(node(3, "a", "b")));
        assertThat(last(HealthEvent.class).getSignals()).isEmpty();
        assertThat(sent()).containsExactly("nodes", "gpu-health");
        nodes.deleted(new ObjectId("", "n", "u", 4));
        assertThat(sent()).containsExactly("nodes", "nodes", "gpu-health", "gpu-health");
    }

    @Test
    void aFreshListForgetsWhatWasPublishedAndCarriesItsEpoch() {
        nodes.begin(1);
        nodes.seen(nodes.project(node(1, "a", "b")));
        nodes.begin(2);
        sent();
        nodes.seen(nodes.project(node(1, "a", "b")));
        assertThat(last(NodeEvent.class).getOrigin().getEpoch()).isEqualTo(2);
        assertThat(last(NodeEvent.class).getOrigin().getResourceVersion()).isEqualTo(1);
    }

    @Test
    void everyRecordGoesToTheDomainsPartition() {
        nodes.begin(1);
        nodes.seen(nodes.project(node(1, "a", "x".repeat(300))));
        assertThat(producer.history()).extracting(ProducerRecord::partition).containsOnly(2);
    }

    @Test
    void aRefusedObjectBecomesOneDeadLetterAndNoEvent() {
        nodes.begin(1);
        sent();
        nodes.seen(nodes.project(node(1, "a", "x".repeat(300))));
        DeadLetter letter = last(DeadLetter.class);
        assertThat(letter.getBy()).isEqualTo("ingest");
        assertThat(letter.getSource()).isEqualTo("c/Node/n");
        assertThat(letter.getReason()).isEqualTo("TooLarge");
        assertThat(letter.getMessage()).contains("metadata.labels[a]");
        assertThat(letter.getSizeBytes()).isEqualTo(2);
        assertThat(letter.getSha256()).hasSize(64);
        assertThat(letter.getTimeMillis()).isEqualTo(42);
        nodes.seen(nodes.project(node(2, "a", "x".repeat(300))));
        assertThat(sent()).containsExactly("dead-letters");
    }

    @Test
    void aLostRecordIsToldWithWhetherItAloneIsAtFault() {
        nodes.begin(1);
        producer.errorNext(new TimeoutException("gone"));
        producer.errorNext(new RecordTooLargeException("large"));
        assertThat(lost).containsExactly("nodes d/c/Node false", "gpu-health d/c/GpuHealth true");
    }
}
