package dev.muster.standalone.cli;

import dev.muster.standalone.broker.EmbeddedBroker;
import dev.muster.standalone.demo.DemoOptions;
import dev.muster.standalone.demo.DemoRun;
import dev.muster.standalone.demo.Interruption;
import dev.muster.standalone.demo.Summary;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code muster demo}. */
@Command(
        name = "demo",
        header = "All of Muster in one process on a simulated GPU cluster, to watch.",
        description =
                "Starts Kafka, a schema registry, a simulated cluster, ingest, scheduler and binder, plays a workload"
                        + " and shows what happens. Needs no network and leaves nothing behind unless --data-dir is"
                        + " given.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster demo                                        until Ctrl-C",
            "  muster demo --nodes 64 --until-done -o json        ends by itself, summary for programs",
            "  muster demo --until-done --data-dir ./demo-data    keeps the topics for muster replay",
            "  muster demo --trace openb --nodes NODES.csv --pods PODS.csv --speed max"
        })
final class DemoCommand implements Callable<Integer> {
    private static final int DEFAULT_UNDECIDED = 256;

    /** Traces that can be played. */
    enum Trace {
        openb
    }

    @Option(
            names = "--nodes",
            paramLabel = "COUNT|FILE",
            defaultValue = "64",
            description = "Nodes of 8 GPUs, 1 to 5000; with --trace the trace's node list. Default: 64.")
    String nodes = "64";

    @Option(names = "--seed", paramLabel = "NUMBER", description = "Seed of the workload; default: 1.")
    Long seed;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "End after this time, such as 90s or 5m.")
    Duration duration;

    @Option(names = "--until-done", description = "Play one wave of work, and end when all of it that fits has run.")
    boolean untilDone;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Keep the topics here; default: a temporary directory that is removed.")
    Path dataDir;

    @Mixin
    DocumentOutput output;

    @Option(
            names = "--trace",
            paramLabel = "FORMAT",
            description = "Play a trace in this format: ${COMPLETION-CANDIDATES}.")
    Trace trace;

    @Option(names = "--pods", paramLabel = "FILE", description = "The trace's pod list.")
    Path pods;

    @Option(
            names = "--speed",
            paramLabel = "max",
            description = "How fast a trace is played: max is in its order, without its pauses (the only one).")
    String speed;

    @Option(
            names = "--max-undecided",
            paramLabel = "PODS",
            description = "Most pods of a trace that may be undecided at a time; default: 256.")
    Integer maxUndecided;

    @Mixin
    HelpOption help;

    private final Environment environment;

    DemoCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        output.check("demo");
        DemoOptions options = new DemoOptions(
                source(),
                Optional.ofNullable(duration),
                untilDone || trace != null,
                Optional.ofNullable(dataDir),
                environment.program());
        if (dataDir != null && EmbeddedBroker.holdsData(dataDir)) {
            throw CommandException.unusableInput("--data-dir " + dataDir
                    + ": holds the topics of an earlier run; a demo starts with an empty directory");
        }
        try (Interruption interruption = Interruption.ofProcess()) {
            Summary summary = DemoRun.run(options, interruption, environment.err(), terminal());
            output.print(environment, summary::toText, summary::toJson);
            return summary.good() ? ExitCode.DONE : ExitCode.NO;
        }
    }

    private DemoOptions.Source source() {
        if (trace != null) {
            if (pods == null) {
                throw CommandException.unusableInput("--trace " + trace + ": --pods FILE is missing");
            }
            if (speed != null && !speed.equals("max")) {
                throw CommandException.unusableInput("--speed " + speed + ": expected max");
            }
            if (seed != null) {
                throw CommandException.unusableInput("--seed: a trace has none");
            }
            if (maxUndecided != null && maxUndecided < 1) {
                throw CommandException.unusableInput("--max-undecided " + maxUndecided + ": expected at least 1");
            }
            return new DemoOptions.Trace(
                    InputFile.readable(Path.of(nodes)),
                    InputFile.readable(pods),
                    maxUndecided == null ? DEFAULT_UNDECIDED : maxUndecided);
        }
        if (pods != null || speed != null || maxUndecided != null) {
            String option = pods != null ? "--pods" : speed != null ? "--speed" : "--max-undecided";
            throw CommandException.unusableInput(option + ": only together with --trace");
        }
        int count;
        try {
            count = Integer.parseInt(nodes);
        } catch (NumberFormatException e) {
            count = 0;
        }
        if (count < 1 || count > 5000) {
            throw CommandException.unusableInput("--nodes " + nodes + ": expected a number from 1 to 5000");
        }
        return new DemoOptions.Waves(count, seed == null ? 1 : seed);
    }

    private Optional<DemoOptions.Terminal> terminal() {
        return environment.errIsTerminal()
                ? Optional.of(new DemoOptions.Terminal(environment.columns(), environment.colourOnErr()))
                : Optional.empty();
    }
}
