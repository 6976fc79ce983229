package dev.muster.ingest;

import dev.muster.ingest.publish.EventPublisher;
import dev.muster.ingest.publish.LastEpoch;
import dev.muster.schemas.serde.RegistryClient;
import dev.muster.schemas.serde.RegistryConfig;
import dev.muster.schemas.topic.TopicAdmin;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ingest of one cluster as a process of its own: {@code IngestMain FILE}, a properties file as in {@link
 * IngestSettings}. Ends with 2 when the file cannot be used, with 3 when a service cannot be reached or the ingest is
 * stuck: whoever runs it starts it again.
 */
public final class IngestMain {

    private static final Logger LOG = LoggerFactory.getLogger(IngestMain.class);
    private static final Duration TOPICS_TIMEOUT = Duration.ofSeconds(30);
    private static final long HEALTH_SECONDS = 10;
    private static final long SHUTDOWN_SECONDS = 30;

    private IngestMain() {}

    /** Runs until the process is told to end. */
    public static void main(String[] args) {
        System.exit(run(args));
    }

    private static int run(String[] args) {
        IngestSettings settings;
        try {
            settings = read(args);
        } catch (IOException | IllegalArgumentException e) {
            LOG.error("The configuration cannot be used: {}", e.getMessage());
            return 2;
        }
        LOG.info("Configuration: {}", settings.config());
        try {
            return ingest(settings);
        } catch (RuntimeException e) {
            LOG.error("A service cannot be reached", e);
            return 3;
        } catch (InterruptedException e) {
            return 0;
        }
    }

    private static IngestSettings read(String[] args) throws IOException {
        if (args.length != 1) {
            throw new IllegalArgumentException("expected one argument, a properties file");
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(Path.of(args[0]))) {
            properties.load(reader);
        }
        return IngestSettings.parse(properties);
    }

    private static int ingest(IngestSettings settings) throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            end.countDown();
            try {
                ended.await(SHUTDOWN_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        try {
            return follow(settings, end);
        } finally {
            ended.countDown();
        }
    }

    private static int follow(IngestSettings settings, CountDownLatch end) throws InterruptedException {
        try (Admin admin = Admin.create(settings.kafka())) {
            TopicAdmin.ensure(admin, settings.topics().trusted(settings.domains()), TOPICS_TIMEOUT);
        }
        try (RegistryClient registry = new RegistryClient(RegistryConfig.of(settings.registry()));
                KubernetesClient client = client(settings);
                Producer<String, byte[]> producer =
                        new KafkaProducer<>(EventPublisher.producerConfig(settings.kafka()));
                ClusterIngest ingest = new ClusterIngest(
                        settings.config()
                                .withMinimumEpoch(LastEpoch.read(
                                        settings.kafka(),
                                        registry,
                                        settings.topics(),
                                        settings.domains(),
                                        settings.config().domain(),
                                        settings.config().cluster())),
                        new ClusterIngest.Environment(
                                client,
                                producer,
                                registry,
                                settings.topics(),
                                settings.domains(),
                                new SimpleMeterRegistry(),
                                Clock.systemUTC()))) {
            ingest.start();
            while (!end.await(HEALTH_SECONDS, TimeUnit.SECONDS)) {
                if (!ingest.isHealthy()) {
                    LOG.error("Ingest is stuck");
                    return 3;
                }
            }
            return 0;
        }
    }

    private static KubernetesClient client(IngestSettings settings) {
        Config config = settings.kubeconfig()
                .map(file -> Config.fromKubeconfig(new File(file)))
                .orElseGet(() -> Config.autoConfigure(null));
        return new KubernetesClientBuilder().withConfig(config).build();
    }
}
