package dev.muster.standalone.cli;

import dev.muster.scheduler.streams.StartRefusedException;
import dev.muster.schemas.serde.RegistryException;
import dev.muster.schemas.serde.UndecodableException;
import dev.muster.schemas.topic.TopicMismatchException;
import dev.muster.standalone.broker.BrokerStartException;
import dev.muster.standalone.scenario.read.ScenarioFormatException;
import dev.muster.standalone.stack.MissingTopicException;
import dev.muster.standalone.trace.TraceFormatException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.AccessDeniedException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** The one table from what went wrong to what a person reads: one line and an exit code, never a stack trace unless asked for. */
final class FailureTable implements IExecutionExceptionHandler, IParameterExceptionHandler {
    private final Environment environment;

    /** So many characters at the beginning must agree for a name to be worth suggesting. */
    private static final int ALIKE = 3;

    FailureTable(Environment environment) {
        this.environment = environment;
    }

    /** What is said about a failure. */
    record Verdict(int exitCode, String line) {}

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        if (failure instanceof ParameterException parameter) {
            return handleParseException(parameter, new String[0]);
        }
        return report(failure);
    }

    /** Says what went wrong and returns the exit code. */
    int report(Throwable failure) {
        Verdict verdict = judge(failure);
        environment.err().println("muster: " + oneLine(verdict.line()));
        if (environment.debug()) {
            failure.printStackTrace(environment.err());
        } else if (verdict.exitCode() == ExitCode.INTERNAL) {
            environment.err().println("muster: this is a bug; MUSTER_DEBUG=1 shows where");
        }
        return verdict.exitCode();
    }

    @Override
    public int handleParseException(ParameterException failure, String[] args) {
        String name = failure.getCommandLine().getCommandSpec().qualifiedName();
        String message = oneLine(failure.getMessage())
                .replaceFirst("^Error: ", "")
                // What a converter threw, class and all, says nothing that its option and value do not.
                .replaceFirst(" \\(java\\..*\\)$", "");
        String suggestion = "";
        if (failure instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            String given = unmatched.getUnmatched().get(0);
            suggestion = unmatched.getSuggestions().stream()
                    .filter(s -> s.regionMatches(0, given, 0, Math.min(ALIKE, given.length())))
                    .findFirst()
                    .map(s -> "; did you mean " + s + "?")
                    .orElse("");
            if (name.equals("muster") && !given.startsWith("-")) {
                message = "there is no command " + given;
            }
        }
        environment.err().println("muster: " + message + suggestion + " (see " + name + " --help)");
        if (environment.debug()) {
            failure.printStackTrace(environment.err());
        }
        return ExitCode.UNUSABLE_INPUT;
    }

    static Verdict judge(Throwable failure) {
        return switch (failure) {
            case CommandException e -> new Verdict(e.exitCode(), e.getMessage());
            case ExecutionException e when e.getCause() != null -> judge(e.getCause());
            case CompletionException e when e.getCause() != null -> judge(e.getCause());
            case TraceFormatException e -> new Verdict(ExitCode.UNUSABLE_INPUT, e.getMessage());
            case ScenarioFormatException e -> new Verdict(ExitCode.UNUSABLE_INPUT, e.getMessage());
            case NoSuchFileException e -> new Verdict(ExitCode.UNUSABLE_INPUT, e.getFile() + ": no such file");
            case AccessDeniedException e -> new Verdict(ExitCode.UNUSABLE_INPUT, e.getFile() + ": permission denied");
            case BrokerStartException e -> new Verdict(ExitCode.UNREACHABLE, e.getMessage());
            case StartRefusedException e -> new Verdict(ExitCode.UNREACHABLE, e.getMessage());
            case TopicMismatchException e -> new Verdict(ExitCode.UNUSABLE_INPUT, e.getMessage());
            case RegistryException e -> new Verdict(ExitCode.UNREACHABLE, e.getMessage());
            case MissingTopicException e ->
                new Verdict(
                        ExitCode.UNREACHABLE,
                        e.getMessage() + ": is Muster installed there, with this --topic-prefix and --tenant?");
            case UndecodableException e -> new Verdict(ExitCode.UNUSABLE_INPUT, e.getMessage());
            case InvalidPathException e ->
                new Verdict(ExitCode.UNUSABLE_INPUT, "'" + e.getInput() + "': not the name of a file");
            case OutOfMemoryError e ->
                new Verdict(ExitCode.INTERNAL, "out of memory; MUSTER_JAVA_OPTS=-Xmx4g gives it more");
            case AuthenticationException e -> new Verdict(ExitCode.UNREACHABLE, "Kafka refuses us: " + e.getMessage());
            case AuthorizationException e -> new Verdict(ExitCode.UNREACHABLE, "Kafka refuses us: " + e.getMessage());
            case RetriableException e -> new Verdict(ExitCode.UNREACHABLE, "Kafka can't be reached: " + e.getMessage());
            case InterruptException e -> new Verdict(ExitCode.INTERRUPTED, "interrupted");
            case InterruptedException e -> new Verdict(ExitCode.INTERRUPTED, "interrupted");
            case ConfigException e ->
                new Verdict(ExitCode.UNUSABLE_INPUT, "Kafka's client can't be set up: " + e.getMessage());
            case KafkaException e
            when e.getClass() == KafkaException.class
                    && String.valueOf(e.getMessage()).matches("(?s)Failed to (construct|create).*") ->
                new Verdict(ExitCode.UNUSABLE_INPUT, "Kafka's client can't be set up: " + rootMessage(e));
            case KubernetesClientException e ->
                new Verdict(ExitCode.UNREACHABLE, "the API server can't be used: " + rootMessage(e));
            case ConnectException e -> new Verdict(ExitCode.UNREACHABLE, rootMessage(e));
            case IOException e -> new Verdict(ExitCode.UNUSABLE_INPUT, rootMessage(e));
            case RuntimeException e when e.getCause() != null && known(e.getCause()) -> judge(e.getCause());
            default -> new Verdict(ExitCode.INTERNAL, "internal error: " + failure);
        };
    }

    private static boolean known(Throwable cause) {
        return judge(cause).exitCode() != ExitCode.INTERNAL;
    }

    private static String rootMessage(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }

    static String oneLine(String message) {
        return message == null
                ? "unknown error"
                : message.strip().replaceAll("\\s*\\R\\s*", "; ").replaceAll("\\p{Cntrl}", "?");
    }
}
