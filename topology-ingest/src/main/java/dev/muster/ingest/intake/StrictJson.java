package dev.muster.ingest.intake;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;

/**
 * JSON read so that no two readers can differ about what it says: a key given twice, a comment, a trailing token, NaN
 * or a nesting above 64 is an error; and written in one canonical form.
 */
final class StrictJson {

    /** Deepest nesting that is read. */
    static final int DEPTH_MAX = 64;

    private static final int NAME_LENGTH_MAX = 1_024;
    private static final int NUMBER_LENGTH_MAX = 64;
    private static final long TOKEN_COUNT_MAX = 100_000;

    private final JsonMapper mapper;

    /** @param maxLength longest document that is read, in characters */
    StrictJson(int maxLength) {
        JsonFactory factory = JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(DEPTH_MAX)
                        .maxDocumentLength(maxLength)
                        .maxTokenCount(TOKEN_COUNT_MAX)
                        .maxStringLength(maxLength)
                        .maxNameLength(NAME_LENGTH_MAX)
                        .maxNumberLength(NUMBER_LENGTH_MAX)
                        .build())
                .build();
        this.mapper = JsonMapper.builder(factory)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .build();
    }

    /** Reads one document. */
    JsonNode read(String json) throws JsonProcessingException {
        try {
            return mapper.readTree(json);
        } catch (NumberFormatException e) {
            // Jackson passes on what BigDecimal says of an exponent beyond 2^31.
            throw new JsonParseException((JsonParser) null, "a number's exponent is out of range");
        }
    }

    /**
     * The canonical text of a value: keys sorted, no blanks, members that are null left out (Kubernetes reads them as
     * absent).
     */
    String canonical(JsonNode node) throws JsonProcessingException {
        return mapper.writeValueAsString(sorted(node));
    }

    private static JsonNode sorted(JsonNode node) {
        return switch (node) {
            case ObjectNode object -> {
                Map<String, JsonNode> fields = new TreeMap<>();
                object.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
                ObjectNode result = JsonNodeFactory.instance.objectNode();
                fields.forEach((name, value) -> {
                    if (!value.isNull()) {
                        result.set(name, sorted(value));
                    }
                });
                yield result;
            }
            case ArrayNode array -> {
                ArrayNode result = JsonNodeFactory.instance.arrayNode(array.size());
                array.forEach(item -> result.add(sorted(item)));
                yield result;
            }
            default -> node;
        };
    }
}
