package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.model.DecisionId;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.List;

/** The decisions of one journal entry, numbered as they are made. */
final class Decisions {
    private final long sequence;
    private final long timeMillis;
    private int kept;
    private final List<Decision> made = new ArrayList<>();

    Decisions(long sequence, long timeMillis) {
        this.sequence = sequence;
        this.timeMillis = timeMillis;
    }

    /** The id that the next decision gets. */
    DecisionId nextId() {
        return new DecisionId(sequence, made.size());
    }

    /** An id for room that is kept without a decision: of no decision, and before those of the entry. */
    DecisionId nextKeptId() {
        return new DecisionId(sequence, - ++kept);
    }

    void add(Workload workload, long attempt, Action action) {
        made.add(new Decision(nextId(), timeMillis, workload.id(), attempt, action));
    }

    List<Decision> made() {
        return made;
    }
}
