package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A label selector, from a query parameter ({@code a=b,c in (d,e),!f}) or from a manifest. Also node affinity terms. */
final class LabelSelector {

    enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST,
        GREATER,
        LESS
    }

    private record Requirement(String key, Operator operator, List<String> values) {
        boolean matches(JsonNode labels) {
            JsonNode label = labels.path(key);
            return switch (operator) {
                case IN -> !label.isMissingNode() && values.contains(label.asText());
                case NOT_IN -> label.isMissingNode() || !values.contains(label.asText());
                case EXISTS -> !label.isMissingNode();
                case DOES_NOT_EXIST -> label.isMissingNode();
                case GREATER -> compare(label) > 0;
                case LESS -> compare(label) < 0;
            };
        }

        private int compare(JsonNode label) {
            try {
                return Long.compare(Long.parseLong(label.asText()), Long.parseLong(values.getFirst()));
            } catch (NumberFormatException e) {
                return 0;
            }
        }
    }

    static final LabelSelector EVERYTHING = new LabelSelector(List.of());

    private static final Pattern SET = Pattern.compile("(\\S+)\\s+(in|notin)\\s*\\(([^)]*)\\)");
    private static final Pattern EQUALITY = Pattern.compile("([^=!<>\\s]+)\\s*(==|!=|=)\\s*(\\S*)");
    private static final Pattern EXISTENCE = Pattern.compile("(!?)\\s*([^=!<>\\s,]+)");

    private final List<Requirement> requirements;

    private LabelSelector(List<Requirement> requirements) {
        this.requirements = List.copyOf(requirements);
    }

    boolean matches(JsonNode labels) {
        for (Requirement requirement : requirements) {
            if (!requirement.matches(labels)) {
                return false;
            }
        }
        return true;
    }

    boolean isEverything() {
        return requirements.isEmpty();
    }

    /** Reads the query parameter; null and empty select everything. */
    static LabelSelector parse(String text) {
        if (text == null || text.isBlank()) {
            return EVERYTHING;
        }
        List<Requirement> found = new ArrayList<>();
        for (String part : text.split(",(?![^(]*\\))")) {
            found.add(requirement(part.trim(), text));
        }
        return new LabelSelector(found);
    }

    private static Requirement requirement(String part, String whole) {
        Matcher set = SET.matcher(part);
        if (set.matches()) {
            List<String> values = new ArrayList<>();
            for (String value : set.group(3).split(",")) {
                values.add(value.trim());
            }
            return new Requirement(set.group(1), set.group(2).equals("in") ? Operator.IN : Operator.NOT_IN, values);
        }
        Matcher equality = EQUALITY.matcher(part);
        if (equality.matches()) {
            return new Requirement(
                    equality.group(1),
                    equality.group(2).equals("!=") ? Operator.NOT_IN : Operator.IN,
                    List.of(equality.group(3)));
        }
        Matcher existence = EXISTENCE.matcher(part);
        if (existence.matches()) {
            return new Requirement(
                    existence.group(2),
                    existence.group(1).isEmpty() ? Operator.EXISTS : Operator.DOES_NOT_EXIST,
                    List.of());
        }
        throw ApiException.badRequest("unable to parse requirement in labelSelector: " + whole);
    }

    /** Reads {@code matchLabels} and {@code matchExpressions} of a selector or a node selector term. */
    static LabelSelector of(JsonNode selector) {
        List<Requirement> found = new ArrayList<>();
        selector.path("matchLabels")
                .properties()
                .forEach(label -> found.add(new Requirement(
                        label.getKey(), Operator.IN, List.of(label.getValue().asText()))));
        for (JsonNode expression : selector.path("matchExpressions")) {
            List<String> values = new ArrayList<>();
            expression.path("values").forEach(value -> values.add(value.asText()));
            found.add(new Requirement(expression.path("key").asText(), operator(expression), values));
        }
        return new LabelSelector(found);
    }

    private static Operator operator(JsonNode expression) {
        String name = expression.path("operator").asText();
        return switch (name) {
            case "In" -> Operator.IN;
            case "NotIn" -> Operator.NOT_IN;
            case "Exists" -> Operator.EXISTS;
            case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
            case "Gt" -> Operator.GREATER;
            case "Lt" -> Operator.LESS;
            default -> throw ApiException.badRequest("\"" + name + "\" is not a valid label selector operator");
        };
    }
}
