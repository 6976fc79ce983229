package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** JSON documents, one after another, as trees; null fields are left out as in YAML. */
final class JsonTrees {
    private static final ObjectMapper MAPPER = new ObjectMapper(JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(YamlTrees.MAX_DEPTH)
                    .maxStringLength(YamlTrees.MAX_CHARACTERS)
                    .maxNumberLength(40)
                    .build())
            .build());

    private JsonTrees() {}

    /** @throws ScenarioFormatException with the line where the text is no JSON */
    static List<YamlTrees.Tree> read(String source, String text) {
        List<YamlTrees.Tree> trees = new ArrayList<>();
        try (JsonParser parser = MAPPER.createParser(text)) {
            while (parser.nextToken() != null) {
                int line = parser.currentTokenLocation().getLineNr();
                JsonNode tree = MAPPER.readTree(parser);
                dropNulls(tree);
                trees.add(new YamlTrees.Tree(line, tree));
            }
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            throw new ScenarioFormatException(source + ":" + line + ": not JSON: "
                    + e.getOriginalMessage().replaceAll("\\s*\\R\\s*", "; "));
        } catch (IOException e) {
            throw new ScenarioFormatException(source + ": not JSON: " + e.getMessage());
        }
        return trees;
    }

    private static void dropNulls(JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            object.properties().removeIf(field -> field.getValue().isNull());
        }
        tree.forEach(JsonTrees::dropNulls);
    }
}
