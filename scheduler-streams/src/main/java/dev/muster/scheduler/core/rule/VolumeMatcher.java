package dev.muster.scheduler.core.rule;

import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.Storage;
import dev.muster.scheduler.core.state.ClusterState;
import dev.muster.scheduler.core.state.NodeState;
import dev.muster.scheduler.core.state.Volumes;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * Which volumes that exist already, such as local disks, claims could be bound to once their pods have a node: the smallest
 * that will do, as Kubernetes' volume binder chooses. What pods with a place, or room held for them, will get is promised.
 */
final class VolumeMatcher {
    private final SortedMap<String, Storage.Volume> available;
    private final Set<String> promised = new TreeSet<>();

    VolumeMatcher(Volumes volumes, ClusterState cluster) {
        this.available = volumes.available(cluster.name());
        if (available.isEmpty()) {
            return;
        }
        for (Volumes.Use use : volumes.uses(cluster)) {
            Storage.Claim claim = volumes.claim(cluster.name(), use.claim());
            if (claim != null && !claim.bound()) {
                promise(use.claim(), claim, use.node());
            }
        }
    }

    /** Keeps a volume for a claim whose pod is on the node, if there is one for it. */
    void promise(String name, Storage.Claim claim, NodeState node) {
        String match = match(name, claim, node, Collections.emptySet());
        if (match != null) {
            promised.add(match);
        }
    }

    /** The smallest volume that a claim could be bound to on a node, none of those taken; null where there is none. */
    String match(String name, Storage.Claim claim, NodeState node, Set<String> taken) {
        String best = null;
        long least = Long.MAX_VALUE;
        for (Map.Entry<String, Storage.Volume> entry : available.entrySet()) {
            Storage.Volume volume = entry.getValue();
            boolean free = !promised.contains(entry.getKey()) && !taken.contains(entry.getKey());
            if (free && volume.bytes() < least && fits(name, claim, volume, node)) {
                best = entry.getKey();
                least = volume.bytes();
            }
        }
        return best;
    }

    private static boolean fits(String name, Storage.Claim claim, Storage.Volume volume, NodeState node) {
        return (volume.claim().isEmpty() || volume.claim().equals(name))
                && volume.storageClass().equals(claim.storageClass())
                && volume.bytes() >= claim.bytes()
                && volume.accessModes().containsAll(claim.accessModes())
                && NodeExpression.all(claim.selector(), volume.labels())
                && node.facts() != null
                && (volume.nodeTerms().isEmpty() || VolumeFilter.matches(volume.nodeTerms(), node));
    }
}
