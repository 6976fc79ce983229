package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Somebody who drains: evicts pods at the moments, counted from the cluster's start, that their annotation {@code
 * muster.dev/evict-at} names. Like kubectl it tries again every five seconds where a disruption budget says no. A pod that
 * came after its moment is left alone: it stands in for one that was evicted.
 */
final class DrainController implements Controller {

    private static final Logger LOG = LoggerFactory.getLogger(DrainController.class);
    private static final String EVICT_AT = "muster.dev/evict-at";
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final int TOO_MANY_REQUESTS = 429;

    private final VersionedStore store;
    private final PodSubresources pods;
    private final Timeline timeline;
    private final long beganMillis;
    private final Set<String> awaited = new HashSet<>();

    DrainController(VersionedStore store, PodSubresources pods, Timeline timeline) {
        this.store = store;
        this.pods = pods;
        this.timeline = timeline;
        this.beganMillis = timeline.elapsedMillis();
    }

    @Override
    public Collection<ObjectKey> concerns(Change change) {
        boolean meant = change.kind().equals(ResourceKinds.PODS)
                && change.type() == Change.Type.ADDED
                && !Json.annotation(change.object(), EVICT_AT).isEmpty();
        return meant ? List.of(change.key()) : List.of();
    }

    @Override
    public Optional<Duration> reconcile(ObjectKey key) {
        StoredObject pod = store.get(ResourceKinds.PODS, key);
        Optional<Duration> at = pod == null || pod.deleting() ? Optional.empty() : moment(pod);
        if (at.isEmpty()) {
            return Optional.empty();
        }
        long left = beganMillis + at.get().toMillis() - timeline.elapsedMillis();
        if (left > 0) {
            awaited.add(pod.uid());
            return Optional.of(Duration.ofMillis(left));
        }
        return awaited.contains(pod.uid()) ? evict(pod) : Optional.empty();
    }

    private Optional<Duration> evict(StoredObject pod) {
        try {
            pods.evict(pod.key(), eviction(pod));
        } catch (ApiException e) {
            if (e.code() == TOO_MANY_REQUESTS) {
                return Optional.of(RETRY_AFTER);
            }
            throw e;
        }
        awaited.remove(pod.uid());
        return Optional.empty();
    }

    private static ObjectNode eviction(StoredObject pod) {
        ObjectNode eviction = Json.object();
        eviction.putObject("metadata").put("name", pod.key().name());
        eviction.putObject("deleteOptions").putObject("preconditions").put("uid", pod.uid());
        return eviction;
    }

    private static Optional<Duration> moment(StoredObject pod) {
        try {
            return Optional.of(SimulatedDurations.parse(Json.annotation(pod.json(), EVICT_AT)));
        } catch (IllegalArgumentException e) {
            LOG.warn("{}: {} is ignored: {}", pod.key(), EVICT_AT, e.getMessage());
            return Optional.empty();
        }
    }
}
