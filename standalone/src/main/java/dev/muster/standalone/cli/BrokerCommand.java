package dev.muster.standalone.cli;

import dev.muster.standalone.demo.Interruption;
import dev.muster.standalone.stack.EmbeddedKafka;
import dev.muster.standalone.stack.Endpoints;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code muster broker}. */
@Command(
        name = "broker",
        header = "Kafka and a schema registry in one process, for trying the separate services.",
        description = {
            "One broker on loopback that asks nobody who they are: for tests and first steps, not for production.",
            "Prints where both listen, then runs until Ctrl-C. The topics stay in the data directory; commands with",
            "--data-dir find the running process there."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster broker --data-dir ./muster-data",
            "  muster broker --data-dir ./muster-data --port 9092 --registry-port 8081"
        })
final class BrokerCommand implements Callable<Integer> {
    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            required = true,
            description = "Where the topics are kept; created if missing.")
    Path dataDir;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "9092",
            converter = PortConverter.class,
            description = "Port of Kafka; 0 picks a free one. Default: 9092.")
    int port;

    @Option(
            names = "--registry-port",
            paramLabel = "PORT",
            defaultValue = "8081",
            converter = PortConverter.class,
            description = "Port of the schema registry; 0 picks a free one. Default: 8081.")
    int registryPort;

    @Mixin
    HelpOption help;

    private final Environment environment;

    BrokerCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws InterruptedException {
        Path directory = dataDir.toAbsolutePath().normalize();
        try (Interruption interruption = Interruption.ofProcess();
                EmbeddedKafka kafka =
                        EmbeddedKafka.start(directory, port, registryPort).noted(directory)) {
            Endpoints endpoints = kafka.endpoints();
            environment
                    .out()
                    .println("Kafka at " + endpoints.bootstrapServers() + ", schema registry at "
                            + endpoints.schemaRegistry());
            environment.out().flush();
            interruption.await();
            return ExitCode.DONE;
        }
    }
}
