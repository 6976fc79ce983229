package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.model.FairSharing;
import dev.muster.scheduler.core.model.FairSharing.VolcanoShare;
import dev.muster.scheduler.core.model.QueueRef;
import dev.muster.scheduler.core.model.QuotaObject.ClusterQueue;
import dev.muster.scheduler.core.quota.FlavorResource;
import dev.muster.scheduler.core.quota.QuotaNode.Id;
import dev.muster.scheduler.core.quota.QuotaTree;
import dev.muster.scheduler.core.quota.Share;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.KeptRoom;
import dev.muster.scheduler.core.state.Queues;
import dev.muster.scheduler.core.state.VolcanoShares;
import dev.muster.scheduler.core.state.Workload;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Where queues stand against each other in a round. Of Kueue's, in fair sharing: the smaller share first, counted with what is
 * to be started. Of Volcano's: the higher priority of a queue first, then the smaller share of what it uses now.
 */
final class Standings {
    private static final SortedMap<FlavorResource, Long> NOTHING = Collections.emptySortedMap();

    private final Queues queues;
    private final KeptRoom kept;
    private final FairSharing policy;
    private final boolean volcano;
    private final VolcanoShares shares;
    /** What those ask for that were nominated; only looked up. */
    private final Map<Workload, SortedMap<FlavorResource, Long>> asked = new HashMap<>();

    Standings(DomainState state, KeptRoom kept) {
        this.queues = state.queues();
        this.kept = kept;
        this.policy = state.policy().fairSharing();
        this.shares = queues.volcanoShares();
        this.volcano = switch (policy.volcano()) {
            case NONE -> false;
            case DOMINANT -> true;
            case DESERVED, PROPORTION -> shares.anyDeserved();
        };
    }

    /** Where a queue stands: the smaller comes first. */
    record Standing(int priority, Share share) implements Comparable<Standing> {
        static final Standing NONE = new Standing(0, Share.NOTHING);

        @Override
        public int compareTo(Standing other) {
            int byPriority = Integer.compare(other.priority, priority);
            return byPriority != 0 ? byPriority : share.compareTo(other.share);
        }
    }

    /** Whether queues have an order at all: otherwise priority and arrival decide. */
    boolean matter() {
        return policy.enabled() || volcano || queues.objects().anyByUsage();
    }

    /** Whether what Kueue's queues borrow decides about their order, and not whether they borrow. */
    boolean byShare() {
        return policy.enabled();
    }

    /** Whether LocalQueues of a workload's queue come in the order of what they used. */
    boolean byUsage(Workload workload) {
        ClusterQueue queue = workload.queueRef().kind() == QueueRef.Kind.CLUSTER_QUEUE
                ? queues.objects().clusterQueue(workload.queueRef().name())
                : null;
        return queue != null && queue.byUsage();
    }

    /** A queue and what it is in, up to the root; empty for one that stands by itself. */
    List<Id> path(QueueRef queue) {
        boolean shares = queue.ofKueue() ? policy.enabled() : volcano;
        QuotaTree tree = shares ? queues.treeOf(queue) : null;
        Id id = Id.queue(queue.name());
        return tree == null || tree.disabled(id) ? List.of() : tree.path(id);
    }

    /** Where a node of a tree stands, when it is to start a workload of a queue that is in it. */
    Standing of(Id node, Workload nominee) {
        if (!nominee.queueRef().ofKueue()) {
            Share share = policy.volcano() == VolcanoShare.DOMINANT
                    ? shares.dominant(node, queues.volcano())
                    : shares.ofDeserved(node, queues.volcano());
            return new Standing(shares.priority(node), share);
        }
        return new Standing(0, queues.kueue().shareWith(node, nominee.queueRef().name(), askedBy(nominee)));
    }

    /** Whether a workload would use more than its queue owns. */
    boolean borrows(Workload nominee) {
        if (path(nominee.queueRef()).isEmpty() || !nominee.queueRef().ofKueue()) {
            return false;
        }
        String queue = nominee.queueRef().name();
        return queues.kueue()
                .shareWith(Id.queue(queue), queue, askedBy(nominee))
                .borrowing();
    }

    /** What a workload asks for, with the flavors that it would get now; nothing where it is charged already. */
    private SortedMap<FlavorResource, Long> askedBy(Workload workload) {
        return asked.computeIfAbsent(
                workload,
                one -> one.started() || kept.isFor(one)
                        ? NOTHING
                        : QuotaDemand.amounts(one, FlavorSearch.likely(queues, one)));
    }
}
