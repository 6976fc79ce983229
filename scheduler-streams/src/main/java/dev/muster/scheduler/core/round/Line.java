package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.state.Workload;
import java.util.Iterator;

/**
 * What waits, one after the other in the order of a round. It comes in lanes of workloads that want the same of one queue:
 * once one of them found no room, those behind it in its lane can be left out, since within a round room only shrinks; and
 * where one of them lets others go first, so do those behind it.
 */
interface Line {
    /** The next workload; null when there is none. */
    Workload next();

    /** Leaves out those behind the last one in its lane, and returns them. */
    Iterator<Workload> leaveLane();

    /** Lets others go first: the last one, with those behind it in its lane, comes again when all others have been there. */
    void defer();

    /** Goes on with those that let others go first. */
    void again();
}
