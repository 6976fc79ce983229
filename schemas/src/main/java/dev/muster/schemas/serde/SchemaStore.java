package dev.muster.schemas.serde;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.kafka.common.KafkaException;

/**
 * The rules of a registry: ids are the same in all subjects, a subject's versions are compatible as its rule says, and
 * nothing is answered that is not in the log. Questions are answered while a change is being written.
 */
final class SchemaStore implements AutoCloseable {
    private final RegistryLog log;
    private volatile RegistryState state;
    private boolean logIsOpen;

    /** Reads the log. */
    SchemaStore(RegistryLog log) {
        this.log = log;
        open();
    }

    RegistryState state() {
        return state;
    }

    /** The id of a schema under a subject, registered now if it was not. */
    synchronized int register(String subject, String schemaJson) {
        reopenAfterFailure();
        Schema schema = parse(schemaJson);
        String text = schema.toString();
        Optional<RegistryEntry.Version> present = find(subject, text);
        if (present.isPresent()) {
            return present.get().id();
        }
        List<RegistryEntry.Version> earlier = state.versions(subject);
        List<String> objections = objections(state.rule(subject), schema, earlier);
        if (!objections.isEmpty()) {
            throw RegistryError.incompatible(subject, objections.toString());
        }
        int id = state.idFor(text);
        int version = earlier.isEmpty() ? 1 : earlier.getLast().version() + 1;
        write(new RegistryEntry.Version(subject, version, id, text));
        return id;
    }

    /** Sets the rule of a subject, or of all that have none of their own. */
    synchronized void setRule(Optional<String> subject, Compatibility level) {
        reopenAfterFailure();
        write(new RegistryEntry.Rule(subject, level));
    }

    /** The version under which a subject has exactly this schema. */
    RegistryEntry.Version lookUp(String subject, String schemaJson) {
        requireVersions(subject);
        return find(subject, parse(schemaJson).toString())
                .orElseThrow(() -> RegistryError.schemaNotFound("of subject " + subject));
    }

    /** Versions of a subject that exists, oldest first. */
    List<RegistryEntry.Version> requireVersions(String subject) {
        List<RegistryEntry.Version> versions = state.versions(subject);
        if (versions.isEmpty()) {
            throw RegistryError.subjectNotFound(subject);
        }
        return versions;
    }

    /** A version of a subject by number, or by the word latest. */
    RegistryEntry.Version requireVersion(String subject, String version) {
        List<RegistryEntry.Version> versions = requireVersions(subject);
        if (version.equals("latest") || version.equals("-1")) {
            return versions.getLast();
        }
        int number;
        try {
            number = Integer.parseInt(version);
        } catch (NumberFormatException e) {
            throw RegistryError.invalidVersion(version);
        }
        if (number < 1) {
            throw RegistryError.invalidVersion(version);
        }
        return versions.stream()
                .filter(v -> v.version() == number)
                .findFirst()
                .orElseThrow(() -> RegistryError.versionNotFound(version));
    }

    /** What the subject's rule has against a schema, as far as this one version is concerned. */
    List<String> objections(String subject, RegistryEntry.Version version, String schemaJson) {
        return objections(state.rule(subject), parse(schemaJson), List.of(version));
    }

    @Override
    public synchronized void close() {
        log.close();
    }

    private static List<String> objections(Compatibility rule, Schema candidate, List<RegistryEntry.Version> versions) {
        SortedMap<Integer, Schema> byNumber = new TreeMap<>();
        versions.forEach(v -> byNumber.put(v.version(), parse(v.schema())));
        try {
            return rule.objections(candidate, byNumber);
        } catch (StackOverflowError e) {
            throw RegistryError.invalidSchema("nested too deep");
        }
    }

    private Optional<RegistryEntry.Version> find(String subject, String text) {
        return state.versions(subject).stream()
                .filter(v -> v.schema().equals(text))
                .findFirst();
    }

    private static Schema parse(String json) {
        try {
            return SchemaText.parse(json);
        } catch (IllegalArgumentException e) {
            throw RegistryError.invalidSchema(e.getMessage());
        }
    }

    private void write(RegistryEntry entry) {
        try {
            log.append(entry);
        } catch (KafkaException e) {
            // Whether it was written is unknown: only reading the log again tells.
            logIsOpen = false;
            throw RegistryError.storeFailed(e.getMessage());
        }
        state.apply(entry);
    }

    private void reopenAfterFailure() {
        if (!logIsOpen) {
            try {
                open();
            } catch (KafkaException e) {
                throw RegistryError.storeFailed(e.getMessage());
            }
        }
    }

    private void open() {
        state = new RegistryState(log.open());
        logIsOpen = true;
    }
}
