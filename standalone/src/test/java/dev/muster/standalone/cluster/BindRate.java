package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures creation in process and bindings per second with 16 clients while informers watch; not a test, since a busy
 * machine would fail it. Arguments: pods, nodes, {@code raw} (plain sockets: the server's share) or {@code fabric8}.
 */
public final class BindRate {

    private static final int CLIENTS = 16;
    private static final int ROUNDS = 6;

    private static long cpuNanosBefore;

    private BindRate() {}

    public static void main(String[] arguments) throws Exception {
        int pods = Integer.parseInt(arguments[0]);
        int nodes = Integer.parseInt(arguments[1]);
        boolean raw = arguments[2].equals("raw");
        try (SimulatedCluster cluster = SimulatedCluster.start(
                        SimulatedClusterOptions.DEFAULT.withSpeed(1000).withStartDelay(Duration.ofSeconds(1)));
                KubernetesClient client = cluster.client()) {
            long start = System.nanoTime();
            for (int i = 0; i < nodes; i++) {
                cluster.store().apply(Manifests.node("n" + i, 64, 8));
            }
            JsonNode template = Json.MAPPER.readTree(io.fabric8.kubernetes.client.utils.Serialization.asJson(
                    Manifests.pod("p", 1, 0, Map.of("muster.dev/runtime", "1h"))));
            report("nodes created", nodes, start);
            for (int round = 0; round < ROUNDS; round++) {
                start = System.nanoTime();
                List<JsonNode> created = new ArrayList<>();
                for (int i = 0; i < pods; i++) {
                    var pod = template.<com.fasterxml.jackson.databind.node.ObjectNode>deepCopy();
                    ((com.fasterxml.jackson.databind.node.ObjectNode) pod.get("metadata"))
                            .put("name", "p-" + round + "-" + i);
                    created.add(cluster.store().create(pod));
                }
                report("pods created", pods, start);
                SharedIndexInformer<Pod> informer =
                        round % 2 == 0 ? null : client.pods().inAnyNamespace().inform();
                start = System.nanoTime();
                bindAll(cluster, client, created, nodes, raw);
                report("bound " + (informer == null ? "unwatched" : "watched"), pods, start);
                if (informer != null) {
                    informer.close();
                }
            }
            System.err.println("violations " + cluster.counters().violations());
        }
    }

    private static void bindAll(
            SimulatedCluster cluster, KubernetesClient client, List<JsonNode> pods, int nodes, boolean raw)
            throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(CLIENTS);
        for (int t = 0; t < CLIENTS; t++) {
            pool.submit(() -> {
                try (RawClient plain = raw ? new RawClient(cluster.url()) : null) {
                    for (int i = next.getAndIncrement(); i < pods.size(); i = next.getAndIncrement()) {
                        bindOne(client, plain, pods.get(i), "n" + i % nodes);
                    }
                } catch (IOException e) {
                    e.printStackTrace();
                }
            });
        }
        pool.shutdown();
        pool.awaitTermination(5, TimeUnit.MINUTES);
    }

    private static void bindOne(KubernetesClient client, RawClient plain, JsonNode pod, String node)
            throws IOException {
        String name = Json.text(pod, "metadata", "name");
        String path = "/api/v1/namespaces/default/pods/" + name + "/binding";
        if (plain == null) {
            Pod reference = Manifests.pod(name, 1);
            reference.getMetadata().setUid(Json.text(pod, "metadata", "uid"));
            reference.getMetadata().setResourceVersion(Json.text(pod, "metadata", "resourceVersion"));
            client.raw(path, "POST", Manifests.binding(reference, node));
        } else {
            plain.post(
                    path,
                    "{\"apiVersion\":\"v1\",\"kind\":\"Binding\",\"metadata\":{\"name\":\"" + name + "\",\"uid\":\""
                            + Json.text(pod, "metadata", "uid") + "\",\"annotations\":{\"muster.dev/attempt\":\"1\"}},"
                            + "\"target\":{\"kind\":\"Node\",\"name\":\"" + node + "\"}}");
        }
    }

    /** CPU time is what counts on a machine that does other things meanwhile. */
    private static void report(String what, int count, long start) {
        double seconds = (System.nanoTime() - start) / 1e9;
        long cpuNanos = ((com.sun.management.OperatingSystemMXBean)
                        java.lang.management.ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
        System.err.printf(
                "%s: %d in %.2f s, %.0f/s, %d us of CPU each%n",
                what, count, seconds, count / seconds, (cpuNanos - cpuNanosBefore) / count / 1000);
        cpuNanosBefore = cpuNanos;
    }

    /** HTTP over a socket, as little as possible. */
    private static final class RawClient implements AutoCloseable {
        private final Socket socket;
        private final InputStream in;

        RawClient(URI url) throws IOException {
            socket = new Socket(url.getHost(), url.getPort());
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        }

        void post(String path, String body) throws IOException {
            String head = "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                    + body.length() + "\r\n\r\n";
            socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
            String status = line();
            int length = 0;
            for (String header = line(); !header.isEmpty(); header = line()) {
                if (header.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
                    length = Integer.parseInt(header.substring(15).trim());
                }
            }
            String answer = new String(in.readNBytes(length), StandardCharsets.UTF_8);
            if (!status.contains(" 201 ")) {
                throw new IOException(status + answer);
            }
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int c = in.read(); c != '\n'; c = in.read()) {
                if (c < 0) {
                    throw new IOException("closed");
                }
                if (c != '\r') {
                    line.append((char) c);
                }
            }
            return line.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
