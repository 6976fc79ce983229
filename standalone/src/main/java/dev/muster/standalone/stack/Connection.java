package dev.muster.standalone.stack;

import dev.muster.schemas.serde.RegistryClient;
import dev.muster.schemas.serde.RegistryConfig;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.standalone.broker.BrokerInUseException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/** A way to the topics: of an installation, of a process that runs on a data directory, or of the directory itself. */
public final class Connection implements AutoCloseable {
    private final Closing closing;
    private final Map<String, Object> kafka;
    private final SchemaRegistry registry;
    private final URI registryUri;

    private Connection(Closing closing, Map<String, Object> kafka, RegistryConfig registry) {
        this.closing = closing;
        this.kafka = Map.copyOf(kafka);
        this.registry = closing.add(new RegistryClient(registry));
        this.registryUri = registry.urls().getFirst();
    }

    private Connection(Closing closing, Endpoints endpoints) {
        this(
                closing,
                Map.of("bootstrap.servers", endpoints.bootstrapServers()),
                RegistryConfig.of(endpoints.schemaRegistry()));
    }

    /** To Kafka and a registry at known addresses, without TLS and passwords. */
    public static Connection to(String bootstrapServers, URI schemaRegistry) {
        return new Connection(new Closing(), new Endpoints(bootstrapServers, schemaRegistry));
    }

    /**
     * To Kafka and a registry with settings of one's own.
     *
     * @param kafka settings that every Kafka client needs: addresses, TLS, SASL
     */
    public static Connection to(Map<String, Object> kafka, RegistryConfig registry) {
        return new Connection(new Closing(), kafka, registry);
    }

    /**
     * To the topics in a data directory: through the process that runs on it, else by starting a broker on it.
     *
     * @throws dev.muster.standalone.broker.BrokerStartException when neither is possible
     */
    public static Connection to(Path dataDir) {
        Closing closing = new Closing();
        boolean connected = false;
        try {
            Connection connection = new Connection(
                    closing, closing.add(EmbeddedKafka.start(dataDir, 0, 0)).endpoints());
            connected = true;
            return connection;
        } catch (BrokerInUseException e) {
            return new Connection(new Closing(), Endpoints.read(dataDir).orElseThrow(() -> e));
        } finally {
            if (!connected) {
                closing.close();
            }
        }
    }

    /** Settings that every Kafka client needs. */
    public Map<String, Object> kafka() {
        return kafka;
    }

    /** Address of the schema registry; the first where there are several. */
    public URI registryUri() {
        return registryUri;
    }

    /** The schemas. */
    public SchemaRegistry registry() {
        return registry;
    }

    @Override
    public void close() {
        closing.close();
    }
}
