package dev.muster.schemas.serde;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;

/** What a new version of a subject must be able to do with earlier ones; names and meaning as in Confluent's registry. */
enum Compatibility {
    NONE(false, false, false),
    /** The new schema reads what the latest wrote. */
    BACKWARD(true, false, false),
    /** The new schema reads what every earlier one wrote. */
    BACKWARD_TRANSITIVE(true, false, true),
    /** The latest schema reads what the new one writes. */
    FORWARD(false, true, false),
    /** Every earlier schema reads what the new one writes. */
    FORWARD_TRANSITIVE(false, true, true),
    /** Both, for the latest. */
    FULL(true, true, false),
    /** Both, for every earlier one. */
    FULL_TRANSITIVE(true, true, true);

    private final boolean readsOld;
    private final boolean readByOld;
    private final boolean transitive;

    Compatibility(boolean readsOld, boolean readByOld, boolean transitive) {
        this.readsOld = readsOld;
        this.readByOld = readByOld;
        this.transitive = transitive;
    }

    static Optional<Compatibility> named(String name) {
        for (Compatibility level : values()) {
            if (level.name().equals(name)) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }

    /** What is wrong with a new version; empty when nothing is. Earlier versions by number. */
    List<String> objections(Schema candidate, SortedMap<Integer, Schema> earlier) {
        List<String> objections = new ArrayList<>();
        if (earlier.isEmpty()) {
            return objections;
        }
        earlier.tailMap(transitive ? earlier.firstKey() : earlier.lastKey()).forEach((number, schema) -> {
            if (readsOld) {
                addObjections(objections, candidate, schema, "version " + number + " cannot be read: ");
            }
            if (readByOld) {
                addObjections(objections, schema, candidate, "version " + number + " cannot read it: ");
            }
        });
        return objections;
    }

    private static void addObjections(List<String> objections, Schema reader, Schema writer, String start) {
        SchemaCompatibility.checkReaderWriterCompatibility(reader, writer)
                .getResult()
                .getIncompatibilities()
                .forEach(found -> objections.add(
                        start + found.getType() + " at " + found.getLocation() + ": " + found.getMessage()));
    }
}
