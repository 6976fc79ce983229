package dev.muster.ingest.intake;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.ingest.map.Quantities;
import java.math.RoundingMode;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What a JSON value must look like. A shape names everything that may be there; whatever it does not name is refused,
 * also what later versions of Kubernetes add. A member that is null counts as absent, if its name is on the list.
 */
sealed interface Shape {

    /**
     * Checks a value. The first fault, in the document's order, is thrown with its path and what was expected there.
     */
    void check(JsonNode value, String path) throws Refused;

    /**
     * A text of at most {@code maxLength} characters that passes {@code rule}; {@code expected} says the rule in
     * words.
     */
    record Text(int maxLength, Predicate<String> rule, String expected) implements Shape {
        @Override
        public void check(JsonNode value, String path) throws Refused {
            if (!value.isTextual()) {
                throw wrongType(value, path, "a string: " + expected);
            }
            String text = value.textValue();
            if (text.length() > maxLength) {
                throw new Refused(
                        RefusalReason.OutOfRange,
                        path,
                        "has " + text.length() + " characters, at most " + maxLength + " are allowed");
            }
            if (!rule.test(text)) {
                throw new Refused(
                        RefusalReason.InvalidValue, path, "expected " + expected + ", got " + Names.quote(text));
            }
        }
    }

    /** One of a few texts. */
    record Choice(SortedSet<String> values) implements Shape {
        static Choice of(String... values) {
            return new Choice(new TreeSet<>(Set.of(values)));
        }

        @Override
        public void check(JsonNode value, String path) throws Refused {
            if (!value.isTextual()) {
                throw wrongType(value, path, "one of " + values);
            }
            if (!values.contains(value.textValue())) {
                throw new Refused(
                        RefusalReason.ValueNotAllowed,
                        path,
                        "expected one of " + values + ", got " + Names.quote(value.textValue()));
            }
        }
    }

    /** An integer between two bounds, both allowed. */
    record Whole(long min, long max) implements Shape {
        @Override
        public void check(JsonNode value, String path) throws Refused {
            if (!value.isIntegralNumber()) {
                throw wrongType(value, path, "an integer from " + min + " to " + max);
            }
            if (!value.canConvertToLong() || value.longValue() < min || value.longValue() > max) {
                throw new Refused(
                        RefusalReason.OutOfRange,
                        path,
                        "expected an integer from " + min + " to " + max + ", got " + Names.escape(value.asText(), 24));
            }
        }
    }

    /** True or false. */
    record Flag() implements Shape {
        @Override
        public void check(JsonNode value, String path) throws Refused {
            if (!value.isBoolean()) {
                throw wrongType(value, path, "true or false");
            }
        }
    }

    /** The one boolean that is allowed. */
    record Always(boolean only) implements Shape {
        @Override
        public void check(JsonNode value, String path) throws Refused {
            if (!value.isBoolean()) {
                throw wrongType(value, path, String.valueOf(only));
            }
            if (value.booleanValue() != only) {
                throw new Refused(RefusalReason.ValueNotAllowed, path, "may only be " + only);
            }
        }
    }

    /** A Kubernetes quantity, as a text or a plain number. Whether it fits is seen when requirements are added up. */
    record Amount() implements Shape {
        private static final int LENGTH_MAX = 32;

        @Override
        public void check(JsonNode value, String path) throws Refused {
            if (!value.isTextual() && !value.isIntegralNumber() && !value.isBigDecimal()) {
                throw wrongType(value, path, "a quantity such as \"500m\", 2 or \"16Gi\"");
            }
            String text = value.asText();
            if (text.length() > LENGTH_MAX
                    || Quantities.parse("", text, RoundingMode.CEILING).isEmpty()) {
                throw new Refused(
                        RefusalReason.InvalidValue,
                        path,
                        "expected a quantity such as \"500m\", 2 or \"16Gi\", not negative, got " + Names.quote(text));
            }
        }
    }

    /**
     * A list of at most {@code maxItems} values; where {@code distinctBy} is not empty, no two items share that
     * member's text.
     */
    record Many(int minItems, int maxItems, Shape item, String distinctBy) implements Shape {
        static Many of(int maxItems, Shape item) {
            return new Many(0, maxItems, item, "");
        }

        @Override
        public void check(JsonNode value, String path) throws Refused {
            if (!value.isArray()) {
                throw wrongType(value, path, "a list");
            }
            if (value.size() < minItems || value.size() > maxItems) {
                throw new Refused(
                        RefusalReason.OutOfRange,
                        path,
                        "has " + value.size() + " entries, expected " + minItems + " to " + maxItems);
            }
            Set<String> seen = new HashSet<>();
            for (int i = 0; i < value.size(); i++) {
                String at = path + '[' + i + ']';
                item.check(value.get(i), at);
                if (!distinctBy.isEmpty()
                        && !seen.add(value.get(i).path(distinctBy).asText())) {
                    throw new Refused(RefusalReason.Duplicate, at + '.' + distinctBy, "is used by an earlier entry");
                }
            }
        }
    }

    /** An object with free keys, each of which passes {@code keyRule}. */
    record Dictionary(int maxEntries, KeyRule keyRule, Shape value) implements Shape {
        @Override
        public void check(JsonNode object, String path) throws Refused {
            if (!object.isObject()) {
                throw wrongType(object, path, "an object");
            }
            if (object.size() > maxEntries) {
                throw new Refused(
                        RefusalReason.OutOfRange,
                        path,
                        "has " + object.size() + " entries, at most " + maxEntries + " are allowed");
            }
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                String at = path + '[' + Names.escape(field.getKey(), 80) + ']';
                Shape shape = keyRule.shapeFor(field.getKey(), at, value);
                shape.check(field.getValue(), at);
            }
        }
    }

    /** Says whether a key of a {@link Dictionary} is allowed, and what its value must look like. */
    interface KeyRule {
        /**
         * The shape of the key's value, {@code usual} unless the key has its own; throws when the key is not allowed.
         */
        Shape shapeFor(String key, String path, Shape usual) throws Refused;
    }

    /**
     * An object with named members: those that may be there, and those of them that must; {@code rule} looks at the
     * whole once the members are right.
     */
    record Struct(SortedMap<String, Shape> members, SortedSet<String> required, Rule rule) implements Shape {
        static Struct of(Map<String, Shape> members, String... required) {
            return new Struct(new TreeMap<>(members), new TreeSet<>(Set.of(required)), (value, path) -> {});
        }

        Struct with(Rule extra) {
            return new Struct(members, required, extra);
        }

        @Override
        public void check(JsonNode value, String path) throws Refused {
            if (!value.isObject()) {
                throw wrongType(value, path, "an object");
            }
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                Shape shape = members.get(field.getKey());
                String at = path + '.' + Names.escape(field.getKey(), 80);
                if (shape == null) {
                    throw new Refused(
                            RefusalReason.FieldNotAllowed, at, "is not allowed here; allowed are " + members.keySet());
                }
                if (!field.getValue().isNull()) {
                    shape.check(field.getValue(), at);
                }
            }
            for (String name : required) {
                if (!value.hasNonNull(name)) {
                    throw new Refused(RefusalReason.MissingField, path + '.' + name, "is missing");
                }
            }
            rule.check(value, path);
        }
    }

    /** A rule over several members of a {@link Struct}. */
    interface Rule {
        /** Throws when the rule is broken. */
        void check(JsonNode value, String path) throws Refused;
    }

    private static Refused wrongType(JsonNode value, String path, String expected) {
        String found = value.getNodeType().name().toLowerCase(Locale.ROOT);
        return new Refused(RefusalReason.InvalidValue, path, "expected " + expected + ", got a value of type " + found);
    }
}
