package dev.muster.schemas.serde;

import java.util.Optional;

/** A change of a registry's state, as its log holds it. Applied in order, the entries of a log are the state. */
sealed interface RegistryEntry {
    /**
     * A version of a subject.
     *
     * @param subject the subject
     * @param version number of the version in the subject, from 1
     * @param id id of the schema, from 1, the same in all subjects
     * @param schema the schema as JSON, as Avro prints it
     */
    record Version(String subject, int version, int id, String schema) implements RegistryEntry {}

    /**
     * A compatibility rule.
     *
     * @param subject the subject; empty for all subjects that have no rule of their own
     * @param level the rule
     */
    record Rule(Optional<String> subject, Compatibility level) implements RegistryEntry {}
}
