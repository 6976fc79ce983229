package dev.muster.standalone.demo;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.MemberPlacement;
import dev.muster.schemas.decision.NodePlacement;
import dev.muster.schemas.decision.PlaceGang;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;

/**
 * How long the path takes. The clock of a placement starts when the last of its pods was published to topic {@code pods};
 * it stops, for the decision, when a reader of committed records has it in hand, and for each pod when the event that
 * shows it bound was published. Workloads that had to wait for room are counted apart: theirs is the queue's time.
 */
final class LatencyMeter {
    private static final long HIGHEST_MILLIS = 24 * 3_600_000L;

    private record Placement(long startMillis, boolean waited) {}

    private final Map<String, Long> publishedMillis = new HashMap<>();
    private final Map<String, Placement> placements = new HashMap<>();
    private final Set<String> waited = new HashSet<>();
    private final Histogram decision = new Histogram(HIGHEST_MILLIS, 3);
    private final Histogram bound = new Histogram(HIGHEST_MILLIS, 3);
    private final Histogram waiting = new Histogram(HIGHEST_MILLIS, 3);

    /** A pod was published for the first time. */
    void published(String uid, long timeMillis) {
        publishedMillis.putIfAbsent(uid, timeMillis);
    }

    /** The scheduler said that a workload waits for room. */
    void waits(String workload) {
        waited.add(workload);
    }

    /** A placement was read, committed. */
    void decided(Decision decided, PlaceGang placement, long timeMillis) {
        long start = -1;
        for (NodePlacement node : placement.getNodes()) {
            for (MemberPlacement member : node.getMembers()) {
                start = Math.max(start, publishedMillis.getOrDefault(member.getUid(), -1L));
            }
        }
        if (start < 0) {
            return;
        }
        Placement begun = new Placement(start, waited.contains(decided.getWorkload()));
        for (NodePlacement node : placement.getNodes()) {
            for (MemberPlacement member : node.getMembers()) {
                placements.putIfAbsent(member.getUid(), begun);
            }
        }
        (begun.waited() ? waiting : decision).recordValue(clamp(timeMillis - start));
    }

    /** A pod's event shows it bound. */
    void bound(String uid, long timeMillis) {
        Placement placement = placements.get(uid);
        if (placement != null && !placement.waited()) {
            bound.recordValue(clamp(timeMillis - placement.startMillis()));
        }
    }

    /** A pod is gone or finished: nothing more is measured of it. */
    void forget(String uid) {
        publishedMillis.remove(uid);
        placements.remove(uid);
    }

    Latency decision() {
        return Latency.of(decision);
    }

    Latency bound() {
        return Latency.of(bound);
    }

    Latency waiting() {
        return Latency.of(waiting);
    }

    private static long clamp(long millis) {
        return Math.clamp(millis, 0, HIGHEST_MILLIS);
    }
}
