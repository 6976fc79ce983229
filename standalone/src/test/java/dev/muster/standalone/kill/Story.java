package dev.muster.standalone.kill;

import dev.muster.ingest.intake.TenantPolicy;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.job.JobResult;
import dev.muster.schemas.serde.AvroSerde;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Follows decisions, outcomes and answers as a binder or a tenant sees them, committed ones only, and when each came. */
final class Story implements AutoCloseable {
    /** A decision and when it could be read. */
    record Told<T>(T value, long nanos) {}

    private final KafkaConsumer<String, byte[]> consumer;
    private final Map<String, BiConsumer<ConsumerRecord<String, byte[]>, Long>> takers = new HashMap<>();
    private final List<Told<Decision>> decisions = new CopyOnWriteArrayList<>();
    private final List<Told<Outcome>> outcomes = new CopyOnWriteArrayList<>();
    private final List<Told<JobResult>> answers = new CopyOnWriteArrayList<>();
    private final Thread thread = Thread.ofPlatform().daemon().name("story").unstarted(this::read);
    private volatile Throwable problem;
    private volatile boolean closed;

    Story(Installation installation) {
        Map<String, Object> config = new HashMap<>(installation.kafka());
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        consumer = new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer());
        follow(installation, PartMain.TOPICS.decisions(), Decision.class, decisions);
        follow(installation, PartMain.TOPICS.outcomes(), Outcome.class, outcomes);
        follow(installation, PartMain.TOPICS.results(TenantPolicy.DEFAULT_TENANT), JobResult.class, answers);
        List<TopicPartition> partitions = new ArrayList<>();
        takers.keySet()
                .forEach(topic -> consumer.partitionsFor(topic)
                        .forEach(info -> partitions.add(new TopicPartition(topic, info.partition()))));
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        thread.start();
    }

    List<Told<Decision>> decisions() {
        check();
        return decisions;
    }

    List<Told<Outcome>> outcomes() {
        check();
        return outcomes;
    }

    List<Told<JobResult>> answers() {
        check();
        return answers;
    }

    @Override
    public void close() {
        closed = true;
        consumer.wakeup();
        try {
            thread.join(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void check() {
        if (problem != null) {
            throw new AssertionError("the topics cannot be followed", problem);
        }
    }

    private <T extends SpecificRecord> void follow(
            Installation installation, String topic, Class<T> type, List<Told<T>> into) {
        Deserializer<T> values = new AvroSerde<>(installation.registry(), type).deserializer();
        takers.put(topic, (record, nanos) -> {
            if (record.value() != null) {
                into.add(new Told<>(values.deserialize(topic, record.value()), nanos));
            }
        });
    }

    private void read() {
        try (consumer) {
            while (!closed) {
                for (ConsumerRecord<String, byte[]> record : consumer.poll(Duration.ofMillis(500))) {
                    takers.get(record.topic()).accept(record, System.nanoTime());
                }
            }
        } catch (org.apache.kafka.common.errors.WakeupException e) {
            // Closed.
        } catch (RuntimeException e) {
            problem = e;
        }
    }
}
