package dev.muster.standalone.cli;

import dev.muster.schemas.decision.WorkloadState;
import dev.muster.schemas.decision.WorkloadStatus;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * When workloads that wait may start, by how many of their queue ended within the last hour: each that ends is taken to make
 * room for one, in the order of the queue. Where deadlines bound how long workloads of the queue run, no later than as many of
 * them are over. Nothing is said where fewer than three ended and no deadlines are known, or where what a workload waits for is
 * not the end of others.
 */
final class StartEstimate {
    private static final long WINDOW_MILLIS = 3_600_000;
    private static final int FEWEST = 3;

    /** Reasons that go away when others end. */
    private static final Set<String> GOES_AWAY =
            Set.of("NotEnoughRoom", "WaitingForQuota", "AwaitingEvictions", "BehindInQueue");

    private final long nowMillis;
    private final long windowMillis;
    private final int ended;
    /** When workloads that run have ended at the latest, those that deadlines bound, the first first. */
    private final List<Long> deadlines;

    /** @param ofQueue all workloads of a queue that are known, whatever became of them */
    StartEstimate(Collection<WorkloadStatus> ofQueue, long nowMillis) {
        this.nowMillis = nowMillis;
        long known = ofQueue.stream()
                .mapToLong(WorkloadStatus::getArrivedMillis)
                .min()
                .orElse(nowMillis);
        this.windowMillis = Math.min(WINDOW_MILLIS, Math.max(0, nowMillis - known));
        this.ended = (int) ofQueue.stream()
                .filter(status -> over(status.getState()) && status.getSinceMillis() >= nowMillis - windowMillis)
                .count();
        this.deadlines = ofQueue.stream()
                .filter(Statuses::runs)
                .map(WorkloadStatus::getEndsByMillis)
                .filter(millis -> millis > 0)
                .map(millis -> Math.max(millis, nowMillis))
                .sorted()
                .toList();
    }

    private static boolean over(WorkloadState state) {
        return state == WorkloadState.COMPLETED || state == WorkloadState.FAILED;
    }

    /** When the one at a position, the first being 1, may start, epoch milliseconds; empty where that is not known. */
    Optional<Long> startMillis(WorkloadStatus waiting, int position) {
        boolean goesAway = waiting.getState() == WorkloadState.WAITING
                && GOES_AWAY.contains(waiting.getReason().getCode());
        if (!goesAway) {
            return Optional.empty();
        }
        long byRate = ended >= FEWEST ? nowMillis + position * windowMillis / ended : Long.MAX_VALUE;
        long byDeadlines = position <= deadlines.size() ? deadlines.get(position - 1) : Long.MAX_VALUE;
        long earlier = Math.min(byRate, byDeadlines);
        return earlier < Long.MAX_VALUE ? Optional.of(earlier) : Optional.empty();
    }

    /** What it is made of. */
    String basis() {
        String bounded = deadlines.isEmpty() ? "" : "; deadlines bound " + deadlines.size() + " that run";
        return ended + " ended in the last " + windowMillis / 1000 + " s" + bounded;
    }
}
