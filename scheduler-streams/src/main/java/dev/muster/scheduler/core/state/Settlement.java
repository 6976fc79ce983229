package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.decision.Reason;
import dev.muster.scheduler.core.decision.WorkloadStatus;
import dev.muster.scheduler.core.model.WorkloadId;
import dev.muster.scheduler.core.model.WorkloadState;
import java.util.ArrayList;
import java.util.List;

/** Draws the conclusions at the end of each entry: states of workloads, their place in the queue, and what is news outside. */
public final class Settlement {
    /** How long an ended job that came as an event is remembered, so that the same submission again changes nothing. */
    private static final long ENDED_JOB_MEMORY_MILLIS = 3_600_000;

    private final DomainState state;
    private final KeptRoom kept;
    private final SlotHolds slots;

    public Settlement(DomainState state, Members members) {
        this.state = state;
        this.kept = members.kept();
        this.slots = members.slots();
    }

    /** What the entry did to workloads: the statuses that changed and the ids that are gone; both by id. */
    public record Changes(List<WorkloadStatus> statuses, List<WorkloadId> forgotten) {}

    /**
     * Works out the states of the workloads that the entry touched, and what of them is new to the outside. Counts that
     * changed and nothing else are told with the next tick: a gang whose pods come, start or end one by one is told of once.
     */
    public Changes settle(boolean tick) {
        if (tick) {
            state.untold.values().forEach(state::touch);
            state.untold.clear();
        }
        kept.endWhatIsNotWanted();
        List<WorkloadStatus> statuses = new ArrayList<>();
        List<WorkloadId> forgotten = new ArrayList<>();
        for (Workload workload : state.touched()) {
            boolean wanted = kept.isSlotsOf(workload) ? slots.areWanted(workload) : workload.placeable();
            if (!wanted || forgettable(workload)) {
                kept.end(workload);
            }
            if (forgettable(workload)) {
                forget(workload);
                state.dirty(Row.Table.WORKLOADS, workload.id().value(), () -> rowOf(workload));
                if (workload.published != null) {
                    forgotten.add(workload.id());
                }
                continue;
            }
            settleState(workload);
            state.drains.settle(workload);
            Entitlement.settle(workload, state);
            state.queues.settle(workload);
            state.settlePlace(workload);
            if (isNews(workload, tick)) {
                statuses.add(workload.published);
            }
            Row.Workload row = workload.row();
            if (!row.equals(workload.written)) {
                workload.written = row;
                state.dirty(Row.Table.WORKLOADS, workload.id().value(), () -> rowOf(workload));
            }
        }
        state.queues.settleFronts();
        state.forgetTouched();
        return new Changes(statuses, forgotten);
    }

    private boolean isNews(Workload workload, boolean tick) {
        if (!tick && workload.untold && workload.differsInCountsOnly(workload.published)) {
            return false; // it is told with the next tick anyway
        }
        WorkloadStatus status = workload.status(state.sharing);
        if (!(tick && workload.untold)) {
            if (status.equals(workload.published)) {
                return false;
            }
            if (!tick && workload.published != null && workload.differsInCountsOnly(workload.published)) {
                workload.untold = true;
                state.untold.put(workload.id(), workload);
                return false;
            }
        }
        workload.published = status;
        workload.untold = false;
        state.untold.remove(workload.id());
        return true;
    }

    private Row rowOf(Workload workload) {
        return state.workloads.get(workload.id()) == workload ? workload.written : null;
    }

    private boolean forgettable(Workload workload) {
        if (!workload.holds().isEmpty()) {
            return false;
        }
        if (workload.job != null) {
            boolean remembered = !workload.state.ended() || workload.backoffUntilMillis > 0 || workload.hasPods();
            return !remembered;
        }
        boolean comesBack = !workload.lastPlaces.isEmpty() && state.jobOwns(workload);
        return workload.group == null && workload.size == 0 && !comesBack;
    }

    private void forget(Workload workload) {
        state.wakeUp(workload);
        if (workload.place != null) {
            state.placeable.remove(workload.place);
            state.lanes.remove(workload.place, workload);
            state.marked.remove(workload.place);
            state.queues.waitsNoLonger(workload.place, workload);
        }
        state.queues.forget(workload);
        state.drains.forget(workload);
        state.untold.remove(workload.id());
        state.workloads.remove(workload.id(), workload);
        state.running.changed(workload);
        state.podTerms.referJob(workload, -1);
    }

    private void settleState(Workload workload) {
        WorkloadState now = WorkloadStates.of(workload);
        Reason reason = WorkloadStates.reason(workload, now, workload.reason);
        boolean newCode = !reason.code().equals(workload.reason.code());
        // Pods that come and go do not make an old reason a new one.
        boolean sameWait = waits(now) && waits(workload.state) && !reason.code().isEmpty();
        if (newCode || now != workload.state && !sameWait) {
            workload.sinceMillis = state.timeMillis;
        }
        if (workload.job != null && now.ended() && !workload.state.ended()) {
            state.backOff(workload, state.timeMillis + ENDED_JOB_MEMORY_MILLIS);
        }
        // Free to go elsewhere, unless part of it has ended already: what is left runs where it began.
        if (workload.job != null && !workload.hasPods() && workload.holds().isEmpty() && !workload.started()) {
            workload.cluster = workload.job.cluster();
        }
        if (now == WorkloadState.RUNNING) {
            workload.failures = 0;
            workload.cascade = workload.state == WorkloadState.RUNNING ? workload.cascade : 0;
        }
        workload.state = now;
        workload.reason = reason;
        workload.onceStarted |= workload.started();
    }

    private static boolean waits(WorkloadState state) {
        return state == WorkloadState.INCOMPLETE || state == WorkloadState.WAITING;
    }
}
