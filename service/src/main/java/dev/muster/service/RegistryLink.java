package dev.muster.service;

import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.RegistryClient;
import dev.muster.schemas.serde.RegistryConfig;
import dev.muster.schemas.serde.RegistryException;
import dev.muster.schemas.serde.RegistryUnavailableException;
import java.util.Set;
import org.apache.avro.Schema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The schema registry, asked at the start for what would otherwise be asked with the first records. */
final class RegistryLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RegistryLink.class);

    /** What was ever written stays readable. */
    private static final String COMPATIBILITY = "BACKWARD_TRANSITIVE";

    private final CommonConfig common;
    private final RegistryClient client;

    private RegistryLink(CommonConfig common, RegistryClient client) {
        this.common = common;
        this.client = client;
    }

    static RegistryLink open(CommonConfig common) {
        return new RegistryLink(common, new RegistryClient(common.registry()));
    }

    RegistryClient client() {
        return client;
    }

    /**
     * Registers the schemas of what the service writes.
     *
     * @throws UnreachableException when the registry does not answer within the time for starting
     * @throws dev.muster.schemas.serde.RegistryException when it refuses
     */
    void register(Set<String> topics) {
        RegistryConfig patient = new RegistryConfig(
                common.registry().urls(),
                common.registry().basicAuth(),
                common.registry().ssl(),
                common.startTimeout());
        try (RegistryClient atStart = new RegistryClient(patient)) {
            for (String topic : topics) {
                Schema schema = AvroSerde.schemaOf(common.topics().valueType(topic));
                register(atStart, AvroSerde.subjectOf(topic), schema);
            }
        } catch (RegistryUnavailableException e) {
            throw new UnreachableException(e.getMessage(), e);
        }
    }

    /** Registers first: before it has a schema, a registry may know nothing of a subject. */
    private static void register(RegistryClient registry, String subject, Schema schema) {
        registry.register(subject, schema);
        try {
            if (registry.compatibilityOf(subject).isEmpty()) {
                registry.setCompatibility(subject, COMPATIBILITY);
            }
        } catch (RegistryUnavailableException e) {
            throw e;
        } catch (RegistryException e) {
            LOG.warn(
                    "{} keeps the registry's compatibility rule, wanted is {}: {}",
                    subject,
                    COMPATIBILITY,
                    e.getMessage());
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
