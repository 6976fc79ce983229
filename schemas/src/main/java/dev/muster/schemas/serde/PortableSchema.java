package dev.muster.schemas.serde;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.avro.Schema;

/** Schemas as they are published: without {@code avro.java.string}, which says something about our classes and nothing about the bytes. */
final class PortableSchema {
    private static final String JAVA_STRING = "avro.java.string";
    private static final ObjectMapper JSON = new ObjectMapper();

    private PortableSchema() {}

    static Schema of(Schema schema) {
        try {
            return new Schema.Parser().parse(JSON.writeValueAsString(strip(JSON.readTree(schema.toString()))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // {"type": "string", "avro.java.string": "String"} becomes "string".
    private static JsonNode strip(JsonNode node) {
        if (node instanceof ObjectNode object) {
            if (object.has(JAVA_STRING) && object.size() == 2) {
                return object.get("type");
            }
            object.properties().forEach(entry -> entry.setValue(strip(entry.getValue())));
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, strip(array.get(i)));
            }
        }
        return node;
    }
}
