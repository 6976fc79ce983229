package dev.muster.standalone.broker;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.FeatureMetadata;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;
import org.apache.kafka.server.common.TransactionVersion;

/**
 * A Kafka broker and controller (KRaft, one node) in this process, listening on loopback only.
 *
 * <p>This is the one class that touches Kafka's non-public API: {@link KafkaRaftServer} and {@link Formatter}. A data
 * directory is formatted the first time and can be opened again, at another port if need be. A lock file in it keeps
 * two processes from opening it at the same time: Kafka's own lock is taken too late to keep the metadata log whole.
 */
public final class EmbeddedBroker implements AutoCloseable {
    private static final int NODE_ID = 1;
    private static final String CONTROLLER_LISTENER = "CONTROLLER";
    private static final long START_TIMEOUT_SECONDS = 60;

    private final KafkaRaftServer server;
    private final String bootstrapServers;
    private final Path dataDir;
    private final DirectoryLock lock;

    private EmbeddedBroker(DirectoryLock lock, KafkaRaftServer server, String bootstrapServers, Path dataDir) {
        this.lock = lock;
        this.server = server;
        this.bootstrapServers = bootstrapServers;
        this.dataDir = dataDir;
    }

    /**
     * Starts a broker and returns when it serves clients.
     *
     * @param dataDir where the log lives; created where missing, reused where it holds a broker's data
     * @param port port on loopback; 0 picks a free one
     * @throws BrokerStartException when the directory is in use or unusable, the port is taken, or the data was written by
     *     a broker without transaction version 2, below which fenced producers are not safe
     */
    public static EmbeddedBroker start(Path dataDir, int port) {
        int brokerPort = port == 0 ? freePort() : port;
        return start(dataDir, brokerPort, brokerPort, List.of());
    }

    /**
     * The same behind something that passes connections on: clients are told to use another port on loopback.
     *
     * @param brokerPort port to listen on
     * @param advertisedPort port that clients are told
     */
    public static EmbeddedBroker start(Path dataDir, int brokerPort, int advertisedPort) {
        return start(dataDir, brokerPort, advertisedPort, List.of());
    }

    /**
     * A further address that clients may come to, on loopback.
     *
     * @param name of the listener, in capitals
     * @param protocol such as SASL_SSL
     * @param settings of this listener, as Kafka names them without {@code listener.name.NAME.}
     */
    record Listener(String name, int port, String protocol, Map<String, String> settings) {}

    static EmbeddedBroker start(Path dataDir, int port, List<Listener> further) {
        int brokerPort = port == 0 ? freePort() : port;
        return start(dataDir, brokerPort, brokerPort, further);
    }

    private static EmbeddedBroker start(Path dataDir, int brokerPort, int advertisedPort, List<Listener> further) {
        Path logDir = dataDir.resolve("kafka");
        String bootstrapServers = "127.0.0.1:" + brokerPort;
        DirectoryLock lock = DirectoryLock.acquire(dataDir);
        KafkaRaftServer server;
        try {
            Files.createDirectories(logDir);
            format(logDir);
            server = new KafkaRaftServer(config(logDir, brokerPort, advertisedPort, freePort(), further), Time.SYSTEM);
            server.startup();
        } catch (Exception e) {
            lock.close();
            throw new BrokerStartException(
                    "cannot start a broker on " + logDir + " at " + bootstrapServers + ": " + innermost(e), e);
        }
        EmbeddedBroker broker = new EmbeddedBroker(lock, server, bootstrapServers, dataDir);
        try {
            broker.requireTransactionVersion2();
        } catch (RuntimeException e) {
            broker.close();
            throw e;
        }
        return broker;
    }

    /** {@code host:port} for clients. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** The directory given at start. */
    public Path dataDir() {
        return dataDir;
    }

    /** Whether {@code dataDir} holds the data of an embedded broker. */
    public static boolean holdsData(Path dataDir) {
        return Files.exists(dataDir.resolve("kafka").resolve("meta.properties"));
    }

    /** Stops the broker; all that was acknowledged is on disk. */
    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
        lock.close();
    }

    private void requireTransactionVersion2() {
        Properties properties = new Properties();
        properties.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        try (Admin admin = Admin.create(properties)) {
            FeatureMetadata features =
                    admin.describeFeatures().featureMetadata().get(START_TIMEOUT_SECONDS, TimeUnit.SECONDS);
            var version = features.finalizedFeatures().get(TransactionVersion.FEATURE_NAME);
            if (version == null || version.maxVersionLevel() < TransactionVersion.TV_2.featureLevel()) {
                throw new BrokerStartException(
                        dataDir + " was written with " + TransactionVersion.FEATURE_NAME + " "
                                + (version == null ? 0 : version.maxVersionLevel()) + "; 2 is needed",
                        null);
            }
        } catch (BrokerStartException e) {
            throw e;
        } catch (Exception e) {
            throw new BrokerStartException(
                    "the broker at " + bootstrapServers + " does not answer: " + innermost(e), e);
        }
    }

    private static void format(Path logDir) throws Exception {
        if (Files.exists(logDir.resolve("meta.properties"))) {
            return;
        }
        try (PrintStream discard = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
            new Formatter()
                    .setPrintStream(discard)
                    .setClusterId(Uuid.randomUuid().toString())
                    .setNodeId(NODE_ID)
                    .setDirectories(List.of(logDir.toString()))
                    .setMetadataLogDirectory(logDir.toString())
                    .setControllerListenerName(CONTROLLER_LISTENER)
                    .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
                    .setReleaseVersion(MetadataVersion.LATEST_PRODUCTION)
                    .setIgnoreFormatted(true)
                    .run();
        }
    }

    private static KafkaConfig config(
            Path logDir, int brokerPort, int advertisedPort, int controllerPort, List<Listener> further) {
        Properties p = new Properties();
        p.put("process.roles", "broker,controller");
        p.put("node.id", String.valueOf(NODE_ID));
        p.put("controller.quorum.voters", NODE_ID + "@127.0.0.1:" + controllerPort);
        p.put("controller.listener.names", CONTROLLER_LISTENER);
        p.put("listeners", "BROKER://127.0.0.1:" + brokerPort + ",CONTROLLER://127.0.0.1:" + controllerPort);
        p.put("advertised.listeners", "BROKER://127.0.0.1:" + advertisedPort);
        p.put("inter.broker.listener.name", "BROKER");
        p.put("listener.security.protocol.map", "BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT");
        for (Listener listener : further) {
            String address = "," + listener.name() + "://127.0.0.1:" + listener.port();
            String protocol = "," + listener.name() + ":" + listener.protocol();
            p.put("listeners", p.get("listeners") + address);
            p.put("advertised.listeners", p.get("advertised.listeners") + address);
            p.put("listener.security.protocol.map", p.get("listener.security.protocol.map") + protocol);
            String prefix = "listener.name." + listener.name().toLowerCase(Locale.ROOT) + ".";
            listener.settings().forEach((name, value) -> p.put(prefix + name, value));
        }
        p.put("log.dirs", logDir.toString());

        p.put("auto.create.topics.enable", "false");
        p.put("default.replication.factor", "1");
        p.put("min.insync.replicas", "1");
        for (String internal :
                new String[] {"offsets.topic", "transaction.state.log", "share.coordinator.state.topic"}) {
            p.put(internal + ".replication.factor", "1");
            p.put(internal + ".num.partitions", "1");
        }
        p.put("transaction.state.log.min.isr", "1");
        p.put("share.coordinator.state.topic.min.isr", "1");
        p.put("group.initial.rebalance.delay.ms", "0");
        // A transaction that follows closely on another waits for the markers of that one in steps of this.
        p.put("add.partitions.to.txn.retry.backoff.ms", "2");
        // A broker that was killed leads its partitions by the metadata of its last life until it is registered anew,
        // and
        // then they have no leader for a moment. Ends of transactions that the coordinator begins in that time can be
        // dropped for good: no leader is taken for "deleted". So it ends none of its own accord before it is
        // registered.
        p.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "15000");

        // A clean stop deregisters the broker; without it the next start waits for the session of the last one to end.
        p.put("controlled.shutdown.enable", "true");
        p.put("broker.session.timeout.ms", "6000");
        p.put("broker.heartbeat.interval.ms", "500");

        // Sized for a laptop: a few dozen partitions and clients.
        p.put("num.network.threads", "2");
        p.put("num.io.threads", "4");
        p.put("background.threads", "2");
        p.put("num.recovery.threads.per.data.dir", "2");
        p.put("log.cleaner.dedupe.buffer.size", String.valueOf(16 << 20));
        p.put("log.index.size.max.bytes", String.valueOf(2 << 20));
        return KafkaConfig.fromProps(p);
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on loopback", e);
        }
    }

    private static String innermost(Throwable error) {
        Throwable cause = error;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}
