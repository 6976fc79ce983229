package dev.muster.standalone.cli;

import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.model.FairSharing.VolcanoShare;
import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.scheduler.core.state.QueueTrees;
import dev.muster.scheduler.core.state.Row;
import dev.muster.scheduler.streams.Decoded;
import dev.muster.scheduler.streams.EventCodec;
import dev.muster.schemas.common.Change;
import dev.muster.schemas.common.Origin;
import dev.muster.schemas.event.PolicyEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Policy objects that are there, from topic policies. */
final class QueueObjects {
    private record Listed(String cluster, String kind) {}

    private record Seen(long epoch, Row.PolicyObject object) {}

    private final Map<String, Seen> objects = new HashMap<>();
    private final Map<Listed, Long> listed = new HashMap<>();

    /** Takes a record of topic policies; null forgets the key. */
    void take(String key, PolicyEvent event) {
        if (event == null) {
            objects.remove(key);
            return;
        }
        Origin origin = event.getOrigin();
        if (origin.getChange() == Change.RESYNC_END) {
            listed.merge(new Listed(origin.getCluster(), event.getKind()), origin.getEpoch(), Math::max);
        } else if (origin.getChange() == Change.DELETE) {
            objects.remove(key);
        } else if (new EventCodec(origin.getDomain()).read(event) instanceof Decoded.Event decoded
                && decoded.event() instanceof PolicyChanged changed) {
            objects.put(
                    key,
                    new Seen(
                            origin.getEpoch(),
                            new Row.PolicyObject(changed.origin(), changed.kind(), changed.policy())));
        }
    }

    /** What queues and cohorts there are, as the scheduler sees them. */
    QueueTrees trees() {
        return new QueueTrees(current().values());
    }

    /** How Volcano Queues share. */
    VolcanoShare sharing() {
        return current().values().stream()
                .map(Row.PolicyObject::policy)
                .filter(SchedulerPolicy.class::isInstance)
                .map(policy -> ((SchedulerPolicy) policy).fairSharing().volcano())
                .findFirst()
                .orElse(SchedulerPolicy.DEFAULT.fairSharing().volcano());
    }

    private TreeMap<String, Row.PolicyObject> current() {
        TreeMap<String, Row.PolicyObject> current = new TreeMap<>();
        objects.values().forEach(seen -> {
            Row.PolicyObject object = seen.object();
            Listed its = new Listed(object.origin().cluster(), object.kind());
            if (seen.epoch() >= listed.getOrDefault(its, 0L)) {
                current.put(object.key(), object);
            }
        });
        return current;
    }
}
