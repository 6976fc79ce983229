package dev.muster.schemas.serde;

import org.apache.avro.Schema;

/** Schemas as text that nobody vouches for. */
final class SchemaText {
    private SchemaText() {}

    /**
     * Parses a schema.
     *
     * @throws IllegalArgumentException when it is none; for text that Avro's parser stumbles over in its own ways too
     */
    static Schema parse(String json) {
        try {
            return new Schema.Parser().parse(json);
        } catch (RuntimeException e) {
            String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw new IllegalArgumentException("not an Avro schema: " + message, e);
        } catch (StackOverflowError e) {
            throw new IllegalArgumentException("not an Avro schema: nested too deep", e);
        }
    }
}
