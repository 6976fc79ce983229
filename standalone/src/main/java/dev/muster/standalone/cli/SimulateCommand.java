package dev.muster.standalone.cli;

import dev.muster.standalone.simulate.SimulationReport;
import dev.muster.standalone.simulate.Simulations;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code muster simulate}. */
@Command(
        name = "simulate",
        header = "The scheduling core alone, on simulated time.",
        description =
                "Plays a trace through the core: pods arrive when the trace says, run as long as they did there and"
                        + " give their room back. Every placement is checked against what nodes have by code that the"
                        + " scheduler does not share, and the journal is replayed at the end. Exit code 1 when a node or"
                        + " GPU was over-committed or the replay differs.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster simulate --trace openb --nodes NODES.csv --pods PODS.csv",
            "  muster simulate --trace openb --nodes NODES.csv --pods PODS.csv --strategy spread -o json"
        })
final class SimulateCommand implements Callable<Integer> {
    /** Traces that can be played. */
    enum Trace {
        openb
    }

    /** How nodes are scored. */
    enum Strategy {
        binpack,
        spread
    }

    @Option(
            names = "--trace",
            required = true,
            paramLabel = "FORMAT",
            description = "Format of the trace: ${COMPLETION-CANDIDATES}.")
    Trace trace;

    @Option(names = "--nodes", required = true, paramLabel = "FILE", description = "The trace's node list.")
    Path nodes;

    @Option(names = "--pods", required = true, paramLabel = "FILE", description = "The trace's pod list.")
    Path pods;

    @Option(
            names = "--strategy",
            paramLabel = "NAME",
            defaultValue = "binpack",
            description = "How nodes are scored: ${COMPLETION-CANDIDATES}; default: binpack.")
    Strategy strategy = Strategy.binpack;

    @Mixin
    DocumentOutput output;

    @Mixin
    HelpOption help;

    private final Environment environment;

    SimulateCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException {
        output.check("simulate");
        SimulationReport report =
                Simulations.openb(InputFile.readable(nodes), InputFile.readable(pods), strategy.name());
        output.print(environment, report::toText, report::toJson);
        return report.good() ? ExitCode.DONE : ExitCode.NO;
    }
}
