package dev.muster.ingest.map;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A custom resource, or a part of one, read without classes: every access names what it expects, gives its default when
 * the field is missing, and reports a field of another type or size.
 */
final class Tree {

    private final Map<?, ?> fields;
    private final String path;
    private final Problems problems;

    private Tree(Map<?, ?> fields, String path, Problems problems) {
        this.fields = fields;
        this.path = path;
        this.problems = problems;
    }

    static Tree of(GenericKubernetesResource object, Problems problems) {
        return new Tree(object.getAdditionalProperties(), "", problems);
    }

    /** Name of the first owner of this kind; empty where there is none. */
    static String owner(HasMetadata object, String kind) {
        List<OwnerReference> owners = object.getMetadata().getOwnerReferences();
        return owners == null
                ? ""
                : owners.stream()
                        .filter(owner -> kind.equals(owner.getKind()) && owner.getName() != null)
                        .map(OwnerReference::getName)
                        .filter(name -> name.length() <= Limits.NAME)
                        .findFirst()
                        .orElse("");
    }

    boolean has(String name) {
        return fields.get(name) != null;
    }

    Tree child(String name) {
        Object value = fields.get(name);
        if (value != null && !(value instanceof Map)) {
            problems.invalid(path(name), value, "an object");
        }
        return new Tree(value instanceof Map<?, ?> map ? map : Map.of(), path(name), problems);
    }

    List<Tree> children(String name, int most) {
        Object value = fields.get(name);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof List<?> list)) {
            problems.invalid(path(name), value, "a list");
            return List.of();
        }
        if (!problems.within(path(name), list.size(), most)) {
            return List.of();
        }
        List<Tree> trees = new ArrayList<>(list.size());
        for (int i = 0; i < list.size(); i++) {
            String where = path(name) + "[" + i + "]";
            if (list.get(i) instanceof Map<?, ?> map) {
                trees.add(new Tree(map, where, problems));
            } else {
                problems.invalid(where, list.get(i), "an object");
            }
        }
        return trees;
    }

    List<String> texts(String name, int most) {
        Object value = fields.get(name);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof List<?> list) || !list.stream().allMatch(String.class::isInstance)) {
            problems.invalid(path(name), value, "a list of strings");
            return List.of();
        }
        return problems.within(path(name), list.size(), most)
                ? list.stream().map(String.class::cast).toList()
                : List.of();
    }

    String text(String name) {
        Object value = fields.get(name);
        if (value == null) {
            return "";
        }
        if (!(value instanceof String text)) {
            problems.invalid(path(name), value, "a string");
            return "";
        }
        return problems.within(path(name), text.length(), Limits.NAME) ? text : "";
    }

    boolean flag(String name, boolean otherwise) {
        Object value = fields.get(name);
        if (value != null && !(value instanceof Boolean)) {
            problems.invalid(path(name), value, "true or false");
        }
        return value instanceof Boolean flag ? flag : otherwise;
    }

    int number(String name, int otherwise, int least, int most) {
        Object value = fields.get(name);
        if (value == null) {
            return otherwise;
        }
        boolean whole = value instanceof Integer || value instanceof Long || value instanceof Short;
        long number = whole ? ((Number) value).longValue() : Long.MIN_VALUE;
        if (number < least || number > most) {
            problems.invalid(path(name), value, "a whole number from " + least + " to " + most);
            return otherwise;
        }
        return (int) number;
    }

    /** Strings by name, sorted by name. */
    SortedMap<String, String> textsByName(String name) {
        Tree map = child(name);
        SortedMap<String, String> texts = new TreeMap<>();
        if (problems.within(map.path, map.fields.size(), Limits.TERMS)) {
            map.fields.keySet().forEach(key -> texts.put(String.valueOf(key), map.text(String.valueOf(key))));
        }
        return texts;
    }

    /** Whole numbers by name, sorted by name. */
    SortedMap<String, Integer> numbers(String name, int least, int most) {
        Tree map = child(name);
        SortedMap<String, Integer> numbers = new TreeMap<>();
        if (problems.within(map.path, map.fields.size(), Limits.TASKS)) {
            for (Object key : map.fields.keySet()) {
                numbers.put(String.valueOf(key), map.number(String.valueOf(key), least, least, most));
            }
        }
        return numbers;
    }

    /** A resource list, rounded down: what is offered or allowed, never asked. */
    SortedMap<String, Long> amounts(String name) {
        Tree map = child(name);
        SortedMap<String, Long> amounts = new TreeMap<>();
        if (problems.within(map.path, map.fields.size(), Limits.RESOURCES)) {
            map.fields.forEach((resource, value) -> Quantities.put(
                    amounts, String.valueOf(resource), scalar(value), map.path, RoundingMode.FLOOR, problems));
        }
        return amounts;
    }

    /** A quantity field of a list entry that carries the resource's name itself, put under that name. */
    void amountInto(SortedMap<String, Long> amounts, String resource, String name) {
        if (has(name)) {
            Quantities.put(amounts, resource, scalar(fields.get(name)), path(name), RoundingMode.FLOOR, problems);
        }
    }

    /** A string or whole number, as text: quantities and costs may be written as either. */
    String scalar(String name) {
        String text = scalar(fields.get(name));
        return problems.within(path(name), text.length(), Limits.NAME) ? text : "";
    }

    private static String scalar(Object value) {
        return value instanceof String || value instanceof Number ? String.valueOf(value) : "";
    }

    String path(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
