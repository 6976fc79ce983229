package dev.muster.ingest.intake;

import static dev.muster.ingest.intake.RefusalReason.ClusterNotAllowed;
import static dev.muster.ingest.intake.RefusalReason.Duplicate;
import static dev.muster.ingest.intake.RefusalReason.InvalidName;
import static dev.muster.ingest.intake.RefusalReason.MissingField;
import static dev.muster.ingest.intake.RefusalReason.NamespaceNotAllowed;
import static dev.muster.ingest.intake.RefusalReason.OutOfRange;
import static dev.muster.ingest.intake.RefusalReason.PriorityAboveCeiling;
import static dev.muster.ingest.intake.RefusalReason.QueueNotAllowed;

import dev.muster.schemas.common.KeyValue;
import dev.muster.schemas.common.PodRequirement;
import dev.muster.schemas.event.NetworkTopology;
import dev.muster.schemas.job.JobAction;
import dev.muster.schemas.job.JobCommand;
import dev.muster.schemas.job.JobSpec;
import dev.muster.schemas.job.JobTask;
import dev.muster.schemas.job.SubmittedJob;
import dev.muster.schemas.job.SubmittedTask;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Judges one command on its own: a function of the tenant's policy and the command, without memory, clock or I/O. Every
 * command gets a verdict; nothing a tenant writes makes it throw.
 */
final class SubmissionValidator {

    /** Most roles of a job. */
    static final int TASKS_MAX = 64;

    /** Most pods of a job, over all its roles. */
    static final int PODS_MAX = 10_000;

    /** The queue of a job that names none. */
    static final String DEFAULT_QUEUE = "default";

    /** Labels that the binder puts on the pods it makes, so that rules of other pods can name them. */
    private static final String JOB = "muster.dev/job";

    private static final String TASK = "muster.dev/task";

    private final PodTemplateReader templates;

    SubmissionValidator(PodTemplateReader templates) {
        this.templates = templates;
    }

    /** The verdict on a command of a tenant. */
    Validation validate(TenantPolicy policy, JobCommand command) {
        try {
            checkIds(command);
            if (command.getAction() == JobAction.SUBMIT) {
                return submit(policy, command);
            }
            require(
                    command.getJob() == null,
                    RefusalReason.FieldNotAllowed,
                    "job",
                    "is not allowed with " + command.getAction());
            return new Validation.OfKnownJob();
        } catch (Refused e) {
            return new Validation.Invalid(e.refusal());
        }
    }

    private static void checkIds(JobCommand command) throws Refused {
        require(!command.getCommandId().isEmpty(), MissingField, "commandId", "is missing");
        require(
                Names.isCommandId(command.getCommandId()),
                InvalidName,
                "commandId",
                "expected 1 to " + Names.COMMAND_ID_MAX + " letters, digits and . _ : -, got "
                        + Names.quote(command.getCommandId()));
        requireLabel(command.getJobId(), "jobId");
    }

    private Validation submit(TenantPolicy policy, JobCommand command) throws Refused {
        JobSpec spec = command.getJob();
        require(spec != null, MissingField, "job", "is missing");
        String queue = spec.getQueue().isEmpty() ? DEFAULT_QUEUE : spec.getQueue();
        checkPlace(policy, spec, queue);
        checkPriority(policy, spec.getPriority());
        checkTasks(command.getJobId(), spec.getTasks());

        SortedMap<String, String> jsonByHash = new TreeMap<>();
        List<SubmittedTask> tasks = new ArrayList<>(spec.getTasks().size());
        for (int i = 0; i < spec.getTasks().size(); i++) {
            JobTask task = spec.getTasks().get(i);
            Map<String, String> marks = Map.of(JOB, command.getJobId(), TASK, task.getName());
            PodTemplateReader.Template template = templates.read(
                    task.getPodTemplate(), spec.getNamespace(), marks, "job.tasks[" + i + "].podTemplate");
            PodRequirement requirement = template.requirement();
            requirement.setCluster(spec.getCluster());
            jsonByHash.put(template.hash(), template.json());
            List<KeyValue> labels = new ArrayList<>();
            template.labels().forEach((key, value) -> labels.add(new KeyValue(key, value)));
            tasks.add(new SubmittedTask(
                    task.getName(), task.getReplicas(), minimumOf(task), requirement, template.hash(), labels));
        }
        checkNetwork(spec.getNetworkTopology());
        SubmittedJob job = new SubmittedJob(
                spec.getNamespace(),
                spec.getCluster(),
                queue,
                spec.getPriority(),
                minimumOf(spec),
                tasks,
                spec.getNetworkTopology(),
                spec.getSuspend());
        return new Validation.Submit(job, jsonByHash);
    }

    private static void checkPlace(TenantPolicy policy, JobSpec spec, String queue) throws Refused {
        requireLabel(spec.getNamespace(), "job.namespace");
        require(
                policy.namespaces().allows(spec.getNamespace()),
                NamespaceNotAllowed,
                "job.namespace",
                "may not be used by this tenant: " + Names.quote(spec.getNamespace()));
        requireLabel(queue, "job.queue");
        require(
                policy.queues().allows(queue),
                QueueNotAllowed,
                "job.queue",
                "may not be used by this tenant: " + Names.quote(queue));
        if (!spec.getCluster().isEmpty()) {
            requireLabel(spec.getCluster(), "job.cluster");
            require(
                    policy.clusters().allows(spec.getCluster()),
                    ClusterNotAllowed,
                    "job.cluster",
                    "may not be used by this tenant: " + Names.quote(spec.getCluster()));
        }
    }

    private static void checkNetwork(NetworkTopology network) throws Refused {
        if (network == null) {
            return;
        }
        String field = "job.networkTopology.";
        require(
                network.getHighestTier() >= -1,
                OutOfRange,
                field + "highestTier",
                "expected -1 (no limit) or a tier from 0, got " + network.getHighestTier());
        String name = network.getHighestTierName();
        require(
                name.isEmpty() || Names.isQualifiedName(name),
                InvalidName,
                field + "highestTierName",
                "expected a name of letters, digits and . _ - /, got " + Names.quote(name));
        require(
                name.isEmpty() || network.getHighestTier() < 0,
                Duplicate,
                field + "highestTierName",
                "names a tier beside highestTier: give one of them");
    }

    private static void checkPriority(TenantPolicy policy, int priority) throws Refused {
        require(
                priority >= -TenantPolicy.PRIORITY_MAX,
                OutOfRange,
                "job.priority",
                "expected at least -" + TenantPolicy.PRIORITY_MAX + ", got " + priority);
        require(
                priority <= policy.priorityCeiling(),
                PriorityAboveCeiling,
                "job.priority",
                "expected at most " + policy.priorityCeiling() + " for this tenant, got " + priority);
    }

    private static void checkTasks(String jobId, List<JobTask> tasks) throws Refused {
        require(
                !tasks.isEmpty() && tasks.size() <= TASKS_MAX,
                OutOfRange,
                "job.tasks",
                "expected 1 to " + TASKS_MAX + " tasks, got " + tasks.size());
        Set<String> names = new HashSet<>();
        long pods = 0;
        for (int i = 0; i < tasks.size(); i++) {
            JobTask task = tasks.get(i);
            String at = "job.tasks[" + i + "]";
            requireLabel(task.getName(), at + ".name");
            require(names.add(task.getName()), Duplicate, at + ".name", "is used by an earlier task");
            require(
                    task.getReplicas() >= 1 && task.getReplicas() <= PODS_MAX,
                    OutOfRange,
                    at + ".replicas",
                    "expected 1 to " + PODS_MAX + ", got " + task.getReplicas());
            require(
                    task.getMinAvailable() >= -1 && task.getMinAvailable() <= task.getReplicas(),
                    OutOfRange,
                    at + ".minAvailable",
                    "expected -1 (all) or 0 to " + task.getReplicas() + ", got " + task.getMinAvailable());
            checkPodNames(jobId, task, at);
            pods += task.getReplicas();
            require(
                    pods <= PODS_MAX,
                    OutOfRange,
                    at + ".replicas",
                    "brings the job above " + PODS_MAX + " pods: " + pods);
        }
    }

    /** The longest pod name, {@code jobId-task-index}, has to be a DNS label: it is the pod's host name too. */
    private static void checkPodNames(String jobId, JobTask task, String at) throws Refused {
        String longest = jobId + '-' + task.getName() + '-' + (task.getReplicas() - 1);
        require(
                longest.length() <= Names.LABEL_MAX,
                OutOfRange,
                at + ".name",
                "makes the pod name " + Names.quote(longest) + " " + longest.length() + " characters long, at most "
                        + Names.LABEL_MAX + " are allowed: shorten jobId or the task's name");
    }

    private static int minimumOf(JobTask task) {
        return task.getMinAvailable() < 0 ? task.getReplicas() : task.getMinAvailable();
    }

    private static int minimumOf(JobSpec spec) throws Refused {
        int least = 0;
        int most = 0;
        for (JobTask task : spec.getTasks()) {
            least += minimumOf(task);
            most += task.getReplicas();
        }
        int minimum = spec.getMinAvailable() == -1 ? least : spec.getMinAvailable();
        require(
                minimum >= Math.max(1, least) && minimum <= most,
                OutOfRange,
                "job.minAvailable",
                "expected -1 or " + Math.max(1, least) + " (the sum of the tasks' minimum) to " + most + ", got "
                        + minimum);
        return minimum;
    }

    private static void requireLabel(String name, String field) throws Refused {
        require(!name.isEmpty(), MissingField, field, "is missing");
        require(
                Names.isDnsLabel(name),
                InvalidName,
                field,
                "expected a DNS label (a-z, 0-9 and '-', at most 63 characters), got " + Names.quote(name));
    }

    private static void require(boolean holds, RefusalReason reason, String field, String message) throws Refused {
        if (!holds) {
            throw new Refused(reason, field, message);
        }
    }
}
