package dev.muster.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.model.QueueRef;
import dev.muster.scheduler.core.quota.FlavorResource;
import dev.muster.scheduler.core.quota.QuotaNode;
import dev.muster.scheduler.core.quota.QuotaTestAccess;
import dev.muster.scheduler.core.quota.QuotaUnits;
import dev.muster.scheduler.core.state.QueueTrees;
import dev.muster.scheduler.core.state.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Holds what was decided against quota as Kueue's documentation puts it, worked out from the rows alone. */
final class QuotaCheck {
    private final TestDomain domain;

    private QuotaCheck(TestDomain domain) {
        this.domain = domain;
    }

    static QuotaCheck of(TestDomain domain) {
        return new QuotaCheck(domain);
    }

    /**
     * Whoever placed something now is within its limits, and so are all cohorts above it: nobody uses what others keep for
     * themselves. (Who placed nothing may be above: its quota was cut, or its pods were found running.)
     */
    void within(List<Decision> decided) {
        List<Row.PolicyObject> objects = new ArrayList<>();
        TreeMap<String, SortedMap<FlavorResource, Long>> usage = new TreeMap<>();
        for (Row row : domain.rows.values()) {
            if (row instanceof Row.PolicyObject object) {
                objects.add(object);
            } else if (row instanceof Row.Quota quota) {
                String queue = QueueRef.clusterQueueOf(quota.queue());
                if (queue != null) {
                    usage.put(queue, QuotaUnits.of(quota.used()));
                }
            }
        }
        List<QuotaNode> nodes = new QueueTrees(objects).kueue();
        for (Decision decision : decided) {
            var status = domain.statuses.get(decision.workload().value());
            boolean charged = decision.action() instanceof Action.PlaceGang
                    && status != null
                    && !status.localQueue().isEmpty()
                    && usage.containsKey(status.queue());
            if (charged) {
                QuotaUnits.of(status.used()).keySet().stream()
                        .filter(column -> !column.flavor().isEmpty())
                        .forEach(column -> assertThat(QuotaTestAccess.within(nodes, usage, status.queue(), column))
                                .as("%s of %s in %s after %s", column, status.queue(), usage, decision.workload())
                                .isTrue());
            }
        }
    }
}
