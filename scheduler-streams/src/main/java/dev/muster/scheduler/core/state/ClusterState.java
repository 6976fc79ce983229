package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.event.Kinds;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/** A member cluster: its nodes, and how far each kind of its objects has been listed. */
public final class ClusterState {

    private static final long NEVER = -1;

    private final String name;
    final TreeMap<String, NodeState> nodes = new TreeMap<>();
    private final NodeChanges changes = new NodeChanges();
    private final Topologies topologies = new Topologies(nodes.values());
    /** Nodes by whole GPUs that are free on them. */
    private int[] byWholeFree = new int[1];

    /** Claims of volumes in use, as namespace/name, and by how many pods and holds. */
    private final TreeMap<String, Integer> claims = new TreeMap<>();

    private final Promises promises = new Promises();

    private final TreeMap<String, Long> began = new TreeMap<>();
    private final TreeMap<String, Long> ended = new TreeMap<>();
    /** Null until it is asked for, and again when something was listed: it goes into a row with every entry. */
    private List<Row.Sync> syncs;

    private boolean synced;
    private long numbering;

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

    /** One of its nodes; null where none has that name. */
    public NodeState node(String itsName) {
        return nodes.get(itsName);
    }

    /** Which of its nodes changed, in order. */
    public NodeChanges changes() {
        return changes;
    }

    /** Its nodes by what connects them. */
    public Topologies topologies() {
        return topologies;
    }

    /** More pods with so many whole GPUs each than this many do not fit now, whatever else they need. */
    public long mostPodsOf(int gpus) {
        long most = 0;
        for (int free = gpus; free < byWholeFree.length; free++) {
            most += (long) byWholeFree[free] * (free / gpus);
        }
        return most;
    }

    /** A node changed in anything that placement looks at; returns the number of the change. */
    long changed(NodeState node) {
        return changes.add(node, nodes.size());
    }

    /** Rises whenever one of its nodes gets an ordinal or gives one up: what is kept by ordinal is stale then. */
    public long numbering() {
        return numbering;
    }

    void renumbered() {
        numbering++;
    }

    /** A node that counted under one number of free GPUs, or none (-1), counts under another. */
    void recountWholeFree(NodeState node, int before, int now) {
        topologies.recount(node, now - Math.max(0, before));
        if (before >= 0) {
            byWholeFree[before]--;
        }
        if (now >= byWholeFree.length) {
            byWholeFree = Arrays.copyOf(byWholeFree, now + 1);
        }
        byWholeFree[now]++;
    }

    /** Whether every node counts under the number of GPUs that are free on it; worked out from scratch, for the laws. */
    boolean freeGpuCountsAgree() {
        int[] counts = new int[byWholeFree.length];
        for (NodeState node : nodes.values()) {
            int free = node.devices().wholeFree();
            if (free > 0 && free < counts.length) {
                counts[free]++;
            } else if (free > 0) {
                return false;
            }
        }
        // Nodes without a free GPU bound nothing, and may be gone.
        counts[0] = byWholeFree[0];
        return Arrays.equals(counts, byWholeFree);
    }

    /** What claims that are not bound are promised. */
    public Promises promises() {
        return promises;
    }

    void countClaims(List<String> used, int sign) {
        used.forEach(claim -> claims.merge(claim, sign, (a, b) -> a + b == 0 ? null : a + b));
    }

    /** How many pods use a claim, room held for them included. */
    int claimUsers(String claim) {
        return claims.getOrDefault(claim, 0);
    }

    /** Whether another count of the claims in use, from scratch, comes to the same; for the laws. */
    boolean claimsAre(TreeMap<String, Integer> counted) {
        return claims.equals(counted);
    }

    /** Whether everything that placement looks at has been listed whole at least once. */
    public boolean synced() {
        return synced;
    }

    /** Whether a kind has been listed whole at least once. */
    public boolean listed(String kind) {
        return ended.getOrDefault(kind, NEVER) > NEVER;
    }

    long beganEpoch(String kind) {
        return began.getOrDefault(kind, NEVER);
    }

    long endedEpoch(String kind) {
        return ended.getOrDefault(kind, NEVER);
    }

    void listBegan(String kind, long epoch) {
        began.put(kind, epoch);
        syncs = null;
    }

    void listEnded(String kind, long epoch) {
        ended.put(kind, epoch);
        syncs = null;
        synced = Kinds.NEEDED_TO_PLACE.stream().allMatch(needed -> endedEpoch(needed) > NEVER);
    }

    /** How far each kind is listed, by kind. */
    List<Row.Sync> syncs() {
        if (syncs == null) {
            TreeMap<String, Long> kinds = new TreeMap<>(began);
            ended.forEach(kinds::putIfAbsent);
            // A copy is shared by the rows of all entries; what toList() returns would be copied again for each.
            syncs = List.copyOf(kinds.keySet().stream()
                    .map(kind -> new Row.Sync(name, kind, beganEpoch(kind), endedEpoch(kind)))
                    .toList());
        }
        return syncs;
    }
}
