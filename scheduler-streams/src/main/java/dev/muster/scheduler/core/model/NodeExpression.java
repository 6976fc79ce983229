package dev.muster.scheduler.core.model;

import java.util.List;
import java.util.Map;

/**
 * One requirement of a node selector term (core/v1 NodeSelectorRequirement).
 *
 * @param onField true for matchFields, where {@code metadata.name} is the only field there is
 */
public record NodeExpression(String key, String operator, List<String> values, boolean onField) {
    public NodeExpression {
        values = List.copyOf(values);
    }

    /** Whether a node with these labels and this name satisfies the expression; an unknown operator never does. */
    public boolean matches(Map<String, String> labels, String nodeName) {
        String actual = onField ? (key.equals("metadata.name") ? nodeName : null) : labels.get(key);
        return switch (operator) {
            case "In" -> actual != null && values.contains(actual);
            case "NotIn" -> actual == null || !values.contains(actual);
            case "Exists" -> actual != null;
            case "DoesNotExist" -> actual == null;
            case "Gt" -> compares(actual, 1);
            case "Lt" -> compares(actual, -1);
            default -> false;
        };
    }

    /** Whether all hold for labels of something that is no node; none holds for whatever labels. */
    public static boolean all(List<NodeExpression> expressions, Map<String, String> labels) {
        for (NodeExpression expression : expressions) {
            if (!expression.matches(labels, "")) {
                return false;
            }
        }
        return true;
    }

    private boolean compares(String actual, int sign) {
        if (actual == null || values.size() != 1) {
            return false;
        }
        try {
            return Integer.signum(Long.compare(Long.parseLong(actual), Long.parseLong(values.getFirst()))) == sign;
        } catch (NumberFormatException notANumber) {
            return false;
        }
    }
}
