package dev.muster.scheduler.core.model;

import java.util.List;
import java.util.SortedMap;

/**
 * How a gang is divided into subgroups: Volcano's {@code subGroupPolicy}.
 *
 * @param name name of the policy
 * @param size pods of a subgroup that must be placed together, at least 1
 * @param minSubGroups subgroups that must be placed for the gang to start
 * @param selector which pods: all must hold for a pod's labels; empty selects every pod of the gang
 * @param labelKeys pods with the same values of these labels are one subgroup
 * @param topology how far apart pods of a subgroup may be; null where it does not matter
 */
public record SubGroupPolicy(
        String name,
        int size,
        int minSubGroups,
        List<NodeExpression> selector,
        List<String> labelKeys,
        NetworkTopology topology) {
    public SubGroupPolicy {
        selector = List.copyOf(selector);
        labelKeys = List.copyOf(labelKeys);
    }

    /** Whether a pod with these labels is in one of its subgroups: a label that it is divided by must be there. */
    public boolean selects(SortedMap<String, String> labels) {
        for (NodeExpression expression : selector) {
            if (!expression.matches(labels, "")) {
                return false;
            }
        }
        return labels.keySet().containsAll(labelKeys);
    }

    /** Which subgroup a pod with these labels is in. */
    public List<String> values(SortedMap<String, String> labels) {
        return labelKeys.stream().map(labels::get).toList();
    }
}
