package dev.muster.scheduler.core.rule;

import dev.muster.scheduler.core.model.ClaimPlacement;
import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.NodeTerm;
import dev.muster.scheduler.core.model.Storage;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.Volumes;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What claims that wait for their first consumer get once a pod that uses them has a node, as Kubernetes' volume binder chooses:
 * the volume that is kept for the claim, else the smallest that will do, else one that is made there.
 *
 * <p>A claim gets one volume, whoever uses it: what it was promised counts for every further pod. Pods that are on a node while
 * their claim is not known to be bound yet (news of it is on the way) are taken to get what they would get now.
 */
final class VolumeMatcher {
    private final Volumes volumes;
    private final ClusterState cluster;
    private final SortedMap<String, Storage.Volume> available;
    /** What claims of pods on nodes probably get. */
    private final TreeMap<String, ClaimPlacement> likely = new TreeMap<>();

    private final Set<String> likelyTaken = new TreeSet<>();

    VolumeMatcher(Volumes volumes, ClusterState cluster) {
        this.volumes = volumes;
        this.cluster = cluster;
        this.available = volumes.available(cluster.name());
        volumes.unexplained(cluster).forEach((name, node) -> {
            ClaimPlacement placement = place(name, node, Collections.emptySet());
            if (placement != null) {
                likely.put(name, placement);
                likelyTaken.add(placement.volume());
            }
        });
    }

    /** What a claim gets on a node, none of the volumes taken; null where that is nothing. */
    ClaimPlacement place(String name, NodeState node, Set<String> taken) {
        Storage.Claim claim = volumes.claim(cluster.name(), name);
        ClaimPlacement known = cluster.promises().of(name);
        known = known == null ? likely.get(name) : known;
        if (known != null) {
            return reaches(known, claim, node) ? known : null;
        }
        if (!claim.selectedNode().isEmpty()) {
            return claim.selectedNode().equals(node.id().name())
                    ? ClaimPlacement.made(name, claim.selectedNode())
                    : null;
        }
        String match = match(name, claim, node, taken);
        if (match != null) {
            return ClaimPlacement.bound(name, match);
        }
        return canBeMade(claim, node) ? ClaimPlacement.made(name, node.id().name()) : null;
    }

    /** Whether pods on the node can use it: as far as that can be known of a volume that is made for another node. */
    private boolean reaches(ClaimPlacement placement, Storage.Claim claim, NodeState node) {
        if (placement.isMade()) {
            return placement.node().equals(node.id().name()) || claim.forManyNodes() && canBeMade(claim, node);
        }
        Storage.Volume volume = volumes.volume(cluster.name(), placement.volume());
        return volume != null && within(volume.nodeTerms(), node);
    }

    private boolean canBeMade(Storage.Claim claim, NodeState node) {
        Storage.Class storageClass = volumes.storageClass(cluster.name(), claim.storageClass());
        return storageClass != null
                && storageClass.provisions()
                && claim.selector().isEmpty()
                && within(storageClass.topologies(), node);
    }

    private String match(String name, Storage.Claim claim, NodeState node, Set<String> taken) {
        String best = null;
        long least = Long.MAX_VALUE;
        for (Map.Entry<String, Storage.Volume> entry : available.entrySet()) {
            String volumeName = entry.getKey();
            Storage.Volume volume = entry.getValue();
            boolean free = !taken.contains(volumeName)
                    && !likelyTaken.contains(volumeName)
                    && !cluster.promises().taken(volumeName);
            if (!free || !fits(name, claim, volume, node)) {
                continue;
            }
            if (volume.claim().equals(name)) {
                return volumeName;
            }
            if (volume.bytes() < least) {
                best = volumeName;
                least = volume.bytes();
            }
        }
        return best;
    }

    private static boolean fits(String name, Storage.Claim claim, Storage.Volume volume, NodeState node) {
        return (volume.claim().isEmpty() || volume.claim().equals(name))
                && volume.storageClass().equals(claim.storageClass())
                && volume.block() == claim.block()
                && volume.bytes() >= claim.bytes()
                && volume.accessModes().containsAll(claim.accessModes())
                && NodeExpression.all(claim.selector(), volume.labels())
                && within(volume.nodeTerms(), node);
    }

    /** Whether one of the terms matches, or there is none. */
    static boolean within(List<NodeTerm> terms, NodeState node) {
        if (node.facts() == null) {
            return false;
        }
        for (NodeTerm term : terms) {
            if (term.matches(node.facts().labels(), node.id().name())) {
                return true;
            }
        }
        return terms.isEmpty();
    }
}
