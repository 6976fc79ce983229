package dev.muster.ingest.intake;

import dev.muster.schemas.job.JobAction;
import dev.muster.schemas.job.JobCommand;
import dev.muster.schemas.job.JobResult;
import dev.muster.schemas.job.Submission;
import dev.muster.schemas.job.SubmittedJob;
import java.util.Map;
import java.util.Optional;

/**
 * Decides about one command in the light of the tenant's earlier ones. The rules, in order: a command that is wrong
 * in itself is refused; a command id that was accepted before is answered as then, and means nothing else; a job id
 * stands for one job for ever; only a known job can be cancelled, suspended and resumed, and a cancelled one no more. A tenant sees its own jobs alone: another's are
 * unknown to it.
 */
final class CommandJudge {

    private static final int ECHO_MAX = Names.COMMAND_ID_MAX;

    private final SubmissionValidator validator;
    private final KnownJobs known;

    CommandJudge(SubmissionValidator validator, KnownJobs known) {
        this.validator = validator;
        this.known = known;
    }

    /**
     * The verdict on a command that arrived on the tenant's topic. Changes nothing: the caller feeds the submission
     * to {@link KnownJobs}.
     */
    Verdict judge(TenantPolicy policy, JobCommand command, long nowMillis) {
        return switch (validator.validate(policy, command)) {
            case Validation.Invalid invalid -> rejected(command, invalid.refusal(), nowMillis);
            case Validation.Submit submit -> submit(policy, command, submit, nowMillis);
            case Validation.OfKnownJob known -> ofKnownJob(policy, command, nowMillis);
        };
    }

    private Verdict submit(TenantPolicy policy, JobCommand command, Validation.Submit submit, long nowMillis) {
        String fingerprint = KnownJobs.fingerprint(submit.job());
        Optional<KnownJobs.Command> before = known.command(policy.tenant(), command.getCommandId());
        if (before.isPresent()) {
            return repeated(
                    command,
                    before.get(),
                    new KnownJobs.Command(JobAction.SUBMIT, command.getJobId(), fingerprint),
                    nowMillis);
        }
        Optional<KnownJobs.Job> job = known.job(policy.tenant(), command.getJobId());
        if (job.isEmpty()) {
            return accepted(policy, command, submit.job(), submit.templates(), nowMillis);
        }
        if (job.get().cancelled()) {
            return rejected(
                    command,
                    new Refusal(
                            RefusalReason.JobIdInUse, "jobId", "belongs to a job that was cancelled: choose another"),
                    nowMillis);
        }
        if (!job.get().fingerprint().equals(fingerprint)) {
            return rejected(
                    command,
                    new Refusal(RefusalReason.JobIdInUse, "jobId", "belongs to a different job: choose another"),
                    nowMillis);
        }
        return unchanged(command, nowMillis);
    }

    private Verdict ofKnownJob(TenantPolicy policy, JobCommand command, long nowMillis) {
        Optional<KnownJobs.Command> before = known.command(policy.tenant(), command.getCommandId());
        if (before.isPresent()) {
            return repeated(
                    command,
                    before.get(),
                    new KnownJobs.Command(command.getAction(), command.getJobId(), ""),
                    nowMillis);
        }
        Optional<KnownJobs.Job> job = known.job(policy.tenant(), command.getJobId());
        if (job.isEmpty()) {
            return rejected(
                    command,
                    new Refusal(RefusalReason.UnknownJob, "jobId", "is not the id of an accepted job"),
                    nowMillis);
        }
        if (job.get().cancelled() && command.getAction() != JobAction.CANCEL) {
            return rejected(
                    command,
                    new Refusal(RefusalReason.UnknownJob, "jobId", "belongs to a job that was cancelled"),
                    nowMillis);
        }
        return job.get().after(command.getAction()).equals(job.get())
                ? unchanged(command, nowMillis)
                : accepted(policy, command, null, Map.of(), nowMillis);
    }

    private static Verdict repeated(
            JobCommand command, KnownJobs.Command before, KnownJobs.Command now, long nowMillis) {
        return before.equals(now)
                ? unchanged(command, nowMillis)
                : rejected(
                        command,
                        new Refusal(RefusalReason.CommandIdInUse, "commandId", "belongs to a different command"),
                        nowMillis);
    }

    private static Verdict accepted(
            TenantPolicy policy, JobCommand command, SubmittedJob job, Map<String, String> templates, long nowMillis) {
        Submission submission = new Submission(
                policy.domain(),
                policy.tenant(),
                command.getCommandId(),
                command.getJobId(),
                command.getAction(),
                job,
                nowMillis);
        return new Verdict(
                Verdict.Kind.ACCEPTED,
                answer(command, Verdict.ACCEPTED_STATUS, "", "", "", nowMillis),
                Optional.of(submission),
                templates);
    }

    private static Verdict unchanged(JobCommand command, long nowMillis) {
        return new Verdict(
                Verdict.Kind.REPEATED,
                answer(command, Verdict.ACCEPTED_STATUS, "", "", "was accepted before; nothing changes", nowMillis),
                Optional.empty(),
                Map.of());
    }

    private static Verdict rejected(JobCommand command, Refusal refusal, long nowMillis) {
        return new Verdict(
                Verdict.Kind.REJECTED,
                answer(
                        command,
                        Verdict.REJECTED_STATUS,
                        refusal.reason().name(),
                        refusal.field(),
                        refusal.message(),
                        nowMillis),
                Optional.empty(),
                Map.of());
    }

    // Ids that break the rules are echoed escaped and cut: a stranger's megabyte is not sent back.
    private static JobResult answer(
            JobCommand command, String status, String reason, String field, String message, long nowMillis) {
        return new JobResult(
                Names.escape(command.getCommandId(), ECHO_MAX),
                Names.escape(command.getJobId(), ECHO_MAX),
                status,
                reason,
                field,
                message,
                nowMillis);
    }
}
