package dev.muster.ingest.map;

import dev.muster.schemas.common.KeyValue;
import dev.muster.schemas.common.MatchExpression;
import dev.muster.schemas.common.NodeTerm;
import dev.muster.schemas.common.WeightedNodeTerm;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.TopologySelectorTerm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Label maps, label selectors and node selector terms, bounded. */
final class Selectors {

    private static final String OPERATORS = "In, NotIn, Exists, DoesNotExist, Gt or Lt";

    private final Problems problems;
    private int weight;

    Selectors(Problems problems) {
        this.problems = problems;
    }

    /** A map of labels, sorted by key. */
    List<KeyValue> labels(Map<String, String> labels, String field, int most) {
        if (labels == null || !problems.within(field, labels.size(), most)) {
            return List.of();
        }
        List<KeyValue> list = new ArrayList<>(labels.size());
        new TreeMap<>(labels).forEach((key, value) -> {
            String text = value == null ? "" : value;
            if (problems.within(field + " key", key.length(), Limits.QUALIFIED_NAME)
                    && problems.within(field + "[" + key + "]", text.length(), Limits.VALUE)) {
                list.add(new KeyValue(key, text));
            }
        });
        return list;
    }

    /** requiredDuringSchedulingIgnoredDuringExecution: one of the terms must match. */
    List<NodeTerm> required(NodeAffinity affinity) {
        if (affinity == null || affinity.getRequiredDuringSchedulingIgnoredDuringExecution() == null) {
            return List.of();
        }
        return terms(
                affinity.getRequiredDuringSchedulingIgnoredDuringExecution(), "spec.affinity.nodeAffinity.required");
    }

    /** A node selector: one of the terms must match; none at all where there is no selector. */
    List<NodeTerm> terms(NodeSelector selector, String field) {
        if (selector == null) {
            return List.of();
        }
        List<NodeSelectorTerm> terms = Objects.requireNonNullElse(selector.getNodeSelectorTerms(), List.of());
        if (!problems.within(field, terms.size(), Limits.TERMS)) {
            return List.of();
        }
        if (terms.isEmpty()) {
            // A node selector without terms matches no node; an empty list here would mean the opposite.
            return List.of(new NodeTerm(List.of()));
        }
        List<NodeTerm> list = new ArrayList<>(terms.size());
        for (NodeSelectorTerm term : terms) {
            list.add(term(term, field));
        }
        return list;
    }

    /** A term of a storage class's allowedTopologies: a node must have one of the values of each label. */
    NodeTerm topologyTerm(TopologySelectorTerm term, String field) {
        List<MatchExpression> expressions = new ArrayList<>();
        for (var label : orEmpty(term.getMatchLabelExpressions(), field)) {
            expression(expressions, label.getKey(), "In", label.getValues(), false, field);
        }
        return new NodeTerm(expressions);
    }

    /** preferredDuringSchedulingIgnoredDuringExecution; a preference for nothing in particular is left out. */
    List<WeightedNodeTerm> preferred(NodeAffinity affinity) {
        if (affinity == null) {
            return List.of();
        }
        String field = "spec.affinity.nodeAffinity.preferred";
        var terms = affinity.getPreferredDuringSchedulingIgnoredDuringExecution();
        if (terms == null || !problems.within(field, terms.size(), Limits.TERMS)) {
            return List.of();
        }
        List<WeightedNodeTerm> list = new ArrayList<>(terms.size());
        for (var term : terms) {
            int termWeight = term.getWeight() == null ? 0 : term.getWeight();
            NodeTerm mapped =
                    term.getPreference() == null ? new NodeTerm(List.of()) : term(term.getPreference(), field);
            if (termWeight < 1 || termWeight > 100) {
                problems.invalid(field + ".weight", termWeight, "1 to 100");
            } else if (!mapped.getExpressions().isEmpty()) {
                list.add(new WeightedNodeTerm(termWeight, mapped));
            }
        }
        return list;
    }

    private NodeTerm term(NodeSelectorTerm term, String field) {
        List<MatchExpression> expressions = new ArrayList<>();
        for (NodeSelectorRequirement r : orEmpty(term.getMatchExpressions(), field + ".matchExpressions")) {
            expression(expressions, r.getKey(), r.getOperator(), r.getValues(), false, field);
        }
        for (NodeSelectorRequirement r : orEmpty(term.getMatchFields(), field + ".matchFields")) {
            expression(expressions, r.getKey(), r.getOperator(), r.getValues(), true, field);
        }
        return new NodeTerm(expressions);
    }

    /** A label selector; matchLabels first, sorted by key. */
    List<MatchExpression> labelSelector(LabelSelector selector, String field) {
        List<MatchExpression> expressions = new ArrayList<>();
        for (KeyValue label : labels(selector.getMatchLabels(), field + ".matchLabels", Limits.TERMS)) {
            expressions.add(new MatchExpression(label.getKey(), "In", List.of(label.getValue()), false));
        }
        for (var r : orEmpty(selector.getMatchExpressions(), field + ".matchExpressions")) {
            expression(expressions, r.getKey(), r.getOperator(), r.getValues(), false, field);
        }
        return expressions;
    }

    /**
     * A selector with what {@code matchLabelKeys} (In) or {@code mismatchLabelKeys} (NotIn) mean for a pod with these
     * labels: its own value of each key; a key it has no label for means nothing. The API server writes the same into the
     * selector when a pod is made, so mostly it is there already.
     */
    List<MatchExpression> withLabelKeys(
            List<MatchExpression> selector,
            List<String> keys,
            String operator,
            Map<String, String> podLabels,
            String field) {
        List<MatchExpression> all = new ArrayList<>(selector);
        for (String key : orEmpty(keys, field)) {
            String value = podLabels.get(key);
            boolean there = selector.stream()
                    .anyMatch(e -> e.getKey().equals(key) && e.getOperator().equals(operator));
            if (value != null && !there) {
                expression(all, key, operator, List.of(value), false, field);
            }
        }
        return all;
    }

    /** The same of a custom resource. */
    List<MatchExpression> labelSelector(Tree selector) {
        List<MatchExpression> expressions = new ArrayList<>();
        for (KeyValue label : labels(selector.textsByName("matchLabels"), selector.path("matchLabels"), Limits.TERMS)) {
            expressions.add(new MatchExpression(label.getKey(), "In", List.of(label.getValue()), false));
        }
        for (Tree each : selector.children("matchExpressions", Limits.TERMS)) {
            List<String> values = each.texts("values", Limits.EXPRESSION_VALUES);
            expression(expressions, each.text("key"), each.text("operator"), values, false, each.path("operator"));
        }
        return expressions;
    }

    private <T> List<T> orEmpty(List<T> list, String field) {
        return list == null || !problems.within(field, list.size(), Limits.TERMS) ? List.of() : list;
    }

    private void expression(
            List<MatchExpression> into,
            String key,
            String operator,
            List<String> values,
            boolean onField,
            String field) {
        List<String> given = values == null ? List.of() : values;
        weight += 1 + given.size();
        if (key == null || operator == null) {
            problems.invalid(field, key + " " + operator, "a key and an operator");
        } else if (problems.within(field + " values", given.size(), Limits.EXPRESSION_VALUES)
                && problems.within(field + " expressions and values", weight, Limits.SELECTOR_WEIGHT)
                && problems.within(field + " key", key.length(), Limits.QUALIFIED_NAME)
                && fits(operator, given, field)) {
            into.add(new MatchExpression(key, operator, List.copyOf(given), onField));
        }
    }

    private boolean fits(String operator, List<String> values, String field) {
        for (String value : values) {
            if (value == null || !problems.within(field + " value", value.length(), Limits.VALUE)) {
                return false;
            }
        }
        boolean fits = switch (operator) {
            case "In", "NotIn" -> !values.isEmpty();
            case "Exists", "DoesNotExist" -> values.isEmpty();
            case "Gt", "Lt" -> values.size() == 1 && values.get(0).matches("-?[0-9]{1,18}");
            default -> false;
        };
        if (!fits) {
            problems.invalid(field, operator + " " + values, OPERATORS + " with the values it takes");
        }
        return fits;
    }
}
