package dev.muster.standalone.bench;

import dev.muster.ingest.publish.EventPublisher;
import dev.muster.schemas.common.Change;
import dev.muster.schemas.common.Origin;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.event.GroupEvent;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.event.PodEvent;
import dev.muster.schemas.event.PolicyEvent;
import dev.muster.schemas.job.Submission;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Keys;
import dev.muster.schemas.topic.Topics;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.Serializer;

/** Writes events to the scheduler's input topics, with the producer settings of the ingest. Used by several threads. */
final class NewsWriter implements AutoCloseable {
    private final Topics topics;
    private final String domain;
    private final int partition;
    private final KafkaProducer<String, byte[]> producer;
    private final Serializer<NodeEvent> nodes;
    private final Serializer<PodEvent> pods;
    private final Serializer<GroupEvent> groups;
    private final Serializer<PolicyEvent> policies;
    private final Serializer<Submission> submissions;
    private final Serializer<Outcome> outcomes;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    NewsWriter(Map<String, Object> kafka, SchemaRegistry registry, Topics topics, Domains domains, String domain) {
        this.topics = topics;
        this.domain = domain;
        this.partition = domains.partitionOf(domain);
        Map<String, Object> config = EventPublisher.producerConfig(kafka);
        config.put("client.id", "bench-writer");
        this.producer = new KafkaProducer<>(config);
        nodes = new AvroSerde<>(registry, NodeEvent.class).serializer();
        pods = new AvroSerde<>(registry, PodEvent.class).serializer();
        groups = new AvroSerde<>(registry, GroupEvent.class).serializer();
        policies = new AvroSerde<>(registry, PolicyEvent.class).serializer();
        submissions = new AvroSerde<>(registry, Submission.class).serializer();
        outcomes = new AvroSerde<>(registry, Outcome.class).serializer();
    }

    /** Sends a record; a deletion is followed by its tombstone, as ingest does. */
    void send(SpecificRecord record) {
        switch (record) {
            case NodeEvent event ->
                send(topics.nodes(), keyOf(event.getOrigin(), "Node"), nodes.serialize(topics.nodes(), event));
            case PodEvent event -> send(event);
            case GroupEvent event -> send(event);
            case PolicyEvent event ->
                send(
                        topics.policies(),
                        keyOf(event.getOrigin(), event.getKind()),
                        policies.serialize(topics.policies(), event));
            case Submission event ->
                send(topics.submissions(), domain, submissions.serialize(topics.submissions(), event));
            case Outcome event -> send(topics.outcomes(), domain, outcomes.serialize(topics.outcomes(), event));
            default -> throw new IllegalArgumentException(record.getSchema().getName());
        }
    }

    private void send(PodEvent event) {
        Origin origin = event.getOrigin();
        String key = origin.getUid().isEmpty()
                ? Keys.resync(domain, origin.getCluster(), "Pod")
                : Keys.pod(domain, origin.getCluster(), origin.getUid());
        send(topics.pods(), key, pods.serialize(topics.pods(), event));
        if (origin.getChange() == Change.DELETE) {
            send(topics.pods(), key, null);
        }
    }

    private void send(GroupEvent event) {
        Origin origin = event.getOrigin();
        String key = origin.getName().isEmpty()
                ? Keys.resync(domain, origin.getCluster(), event.getKind())
                : Keys.group(domain, origin.getCluster(), event.getKind(), origin.getNamespace(), origin.getName());
        send(topics.workloads(), key, groups.serialize(topics.workloads(), event));
        if (origin.getChange() == Change.DELETE) {
            send(topics.workloads(), key, null);
        }
    }

    private String keyOf(Origin origin, String kind) {
        return origin.getName().isEmpty()
                ? Keys.resync(domain, origin.getCluster(), kind)
                : Keys.node(domain, origin.getCluster(), origin.getName());
    }

    private void send(String topic, String key, byte[] value) {
        if (value != null) {
            sent.incrementAndGet();
        }
        producer.send(new ProducerRecord<>(topic, partition, key, value), (metadata, problem) -> {
            if (problem != null) {
                failure.compareAndSet(null, problem);
            }
        });
    }

    /** Events written so far; tombstones are not counted. */
    long sent() {
        return sent.get();
    }

    /** Waits until all that was sent is acknowledged. */
    void flush() {
        producer.flush();
        check();
    }

    /** @throws IllegalStateException when a record could not be written */
    void check() {
        if (failure.get() != null) {
            throw new IllegalStateException("an event could not be written", failure.get());
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
