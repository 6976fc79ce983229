package dev.muster.standalone.cli;

import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.replay.ReplayReport;
import dev.muster.standalone.replay.ReplayVerifier;
import dev.muster.standalone.stack.Connection;
import dev.muster.standalone.stack.StackConfig;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code muster replay}. */
@Command(
        name = "replay",
        abbreviateSynopsis = true,
        header = "Feed a journal to the scheduling core again, and prove that it decides the same.",
        description =
                "Reads the journal of a domain from its beginning; writes nothing, joins no group. With --verify, every decision is compared byte for"
                        + " byte with the one on topic decisions; exit code 1 and the first difference when they are not"
                        + " equal.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster replay --verify --data-dir ./demo-data",
            "  muster replay --verify --data-dir ./demo-data -o json",
            "  muster replay --verify --bootstrap-servers kafka:9092 --schema-registry http://registry:8081"
        })
final class ReplayCommand implements Callable<Integer> {
    @ArgGroup(validate = false, order = 100, heading = ConnectionOptions.HEADING)
    ConnectionOptions connection = new ConnectionOptions();

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
        Topics topics = connection.topics(environment);
        try (Connection open = connection.open(environment)) {
            ReplayVerifier verifier = new ReplayVerifier(open.kafka(), open.registry(), topics, all, domain);
            ReplayReport report = verify ? verifier.verify() : verifier.replay();
            output.print(environment, report::toText, report::toJson);
            return report.good() ? ExitCode.DONE : ExitCode.NO;
        }
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
}
