package dev.muster.standalone.cli;

import dev.muster.schemas.job.JobCommand;
import dev.muster.schemas.job.JobResult;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.stack.Connection;
import dev.muster.standalone.stack.Tenant;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Option;

/** As whom a command is sent, and how long its answer is waited for. */
final class TenantOptions {
    @Option(
            names = "--tenant",
            paramLabel = "NAME",
            defaultValue = "default",
            description = "The tenant; default: default.")
    String tenant = "default";

    @Option(
            names = "--command-id",
            paramLabel = "ID",
            description = "Id of this command: sent again with the same id it changes nothing; default: a new one.")
    String commandId;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = DurationConverter.class,
            description = "How long to wait for the answer, 0s not at all; default: 30s.")
    Duration patience = Duration.ofSeconds(30);

    int send(ConnectionOptions options, Environment environment, JobCommand.Builder command) {
        Topics topics = options.topics(environment);
        requireName(topics);
        try (Connection connection = options.open(environment)) {
            JobCommand whole = command.setCommandId(
                            commandId == null ? UUID.randomUUID().toString() : commandId)
                    .build();
            Optional<JobResult> answer = new Tenant(connection, topics, tenant).ask(whole, patience);
            if (answer.isEmpty()) {
                if (patience.isZero()) {
                    environment.out().println("job " + whole.getJobId() + " sent, command " + whole.getCommandId());
                    return ExitCode.DONE;
                }
                throw CommandException.unreachable(
                        "job " + whole.getJobId() + " was sent but not answered within " + patience.toSeconds()
                                + " s: is an intake running?",
                        null);
            }
            return print(environment, whole, answer.get());
        }
    }

    private void requireName(Topics topics) {
        try {
            topics.jobs(tenant);
        } catch (IllegalArgumentException e) {
            throw CommandException.unusableInput("--tenant " + tenant + ": " + e.getMessage());
        }
    }

    private static int print(Environment environment, JobCommand command, JobResult answer) {
        StringBuilder line = new StringBuilder("job " + answer.getJobId() + ": "
                + command.getAction().name().toLowerCase(Locale.ROOT) + " "
                + answer.getStatus().toLowerCase(Locale.ROOT));
        if (!answer.getReason().isEmpty()) {
            line.append(" (").append(answer.getReason()).append(')');
        }
        if (!answer.getField().isEmpty()) {
            line.append(": ").append(answer.getField());
        }
        if (!answer.getMessage().isEmpty()) {
            line.append(": ").append(answer.getMessage());
        }
        boolean rejected = answer.getStatus().equals("Rejected");
        (rejected ? environment.err() : environment.out()).println(line);
        return rejected ? ExitCode.NO : ExitCode.DONE;
    }
}
