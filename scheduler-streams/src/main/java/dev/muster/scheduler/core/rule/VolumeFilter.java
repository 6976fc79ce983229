package dev.muster.scheduler.core.rule;

import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.ClaimPlacement;
import dev.muster.scheduler.core.model.Storage;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.PodTerms.Refusal;
import dev.muster.scheduler.core.state.Volumes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where a pod can run by the claims it uses, for one kind of pod (kube-scheduler VolumeBinding, VolumeZone, VolumeRestrictions
 * and NodeVolumeLimits): bound volumes by their node affinity and their zone and region labels, claims that wait for a consumer by
 * volumes that could be bound or by where their class makes some, one pod for a claim that is for one pod, attach limits of
 * CSI drivers.
 */
public final class VolumeFilter {
    /** A claim that no node can have now: missing, unbound, lost or being deleted. */
    public static final String CLAIM = "VolumeClaim";

    /** Another pod uses a claim that is for one pod. */
    public static final String IN_USE = "VolumeInUse";

    public static final String AFFINITY = "VolumeNodeAffinity";
    public static final String ZONE = "VolumeZone";
    public static final String TOPOLOGY = "VolumeTopology";
    public static final String LIMIT = "VolumeLimit";

    private static final List<String> ZONE_LABELS =
            List.of("topology.kubernetes.io/zone", "topology.kubernetes.io/region");

    private final Volumes volumes;
    private final String cluster;
    private final List<String> claims;
    private final List<String> oncePod = new ArrayList<>();
    private final List<Bound> bound = new ArrayList<>();
    /** Claims that wait for their first consumer. */
    private final List<String> waiting = new ArrayList<>();

    private final VolumeMatcher matcher;
    private boolean anyRefused;
    /** Why no node will do; null where that depends on the node. */
    private final Refusal everywhere;

    private record Bound(String claim, Storage.Volume volume) {}

    public VolumeFilter(InternedRequirement requirement, ClusterState cluster, DomainState state) {
        this.volumes = state.volumes();
        this.cluster = cluster.name();
        this.claims = requirement.requirement().claims();
        this.everywhere = claims.isEmpty() ? null : resolve(cluster);
        this.matcher = waiting.isEmpty() ? null : new VolumeMatcher(volumes, cluster);
    }

    private Refusal resolve(ClusterState listed) {
        if (!volumes.listed(listed)) {
            return new Refusal(CLAIM, claims.getFirst() + " may not be listed yet");
        }
        for (String name : claims) {
            String problem = resolve(name);
            if (problem != null) {
                return new Refusal(CLAIM, name + " " + problem);
            }
            if (volumes.claim(cluster, name).oncePod()) {
                oncePod.add(name);
            }
        }
        return null;
    }

    /** What is wrong with a claim wherever the pod goes; null where nothing is. */
    private String resolve(String name) {
        Storage.Claim claim = volumes.claim(cluster, name);
        if (claim == null) {
            return "is missing";
        }
        if (claim.leaving()) {
            return "is being deleted";
        }
        if (volumes.isLeft(cluster, claim)) {
            return "is an earlier pod's";
        }
        if (claim.bound()) {
            Storage.Volume volume = volumes.volume(cluster, claim.volume());
            bound.add(new Bound(name, volume));
            return volume == null ? "is bound to a volume that is missing" : null;
        }
        Storage.Class storageClass = volumes.storageClass(cluster, claim.storageClass());
        if (storageClass == null || !storageClass.waits() || !claim.volume().isEmpty()) {
            return "is not bound";
        }
        waiting.add(name);
        anyRefused |= !claim.refusedNodes().isEmpty();
        return null;
    }

    /** What keeps such a pod from a node; null where nothing does. */
    public Refusal refusal(NodeState node) {
        if (claims.isEmpty()) {
            return null;
        }
        if (everywhere != null) {
            return everywhere;
        }
        for (String name : oncePod) {
            if (volumes.users(cluster, name) > 0) {
                return new Refusal(IN_USE, name);
            }
        }
        for (Bound one : bound) {
            if (!VolumeMatcher.within(one.volume().nodeTerms(), node)) {
                return new Refusal(AFFINITY, one.claim());
            }
            if (!zonesMatch(one.volume(), node)) {
                return new Refusal(ZONE, one.claim());
            }
        }
        String homeless = homeless(node, new ArrayList<>());
        return homeless != null ? new Refusal(TOPOLOGY, homeless) : limit(node);
    }

    /** What those of its claims get on a node that are not bound yet; of a node that nothing keeps it from. */
    public List<ClaimPlacement> placements(NodeState node) {
        List<ClaimPlacement> placements = new ArrayList<>();
        homeless(node, placements);
        return placements;
    }

    /** Whether one of its claims would get a volume made on a node for which its provisioner made none before. */
    public boolean refusedBefore(NodeState node) {
        for (ClaimPlacement placement : anyRefused ? placements(node) : List.<ClaimPlacement>of()) {
            Storage.Claim claim = volumes.claim(cluster, placement.claim());
            if (placement.isMade() && claim.refusedNodes().contains(placement.node())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Zone and region labels of a volume name the values a node may have, separated by two underscores; a node that has
     * neither label may be anywhere (kube-scheduler VolumeZone).
     */
    private static boolean zonesMatch(Storage.Volume volume, NodeState node) {
        Map<String, String> labels = node.facts().labels();
        if (ZONE_LABELS.stream().noneMatch(labels::containsKey)) {
            return true;
        }
        for (String label : ZONE_LABELS) {
            String allowed = volume.labels().get(label);
            if (allowed != null && !Arrays.asList(allowed.split("__")).contains(labels.getOrDefault(label, ""))) {
                return false;
            }
        }
        return true;
    }

    /** A claim that waits for its first consumer and can get no volume here, null where all can; what they get. */
    private String homeless(NodeState node, List<ClaimPlacement> placements) {
        Set<String> taken = new TreeSet<>();
        for (String name : waiting) {
            ClaimPlacement placement = matcher.place(name, node, taken);
            if (placement == null) {
                return name;
            }
            placements.add(placement);
            taken.add(placement.volume());
        }
        return null;
    }

    private Refusal limit(NodeState node) {
        Storage.CsiNode drivers = volumes.csiNode(node);
        if (drivers == null || drivers.limits().isEmpty()) {
            return null;
        }
        Set<String> before = new TreeSet<>();
        node.claims().forEach(claim -> addAttached(before, claim));
        Set<String> after = new TreeSet<>(before);
        claims.forEach(claim -> addAttached(after, claim));
        for (Amount limit : drivers.limits()) {
            String prefix = limit.resource() + " ";
            long attached = after.stream().filter(one -> one.startsWith(prefix)).count();
            long known = before.stream().filter(one -> one.startsWith(prefix)).count();
            if (attached > known && attached > limit.amount()) {
                return new Refusal(LIMIT, limit.resource());
            }
        }
        return null;
    }

    /** What a claim has attached: the driver and its volume; one that is to be made counts for the driver that makes it. */
    private void addAttached(Set<String> attached, String name) {
        Storage.Claim claim = volumes.claim(cluster, name);
        if (claim == null) {
            return;
        }
        Storage.Volume volume = claim.bound() ? volumes.volume(cluster, claim.volume()) : null;
        if (volume != null) {
            if (!volume.driver().isEmpty()) {
                attached.add(volume.driver() + " " + volume.handle());
            }
            return;
        }
        Storage.Class storageClass = volumes.storageClass(cluster, claim.storageClass());
        if (storageClass != null && storageClass.provisions()) {
            attached.add(storageClass.provisioner() + " " + name);
        }
    }
}
