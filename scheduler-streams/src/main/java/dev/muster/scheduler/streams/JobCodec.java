package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.event.ClusterEvent;
import dev.muster.scheduler.core.event.ClusterEvent.JobCancelled;
import dev.muster.scheduler.core.event.ClusterEvent.JobResumed;
import dev.muster.scheduler.core.event.ClusterEvent.JobSubmitted;
import dev.muster.scheduler.core.event.ClusterEvent.JobSuspended;
import dev.muster.scheduler.core.model.SubmittedJob;
import dev.muster.schemas.job.JobAction;
import dev.muster.schemas.job.Submission;
import dev.muster.schemas.job.SubmittedTask;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Jobs that came as events. */
final class JobCodec {
    /** Pods of one job, over all tasks: a gang stays one record. */
    private static final int MOST_PODS = 10_000;

    private JobCodec() {}

    static ClusterEvent read(Submission from) {
        String tenant = Checks.name("tenant", from.getTenant());
        String commandId = Checks.id("commandId", from.getCommandId());
        String jobId = Checks.name("jobId", from.getJobId());
        long acceptedMillis = Checks.millis("acceptedMillis", from.getAcceptedMillis());
        return switch (from.getAction()) {
            case SUBMIT ->
                new JobSubmitted(
                        tenant, commandId, jobId, Checks.part("job", from.getJob(), JobCodec::readJob), acceptedMillis);
            case CANCEL -> new JobCancelled(tenant, commandId, jobId, acceptedMillis);
            case SUSPEND -> new JobSuspended(tenant, commandId, jobId, acceptedMillis);
            case RESUME -> new JobResumed(tenant, commandId, jobId, acceptedMillis);
        };
    }

    static Submission write(String domain, JobSubmitted from) {
        return new Submission(
                domain,
                from.tenant(),
                from.commandId(),
                from.jobId(),
                JobAction.SUBMIT,
                writeJob(from.job()),
                from.acceptedMillis());
    }

    static Submission write(String domain, JobCancelled from) {
        return new Submission(
                domain, from.tenant(), from.commandId(), from.jobId(), JobAction.CANCEL, null, from.acceptedMillis());
    }

    static Submission write(String domain, JobSuspended from) {
        return new Submission(
                domain, from.tenant(), from.commandId(), from.jobId(), JobAction.SUSPEND, null, from.acceptedMillis());
    }

    static Submission write(String domain, JobResumed from) {
        return new Submission(
                domain, from.tenant(), from.commandId(), from.jobId(), JobAction.RESUME, null, from.acceptedMillis());
    }

    static SubmittedJob readJob(dev.muster.schemas.job.SubmittedJob from) {
        List<SubmittedJob.Task> tasks = Checks.each("tasks", from.getTasks(), MOST_PODS, JobCodec::task);
        Set<String> names = new HashSet<>();
        long pods = 0;
        for (SubmittedJob.Task task : tasks) {
            pods += task.replicas();
            if (!names.add(task.name())) {
                throw InvalidFieldException.saying(
                        "tasks", "has " + Checks.printable(task.name()) + " twice, expected each task once");
            }
        }
        Checks.between("tasks", pods, 1, MOST_PODS);
        return new SubmittedJob(
                Checks.name("namespace", from.getNamespace()),
                Checks.nameOrEmpty("cluster", from.getCluster()),
                Checks.nameOrEmpty("queue", from.getQueue()),
                from.getPriority(),
                Checks.between("minAvailable", from.getMinAvailable(), 0, (int) pods),
                tasks,
                TopologyCodec.readNetwork(from.getNetworkTopology()),
                from.getSuspend());
    }

    static dev.muster.schemas.job.SubmittedJob writeJob(SubmittedJob from) {
        return new dev.muster.schemas.job.SubmittedJob(
                from.namespace(),
                from.cluster(),
                from.queue(),
                from.priority(),
                from.minAvailable(),
                Checks.map(
                        from.tasks(),
                        task -> new SubmittedTask(
                                task.name(),
                                task.replicas(),
                                task.minAvailable(),
                                RequirementCodec.write(task.requirement()),
                                task.templateHash(),
                                RequirementCodec.writeByKey(task.labels()))),
                TopologyCodec.writeNetwork(from.topology()),
                from.suspend());
    }

    private static SubmittedJob.Task task(SubmittedTask from) {
        int replicas = Checks.between("replicas", from.getReplicas(), 1, MOST_PODS);
        return new SubmittedJob.Task(
                Checks.name("name", from.getName()),
                replicas,
                Checks.between("minAvailable", from.getMinAvailable(), 0, replicas),
                Checks.part("requirement", from.getRequirement(), RequirementCodec::read),
                Checks.name("templateHash", from.getTemplateHash()),
                RequirementCodec.byKey("labels", from.getLabels()));
    }
}
