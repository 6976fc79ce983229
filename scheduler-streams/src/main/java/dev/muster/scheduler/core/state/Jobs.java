package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.SubmittedJob;
import dev.muster.scheduler.core.model.WorkloadId;
import dev.muster.scheduler.core.model.WorkloadKind;
import java.util.List;
import java.util.TreeMap;

/** Jobs that came as events: workloads whose pods the binder has yet to create. */
public final class Jobs {
    private final DomainState state;

    public Jobs(DomainState state) {
        this.state = state;
    }

    /** Takes a job that came as an event; false when its id is known already. */
    public boolean submitted(String tenant, String jobId, SubmittedJob job) {
        WorkloadId id = WorkloadId.ofJob(tenant, jobId);
        if (state.workloads.containsKey(id)) {
            return false;
        }
        Workload workload = new Workload(id, WorkloadKind.JOB, job.cluster(), job.namespace(), jobId, tenant);
        workload.arrivedSequence = state.nextSequence;
        workload.arrivedMillis = state.timeMillis;
        workload.sinceMillis = state.timeMillis;
        workload.suspended = job.suspend();
        state.workloads.put(id, workload);
        fillSlots(workload, job, List.of());
        state.podTerms.referJob(workload, 1);
        return true;
    }

    /** Makes the places for a submitted job's pods. */
    void fillSlots(Workload workload, SubmittedJob job, List<Row.EndedSlot> ended) {
        workload.job = job;
        workload.queue = job.queue().isEmpty() ? Members.DEFAULT_QUEUE : job.queue();
        state.queues.resolve(workload);
        workload.priority = job.priority();
        workload.minMember = Math.max(1, job.minAvailable());
        workload.taskMinimums = new TreeMap<>();
        for (int podSet = 0; podSet < job.tasks().size(); podSet++) {
            SubmittedJob.Task task = job.tasks().get(podSet);
            workload.taskMinimums.put(task.name(), task.minAvailable());
            SeenPod unmade = new SeenPod(job.namespace(), task.labels(), false);
            PodSet set = new PodSet(workload, task.name(), task.templateHash(), unmade);
            workload.add(set);
            InternedRequirement requirement = state.interner.requirement(task.requirement());
            for (int index = 0; index < task.replicas(); index++) {
                String name = workload.object() + "-" + task.name() + "-" + index;
                Member member = new Member(set, index, name, requirement);
                set.add(member);
                workload.size++;
            }
        }
        workload.endedSlots = ended;
        List<PodSet> inOrder = workload.podSetsInOrder();
        for (Row.EndedSlot slot : ended) {
            for (Member member : inOrder.get(slot.podSet()).members()) {
                if (member.index() == slot.index()) {
                    member.end(slot.succeeded());
                    member.endKept();
                }
            }
        }
        inOrder.forEach(set -> set.members().forEach(member -> state.recount(workload, member)));
    }

    /** The workload of a submitted job; null when it is not known. */
    public Workload job(String tenant, String jobId) {
        return state.workloads.get(WorkloadId.ofJob(tenant, jobId));
    }

    /** Marks a submitted job as cancelled; false when it has ended. */
    public boolean cancel(Workload workload) {
        if (workload.cancelled || workload.state.ended()) {
            return false;
        }
        workload.cancelled = true;
        state.touch(workload);
        return true;
    }

    /** Marks a submitted job as suspended; false when it is, or has ended. */
    public boolean suspend(Workload workload) {
        if (workload.suspended || workload.cancelled || workload.state.ended()) {
            return false;
        }
        workload.suspended = true;
        state.wakeUp(workload);
        state.touch(workload);
        return true;
    }

    /**
     * Lets a suspended job go on; false when it is not suspended. It arrives anew: who steps aside by itself keeps no place in
     * the queue. What failed before counts no more.
     */
    public boolean resume(Workload workload) {
        if (!workload.suspended || workload.cancelled || workload.state.ended()) {
            return false;
        }
        workload.suspended = false;
        workload.failures = 0;
        state.arrivedAnew(workload);
        state.mark(workload);
        return true;
    }
}
