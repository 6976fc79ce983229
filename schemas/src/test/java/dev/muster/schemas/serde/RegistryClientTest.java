package dev.muster.schemas.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RegistryClientTest {
    private static final Schema V1 =
            SchemaBuilder.record("Thing").fields().requiredString("name").endRecord();
    private static final Schema V2 = SchemaBuilder.record("Thing")
            .fields()
            .requiredString("name")
            .name("size")
            .type()
            .longType()
            .longDefault(0)
            .endRecord();
    private static final Schema INCOMPATIBLE = SchemaBuilder.record("Thing")
            .fields()
            .requiredString("name")
            .requiredLong("weight")
            .endRecord();

    private EmbeddedRegistry server;

    @BeforeEach
    void startServer() {
        server = EmbeddedRegistry.inMemory(0);
    }

    @AfterEach
    void stopServer() {
        server.close();
    }

    @Test
    void theSameSchemaHasTheSameIdEverywhereAndComesBack() {
        try (RegistryClient one = new RegistryClient(RegistryConfig.of(server.uri()));
                RegistryClient other = new RegistryClient(RegistryConfig.of(server.uri()))) {
            int id = one.register("things-value", V1);
            assertThat(one.register("things-value", V2)).isNotEqualTo(id);
            assertThat(one.register("more-things-value", V1)).isEqualTo(id);
            assertThat(other.register("things-value", new Schema.Parser().parse(V1.toString())))
                    .isEqualTo(id);
            assertThat(other.byId(id)).isEqualTo(V1);
        }
    }

    @Test
    void aSchemaThatCannotReadEarlierVersionsIsRefusedInOneLine() {
        try (RegistryClient client = new RegistryClient(RegistryConfig.of(server.uri()))) {
            client.register("things-value", V1);
            assertThat(client.isCompatible("things-value", V2)).isTrue();
            assertThat(client.isCompatible("things-value", INCOMPATIBLE)).isFalse();
            assertThatThrownBy(() -> client.register("things-value", INCOMPATIBLE))
                    .isInstanceOf(IncompatibleSchemaException.class)
                    .hasMessageContaining("POST /subjects/things-value/versions: HTTP 409")
                    .hasMessageContaining("READER_FIELD_MISSING_DEFAULT_VALUE at /fields/1: weight")
                    .hasMessageNotContaining("\n");
            client.setCompatibility("things-value", "NONE");
            assertThat(client.register("things-value", INCOMPATIBLE)).isPositive();
        }
    }

    @Test
    void unknownIdsAndSubjectsAreNotFound() {
        try (RegistryClient client = new RegistryClient(RegistryConfig.of(server.uri()))) {
            assertThatThrownBy(() -> client.byId(99))
                    .isInstanceOf(SchemaNotFoundException.class)
                    .hasMessageContaining("Schema 99 not found");
            assertThatThrownBy(() -> client.isCompatible("no one's", V1))
                    .isInstanceOf(SchemaNotFoundException.class)
                    .hasMessageContaining("Subject 'no one's' not found");
        }
    }

    @Test
    void whatIsKnownOrKnownToBeMissingIsNotAskedForAgain() throws IOException {
        try (Recorder recorder = new Recorder(404, "{\"error_code\":40403,\"message\":\"Schema 5 not found\"}");
                RegistryClient client = new RegistryClient(RegistryConfig.of(recorder.uri()))) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> client.byId(5)).isInstanceOf(SchemaNotFoundException.class);
            }
            assertThat(recorder.requests).containsExactly("GET /schemas/ids/5 auth=null");
        }
        try (Recorder recorder = new Recorder(200, "{\"id\":3,\"schema\":\"\\\"string\\\"\"}");
                RegistryClient client = new RegistryClient(RegistryConfig.of(recorder.uri()))) {
            for (int i = 0; i < 3; i++) {
                client.byId(3);
                client.register("s", V1);
            }
            assertThat(recorder.requests)
                    .containsExactly("GET /schemas/ids/3 auth=null", "POST /subjects/s/versions auth=null");
        }
    }

    @Test
    void userAndPasswordGoWithEveryRequestAndNowhereElse() throws IOException {
        try (Recorder recorder = new Recorder(401, "{\"error_code\":40101,\"message\":\"Unauthorized\"}")) {
            RegistryConfig config = new RegistryConfig(
                    List.of(recorder.uri()),
                    Optional.of(new RegistryConfig.BasicAuth("muster", "s3cret")),
                    Optional.empty(),
                    Duration.ofSeconds(5));
            assertThat(config.toString()).doesNotContain("s3cret");
            try (RegistryClient client = new RegistryClient(config)) {
                assertThatThrownBy(() -> client.byId(1))
                        .isExactlyInstanceOf(RegistryException.class)
                        .hasMessage(
                                "schema registry " + recorder.uri() + ": GET /schemas/ids/1: HTTP 401: Unauthorized");
            }
            assertThat(recorder.requests).containsExactly("GET /schemas/ids/1 auth=Basic bXVzdGVyOnMzY3JldA==");
        }
    }

    @Test
    void anotherAddressIsTriedWhenOneIsDownOrBroken() throws IOException {
        try (Recorder broken = new Recorder(503, "")) {
            RegistryConfig config = new RegistryConfig(
                    List.of(nobodyListens(), broken.uri(), server.uri()),
                    Optional.empty(),
                    Optional.empty(),
                    Duration.ofSeconds(10));
            try (RegistryClient client = new RegistryClient(config)) {
                int id = client.register("s", V1);
                assertThat(client.byId(id)).isEqualTo(V1);
                // The address that answered is asked first from then on.
                assertThat(broken.requests).hasSize(1);
            }
        }
    }

    @Test
    void anAddressThatSwallowsRequestsLeavesTimeForTheOthers() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            RegistryConfig config = new RegistryConfig(
                    List.of(URI.create("http://127.0.0.1:" + silent.getLocalPort()), server.uri()),
                    Optional.empty(),
                    Optional.empty(),
                    Duration.ofSeconds(3));
            try (RegistryClient client = new RegistryClient(config)) {
                assertThat(client.register("s", V1)).isEqualTo(1);
            }
        }
    }

    @Test
    void aRegistryThatIsDownIsUnavailableWhenTheTimeIsUp() throws IOException {
        URI nobody = nobodyListens();
        RegistryConfig config =
                new RegistryConfig(List.of(nobody), Optional.empty(), Optional.empty(), Duration.ofMillis(400));
        try (RegistryClient client = new RegistryClient(config)) {
            long start = System.nanoTime();
            assertThatThrownBy(() -> client.byId(1))
                    .isInstanceOf(RegistryUnavailableException.class)
                    .hasMessageStartingWith("schema registry did not answer within 400 ms: " + nobody);
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(300), Duration.ofSeconds(5));
        }
    }

    @Test
    void anAnswerThatIsNotARegistrysIsRefused() throws IOException {
        try (Recorder proxy = new Recorder(200, "<html>");
                RegistryClient client = new RegistryClient(RegistryConfig.of(proxy.uri()))) {
            assertThatThrownBy(() -> client.register("s", V1)).isExactlyInstanceOf(RegistryException.class);
            assertThatThrownBy(() -> client.byId(1)).isExactlyInstanceOf(RegistryException.class);
        }
    }

    @Test
    void aSchemaThatIsNotAvroIsNotTakenForOne() throws IOException {
        for (String schema :
                List.of("{\"schema\":\"syntax = 3\",\"schemaType\":\"PROTOBUF\"}", "{\"schema\":\"\\\"ind\\\"\"}")) {
            try (Recorder other = new Recorder(200, schema);
                    RegistryClient client = new RegistryClient(RegistryConfig.of(other.uri()))) {
                assertThatThrownBy(() -> client.byId(1))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith("not an Avro schema: ");
            }
        }
    }

    @Test
    void aConfigurationThatCannotWorkIsRefused() {
        for (String url : List.of("registry:8081", "ftp://registry", "/path", "http://user:password@registry")) {
            assertThatThrownBy(() -> RegistryConfig.of(URI.create(url)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("password@");
        }
    }

    private static URI nobodyListens() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return URI.create("http://127.0.0.1:" + socket.getLocalPort());
        }
    }

    /** Answers everything alike and remembers what it was asked. */
    private static final class Recorder implements AutoCloseable {
        private final List<String> requests = new CopyOnWriteArrayList<>();
        private final HttpServer http;

        Recorder(int status, String body) throws IOException {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            http.createContext("/", exchange -> {
                requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " auth="
                        + exchange.getRequestHeaders().getFirst("Authorization"));
                exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(status, body.isEmpty() ? -1 : body.length());
                exchange.getResponseBody().write(body.getBytes(StandardCharsets.US_ASCII));
                exchange.close();
            });
            http.start();
        }

        URI uri() {
            return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
        }

        @Override
        public void close() {
            http.stop(0);
        }
    }
}
