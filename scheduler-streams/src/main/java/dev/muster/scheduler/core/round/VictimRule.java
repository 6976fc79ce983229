package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.decision.Action.Evict;
import dev.muster.scheduler.core.state.Overlay.Reservation;
import java.util.Comparator;
import java.util.List;

/** By what right some workloads may be evicted for another, and what that right asks for. */
interface VictimRule {
    /** Those that may go. */
    List<Spare> spares();

    /** Why those go that were found: code of the decision. */
    String reason(List<Spare> hit);

    /** Whether one more of a workload may go, with those off that are off now. */
    default boolean mayGo(Spare spare) {
        return true;
    }

    /** Whether there is quota for what is to be placed, with those off that are off now. */
    boolean covers(List<Reservation> plan);

    /** Whose eviction is to be avoided first. */
    Comparator<Spare> dearestFirst();

    /** Nobody with a larger number goes, not even one that can be spared, before all with a smaller one have gone. */
    default int turn(Spare spare) {
        return 0;
    }

    /** Whether it matters only what nodes have, so that a search may go from node to node. */
    boolean byNodes();

    /** Lower priority, whatever the queue. */
    record Priority(List<Spare> spares) implements VictimRule {
        @Override
        public String reason(List<Spare> hit) {
            return Evict.LOWER_PRIORITY;
        }

        @Override
        public boolean covers(List<Reservation> plan) {
            return true;
        }

        @Override
        public Comparator<Spare> dearestFirst() {
            return Spare.DEAREST_FIRST;
        }

        @Override
        public boolean byNodes() {
            return true;
        }
    }
}
