package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.ClaimPlacement;
import dev.muster.scheduler.core.model.HealthEpisode;
import dev.muster.scheduler.core.model.HealthSignal;
import dev.muster.scheduler.core.model.HostPort;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.NodeId;
import dev.muster.scheduler.core.model.NumaFacts;
import dev.muster.scheduler.core.model.NumaPlacement;
import dev.muster.scheduler.core.model.NumaShare;
import dev.muster.scheduler.core.model.Policy;
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
    private static final String GPU_MEMORY_LABEL = "nvidia.com/gpu.memory";

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
    /** Null while no signal was on, as on most nodes. */
    private GpuHealth health;

    /** When its health changes by itself, as it is watched; Long.MAX_VALUE for never. */
    long healthDueMillis = Long.MAX_VALUE;

    /** Since when it is not ready, or gone while pods are on it, domain time; 0 while it is there and ready. */
    private long awayMillis;

    private Origin numaOrigin;
    private NumaFacts numa;
    private NumaRoom numaRoom;
    private List<InternedRequirement> unaligned = List.of();
    private int gpuMemoryMib;
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

    /** Health signals that are on, and those that were until a while ago. */
    List<HealthEpisode> healthEpisodes() {
        return health == null ? List.of() : health.episodes();
    }

    /** The gravest of what is said of all its GPUs: FATAL, RECOVERABLE, DEGRADED, or INFO when there is nothing. */
    public HealthSignal.Severity worstSignal() {
        return health == null ? HealthSignal.Severity.INFO : health.worst();
    }

    /** What closes all its GPUs, or single ones, for reasons; empty where nothing does. */
    public String trouble(boolean all) {
        return health == null ? "" : health.trouble(all);
    }

    Origin healthOrigin() {
        return healthOrigin;
    }

    /** Since when it is not ready, or gone while pods are on it, domain time; 0 while it is there and ready. */
    long awayMillis() {
        return awayMillis;
    }

    /** It is away since then; 0 when it is back. */
    void away(long sinceMillis) {
        awayMillis = sinceMillis;
    }

    /** What its health signals come to; null where none is or was on. */
    GpuHealth health() {
        return health;
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

    /** Memory of each of its GPUs, in MiB, by the label of GPU feature discovery; 0 where it cannot be read. */
    public int gpuMemoryMib() {
        return gpuMemoryMib;
    }

    /** The same of a node with these facts. */
    static int gpuMemoryMib(NodeFacts facts) {
        String text = facts.labels().getOrDefault(GPU_MEMORY_LABEL, "");
        return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
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
        gpuMemoryMib = gpuMemoryMib(newFacts);
        classId = newClassId;
        number(newOrdinal);
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
        devices.allocatable((int) Math.min(gpus, MAX_DEVICES), Math.min(newFacts.gpuCapacity(), MAX_DEVICES));
        regroup();
        changed();
    }

    private void number(int newOrdinal) {
        if (ordinal != newOrdinal) {
            ordinal = newOrdinal;
            cluster.renumbered();
        }
    }

    /** What connects its GPUs: what the node says, and their NUMA nodes by the report where it does not say these. */
    private void regroup() {
        if (facts == null || facts.deviceGroups().isEmpty()) {
            devices.groups(null);
            return;
        }
        NumaRoom room = numaRoom();
        devices.groups(
                room == null
                        ? new DeviceGroups(facts.deviceGroups())
                        : new DeviceGroups(
                                facts.deviceGroups(), device -> room.layout().zoneOfDevice(ResourceNames.GPU, device)));
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
        gpuMemoryMib = 0;
        classId = -1;
        number(NO_ORDINAL);
        Arrays.fill(allocatable, 0);
        devices.allocatable(0, 0);
        devices.groups(null);
        if (healthOrigin == null) {
            forgetHealth();
        }
        changed();
    }

    /** Takes what a health report says; whether anything in it is news. */
    boolean health(List<HealthSignal> signals, long nowMillis, Policy.Health policy) {
        if (health == null && signals.isEmpty()) {
            return false;
        }
        boolean news = ledgerOfHealth().report(signals, nowMillis, policy);
        if (news) {
            healthChanged();
        }
        return news;
    }

    void renewHealthOrigin(Origin newOrigin) {
        healthOrigin = newOrigin;
    }

    /** There is no health report any more: what was on is off. Of a node that is gone nothing is remembered. */
    void healthUnlisted(long nowMillis, Policy.Health policy) {
        healthOrigin = null;
        if (facts == null) {
            forgetHealth();
        } else {
            health(List.of(), nowMillis, policy);
        }
    }

    private void forgetHealth() {
        health = null;
        devices.health(null);
        changed();
    }

    /** Takes what a row remembers of its health. */
    void restoreHealth(Origin known, List<HealthEpisode> remembered, Policy.Health policy) {
        healthOrigin = known;
        if (!remembered.isEmpty()) {
            ledgerOfHealth().restore(remembered, policy);
            healthChanged();
        }
    }

    /** Time has passed, or another policy is in force. */
    void judgeHealth(long nowMillis, Policy.Health policy) {
        if (health != null) {
            health.pass(nowMillis, policy);
            healthChanged();
        }
    }

    private GpuHealth ledgerOfHealth() {
        if (health == null) {
            health = new GpuHealth();
        }
        return health;
    }

    private void healthChanged() {
        if (health.isEmpty()) {
            health = null;
        }
        devices.health(health);
        changed();
    }

    /** When its health changes if nothing is heard until then, domain time; Long.MAX_VALUE for never. */
    long nextHealthMillis() {
        return health == null ? Long.MAX_VALUE : health.dueMillis();
    }

    /** Takes a report, or that there is none any more (nulls). */
    void numa(Origin newOrigin, NumaFacts newNuma, TopologyManager manager, List<NumaShare> unknown) {
        numaOrigin = newOrigin;
        numa = newNuma;
        unaligned = List.of();
        if (manager != null || numaRoom != null) {
            ledger().report(manager, unknown);
        }
        regroup();
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
        int share = requirement.shareMilli(this);
        if (share > 0) {
            return devices.chooseShare(share);
        }
        NumaRoom room = numaRoom();
        boolean zonesChosen = room != null && !onNuma.isEmpty() && requirement.gpus() > 0;
        if (!zonesChosen || devices.connected() && !room.layout().chooses()) {
            return requirement.linked()
                    ? devices.chooseTogether(requirement.gpus())
                    : devices.choose(requirement.gpus());
        }
        int[] wanted = gpusByZone(room, onNuma);
        return devices.choose(
                requirement.gpus(), device -> room.layout().zoneOfDevice(ResourceNames.GPU, device), wanted);
    }

    private static int[] gpusByZone(NumaRoom room, NumaPlacement placement) {
        int[] byZone = new int[room.layout().zones()];
        for (NumaShare share : placement.shares()) {
            int cell = room.layout().cell(share.zone(), share.resource());
            if (cell >= 0 && share.resource().equals(ResourceNames.GPU)) {
                byZone[cell % byZone.length] += (int) share.amount();
            }
        }
        return byZone;
    }

    /**
     * What a pod gets of the NUMA nodes with these devices: where its kubelet does not choose the zones, its GPUs come from
     * where the devices are.
     */
    NumaPlacement withDevices(NumaPlacement onNuma, int[] chosen) {
        NumaRoom room = numaRoom();
        if (room == null
                || onNuma.isEmpty()
                || !devices.connected()
                || room.layout().chooses()) {
            return onNuma;
        }
        int[] byZone = zonesOf(room, chosen);
        List<NumaShare> shares = new ArrayList<>(onNuma.shares());
        boolean gpus = shares.removeIf(share -> share.resource().equals(ResourceNames.GPU));
        for (int zone = 0; gpus && zone < byZone.length; zone++) {
            if (byZone[zone] > 0) {
                shares.add(new NumaShare(room.layout().zoneName(zone), ResourceNames.GPU, byZone[zone]));
            }
        }
        return new NumaPlacement(shares);
    }

    /**
     * Whether one more such pod would get the GPUs that it must have: of one island where it asks for that, in good health
     * where its kubelet takes them from.
     */
    public boolean hasDevicesFor(InternedRequirement requirement) {
        boolean linked = requirement.linked();
        NumaRoom room = numaRoom();
        boolean zonesChosen =
                room != null && requirement.gpus() > 0 && room.layout().chooses();
        if (!linked && (!zonesChosen || !devices.anyClosed())) {
            return true;
        }
        NumaPlacement onNuma = room == null ? NumaPlacement.NONE : room.place(requirement);
        int[] chosen = chooseDevices(requirement, onNuma);
        if (chosen == null || linked && !devices.together(chosen)) {
            return false;
        }
        return !zonesChosen || onNuma.isEmpty() || Arrays.equals(gpusByZone(room, onNuma), zonesOf(room, chosen));
    }

    private static int[] zonesOf(NumaRoom room, int[] chosen) {
        int[] byZone = new int[room.layout().zones()];
        for (int device : chosen) {
            byZone[room.layout().zoneOfDevice(ResourceNames.GPU, device)]++;
        }
        return byZone;
    }

    /** Takes room for a pod or a hold. */
    void take(InternedRequirement requirement, int[] onDevices, NumaPlacement onNuma) {
        change(requirement, 1);
        devices.take(onDevices, requirement.gpus(), requirement.shareMilli(this));
        if (!onNuma.isEmpty()) {
            ledger().take(onNuma);
        }
        changed();
    }

    /** Gives the room of a pod or a hold back. */
    void give(InternedRequirement requirement, int[] onDevices, NumaPlacement onNuma) {
        change(requirement, -1);
        devices.give(onDevices, requirement.gpus(), requirement.shareMilli(this));
        if (!onNuma.isEmpty()) {
            ledger().give(onNuma);
        }
        changed();
    }

    void heldBy(int sign) {
        held += sign;
    }

    /** Claims of pods that get a place here are promised volumes. */
    void promise(List<ClaimPlacement> placed) {
        if (!placed.isEmpty()) {
            placed.forEach(cluster.promises()::make);
        }
    }

    /** Whether claims can be promised this beside what was promised. */
    boolean canPromise(List<ClaimPlacement> placed) {
        return placed.isEmpty() || cluster.promises().stand(placed);
    }

    /** The same taken back. */
    void withdraw(List<ClaimPlacement> placed) {
        if (!placed.isEmpty()) {
            placed.forEach(cluster.promises()::withdraw);
        }
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
                healthEpisodes(),
                numaOrigin,
                numa,
                numaRoom == null ? List.of() : numaRoom.unknown(),
                unaligned.stream().map(InternedRequirement::requirement).toList(),
                awayMillis);
    }

    boolean hasRow() {
        return origin != null || healthOrigin != null || numaOrigin != null || awayMillis > 0 || health != null;
    }
}
