package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.HealthSignal;
import dev.muster.scheduler.core.model.HostPort;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.NodeId;
import dev.muster.scheduler.core.model.NumaFacts;
import dev.muster.scheduler.core.model.NumaPlacement;
import dev.muster.scheduler.core.model.NumaShare;
import dev.muster.scheduler.core.model.ResourceNames;
import dev.muster.scheduler.core.numa.TopologyManager;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * A node: what is known of it, what it offers, and what is used. It may be known by name only, when pods or reports came
 * before it or outlive it; then nothing can be placed on it.
 */
public final class NodeState {
    private static final int NO_ORDINAL = -1;
    private static final int MOST_UNALIGNED = 16;

    private final NodeId id;
    private final ClusterState cluster;
    private final ResourceIndex resources;
    private final Devices devices = new Devices();
    /** Null while no port is taken, as on most nodes. */
    private UsedPorts ports;
    /** Claims of volumes that pods and holds use here, and how many; null while none is. */
    private TreeMap<String, Integer> claims;

    final TreeMap<String, PodState> pods = new TreeMap<>();
    private int ordinal = NO_ORDINAL;
    private Origin origin;
    private NodeFacts facts;
    private int classId = -1;
    private Origin healthOrigin;
    private List<HealthSignal> signals = List.of();
    private HealthSignal.Severity worstSignal = HealthSignal.Severity.INFO;
    private Origin numaOrigin;
    private NumaFacts numa;
    private NumaRoom numaRoom;
    private List<InternedRequirement> unaligned = List.of();
    private long[] allocatable = new long[0];
    private long[] used = new long[0];
    private int held;
    private long version;
    private int countedWholeFree = -1;

    NodeState(NodeId id, ClusterState cluster, ResourceIndex resources) {
        this.id = id;
        this.cluster = cluster;
        this.resources = resources;
    }

    public NodeId id() {
        return id;
    }

    /** Place among the domain's nodes: the last word between nodes that are equal otherwise. */
    public int ordinal() {
        return ordinal;
    }

    /** Number of its latest change among those of the cluster's nodes: whatever was worked out for an older one is stale. */
    public long version() {
        return version;
    }

    /** What the cluster says of it; null while it is known by name only. */
    public NodeFacts facts() {
        return facts;
    }

    /** Which state of the object is known; null while it is known by name only. */
    public Origin origin() {
        return origin;
    }

    /** Nodes of one class are alike for every rule that looks only at labels and taints. */
    public int classId() {
        return classId;
    }

    public Devices devices() {
        return devices;
    }

    /** Health signals that are on. */
    public List<HealthSignal> signals() {
        return signals;
    }

    /** The gravest signal that is on; INFO when there is none. Unreadable signals count as INFO. */
    public HealthSignal.Severity worstSignal() {
        return worstSignal;
    }

    Origin healthOrigin() {
        return healthOrigin;
    }

    Origin numaOrigin() {
        return numaOrigin;
    }

    /** NUMA layout; null where none is reported. */
    public NumaFacts numa() {
        return numa;
    }

    /**
     * Whether its kubelet turned such a pod away with TopologyAffinityError since the latest report, against what was
     * foreseen: the report is wrong, and nothing is known that would make the next one fit (kubernetes/kubernetes#84597).
     */
    public boolean couldNotAlign(InternedRequirement requirement) {
        return !unaligned.isEmpty() && unaligned.contains(requirement);
    }

    /** Remembers that, or what a row remembers; of more than a few the oldest is forgotten. */
    void couldNotAlign(List<InternedRequirement> requirements) {
        List<InternedRequirement> all = new ArrayList<>(unaligned);
        all.removeAll(requirements);
        all.addAll(requirements);
        unaligned = List.copyOf(all.subList(Math.max(0, all.size() - MOST_UNALIGNED), all.size()));
        changed();
    }

    /** Something about its NUMA nodes is not as it was: what could not be aligned may be tried again. Whether there was any. */
    boolean alignAgain() {
        if (unaligned.isEmpty()) {
            return false;
        }
        unaligned = List.of();
        changed();
        return true;
    }

    /** What is left of its NUMA nodes; null where nothing is known of them. */
    public NumaRoom numaRoom() {
        return numaRoom == null || !numaRoom.reported() ? null : numaRoom;
    }

    /** What pods and holds are known to have of NUMA nodes, reported or not. */
    List<NumaShare> numaCharged() {
        return numaRoom == null ? List.of() : numaRoom.charged();
    }

    /** What the node offers of a resource. */
    public long allocatable(int resource) {
        return resource < allocatable.length ? allocatable[resource] : 0;
    }

    /** What pods and holds use of a resource. */
    public long used(int resource) {
        return resource < used.length ? used[resource] : 0;
    }

    /** What is left of a resource; below zero when others used more than there is. */
    public long free(int resource) {
        return allocatable(resource) - used(resource);
    }

    /** Whether anything runs or is held here. */
    boolean inUse() {
        return !pods.isEmpty() || held > 0;
    }

    /** Whether only the name is left, and nothing needs it. */
    boolean forgettable() {
        return facts == null && healthOrigin == null && numaOrigin == null && !inUse();
    }

    void know(Origin newOrigin, NodeFacts newFacts, int newClassId, int newOrdinal) {
        origin = newOrigin;
        facts = newFacts;
        classId = newClassId;
        ordinal = newOrdinal;
        Arrays.fill(allocatable, 0);
        long gpus = 0;
        for (Amount amount : newFacts.allocatable()) {
            if (amount.resource().equals(ResourceNames.GPU)) {
                gpus = amount.amount();
            } else {
                int resource = resources.of(amount.resource());
                allocatable = grown(allocatable, resource);
                allocatable[resource] = amount.amount();
            }
        }
        devices.allocatable((int) Math.min(gpus, MAX_DEVICES));
        changed();
    }

    private void changed() {
        version = cluster.changed(this);
        int wholeFree = devices.wholeFree();
        if (wholeFree != countedWholeFree) {
            cluster.recountWholeFree(this, countedWholeFree, wholeFree);
            countedWholeFree = wholeFree;
        }
    }

    /** More GPUs than any machine has: a bound for what a wrong report can make us reserve memory for. */
    static final int MAX_DEVICES = 1024;

    void renewEpoch(Origin newOrigin) {
        origin = newOrigin;
    }

    void forgetFacts() {
        origin = null;
        facts = null;
        classId = -1;
        ordinal = NO_ORDINAL;
        Arrays.fill(allocatable, 0);
        devices.allocatable(0);
        changed();
    }

    void health(Origin newOrigin, List<HealthSignal> newSignals) {
        healthOrigin = newOrigin;
        signals = List.copyOf(newSignals);
        worstSignal = HealthSignal.Severity.INFO;
        for (HealthSignal signal : signals) {
            if (signal.severity() == HealthSignal.Severity.FATAL) {
                worstSignal = HealthSignal.Severity.FATAL;
            } else if (signal.severity() == HealthSignal.Severity.DEGRADED
                    && worstSignal != HealthSignal.Severity.FATAL) {
                worstSignal = HealthSignal.Severity.DEGRADED;
            }
        }
        changed();
    }

    /** Takes a report, or that there is none any more (nulls). */
    void numa(Origin newOrigin, NumaFacts newNuma, TopologyManager manager, List<NumaShare> unknown) {
        numaOrigin = newOrigin;
        numa = newNuma;
        unaligned = List.of();
        if (manager != null || numaRoom != null) {
            ledger().report(manager, unknown);
        }
        changed();
    }

    void renewNumaEpoch(Origin newOrigin) {
        numaOrigin = newOrigin;
    }

    /** What pods and holds have of the NUMA nodes was counted anew. */
    void numaRecounted() {
        changed();
    }

    private NumaRoom ledger() {
        if (numaRoom == null) {
            numaRoom = new NumaRoom();
        }
        return numaRoom;
    }

    /** The GPUs such a pod would get now, from the NUMA nodes it gets them from; rising, null when they are not there. */
    int[] chooseDevices(InternedRequirement requirement, NumaPlacement onNuma) {
        NumaRoom room = numaRoom();
        if (room == null || onNuma.isEmpty() || requirement.gpus() == 0) {
            return devices.choose(requirement.gpus(), requirement.gpuFractionMilli());
        }
        int[] wanted = new int[room.layout().zones()];
        for (NumaShare share : onNuma.shares()) {
            int cell = room.layout().cell(share.zone(), share.resource());
            if (cell >= 0 && share.resource().equals(ResourceNames.GPU)) {
                wanted[cell % wanted.length] += (int) share.amount();
            }
        }
        return devices.choose(
                requirement.gpus(), device -> room.layout().zoneOfDevice(ResourceNames.GPU, device), wanted);
    }

    /** Takes room for a pod or a hold. */
    void take(InternedRequirement requirement, int[] onDevices, NumaPlacement onNuma) {
        change(requirement, 1);
        devices.take(onDevices, requirement.gpus(), requirement.gpuFractionMilli());
        if (!onNuma.isEmpty()) {
            ledger().take(onNuma);
        }
        changed();
    }

    /** Gives the room of a pod or a hold back. */
    void give(InternedRequirement requirement, int[] onDevices, NumaPlacement onNuma) {
        change(requirement, -1);
        devices.give(onDevices, requirement.gpus(), requirement.gpuFractionMilli());
        if (!onNuma.isEmpty()) {
            ledger().give(onNuma);
        }
        changed();
    }

    void heldBy(int sign) {
        held += sign;
    }

    private void change(InternedRequirement requirement, int sign) {
        countPorts(requirement, sign);
        countClaims(requirement, sign);
        for (int i = 0; i < requirement.resourceCount(); i++) {
            int resource = requirement.resource(i);
            used = grown(used, resource);
            used[resource] += sign * requirement.amount(i);
        }
    }

    private void countClaims(InternedRequirement requirement, int sign) {
        List<String> used = requirement.requirement().claims();
        if (!used.isEmpty()) {
            claims = claims == null ? new TreeMap<>() : claims;
            used.forEach(claim -> claims.merge(claim, sign, (a, b) -> a + b == 0 ? null : a + b));
            cluster.countClaims(used, sign);
        }
    }

    /** Claims of volumes in use here, as namespace/name, sorted. */
    public Set<String> claims() {
        return claims == null ? Collections.emptySet() : claims.keySet();
    }

    private void countPorts(InternedRequirement requirement, int sign) {
        List<HostPort> taken = requirement.requirement().hostPorts();
        if (!taken.isEmpty()) {
            ports = ports == null ? new UsedPorts() : ports;
            ports.count(taken, sign);
        }
    }

    /** The first host port of a requirement that is taken here; null when none is. */
    public HostPort portConflict(InternedRequirement requirement) {
        List<HostPort> wanted = requirement.requirement().hostPorts();
        return ports == null || wanted.isEmpty() ? null : ports.conflict(wanted);
    }

    /** Host ports that are taken. */
    UsedPorts ports() {
        return ports == null ? new UsedPorts() : ports;
    }

    private static long[] grown(long[] amounts, int index) {
        return index < amounts.length ? amounts : Arrays.copyOf(amounts, Math.max(index + 1, 8));
    }

    /** The value of a label; null while the node is known by name only or does not have it. */
    String label(String key) {
        return facts == null ? null : facts.labels().get(key);
    }

    Row.Node row() {
        return new Row.Node(
                id,
                ordinal,
                origin,
                facts,
                healthOrigin,
                signals,
                numaOrigin,
                numa,
                numaRoom == null ? List.of() : numaRoom.unknown(),
                unaligned.stream().map(InternedRequirement::requirement).toList());
    }

    boolean hasRow() {
        return origin != null || healthOrigin != null || numaOrigin != null;
    }
}
