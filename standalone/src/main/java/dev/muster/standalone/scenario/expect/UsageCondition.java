package dev.muster.standalone.scenario.expect;

import dev.muster.standalone.scenario.observe.Clusters;
import dev.muster.standalone.scenario.observe.NodeView;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is used of a queue's quota, or of each node of matching name; resources that are not named do not count.
 *
 * @param queue null where it is about nodes
 * @param nodes null where it is about a queue
 * @param wantMilli thousandths per resource
 */
public record UsageCondition(String queue, Glob nodes, Map<String, Long> wantMilli) implements Condition {
    public UsageCondition {
        wantMilli = new TreeMap<>(wantMilli);
    }

    @Override
    public Verdict judge(Clusters clusters) {
        if (queue != null) {
            Map<String, Long> used = clusters.queueUsageMilli(queue);
            return Verdict.of(equal(used), "uses " + text(used))
                    .withMissing(!clusters.everQueue(queue), "no queue " + queue + " ever existed");
        }
        List<String> seen = new ArrayList<>();
        boolean holds = true;
        boolean any = false;
        for (NodeView node : clusters.nodes()) {
            if (nodes.test(node.name())) {
                Map<String, Long> used = clusters.nodeUsageMilli(node);
                any = true;
                if (!equal(used)) {
                    holds = false;
                    seen.add(node.name() + " " + text(used));
                }
            }
        }
        if (!any) {
            return Verdict.absent("no such node is there")
                    .withMissing(!clusters.everNode(nodes), "no node " + nodes + " ever existed");
        }
        return Verdict.of(holds, holds ? text(wantMilli) : String.join("; ", seen));
    }

    private boolean equal(Map<String, Long> used) {
        return wantMilli.entrySet().stream()
                .allMatch(want -> used.getOrDefault(want.getKey(), 0L).equals(want.getValue()));
    }

    private String text(Map<String, Long> used) {
        StringBuilder text = new StringBuilder();
        wantMilli
                .keySet()
                .forEach(resource -> text.append(text.isEmpty() ? "" : ", ")
                        .append(amount(used.getOrDefault(resource, 0L)))
                        .append(' ')
                        .append(resource));
        return text.toString();
    }

    private static String amount(long milli) {
        return BigDecimal.valueOf(milli, 3).stripTrailingZeros().toPlainString();
    }

    @Override
    public String toString() {
        return (queue != null ? "queue " + queue : "node " + nodes) + " uses " + text(wantMilli);
    }
}
