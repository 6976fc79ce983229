package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A YAML 1.1 stream as trees, as kubectl reads it: anchors, aliases and merge keys are resolved, null fields are left out.
 * Different from kubectl a key given twice is an error everywhere. Aliases can't multiply a document beyond {@link
 * #MAX_NODES}, and nothing is nested deeper than {@link #MAX_DEPTH}.
 */
final class YamlTrees {
    static final int MAX_DEPTH = 100;
    static final int MAX_NODES = 2_000_000;
    static final int MAX_CHARACTERS = 64 * 1024 * 1024;

    /** A document and the line at which it begins, from 1. */
    record Tree(int line, JsonNode node) {}

    private final String source;
    private int nodes;

    private YamlTrees(String source) {
        this.source = source;
    }

    /** @throws ScenarioFormatException with the line where the text is no YAML */
    static List<Tree> read(String source, String text) {
        YamlTrees reader = new YamlTrees(source);
        List<Tree> trees = new ArrayList<>();
        try {
            for (Node root : new Yaml(limits()).composeAll(new StringReader(text))) {
                reader.nodes = 0;
                trees.add(new Tree(root.getStartMark().getLine() + 1, reader.tree(root, 0)));
            }
        } catch (MarkedYAMLException e) {
            String context = e.getContext() == null ? "" : e.getContext() + ", ";
            throw reader.problem(e.getProblemMark(), "not YAML: " + context + e.getProblem());
        } catch (YAMLException e) {
            throw reader.problem(null, "not YAML: " + e.getMessage());
        } catch (StackOverflowError e) {
            throw reader.problem(null, "nested too deep, expected at most " + MAX_DEPTH + " levels");
        }
        return trees;
    }

    private static LoaderOptions limits() {
        LoaderOptions limits = new LoaderOptions();
        limits.setCodePointLimit(MAX_CHARACTERS);
        limits.setNestingDepthLimit(MAX_DEPTH);
        limits.setMaxAliasesForCollections(1000);
        return limits;
    }

    private JsonNode tree(Node node, int depth) {
        if (depth > MAX_DEPTH) {
            throw problem(node.getStartMark(), "nested too deep, expected at most " + MAX_DEPTH + " levels");
        }
        if (++nodes > MAX_NODES) {
            throw problem(node.getStartMark(), "aliases make more than " + MAX_NODES + " nodes of this document");
        }
        return switch (node) {
            case MappingNode mapping -> object(mapping, depth);
            case SequenceNode sequence -> list(sequence, depth);
            case ScalarNode scalar -> YamlScalars.value(scalar, this::problem);
            default -> throw problem(node.getStartMark(), "can't be read");
        };
    }

    private ArrayNode list(SequenceNode sequence, int depth) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        sequence.getValue().forEach(element -> list.add(tree(element, depth + 1)));
        return list;
    }

    private ObjectNode object(MappingNode mapping, int depth) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        ObjectNode merged = JsonNodeFactory.instance.objectNode();
        for (NodeTuple field : mapping.getValue()) {
            Node key = field.getKeyNode();
            if (Tag.MERGE.equals(key.getTag())) {
                merge(merged, field.getValueNode(), depth);
                continue;
            }
            if (!(key instanceof ScalarNode scalar)) {
                throw problem(key.getStartMark(), "expected text as a key");
            }
            if (object.has(scalar.getValue())) {
                throw problem(key.getStartMark(), "the key '" + scalar.getValue() + "' is given twice");
            }
            object.set(scalar.getValue(), tree(field.getValueNode(), depth + 1));
        }
        merged.properties().forEach(field -> {
            if (!object.has(field.getKey())) {
                object.set(field.getKey(), field.getValue());
            }
        });
        for (String name : List.copyOf(fieldNames(object))) {
            if (object.get(name).isNull()) {
                object.remove(name);
            }
        }
        return object;
    }

    private static List<String> fieldNames(ObjectNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** {@code <<: *base} or a list of such: of several the first that has a key gives it. */
    private void merge(ObjectNode merged, Node value, int depth) {
        List<? extends Node> bases = value instanceof SequenceNode several ? several.getValue() : List.of(value);
        for (Node base : bases) {
            if (!(base instanceof MappingNode)) {
                throw problem(base.getStartMark(), "expected a mapping to merge");
            }
            tree(base, depth + 1).properties().forEach(field -> {
                if (!merged.has(field.getKey())) {
                    merged.set(field.getKey(), field.getValue());
                }
            });
        }
    }

    private ScenarioFormatException problem(Mark mark, String message) {
        String line = mark == null ? "" : ":" + (mark.getLine() + 1);
        return new ScenarioFormatException(source + line + ": " + message.replaceAll("\\s*\\R\\s*", "; "));
    }
}
