package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.event.Kinds;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/** A member cluster: its nodes, and how far each kind of its objects has been listed. */
public final class ClusterState {

    private static final long NEVER = -1;

    private final String name;
    final TreeMap<String, NodeState> nodes = new TreeMap<>();
    private final TreeMap<String, Long> began = new TreeMap<>();
    private final TreeMap<String, Long> ended = new TreeMap<>();

    ClusterState(String name) {
        this.name = name;
    }

    public String name() {
        return name;
    }

    /** Its nodes by name, also those known by name only. */
    public Collection<NodeState> nodes() {
        return nodes.values();
    }

    /** Whether everything that placement looks at has been listed whole at least once. */
    public boolean synced() {
        return Kinds.NEEDED_TO_PLACE.stream().allMatch(kind -> ended.getOrDefault(kind, NEVER) > NEVER);
    }

    long beganEpoch(String kind) {
        return began.getOrDefault(kind, NEVER);
    }

    long endedEpoch(String kind) {
        return ended.getOrDefault(kind, NEVER);
    }

    void listBegan(String kind, long epoch) {
        began.put(kind, epoch);
    }

    void listEnded(String kind, long epoch) {
        ended.put(kind, epoch);
    }

    void appendSyncs(List<Row.Sync> into) {
        TreeMap<String, Long> kinds = new TreeMap<>(began);
        ended.forEach(kinds::putIfAbsent);
        for (String kind : kinds.keySet()) {
            into.add(new Row.Sync(name, kind, beganEpoch(kind), endedEpoch(kind)));
        }
    }
}
