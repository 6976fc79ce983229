package dev.muster.standalone.cli;

import dev.muster.scheduler.core.quota.QuotaUnits;
import dev.muster.schemas.common.Change;
import dev.muster.schemas.common.Origin;
import dev.muster.schemas.common.Quantity;
import dev.muster.schemas.event.NodeEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What all nodes have together, from topic nodes. */
final class NodeTotals {
    private final Map<String, NodeEvent> nodes = new HashMap<>();
    private final Map<String, Long> listed = new HashMap<>();

    /** Takes a record of topic nodes; null forgets the key. */
    void take(String key, NodeEvent event) {
        if (event == null || event.getOrigin().getChange() == Change.DELETE) {
            nodes.remove(key);
            return;
        }
        Origin origin = event.getOrigin();
        if (origin.getChange() == Change.RESYNC_END) {
            listed.merge(origin.getCluster(), origin.getEpoch(), Math::max);
        } else if (event.getSpec() != null) {
            nodes.put(key, event);
        }
    }

    /** By resource, in units of quotas. */
    SortedMap<String, Long> total() {
        SortedMap<String, Long> total = new TreeMap<>();
        for (NodeEvent event : nodes.values()) {
            Origin origin = event.getOrigin();
            if (origin.getEpoch() >= listed.getOrDefault(origin.getCluster(), 0L)) {
                for (Quantity quantity : event.getSpec().getAllocatable()) {
                    String resource = quantity.getResource();
                    total.merge(resource, QuotaUnits.of(resource, quantity.getAmount()), Long::sum);
                }
            }
        }
        return total;
    }
}
