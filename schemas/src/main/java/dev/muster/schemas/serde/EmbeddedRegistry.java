package dev.muster.schemas.serde;

import io.javalin.Javalin;
import java.net.URI;
import java.util.Map;

/**
 * A small schema registry inside the process, for installations that have none: the part of Confluent's REST interface
 * that Avro clients use. New subjects are BACKWARD_TRANSITIVE. It asks nobody who they are: reachable from this machine
 * only, unless told otherwise.
 */
public final class EmbeddedRegistry implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";

    private final SchemaStore store;
    private final Javalin server;
    private final URI uri;

    private EmbeddedRegistry(String host, int port, RegistryLog log) {
        store = new SchemaStore(log);
        try {
            server = Javalin.start(config -> {
                config.startup.showJavalinBanner = false;
                config.startup.showOldJavalinVersionWarning = false;
                config.jetty.host = host;
                config.jetty.port = port;
                new RegistryRoutes(store).addTo(config.routes);
            });
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
        uri = URI.create("http://" + host + ":" + server.port());
    }

    /**
     * Starts a registry whose state is in a compacted topic, which is created if it is missing, and read to its end.
     *
     * @param port TCP port on the loopback address; 0 for any
     * @param kafkaClientConfig what every Kafka client needs: bootstrap.servers, security
     * @param topic the topic, this registry's own
     * @throws org.apache.kafka.common.KafkaException when the topic cannot be used or read
     */
    public static EmbeddedRegistry start(int port, Map<String, Object> kafkaClientConfig, String topic) {
        return start(LOOPBACK, port, kafkaClientConfig, topic);
    }

    /** The same on the address of a host name. */
    public static EmbeddedRegistry start(String host, int port, Map<String, Object> kafkaClientConfig, String topic) {
        return new EmbeddedRegistry(host, port, new KafkaRegistryLog(kafkaClientConfig, topic));
    }

    /** Starts a registry that forgets everything when it is closed. */
    public static EmbeddedRegistry inMemory(int port) {
        return new EmbeddedRegistry(LOOPBACK, port, RegistryLog.none());
    }

    /** Where it can be reached. */
    public URI uri() {
        return uri;
    }

    @Override
    public void close() {
        server.stop();
        store.close();
    }
}
