package dev.muster.standalone.stack;

import dev.muster.schemas.serde.EmbeddedRegistry;
import dev.muster.standalone.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.util.Map;

/** Kafka and a schema registry that keeps its schemas there, both in this process and on loopback only. */
public final class EmbeddedKafka implements AutoCloseable {
    /** Topic of the schema registry. */
    static final String SCHEMAS_TOPIC = "_schemas";

    private final Closing closing;
    private final Endpoints endpoints;

    private EmbeddedKafka(Closing closing, Endpoints endpoints) {
        this.closing = closing;
        this.endpoints = endpoints;
    }

    /**
     * Starts both; returns when they serve.
     *
     * @param dataDir where the topics are kept; created where missing, taken up again where it holds some
     * @param port of Kafka; 0 picks a free one
     * @param registryPort of the schema registry; 0 picks a free one
     * @throws dev.muster.standalone.broker.BrokerStartException when the directory is in use or the broker can't start
     */
    public static EmbeddedKafka start(Path dataDir, int port, int registryPort) {
        Closing closing = new Closing();
        boolean started = false;
        try {
            String servers = closing.add(EmbeddedBroker.start(dataDir, port)).bootstrapServers();
            EmbeddedRegistry registry = closing.add(
                    EmbeddedRegistry.start(registryPort, Map.of("bootstrap.servers", servers), SCHEMAS_TOPIC));
            EmbeddedKafka kafka = new EmbeddedKafka(closing, new Endpoints(servers, registry.uri()));
            started = true;
            return kafka;
        } finally {
            if (!started) {
                closing.close();
            }
        }
    }

    /** Notes the addresses in the data directory while this runs, so that other commands on it find them. */
    public EmbeddedKafka noted(Path dataDir) {
        endpoints.write(dataDir);
        closing.add(() -> Endpoints.forget(dataDir));
        return this;
    }

    /** Where both can be reached. */
    public Endpoints endpoints() {
        return endpoints;
    }

    @Override
    public void close() {
        closing.close();
    }
}
