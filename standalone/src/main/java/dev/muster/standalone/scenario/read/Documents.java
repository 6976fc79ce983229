package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The objects of a stream, YAML or JSON, Lists taken apart. */
final class Documents {
    private static final int DEEPEST_LIST = 5;

    private Documents() {}

    /** @throws ScenarioFormatException where the bytes are no stream of objects */
    static List<Document> read(String source, byte[] bytes) {
        String text = text(source, bytes);
        List<Document> documents = new ArrayList<>();
        int number = 0;
        for (YamlTrees.Tree tree : trees(source, text)) {
            if (tree.node().isNull()) {
                continue;
            }
            number++;
            if (!(tree.node() instanceof ObjectNode object)) {
                throw new ScenarioFormatException(source + ":" + tree.line() + ": document " + number
                        + ": expected an object with apiVersion and kind, got "
                        + (tree.node().isArray() ? "a list" : "'" + shown(tree.node()) + "'"));
            }
            expand(new Document(source, number, 0, tree.line(), object), documents, 0);
        }
        return documents;
    }

    private static String shown(JsonNode node) {
        String text = node.asText().strip().replaceAll("\\s+", " ");
        return text.length() > 40 ? text.substring(0, 40) + "..." : text;
    }

    private static String text(String source, byte[] bytes) {
        if (bytes.length > YamlTrees.MAX_CHARACTERS) {
            throw new ScenarioFormatException(source + ": expected at most " + (YamlTrees.MAX_CHARACTERS >> 20)
                    + " MiB, got " + (bytes.length >> 20));
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new ScenarioFormatException(source + ": expected text in UTF-8");
        }
    }

    /** JSON where it begins as JSON; a JSON document followed by {@code ---} is YAML. */
    private static List<YamlTrees.Tree> trees(String source, String text) {
        boolean json = text.stripLeading().matches("(?s)\\{\\s*[\"}].*");
        return json && !text.contains("\n---") ? JsonTrees.read(source, text) : YamlTrees.read(source, text);
    }

    private static void expand(Document document, List<Document> into, int depth) {
        JsonNode kind = document.tree().path("kind");
        JsonNode items = document.tree().path("items");
        if (!kind.asText("").endsWith("List") || !document.tree().has("items")) {
            into.add(document);
            return;
        }
        if (!items.isArray()) {
            throw document.expected("items", "a list of objects", items);
        }
        if (depth == DEEPEST_LIST) {
            throw document.problem("Lists in Lists, expected at most " + DEEPEST_LIST + " levels");
        }
        String of = kind.asText().substring(0, kind.asText().length() - "List".length());
        for (int i = 0; i < items.size(); i++) {
            if (!(items.get(i) instanceof ObjectNode item)) {
                throw document.expected("items[" + i + "]", "an object", items.get(i));
            }
            if (!of.isEmpty() && !item.has("kind")) {
                item.set("kind", document.tree().textNode(of));
                item.set("apiVersion", document.tree().path("apiVersion"));
            }
            expand(document.withItem(i + 1, item), into, depth + 1);
        }
    }
}
