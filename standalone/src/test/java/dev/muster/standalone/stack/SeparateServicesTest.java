package dev.muster.standalone.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.binder.BinderMain;
import dev.muster.ingest.IngestMain;
import dev.muster.ingest.intake.IntakeMain;
import dev.muster.scheduler.streams.SchedulerMain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The four services as processes of their own, from configuration to SIGTERM: what only a real process can show. */
class SeparateServicesTest {
    /** What the JVM itself says when it was ended by SIGTERM. */
    private static final int ENDED_BY_SIGTERM = 128 + 15;

    /** The JVM's own warnings of what libraries do inside would be lines of the log that are no JSON. */
    private static final List<String> QUIET_JVM = Runtime.version().feature() < 23
            ? List.of("--enable-native-access=ALL-UNNAMED")
            : List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

    private record Running(Process process, Path log, int port) {}

    private final Map<String, Running> services = new TreeMap<>();
    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    private EmbeddedKafka kafka;
    private TestCluster cluster;

    @BeforeEach
    void startKafkaAndCluster() {
        kafka = EmbeddedKafka.start(directory.resolve("kafka"), 0, 0);
        cluster = TestCluster.start("east");
    }

    @AfterEach
    void stopEverything() throws InterruptedException {
        for (Running service : services.values()) {
            service.process().destroyForcibly();
            service.process().waitFor(10, TimeUnit.SECONDS);
        }
        cluster.close();
        kafka.close();
        http.close();
    }

    @Test
    void theyComeUpPlaceAGangTellHowTheyAreAndEndCleanlyWhenTold() throws Exception {
        String ofCluster = "cluster=east\nkubeconfig=" + cluster.kubeconfig(directory) + "\n";
        start("ingest", IngestMain.class, ofCluster);
        start("intake", IntakeMain.class, "");
        start("scheduler", SchedulerMain.class, "");
        start("binder", BinderMain.class, ofCluster);
        services.forEach((name, service) -> patiently()
                .untilAsserted(() ->
                        assertThat(get(service, "/readyz").body()).as(name).isEqualTo("{\"ok\":true,\"why\":[]}\n")));

        cluster.node("pool", "node-1", 4);
        cluster.gang("pool", "train", 4);
        patiently().until(() -> cluster.simulated().counters().binds() == 4);

        for (var entry : services.entrySet()) {
            assertThat(get(entry.getValue(), "/livez").statusCode()).isEqualTo(200);
            assertThat(get(entry.getValue(), "/metrics").body())
                    .contains("muster_ready{service=\"muster-" + entry.getKey() + "\"} 1.0");
        }
        patiently()
                .untilAsserted(
                        () -> assertThat(get(services.get("scheduler"), "/metrics")
                                        .body())
                                .contains(
                                        "muster_scheduler_decisions_total{domain=\"default\",service=\"muster-scheduler\"} 1.0"));

        services.values().forEach(service -> service.process().destroy());
        for (var entry : services.entrySet()) {
            Process process = entry.getValue().process();
            assertThat(process.waitFor(30, TimeUnit.SECONDS))
                    .as("%s ends", entry.getKey())
                    .isTrue();
            assertThat(process.exitValue()).as(entry.getKey()).isEqualTo(ENDED_BY_SIGTERM);
        }
        for (var entry : services.entrySet()) {
            everyLineIsJson(entry.getKey(), Files.readAllLines(entry.getValue().log()));
        }
        assertThat(cluster.simulated().counters().violations()).isZero();
    }

    private void everyLineIsJson(String name, List<String> lines) throws IOException {
        List<String> messages = new ArrayList<>();
        for (String line : lines) {
            JsonNode entry = new ObjectMapper().readTree(line);
            assertThat(entry.path("level").asText()).as("%s: %s", name, line).isIn("INFO", "WARN");
            messages.add(entry.path("formattedMessage").asText());
        }
        assertThat(messages)
                .as(name)
                .contains("log.format=json", "domains=default")
                .anyMatch(message -> message.endsWith(" is at work"))
                .anyMatch(message -> message.contains(" ends; "));
    }

    private void start(String name, Class<?> main, String settings) throws IOException {
        int port = freePort();
        Path config = Files.writeString(
                directory.resolve(name + ".properties"),
                "bootstrap.servers=" + kafka.endpoints().bootstrapServers() + "\nschema.registry.url="
                        + kafka.endpoints().schemaRegistry() + "\nhttp.port=" + port + "\n" + settings);
        Path log = directory.resolve(name + ".log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-Djava.io.tmpdir=" + Files.createDirectories(directory.resolve(name + "-tmp"))));
        command.addAll(QUIET_JVM);
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), main.getName(), "--config", config.toString()));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(variable -> variable.startsWith("MUSTER_"));
        builder.environment().put("MUSTER_LOG_FORMAT", "json");
        Process process = builder.redirectError(log.toFile()).start();
        services.put(name, new Running(process, log, port));
    }

    private HttpResponse<String> get(Running service, String path) throws InterruptedException {
        assertThat(service.process().isAlive()).as(() -> read(service.log())).isTrue();
        URI uri = URI.create("http://127.0.0.1:" + service.port() + path);
        try {
            return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError("nothing answers at " + uri + " yet", e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofMillis(100));
    }
}
