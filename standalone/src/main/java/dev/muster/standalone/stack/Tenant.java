package dev.muster.standalone.stack;

import dev.muster.schemas.job.JobCommand;
import dev.muster.schemas.job.JobResult;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.topic.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** What a tenant does: sends commands on its jobs topic and reads the answers on its results topic. */
public final class Tenant {
    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(200);

    private final Connection connection;
    private final String jobs;
    private final String results;

    /** @throws IllegalArgumentException when the tenant's name cannot be one */
    public Tenant(Connection connection, Topics topics, String tenant) {
        this.connection = connection;
        this.jobs = topics.jobs(tenant);
        this.results = topics.results(tenant);
    }

    /**
     * Sends a command and waits for its answer.
     *
     * @param patience how long to wait for the answer; zero does not wait
     * @return the answer; empty when none came in time: the command stands and will be answered
     * @throws MissingTopicException when there are no topics of this tenant
     * @throws KafkaException when it could not be sent
     */
    public Optional<JobResult> ask(JobCommand command, Duration patience) {
        Map<String, Object> config = new HashMap<>(connection.kafka());
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        config.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) SEND_TIMEOUT.toMillis());
        try (var answers = new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer())) {
            // A producer would have a missing topic made, with settings that are not those of a tenant's topic.
            partitions(answers, jobs);
            List<TopicPartition> partitions = partitions(answers, results);
            answers.assign(partitions);
            answers.seekToEnd(partitions);
            partitions.forEach(answers::position);
            send(command);
            return await(answers, command.getCommandId(), patience);
        }
    }

    private List<TopicPartition> partitions(KafkaConsumer<?, ?> consumer, String topic) {
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        if (partitions.isEmpty()) {
            throw new MissingTopicException(
                    topic, String.valueOf(connection.kafka().get(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG)));
        }
        return partitions;
    }

    private void send(JobCommand command) {
        Map<String, Object> config = new HashMap<>(connection.kafka());
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) SEND_TIMEOUT.toMillis());
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, (int) SEND_TIMEOUT.toMillis());
        config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) SEND_TIMEOUT.toMillis() / 2);
        var values = new AvroSerde<>(connection.registry(), JobCommand.class).serializer();
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), values)) {
            producer.send(new ProducerRecord<>(jobs, command.getJobId(), command))
                    .get(SEND_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
        } catch (java.util.concurrent.TimeoutException e) {
            throw new TimeoutException("the command was not taken in " + SEND_TIMEOUT.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private Optional<JobResult> await(KafkaConsumer<String, byte[]> answers, String commandId, Duration patience) {
        var values = new AvroSerde<>(connection.registry(), JobResult.class).deserializer();
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        while (System.nanoTime() < deadlineNanos) {
            for (var record : answers.poll(POLL)) {
                JobResult result = record.value() == null ? null : values.deserialize(record.topic(), record.value());
                if (result != null && result.getCommandId().equals(commandId)) {
                    return Optional.of(result);
                }
            }
        }
        return Optional.empty();
    }
}
