package dev.muster.schemas.serde;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import org.apache.kafka.common.errors.SerializationException;

/**
 * Log entries as JSON. Compaction keeps the latest entry of a key: for rules that is the one in force; for versions the
 * key says everything, so that compaction never takes an entry away in favour of one that contradicts it.
 */
final class RegistryEntryJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private RegistryEntryJson() {}

    static String key(RegistryEntry entry) {
        ObjectNode key = JSON.createObjectNode();
        switch (entry) {
            case RegistryEntry.Version version ->
                key.put("keytype", "SCHEMA")
                        .put("subject", version.subject())
                        .put("version", version.version())
                        .put("id", version.id())
                        .put("sha256", sha256(version.schema()));
            case RegistryEntry.Rule rule ->
                key.put("keytype", "CONFIG").put("subject", rule.subject().orElse(null));
        }
        return key.toString();
    }

    static String value(RegistryEntry entry) {
        ObjectNode value = JSON.createObjectNode();
        switch (entry) {
            case RegistryEntry.Version version -> value.put("schema", version.schema());
            case RegistryEntry.Rule rule ->
                value.put("compatibilityLevel", rule.level().name());
        }
        return value.toString();
    }

    /** @throws SerializationException when that is not an entry */
    static RegistryEntry read(String keyText, String valueText) {
        try {
            JsonNode key = JSON.readTree(keyText);
            JsonNode value = JSON.readTree(valueText);
            String type = key.path("keytype").asText();
            if (type.equals("SCHEMA")) {
                return new RegistryEntry.Version(
                        key.required("subject").textValue(),
                        key.required("version").intValue(),
                        key.required("id").intValue(),
                        value.required("schema").textValue());
            }
            if (type.equals("CONFIG")) {
                return new RegistryEntry.Rule(
                        Optional.ofNullable(key.required("subject").textValue()),
                        Compatibility.valueOf(
                                value.required("compatibilityLevel").textValue()));
            }
            throw new SerializationException("not an entry of a schema registry: " + keyText);
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw new SerializationException("not an entry of a schema registry: " + keyText, e);
        }
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
