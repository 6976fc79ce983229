package dev.muster.standalone.kill;

import static org.awaitility.Awaitility.await;

import dev.muster.schemas.serde.RegistryClient;
import dev.muster.schemas.serde.RegistryConfig;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.standalone.cluster.SimulatedCluster;
import dev.muster.standalone.cluster.SimulatedClusterOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;

/**
 * Muster as an operator runs it, every part a process of its own, on a broker in a process of its own. The cluster's API
 * server lives in this JVM, so that its objects are the truth that everything is held against.
 *
 * <p>Several instances of a part are told apart by a name; the plain part is instance {@code a}.
 */
final class Installation implements AutoCloseable {
    private static final Duration BROKER_UP = Duration.ofSeconds(60);

    private final Path dir;
    private final int brokerPort = freePort();
    private final int registryPort = freePort();
    private final SimulatedCluster cluster;
    private final KafkaProxy proxy;
    private final Map<String, ChildProcess> running = new TreeMap<>();
    private final Map<String, ChildProcess> out = new TreeMap<>();
    private final RegistryClient registry;
    private final Map<Part, Integer> replaced = new EnumMap<>(Part.class);

    private Installation(Path dir, boolean behindProxy) {
        this.dir = dir;
        this.cluster = SimulatedCluster.start(
                SimulatedClusterOptions.DEFAULT.withName(PartMain.CLUSTER).withStartDelay(Duration.ofMillis(50)));
        this.proxy = behindProxy ? KafkaProxy.start(brokerPort) : null;
        this.registry = new RegistryClient(RegistryConfig.of(registryUri()));
    }

    /** A cluster and a broker; the other parts are not started. */
    static Installation start(Path dir) {
        return start(new Installation(dir, false));
    }

    /** The same with all of Kafka's clients behind a proxy. */
    static Installation startBehindProxy(Path dir) {
        return start(new Installation(dir, true));
    }

    private static Installation start(Installation installation) {
        boolean started = false;
        try {
            installation.start(Part.BROKER);
            installation.awaitBroker();
            started = true;
            return installation;
        } finally {
            if (!started) {
                installation.close();
            }
        }
    }

    /** Starts scheduler, binder, ingest and intake. */
    Installation startAll() {
        for (Part part : List.of(Part.INGEST, Part.BINDER, Part.INTAKE, Part.SCHEDULER)) {
            start(part);
        }
        return this;
    }

    ChildProcess start(Part part) {
        return start(part, "a", Duration.ZERO);
    }

    /** Starts an instance whose wall clock is so far off. */
    ChildProcess start(Part part, String instance, Duration clockOff) {
        String name = part.name().toLowerCase(java.util.Locale.ROOT) + "-" + instance;
        ChildProcess before = running.get(name);
        if (before != null && before.isAlive()) {
            throw new IllegalStateException(name + " runs");
        }
        ChildProcess process = ChildProcess.start(
                name,
                dir.resolve(name + ".log"),
                List.of(
                        part == Part.BROKER ? "-Xmx384m" : "-Xmx192m",
                        "-D" + PartMain.CLOCK_OFF + "=" + clockOff.toMillis()),
                PartMain.class,
                arguments(part, instance, name));
        running.put(name, process);
        return process;
    }

    private List<String> arguments(Part part, String instance, String name) {
        Path own = directory(dir, name + "-" + replaced.getOrDefault(part, 0));
        if (part == Part.BROKER) {
            int advertised = proxy == null ? brokerPort : proxy.port();
            return List.of(
                    part.name(),
                    own.toString(),
                    Integer.toString(brokerPort),
                    Integer.toString(advertised),
                    Integer.toString(registryPort));
        }
        Map<String, String> settings = new TreeMap<>(Map.of(
                "bootstrap.servers", bootstrapServers(),
                "schema.registry.url", registryUri().toString(),
                "http.port", "0"));
        switch (part) {
            case SCHEDULER -> {
                settings.put("instance.id", instance);
                settings.put("state.dir", own.toString());
                settings.put("kafka.client.id", "scheduler-" + instance);
            }
            case INTAKE -> settings.put("instance.id", instance);
            case INGEST -> {
                settings.put("instance.id", instance);
                settings.put("cluster", PartMain.CLUSTER);
                settings.put("kubeconfig", kubeconfig().toString());
            }
            case BINDER -> {
                settings.put("cluster", PartMain.CLUSTER);
                settings.put("kubeconfig", kubeconfig().toString());
            }
            case BROKER -> throw new IllegalArgumentException("the broker has no settings");
        }
        Path file = own.resolve("service.properties");
        write(
                file,
                settings.entrySet().stream()
                        .map(setting -> setting.getKey() + "=" + setting.getValue())
                        .collect(Collectors.joining("\n")));
        return List.of(part.name(), "--config", file.toString());
    }

    private Path kubeconfig() {
        return write(dir.resolve("kubeconfig.yaml"), """
                apiVersion: v1
                kind: Config
                current-context: admin
                clusters:
                - name: %1$s
                  cluster: {server: "%2$s"}
                users:
                - name: admin
                  user: {}
                contexts:
                - name: admin
                  context: {cluster: %1$s, user: admin, namespace: default}
                """.formatted(PartMain.CLUSTER, cluster.url()));
    }

    private static Path write(Path file, String text) {
        try {
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes a part out of the installation as it is, so that another can be started in its place; the caller ends it. */
    ChildProcess replace(Part part) {
        String name = part.name().toLowerCase(java.util.Locale.ROOT) + "-a";
        ChildProcess process = running.remove(name);
        String kept = name + "-" + replaced.merge(part, 1, Integer::sum);
        process.keepLogAs(dir.resolve(kept + ".log"));
        out.put(kept, process);
        return process;
    }

    /** Puts a process that was taken out back in the place of the one that was started instead, which ended. */
    void putBack(Part part, ChildProcess process) {
        ChildProcess instead = running.put(part.name().toLowerCase(java.util.Locale.ROOT) + "-a", process);
        out.put(process.name() + "-instead", instead);
    }

    /** The process of a part's plain instance. */
    ChildProcess process(Part part) {
        return process(part, "a");
    }

    ChildProcess process(Part part, String instance) {
        return running.get(part.name().toLowerCase(java.util.Locale.ROOT) + "-" + instance);
    }

    /** Names of processes that ended although nobody ended them. */
    List<String> dead() {
        return running.values().stream()
                .filter(process -> !process.isAlive())
                .map(ChildProcess::name)
                .toList();
    }

    /** Returns when broker and registry take connections. */
    void awaitBroker() {
        await().atMost(BROKER_UP)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> accepts(brokerPort) && accepts(registryPort));
    }

    SimulatedCluster cluster() {
        return cluster;
    }

    KafkaProxy proxy() {
        return proxy;
    }

    /** What this JVM reaches Kafka by: past the proxy as long as that only holds single clients' requests. */
    Map<String, Object> kafka() {
        return Map.of("bootstrap.servers", bootstrapServers(), "client.id", "harness");
    }

    SchemaRegistry registry() {
        return registry;
    }

    @Override
    public void close() {
        running.values().stream()
                .filter(process -> !process.name().startsWith("broker"))
                .forEach(ChildProcess::close);
        running.values().forEach(ChildProcess::close);
        out.values().forEach(ChildProcess::close);
        registry.close();
        if (proxy != null) {
            proxy.close();
        }
        cluster.close();
    }

    /** Lets a part print into its log what its threads do. */
    void dumpThreads(Part part) {
        process(part).signal("QUIT");
    }

    /** The last lines that every process printed, for a failure's message. */
    String logs(int lines) {
        StringBuilder all = new StringBuilder();
        Map<String, ChildProcess> processes = new TreeMap<>(running);
        processes.putAll(out);
        processes.forEach((name, process) -> {
            List<String> printed = process.printed().lines().toList();
            all.append("--- ")
                    .append(name)
                    .append(process.isAlive() ? "" : " (dead)")
                    .append('\n');
            printed.subList(Math.max(0, printed.size() - lines), printed.size())
                    .forEach(line -> all.append(line).append('\n'));
        });
        return all.toString();
    }

    /** Transactions that are open, as the coordinator sees them and as the partitions do. */
    String openTransactions() {
        StringBuilder all = new StringBuilder();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
            admin.listTransactions()
                    .all()
                    .get()
                    .forEach(listing -> all.append(listing).append('\n'));
            for (String topic : admin.listTopics(
                            new org.apache.kafka.clients.admin.ListTopicsOptions().listInternal(true))
                    .names()
                    .get()) {
                TopicPartition partition = new TopicPartition(topic, 0);
                admin.describeProducers(List.of(partition)).partitionResult(partition).get().activeProducers().stream()
                        .filter(producer ->
                                producer.currentTransactionStartOffset().isPresent())
                        .forEach(producer -> all.append(partition)
                                .append(' ')
                                .append(producer)
                                .append('\n'));
            }
        } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
            all.append(e);
        }
        return all.toString();
    }

    private String bootstrapServers() {
        return "127.0.0.1:" + (proxy == null ? brokerPort : proxy.port());
    }

    private URI registryUri() {
        return URI.create("http://127.0.0.1:" + registryPort);
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path directory(Path parent, String name) {
        try {
            return Files.createDirectories(parent.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
