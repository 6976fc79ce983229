package dev.muster.service;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Health and metrics over HTTP: {@code /livez} (the loop comes round), {@code /readyz} (the work is done), both 200 or 503
 * with one line of JSON that says why, and {@code /metrics} for Prometheus. Reads only; asks nobody who they are.
 */
final class HealthServer implements AutoCloseable {
    private static final int STOP_SECONDS = 0;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private HealthServer(HttpServer server) {
        this.server = server;
    }

    /**
     * Starts it.
     *
     * @param stuck why the process is not alive; empty while it is
     * @param notReady why it is not ready; empty while it is
     * @throws ConfigException when it cannot listen there
     */
    static HealthServer start(
            CommonConfig.Http at,
            PrometheusMeterRegistry meters,
            Supplier<List<String>> stuck,
            Supplier<List<String>> notReady) {
        HttpServer http;
        try {
            http = HttpServer.create(new InetSocketAddress(at.host(), at.port()), 0);
        } catch (BindException e) {
            throw new ConfigException(
                    List.of("http.host " + at.host() + ", http.port " + at.port() + ": " + e.getMessage()));
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigException(List.of("http.host " + at.host() + ": cannot listen there: " + e.getMessage()));
        }
        HealthServer health = new HealthServer(http);
        http.setExecutor(health.threads);
        http.createContext("/livez", exchange -> verdict(exchange, "/livez", stuck.get()));
        http.createContext("/readyz", exchange -> verdict(exchange, "/readyz", notReady.get()));
        http.createContext("/metrics", exchange -> answer(exchange, "/metrics", 200, PROMETHEUS, meters.scrape()));
        http.createContext("/", exchange -> answer(exchange, "", 404, "text/plain", "/livez, /readyz, /metrics\n"));
        http.start();
        return health;
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(STOP_SECONDS);
        threads.shutdownNow();
    }

    private static void verdict(HttpExchange exchange, String path, List<String> why) throws IOException {
        ObjectNode body = JSON.createObjectNode().put("ok", why.isEmpty());
        ArrayNode reasons = body.putArray("why");
        why.forEach(reasons::add);
        answer(exchange, path, why.isEmpty() ? 200 : 503, "application/json", body + "\n");
    }

    private static void answer(HttpExchange exchange, String path, int status, String type, String body)
            throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            boolean known = path.isEmpty() || exchange.getRequestURI().getPath().equals(path);
            int code = !known ? 404 : method.equals("GET") || method.equals("HEAD") ? status : 405;
            byte[] bytes = (code == status ? body : "").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            boolean silent = method.equals("HEAD") || bytes.length == 0;
            exchange.sendResponseHeaders(code, silent ? -1 : bytes.length);
            if (!silent) {
                exchange.getResponseBody().write(bytes);
            }
        }
    }
}
