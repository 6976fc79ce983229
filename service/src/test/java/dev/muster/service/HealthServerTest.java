package dev.muster.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Counter;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HealthServerTest {
    private final List<String> stuck = new ArrayList<>();
    private final List<String> notReady = new ArrayList<>();
    private final PrometheusMeterRegistry meters = Meters.create("muster-probe");
    private final HttpClient http = HttpClient.newHttpClient();
    private final HealthServer server = HealthServer.start(
            new CommonConfig.Http("127.0.0.1", 0), meters, () -> List.copyOf(stuck), () -> List.copyOf(notReady));

    @AfterEach
    void close() {
        http.close();
        server.close();
        meters.close();
    }

    @Test
    void healthyIs200() throws Exception {
        assertThat(get("/livez").statusCode()).isEqualTo(200);
        assertThat(get("/readyz").body()).isEqualTo("{\"ok\":true,\"why\":[]}\n");
    }

    @Test
    void whatIsStuckIsNotAliveAndSaysWhy() throws Exception {
        stuck.add("the loop has not come round");
        HttpResponse<String> answer = get("/livez");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).isEqualTo("{\"ok\":false,\"why\":[\"the loop has not come round\"]}\n");
        stuck.clear();
        assertThat(get("/livez").statusCode()).isEqualTo(200);
    }

    @Test
    void whatIsNotReadyIsAliveAndSaysWhyInOneLine() throws Exception {
        notReady.add("says \"no\"\nand more");
        HttpResponse<String> answer = get("/readyz");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).hasLineCount(1).contains("says \\\"no\\\"\\nand more");
        assertThat(get("/livez").statusCode()).isEqualTo(200);
    }

    @Test
    void metricsAreAsPrometheusReadsThemAndNameTheService() throws Exception {
        Counter.builder("muster.probe.turns").register(meters).increment(3);
        HttpResponse<String> answer = get("/metrics");
        assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain; version=0.0.4");
        assertThat(answer.body())
                .contains("muster_probe_turns_total{service=\"muster-probe\"} 3.0")
                .contains("# TYPE jvm_memory_used_bytes gauge");
    }

    @Test
    void seriesAreBounded() {
        int before = meters.getMeters().size();
        for (int i = 0; i < 20_000; i++) {
            Counter.builder("muster.probe.of")
                    .tag("name", "n" + i)
                    .register(meters)
                    .increment();
        }
        assertThat(meters.getMeters()).hasSizeLessThanOrEqualTo(5_000).hasSizeGreaterThan(before);
    }

    @Test
    void otherPathsAreNotFoundAndNothingCanBeWritten() throws Exception {
        assertThat(get("/livez/x").statusCode()).isEqualTo(404);
        assertThat(get("/").statusCode()).isEqualTo(404);
        HttpRequest post = HttpRequest.newBuilder(uri("/livez"))
                .POST(HttpRequest.BodyPublishers.ofString("x"))
                .build();
        assertThat(http.send(post, BodyHandlers.ofString()).statusCode()).isEqualTo(405);
    }

    @Test
    void aTakenPortIsAProblemOfTheConfiguration() {
        CommonConfig.Http taken = new CommonConfig.Http("127.0.0.1", server.port());
        assertThatThrownBy(() -> HealthServer.start(taken, meters, List::of, List::of))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("http.port " + server.port());
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }
}
