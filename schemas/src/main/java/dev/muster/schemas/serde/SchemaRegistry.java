package dev.muster.schemas.serde;

import org.apache.avro.Schema;

/** Gives schemas numbers. Implementations cache and may be used by several threads. */
public interface SchemaRegistry {
    /**
     * The id of a schema, registered under a subject if it is not yet.
     *
     * @throws IncompatibleSchemaException when the subject's earlier versions cannot be read with it
     * @throws RegistryUnavailableException when the registry cannot be reached in time; retryable
     * @throws RegistryException when the registry refuses for another reason
     */
    int register(String subject, Schema schema);

    /**
     * The schema with an id.
     *
     * @throws IllegalArgumentException when what is registered is no Avro schema
     * @throws SchemaNotFoundException when there is none
     * @throws RegistryUnavailableException when the registry cannot be reached in time; retryable
     * @throws RegistryException when the registry refuses for another reason
     */
    Schema byId(int id);
}
