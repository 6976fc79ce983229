package dev.muster.ingest.intake;

import dev.muster.schemas.decision.DeadLetter;
import dev.muster.schemas.job.JobResult;
import dev.muster.schemas.job.PodTemplate;
import dev.muster.schemas.job.Submission;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.serde.UndecodableException;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Keys;
import dev.muster.schemas.topic.Topics;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Everything the intake writes. Between {@link #begin} and {@link #commit} all of it is one Kafka transaction, the
 * offsets of what was read included.
 */
final class Outbox {

    private final Producer<String, byte[]> producer;
    private final Topics topics;
    private final Domains domains;
    private final Serializer<Submission> submissions;
    private final Serializer<PodTemplate> templates;
    private final Serializer<JobResult> results;
    private final Serializer<DeadLetter> deadLetters;

    Outbox(Producer<String, byte[]> producer, Topics topics, Domains domains, SchemaRegistry registry) {
        this.producer = producer;
        this.topics = topics;
        this.domains = domains;
        this.submissions = new AvroSerde<>(registry, Submission.class).serializer();
        this.templates = new AvroSerde<>(registry, PodTemplate.class).serializer();
        this.results = new AvroSerde<>(registry, JobResult.class).serializer();
        this.deadLetters = new AvroSerde<>(registry, DeadLetter.class).serializer();
    }

    void begin() {
        producer.beginTransaction();
    }

    void commit(Map<TopicPartition, OffsetAndMetadata> nextOffsets, ConsumerGroupMetadata group) {
        producer.sendOffsetsToTransaction(nextOffsets, group);
        producer.commitTransaction();
    }

    void submission(Submission submission) {
        String topic = topics.submissions();
        toDomain(topic, submission.getDomain(), submission.getDomain(), submissions.serialize(topic, submission));
    }

    void template(PodTemplate template) {
        String topic = topics.templates();
        String key = Keys.template(template.getDomain(), template.getHash());
        toDomain(topic, template.getDomain(), key, templates.serialize(topic, template));
    }

    void result(String tenant, JobResult result) {
        String topic = topics.results(tenant);
        producer.send(new ProducerRecord<>(topic, result.getJobId(), results.serialize(topic, result)));
    }

    /** Tells of a record that cannot be answered: where it is, how large, its hash. Its bytes stay where they are. */
    void deadLetter(String domain, ConsumerRecord<?, byte[]> record, String reason, String message, long nowMillis) {
        byte[] value = record.value() == null ? new byte[0] : record.value();
        DeadLetter letter = new DeadLetter(
                "intake",
                record.topic(),
                record.partition(),
                record.offset(),
                reason,
                message,
                value.length,
                Hashes.sha256(value),
                nowMillis);
        send(domain, letter);
    }

    /** Tells of offsets that could not even be fetched: size and hash of what is there are not known. */
    void deadLetter(String domain, TenantReader.Skip skip, long nowMillis) {
        send(
                domain,
                new DeadLetter(
                        "intake",
                        skip.partition().topic(),
                        skip.partition().partition(),
                        skip.from(),
                        UndecodableException.TOO_LARGE,
                        "offsets " + skip.from() + " to " + (skip.to() - 1)
                                + ": a batch takes more memory to unpack than there is; skipped after "
                                + BombTrail.TRIES + " tries",
                        0,
                        "",
                        nowMillis));
    }

    private void send(String domain, DeadLetter letter) {
        String topic = topics.deadLetters();
        toDomain(topic, domain, letter.getSource(), deadLetters.serialize(topic, letter));
    }

    private void toDomain(String topic, String domain, String key, byte[] value) {
        producer.send(new ProducerRecord<>(topic, domains.partitionOf(domain), key, value));
    }
}
