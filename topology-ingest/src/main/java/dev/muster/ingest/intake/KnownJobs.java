package dev.muster.ingest.intake;

import dev.muster.schemas.job.JobAction;
import dev.muster.schemas.job.Submission;
import dev.muster.schemas.job.SubmittedJob;
import dev.muster.schemas.job.SubmittedTask;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which commands and jobs were accepted, by tenant. It is made of topic submissions alone: read from there at start,
 * and fed with what is written there afterwards, through the same method. Each tenant's memory is bounded by itself:
 * when it is full the tenant's oldest entries are forgotten, and only commands that repeat those are taken for new.
 */
final class KnownJobs {

    /** An accepted job: what it asked for, in short, and what was made of it since. */
    record Job(String fingerprint, boolean cancelled, boolean suspended) {

        /** The job after a command about it was accepted. */
        Job after(JobAction action) {
            return switch (action) {
                case SUBMIT -> this;
                case CANCEL -> new Job(fingerprint, true, suspended);
                case SUSPEND -> new Job(fingerprint, cancelled, true);
                case RESUME -> new Job(fingerprint, cancelled, false);
            };
        }
    }

    /** An accepted command: what it asked for. {@code fingerprint} is empty but for SUBMIT. */
    record Command(JobAction action, String jobId, String fingerprint) {}

    private record Memory(Map<String, Job> jobs, Map<String, Command> commands) {}

    private final int maxPerTenant;
    private final Map<String, Memory> byTenant = new HashMap<>();

    /** @param maxPerTenant most jobs, and most commands, that are remembered of one tenant */
    KnownJobs(int maxPerTenant) {
        this.maxPerTenant = maxPerTenant;
    }

    /** Remembers an accepted command: the only way in. */
    void apply(Submission submission) {
        Memory memory = byTenant.computeIfAbsent(
                submission.getTenant(), tenant -> new Memory(new Bounded<>(maxPerTenant), new Bounded<>(maxPerTenant)));
        String jobId = submission.getJobId();
        if (submission.getAction() == JobAction.SUBMIT) {
            String fingerprint = fingerprint(submission.getJob());
            memory.jobs.put(
                    jobId, new Job(fingerprint, false, submission.getJob().getSuspend()));
            memory.commands.put(submission.getCommandId(), new Command(JobAction.SUBMIT, jobId, fingerprint));
        } else {
            memory.jobs.computeIfPresent(jobId, (id, job) -> job.after(submission.getAction()));
            memory.commands.put(submission.getCommandId(), new Command(submission.getAction(), jobId, ""));
        }
    }

    /** The tenant's accepted job of that id. */
    Optional<Job> job(String tenant, String jobId) {
        return Optional.ofNullable(byTenant.get(tenant)).map(memory -> memory.jobs.get(jobId));
    }

    /** The tenant's accepted command of that id. */
    Optional<Command> command(String tenant, String commandId) {
        return Optional.ofNullable(byTenant.get(tenant)).map(memory -> memory.commands.get(commandId));
    }

    /**
     * What a job asks for, in short: two jobs with equal fingerprints are the same job. The worked-out requirement is
     * left out, so that a later release that works it out differently still knows the jobs of an earlier one.
     */
    static String fingerprint(SubmittedJob job) {
        StringBuilder text = new StringBuilder();
        text.append(job.getNamespace())
                .append('\n')
                .append(job.getCluster())
                .append('\n')
                .append(job.getQueue())
                .append('\n')
                .append(job.getPriority())
                .append('\n')
                .append(job.getMinAvailable());
        for (SubmittedTask task : job.getTasks()) {
            text.append('\n').append(task.getName()).append(' ').append(task.getReplicas());
            text.append(' ').append(task.getMinAvailable()).append(' ').append(task.getTemplateHash());
        }
        if (job.getSuspend()) {
            text.append("\nsuspend"); // not said of others, whose fingerprints stay what they were
        }
        return Hashes.sha256(text.toString());
    }

    /** Forgets its oldest entry when it is full. */
    @SuppressWarnings("serial")
    private static final class Bounded<V> extends LinkedHashMap<String, V> {
        private final int max;

        Bounded(int max) {
            this.max = max;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            return size() > max;
        }
    }
}
