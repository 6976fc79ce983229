package dev.muster.service;

import dev.muster.schemas.topic.TopicAdmin;
import dev.muster.schemas.topic.TopicSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaException;

/** Whether Kafka answers, at the start and from then on. */
final class KafkaLink implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration VALID = Duration.ofSeconds(5);

    private final CommonConfig common;
    private final Admin admin;
    private long askedNanos;
    private Optional<String> problem = Optional.empty();

    private KafkaLink(CommonConfig common, Admin admin) {
        this.common = common;
        this.admin = admin;
    }

    /** @throws ConfigException when the client's settings cannot be used */
    static KafkaLink open(CommonConfig common) {
        try {
            return new KafkaLink(common, Admin.create(common.kafka()));
        } catch (KafkaException e) {
            throw new ConfigException(List.of("Kafka client: " + Causes.innermost(e)));
        }
    }

    /** @throws UnreachableException when the brokers do not answer within the time for starting */
    void awaitBrokers() throws InterruptedException {
        Optional<String> answer = ask(common.startTimeout());
        if (answer.isPresent()) {
            throw new UnreachableException(answer.get(), null);
        }
    }

    /**
     * Creates what is missing, or insists that nothing is.
     *
     * @throws dev.muster.schemas.topic.TopicMismatchException when topics differ, or are missing and not to be created
     */
    void ensureTopics(List<TopicSpec> specs) {
        if (common.createTopics()) {
            TopicAdmin.ensure(admin, common.sized(specs), common.startTimeout());
        } else {
            TopicAdmin.require(admin, specs, common.startTimeout());
        }
    }

    /** Why Kafka does not answer; asked at most every five seconds. */
    synchronized Optional<String> problem() {
        if (askedNanos == 0 || System.nanoTime() - askedNanos > VALID.toNanos()) {
            try {
                problem = ask(PATIENCE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            askedNanos = System.nanoTime();
        }
        return problem;
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }

    private Optional<String> ask(Duration patience) throws InterruptedException {
        Object servers = common.kafka().get("bootstrap.servers");
        try {
            DescribeClusterOptions options = new DescribeClusterOptions().timeoutMs((int) patience.toMillis());
            admin.describeCluster(options).nodes().get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return Optional.empty();
        } catch (TimeoutException e) {
            return noAnswer(servers, patience);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof org.apache.kafka.common.errors.TimeoutException) {
                return noAnswer(servers, patience);
            }
            return Optional.of("Kafka at " + servers + ": " + Causes.innermost(e));
        }
    }

    private static Optional<String> noAnswer(Object servers, Duration patience) {
        return Optional.of("Kafka at " + servers + " does not answer within " + Durations.format(patience));
    }
}
