package dev.muster.service;

import dev.muster.schemas.serde.IncompatibleSchemaException;
import dev.muster.schemas.serde.RegistryException;
import dev.muster.schemas.serde.RegistryUnavailableException;
import dev.muster.schemas.topic.TopicMismatchException;
import java.util.List;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * The one table from what ends a service to what an operator reads.
 *
 * @param exitCode one of {@link ExitCodes}
 * @param lines what is said, a line each
 */
record StartFailure(int exitCode, List<String> lines) {
    static StartFailure of(RuntimeException problem) {
        return switch (problem) {
            case ConfigException e -> new StartFailure(ExitCodes.UNUSABLE, e.problems());
            case UnreachableException e -> unreachable(e.getMessage());
            case TopicMismatchException e -> new StartFailure(ExitCodes.UNUSABLE, e.differences());
            case RegistryUnavailableException e -> unreachable(e.getMessage());
            case IncompatibleSchemaException e -> unusable(e.getMessage());
            case RegistryException e -> unreachable(e.getMessage());
            case RetriableException e -> unreachable("Kafka does not answer: " + Causes.innermost(e));
            case KafkaException e -> unreachable("Kafka refuses: " + Causes.innermost(e));
            default -> new StartFailure(ExitCodes.INTERNAL, List.of("internal error: " + problem));
        };
    }

    private static StartFailure unusable(String line) {
        return new StartFailure(ExitCodes.UNUSABLE, List.of(oneLine(line)));
    }

    private static StartFailure unreachable(String line) {
        return new StartFailure(ExitCodes.UNREACHABLE, List.of(oneLine(line)));
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
