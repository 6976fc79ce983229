package dev.muster.standalone.cli;

import dev.muster.schemas.common.Change;
import dev.muster.schemas.common.Origin;
import dev.muster.schemas.event.HealthEvent;
import dev.muster.schemas.event.HealthSeverity;
import dev.muster.schemas.event.HealthSignal;
import dev.muster.standalone.cli.NodeTable.NodeKey;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What health signals are on, by node, from topic gpu-health. */
final class HealthTable {
    /** The gravest last. */
    private static final List<HealthSeverity> BY_GRAVITY = List.of(
            HealthSeverity.INFO,
            HealthSeverity.UNKNOWN,
            HealthSeverity.DEGRADED,
            HealthSeverity.RECOVERABLE,
            HealthSeverity.FATAL);

    private record Seen(long epoch, List<HealthSignal> signals) {}

    private final Map<NodeKey, Seen> nodes = new HashMap<>();
    private final Map<String, Long> listed = new HashMap<>();

    /** Takes a record, null for a key that was forgotten; the nodes that it changes. */
    Set<NodeKey> take(HealthEvent event) {
        if (event == null) {
            return Set.of();
        }
        Origin origin = event.getOrigin();
        if (origin.getChange() == Change.RESYNC_END) {
            listed.merge(origin.getCluster(), origin.getEpoch(), Math::max);
            nodes.entrySet()
                    .removeIf(node -> node.getKey().cluster().equals(origin.getCluster())
                            && node.getValue().epoch() < origin.getEpoch());
            return Set.of();
        }
        if (origin.getChange() == Change.RESYNC_BEGIN
                || origin.getEpoch() < listed.getOrDefault(origin.getCluster(), 0L)) {
            return Set.of();
        }
        NodeKey key = new NodeKey(origin.getCluster(), origin.getName());
        nodes.put(key, new Seen(origin.getEpoch(), List.copyOf(event.getSignals())));
        return Set.of(key);
    }

    /** The signals that are on. */
    List<HealthSignal> of(NodeKey node) {
        Seen seen = nodes.get(node);
        return seen == null ? List.of() : seen.signals();
    }

    /** In a word or two: the gravest, what it is about, and how many more there are; a dash for a healthy node. */
    static String summary(List<HealthSignal> signals) {
        HealthSignal gravest = null;
        for (HealthSignal signal : signals) {
            boolean graver = gravest == null
                    || BY_GRAVITY.indexOf(signal.getSeverity()) > BY_GRAVITY.indexOf(gravest.getSeverity());
            gravest = graver ? signal : gravest;
        }
        if (gravest == null) {
            return "-";
        }
        String more = signals.size() > 1 ? "+" + (signals.size() - 1) : "";
        return gravest.getSeverity().name().toLowerCase(Locale.ROOT) + ":" + text(gravest) + more;
    }

    /** A signal without its severity, such as XID(79)@3. */
    static String text(HealthSignal signal) {
        String value = signal.getValue().isEmpty() ? "" : "(" + signal.getValue() + ")";
        String device = signal.getDevice() < 0 ? "" : "@" + signal.getDevice();
        String peer = signal.getPeer() < 0 ? "" : "-" + signal.getPeer();
        return signal.getKind() + value + device + peer;
    }
}
