package dev.muster.standalone.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The few things done to JSON trees everywhere in this package. */
final class Json {

    static final ObjectMapper MAPPER = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final ObjectMapper YAML = new YAMLMapper();

    private Json() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    static byte[] bytes(JsonNode node) {
        try {
            return MAPPER.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree can always be written", e);
        }
    }

    static JsonNode parse(byte[] text) throws IOException {
        return MAPPER.readTree(text);
    }

    static JsonNode parseYaml(byte[] text) throws IOException {
        return YAML.readTree(text);
    }

    /** The documents of a YAML stream that hold something. */
    static List<JsonNode> parseYamlStream(String text) {
        List<JsonNode> documents = new ArrayList<>();
        try (var values = YAML.readerFor(JsonNode.class).<JsonNode>readValues(text)) {
            while (values.hasNextValue()) {
                JsonNode document = values.nextValue();
                if (document != null && document.isObject()) {
                    documents.add(document);
                }
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("not YAML: " + e.getMessage(), e);
        }
        return documents;
    }

    static JsonNode at(JsonNode node, String... path) {
        JsonNode found = node;
        for (String name : path) {
            found = found.path(name);
        }
        return found;
    }

    static String text(JsonNode node, String... path) {
        return at(node, path).asText("");
    }

    static String annotation(JsonNode object, String name) {
        return text(object, "metadata", "annotations", name);
    }

    /** A copy whose root and metadata may be changed; everything below is shared with the original. */
    static ObjectNode thaw(ObjectNode original) {
        ObjectNode copy = shallow(original);
        thawChild(copy, "metadata");
        return copy;
    }

    /** Replaces an object-valued field by a shallow copy that may be changed, made empty where there was none. */
    static ObjectNode thawChild(ObjectNode parent, String name) {
        ObjectNode child = parent.get(name) instanceof ObjectNode present ? shallow(present) : object();
        parent.set(name, child);
        return child;
    }

    private static ObjectNode shallow(ObjectNode original) {
        ObjectNode copy = object();
        copy.setAll(original);
        return copy;
    }

    /** The object-valued field of that name, created where it is missing. */
    static ObjectNode child(ObjectNode parent, String name) {
        return parent.get(name) instanceof ObjectNode present ? present : parent.putObject(name);
    }

    /** The same object with apiVersion and kind first, as the server writes it; the fields are shared. */
    static ObjectNode inOrder(ResourceKind kind, ObjectNode body) {
        ObjectNode ordered = object();
        ordered.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
        ObjectNode metadata = child(body, "metadata");
        ordered.set("metadata", metadata);
        body.properties().forEach(field -> {
            if (!ordered.has(field.getKey())) {
                ordered.set(field.getKey(), field.getValue());
            }
        });
        return ordered;
    }

    /** Copies a field, or removes it where the source has none. */
    static void copyField(ObjectNode from, ObjectNode to, String name) {
        JsonNode value = from.get(name);
        if (value == null) {
            to.remove(name);
        } else {
            to.set(name, value);
        }
    }
}
