package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.decision.Reason;
import dev.muster.scheduler.core.decision.ReasonCodes;
import dev.muster.scheduler.core.model.WorkloadId;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Gangs that start only together: PodGroups that name each other, as Koordinator's gang groups do
 * ({@code gang.scheduling.koordinator.sh/groups}). Those of which something runs are none of it any more: what they lose they
 * get back alone.
 *
 * @param waiting those that have yet to start, in the order of a round
 * @param fault why they cannot start now whatever room there is; null where they could
 */
record GangGroup(List<Workload> waiting, Reason fault) {

    static GangGroup of(Workload workload, DomainState state) {
        List<Workload> waiting = new ArrayList<>();
        for (String name : workload.startsWith()) {
            int slash = name.indexOf('/');
            Workload gang = slash < 0
                    ? null
                    : state.workload(WorkloadId.ofGroup(
                            workload.cluster(), workload.kind(), name.substring(0, slash), name.substring(slash + 1)));
            String fault = fault(gang, workload);
            if (!fault.isEmpty()) {
                return new GangGroup(List.of(), reason("it starts only together with " + name + ", " + fault));
            }
            if (!runs(gang)) {
                waiting.add(gang);
            }
        }
        waiting.sort(Comparator.comparing(Workload::place));
        return new GangGroup(waiting, null);
    }

    /** What keeps one of them from starting; empty for nothing. */
    private static String fault(Workload gang, Workload asking) {
        if (gang == null || !gang.specKnown()) {
            return "which is not there";
        }
        if (!gang.startsWith().equals(asking.startsWith())) {
            return "which does not name the same gangs";
        }
        if (runs(gang) || gang.place() != null) {
            return "";
        }
        if (gang.state().ended()) {
            return "which has ended";
        }
        return gang.complete() ? "which waits after a placement that failed" : "whose pods are not all there";
    }

    private static boolean runs(Workload gang) {
        return gang.ready() > 0 || gang.started();
    }

    /** What is said of those that would have found room. */
    static Reason reasonBesides(Workload lacking) {
        return reason("it starts only together with " + lacking.namespace() + "/" + lacking.object()
                + ", which finds too little room");
    }

    private static Reason reason(String message) {
        return new Reason(ReasonCodes.GANG_GROUP_INCOMPLETE, message, List.of());
    }
}
