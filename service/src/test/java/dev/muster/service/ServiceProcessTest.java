package dev.muster.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.serde.EmbeddedRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceProcessTest {
    private static final Key<Integer> SIZE = Key.of("size", Kind.integer(1, 9), "5", "a size");

    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void helpNamesTheOptionsAndWhatTheExitCodesSay() {
        assertThat(run(Map.of(), "--help")).isZero();
        assertThat(text(out)).contains("Usage: muster-probe", "--config", "--check-config", "Exit codes:", "143");
        assertThat(text(err)).isEmpty();
    }

    @Test
    void versionIsOneLine() {
        assertThat(run(Map.of(), "--version")).isZero();
        assertThat(text(out)).startsWith("muster-probe ").hasLineCount(1);
    }

    @Test
    void anUnknownArgumentIsOneLineAnd2() {
        assertThat(run(Map.of(), "--confg", "x")).isEqualTo(2);
        assertThat(text(err)).startsWith("muster-probe: ").contains("--confg").hasLineCount(1);
    }

    @Test
    void aMissingFileIsOneLineAnd2() {
        Path missing = directory.resolve("none.properties");
        assertThat(run(Map.of(), "--config", missing.toString())).isEqualTo(2);
        assertThat(text(err)).isEqualTo("muster-probe: " + missing + ": no such file\n");
    }

    @Test
    void everyProblemIsALineOfItsOwn() throws IOException {
        Path file =
                file("sise=3", "size=12", "schema.registry.url=ftp://x", "kafka.securty.protocol=SSL", "domains=A_");
        assertThat(run(Map.of("MUSTER_HTTP_PORT", "x"), "--config", file.toString()))
                .isEqualTo(2);
        assertThat(text(err).lines())
                .allMatch(line -> line.startsWith("muster-probe: "))
                .anyMatch(line -> line.endsWith("sise is not a setting; did you mean size?"))
                .anyMatch(line -> line.contains("size is '12', expected a number from 1 to 9"))
                .anyMatch(line -> line.contains("schema.registry.url is 'ftp://x'"))
                .anyMatch(line -> line.contains("did you mean kafka.security.protocol?"))
                .anyMatch(line -> line.contains("domains is 'A_'"))
                .anyMatch(line -> line.contains("MUSTER_HTTP_PORT"))
                .anyMatch(line -> line.contains("bootstrap.servers is missing"))
                .hasSize(7);
    }

    @Test
    void aKeyThatIsThereTwiceIsRefused() throws IOException {
        assertThat(run(Map.of(), "--config", file("size=3", "size=4").toString()))
                .isEqualTo(2);
        assertThat(text(err)).contains("size is there twice");
    }

    @Test
    void whatIsCheckedIsPrintedWithoutSecretsAndIsAConfigurationAgain() throws IOException {
        Path client = directory.resolve("client.properties");
        Files.writeString(client, "sasl.jaas.config=with hunter2\nsecurity.protocol=SASL_SSL\nacks=1\n");
        Path file = file(
                "bootstrap.servers=kafka-1:9092,kafka-2:9092",
                "client.properties=" + client,
                "kafka.ssl.truststore.password=hunter2",
                "schema.registry.url=https://registry:8081",
                "schema.registry.user=muster",
                "schema.registry.password=hunter2");
        assertThat(run(Map.of("MUSTER_SIZE", "7"), "--config", file.toString(), "--check-config"))
                .as(text(err))
                .isZero();
        assertThat(text(out))
                .contains("size=7\n", "bootstrap.servers=kafka-1:9092,kafka-2:9092\n", "start.timeout=30s\n")
                .contains("kafka.ssl.truststore.password=********\n", "schema.registry.password=********\n")
                .doesNotContain("hunter2");

        Path again = directory.resolve("again.properties");
        Files.writeString(again, text(out));
        out.reset();
        assertThat(run(Map.of(), "--config", again.toString(), "--check-config"))
                .isZero();
        assertThat(text(out)).isEqualTo(Files.readString(again));
    }

    @Test
    void aBrokerThatDoesNotAnswerIsOneLineAnd3() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Path file = file(
                    "bootstrap.servers=127.0.0.1:" + silent.getLocalPort(),
                    "schema.registry.url=http://127.0.0.1:9",
                    "http.port=0",
                    "log.level=ERROR",
                    "start.timeout=1s");
            assertThat(run(Map.of(), "--config", file.toString())).isEqualTo(3);
            assertThat(lastLine())
                    .isEqualTo(
                            "muster-probe: Kafka at 127.0.0.1:" + silent.getLocalPort() + " does not answer within 1s");
        }
    }

    @Test
    void aTakenPortIsOneLineAnd2() throws IOException {
        try (EmbeddedRegistry taken = EmbeddedRegistry.inMemory(0)) {
            int port = taken.uri().getPort();
            Path file = file(
                    "bootstrap.servers=127.0.0.1:9",
                    "schema.registry.url=" + taken.uri(),
                    "http.port=" + port,
                    "log.level=ERROR");
            assertThat(run(Map.of(), "--config", file.toString())).isEqualTo(2);
            assertThat(lastLine()).contains("http.port " + port + ": Address already in use");
        }
    }

    @Test
    void aClientSettingThatKafkaRefusesIsOneLineAnd2() throws IOException {
        Path file = file(
                "bootstrap.servers=127.0.0.1:9",
                "schema.registry.url=http://127.0.0.1:9",
                "http.port=0",
                "log.level=ERROR",
                "kafka.security.protocol=SSL",
                "kafka.ssl.truststore.location=" + directory.resolve("none.jks"));
        assertThat(run(Map.of(), "--config", file.toString())).isEqualTo(2);
        assertThat(lastLine())
                .startsWith("muster-probe: kafka.ssl.truststore.location: ")
                .endsWith("none.jks cannot be read");
    }

    @Test
    void aClientThatCannotBeMadeIsOneLineAnd2() throws IOException {
        Path file = file(
                "bootstrap.servers=127.0.0.1:9",
                "schema.registry.url=http://127.0.0.1:9",
                "http.port=0",
                "log.level=ERROR",
                "kafka.security.protocol=SASL_PLAINTEXT",
                "kafka.sasl.mechanism=PLAIN");
        assertThat(run(Map.of(), "--config", file.toString())).isEqualTo(2);
        assertThat(text(err))
                .startsWith("muster-probe: Kafka client: ")
                .contains("JAAS")
                .hasLineCount(1);
    }

    private int run(Map<String, String> environment, String... args) {
        return ServiceProcess.run(
                new Probe(),
                args,
                environment,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private Path file(String... lines) throws IOException {
        return Files.write(directory.resolve("probe.properties"), List.of(lines));
    }

    private String lastLine() {
        return text(err).lines().reduce((before, line) -> line).orElse("");
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** A service that never comes to start. */
    private static final class Probe implements Service<Integer> {
        @Override
        public String name() {
            return "muster-probe";
        }

        @Override
        public String about() {
            return "Does nothing.";
        }

        @Override
        public int defaultHttpPort() {
            return 0;
        }

        @Override
        public List<Key<?>> keys() {
            return List.of(SIZE);
        }

        @Override
        public Integer read(Values values) {
            return values.get(SIZE);
        }

        @Override
        public Set<String> written(Integer config, CommonConfig common) {
            return Set.of();
        }

        @Override
        public Running start(Integer config, Platform platform) {
            throw new AssertionError("starts without Kafka");
        }
    }
}
