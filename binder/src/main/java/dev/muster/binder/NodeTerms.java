package dev.muster.binder;

import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import java.util.List;
import java.util.Map;

/** Node selector terms as Kubernetes matches them (component-helpers, {@code nodeaffinity.NewNodeSelector}). */
final class NodeTerms {

    private NodeTerms() {}

    /** Whether one of the terms matches the node, or there is none. */
    static boolean match(List<NodeSelectorTerm> terms, String node, Map<String, String> labels) {
        return terms.isEmpty() || terms.stream().anyMatch(term -> matches(term, node, labels));
    }

    /** All requirements must hold; a term without any matches nothing. */
    private static boolean matches(NodeSelectorTerm term, String node, Map<String, String> labels) {
        List<NodeSelectorRequirement> byLabel = term.getMatchExpressions();
        List<NodeSelectorRequirement> byField = term.getMatchFields();
        return !(byLabel.isEmpty() && byField.isEmpty())
                && byLabel.stream().allMatch(each -> holds(each, labels.get(each.getKey())))
                && byField.stream().allMatch(each -> holds(each, each.getKey().equals("metadata.name") ? node : null));
    }

    private static boolean holds(NodeSelectorRequirement requirement, String value) {
        List<String> values = requirement.getValues();
        return switch (requirement.getOperator()) {
            case "In" -> value != null && values.contains(value);
            case "NotIn" -> value == null || !values.contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            case "Gt" -> isNumber(value) && isNumber(first(values)) && number(value) > number(first(values));
            case "Lt" -> isNumber(value) && isNumber(first(values)) && number(value) < number(first(values));
            default -> false;
        };
    }

    private static String first(List<String> values) {
        return values.isEmpty() ? null : values.getFirst();
    }

    private static boolean isNumber(String text) {
        return text != null && text.matches("-?[0-9]{1,18}");
    }

    private static long number(String text) {
        return Long.parseLong(text);
    }
}
