package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.state.Member;
import dev.muster.scheduler.core.state.Workload;
import java.util.List;

/**
 * What is lost when pods of a workload go: the GPU time that they have worked since it was saved last, or since they were bound
 * where nothing says that it ever was. Members of a gang work on one thing, which one of them saves for all: the latest of what
 * they say counts for each. A time that is still to come counts as now.
 */
final class WorkLost {
    private final boolean together;
    private final long checkpointMillis;
    private final long nowMillis;

    /** @param bound its pods that have a node */
    WorkLost(Workload workload, List<Member> bound, long nowMillis) {
        this.together = workload.minMember() > 1;
        this.nowMillis = nowMillis;
        long latest = 0;
        for (Member member : bound) {
            latest = Math.max(latest, member.checkpointMillis());
        }
        this.checkpointMillis = Math.min(latest, nowMillis);
    }

    /** When any of its work was saved last; 0 where nothing says so. */
    long checkpointMillis() {
        return checkpointMillis;
    }

    /** Thousandths of GPUs times milliseconds, of these members. */
    long of(Iterable<Member> members) {
        long lost = 0;
        for (Member member : members) {
            long saved = together ? checkpointMillis : member.checkpointMillis();
            long since = Math.max(member.boundMillis(), saved);
            lost += member.requirement().requirement().gpuMilli() * Math.max(0, nowMillis - since);
        }
        return lost;
    }
}
