package dev.muster.standalone.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.RegistryClient;
import dev.muster.schemas.serde.RegistryConfig;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.cli.Environment;
import dev.muster.standalone.cli.Muster;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Everything on Kafka and a schema registry as others ship them, in the images of docker-compose.yml. Runs where a Docker
 * daemon and the images are; elsewhere it says what is missing and is skipped.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContainersTest {
    private static final DockerImageName KAFKA = DockerImageName.parse("apache/kafka:4.4.0");
    private static final DockerImageName REGISTRY = DockerImageName.parse("apicurio/apicurio-registry:3.3.3");
    private static final int REGISTRY_PORT = 8080;
    private static final String REGISTRY_PATH = "/apis/ccompat/v7";

    private KafkaContainer kafka;
    private GenericContainer<?> registry;

    @BeforeAll
    void startContainers() {
        Optional<String> missing = Containers.missing(KAFKA, REGISTRY);
        assumeTrue(missing.isEmpty(), () -> missing.orElseThrow());
        kafka = new KafkaContainer(KAFKA).withEnv("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false");
        registry = new GenericContainer<>(REGISTRY)
                .withExposedPorts(REGISTRY_PORT)
                .waitingFor(Wait.forHttp(REGISTRY_PATH + "/subjects")
                        .forPort(REGISTRY_PORT)
                        .withStartupTimeout(Duration.ofMinutes(2)));
        kafka.start();
        registry.start();
    }

    @AfterAll
    void stopContainers() {
        if (registry != null) {
            registry.stop();
        }
        if (kafka != null) {
            kafka.stop();
        }
    }

    @Test
    void aGangIsPlacedAndItsDecisionsAreReplayed(@TempDir Path directory) {
        URI registryUri = URI.create(
                "http://" + registry.getHost() + ":" + registry.getMappedPort(REGISTRY_PORT) + REGISTRY_PATH);
        try (TestCluster cluster = TestCluster.start("east")) {
            StackConfig config = new StackConfig(
                    StackConfig.DEFAULT_DOMAIN,
                    directory,
                    Optional.of(kafka.getBootstrapServers()),
                    Optional.of(registryUri),
                    List.of(cluster.member()));
            try (Stack stack = Stack.start(config)) {
                cluster.node("pool", "node-1", 4);
                cluster.gang("pool", "train", 4);
                await().atMost(Duration.ofMinutes(2))
                        .until(() -> cluster.simulated().counters().binds() == 4);
                stack.check();
            }
            assertThat(cluster.simulated().counters().violations()).isZero();
        }
        try (RegistryClient client = new RegistryClient(RegistryConfig.of(registryUri))) {
            int id = client.register(
                    AvroSerde.subjectOf(Topics.DEFAULT.decisions()), AvroSerde.schemaOf(Decision.class));
            assertThat(client.byId(id).getName()).isEqualTo("Decision");
        }
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream sink = new PrintStream(said, true, StandardCharsets.UTF_8);
        int exitCode = Muster.execute(
                new Environment(sink, sink, Map.of(), false, false, 100),
                "replay",
                "--verify",
                "--bootstrap-servers",
                kafka.getBootstrapServers(),
                "--schema-registry",
                registryUri.toString());
        assertThat(exitCode).as(said.toString(StandardCharsets.UTF_8)).isZero();
    }
}
