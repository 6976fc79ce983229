package dev.muster.standalone.cli;

import dev.muster.standalone.broker.EmbeddedBroker;
import dev.muster.standalone.stack.Connection;
import java.net.URI;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where the topics are. */
final class ConnectionOptions {
    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Data directory of muster demo or run; the process may be running or not.")
    Path dataDir;

    @Option(names = "--bootstrap-servers", paramLabel = "HOST:PORT", description = "Kafka of a running installation.")
    String bootstrapServers;

    @Option(
            names = "--schema-registry",
            paramLabel = "URL",
            description = "Its schema registry; with --bootstrap-servers.")
    URI schemaRegistry;

    Connection open() {
        if (bootstrapServers != null) {
            if (dataDir != null) {
                throw CommandException.unusableInput("--data-dir and --bootstrap-servers: expected one of the two");
            }
            if (schemaRegistry == null) {
                throw CommandException.unusableInput("--bootstrap-servers: --schema-registry URL is missing");
            }
            return Connection.to(bootstrapServers, schemaRegistry);
        }
        if (dataDir == null) {
            throw CommandException.unusableInput(
                    "where are the topics? expected --data-dir DIR, or --bootstrap-servers and --schema-registry");
        }
        if (!EmbeddedBroker.holdsData(dataDir)) {
            throw CommandException.unusableInput("--data-dir " + dataDir
                    + ": holds no topics; expected a directory that muster demo or run has written");
        }
        return Connection.to(dataDir);
    }
}
