package dev.muster.standalone.cli;

import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.broker.EmbeddedBroker;
import dev.muster.standalone.replay.ReplayReport;
import dev.muster.standalone.replay.ReplayVerifier;
import dev.muster.standalone.stack.Connection;
import dev.muster.standalone.stack.StackConfig;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code muster replay}. */
@Command(
        name = "replay",
        header = "Feed a journal to the scheduling core again, and prove that it decides the same.",
        description =
                "Reads the journal of a domain from its beginning. With --verify, every decision is compared byte for"
                        + " byte with the one on topic decisions; exit code 1 and the first difference when they are not"
                        + " equal.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster replay --verify --data-dir ./demo-data",
            "  muster replay --verify --data-dir ./demo-data -o json",
            "  muster replay --verify --bootstrap-servers kafka:9092 --schema-registry http://registry:8081"
        })
final class ReplayCommand implements Callable<Integer> {
    /** Where the topics are. */
    static final class Source {
        @Option(
                names = "--data-dir",
                paramLabel = "DIR",
                description = "The data directory of a muster process, running or not.")
        Path dataDir;

        @ArgGroup(exclusive = false)
        Cluster cluster;
    }

    /** A Kafka cluster. */
    static final class Cluster {
        @Option(
                names = "--bootstrap-servers",
                required = true,
                paramLabel = "HOST:PORT",
                description = "A Kafka cluster.")
        String bootstrapServers;

        @Option(names = "--schema-registry", required = true, paramLabel = "URL", description = "Its schema registry.")
        URI schemaRegistry;
    }

    @ArgGroup(multiplicity = "1")
    Source source;

    @Option(names = "--verify", description = "Compare the decisions with those on topic decisions.")
    boolean verify;

    @Option(
            names = "--domain",
            paramLabel = "NAME",
            defaultValue = StackConfig.DEFAULT_DOMAIN,
            description = "The domain; default: ${DEFAULT-VALUE}.")
    String domain;

    @Option(
            names = "--domains",
            paramLabel = "NAME",
            split = ",",
            description = "All domains of the installation in their order; default: the only one is --domain.")
    List<String> domains;

    @Option(names = "--topic-prefix", paramLabel = "PREFIX", description = "Default: muster.")
    String prefix = Topics.DEFAULT.prefix();

    @Mixin
    DocumentOutput output;

    @Mixin
    HelpOption help;

    private final Environment environment;

    ReplayCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        output.check("replay");
        Domains all = domains();
        Topics topics = topics();
        try (Connection connection = connect()) {
            ReplayVerifier verifier =
                    new ReplayVerifier(connection.kafka(), connection.registry(), topics, all, domain);
            ReplayReport report = verify ? verifier.verify() : verifier.replay();
            output.print(environment, report::toText, report::toJson);
            return report.good() ? ExitCode.DONE : ExitCode.NO;
        }
    }

    private Connection connect() {
        if (source.dataDir == null) {
            return Connection.to(source.cluster.bootstrapServers, source.cluster.schemaRegistry);
        }
        if (!EmbeddedBroker.holdsData(source.dataDir)) {
            throw CommandException.unusableInput(
                    "--data-dir " + source.dataDir + ": holds no topics of a muster process");
        }
        return Connection.to(source.dataDir);
    }

    private Domains domains() {
        try {
            Domains all = new Domains(domains == null ? List.of(domain) : domains);
            all.partitionOf(domain);
            return all;
        } catch (IllegalArgumentException e) {
            throw CommandException.unusableInput("--domain " + domain + ": " + e.getMessage());
        }
    }

    private Topics topics() {
        try {
            return new Topics(prefix);
        } catch (IllegalArgumentException e) {
            throw CommandException.unusableInput("--topic-prefix: " + e.getMessage());
        }
    }
}
