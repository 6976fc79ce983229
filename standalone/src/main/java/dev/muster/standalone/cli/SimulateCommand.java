package dev.muster.standalone.cli;

import dev.muster.standalone.scenario.Report;
import dev.muster.standalone.scenario.ReportJson;
import dev.muster.standalone.scenario.ReportText;
import dev.muster.standalone.scenario.Scenario;
import dev.muster.standalone.scenario.ScenarioRun;
import dev.muster.standalone.scenario.read.ScenarioReader;
import dev.muster.standalone.simulate.SimulationReport;
import dev.muster.standalone.simulate.Simulations;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code muster simulate}. */
@Command(
        name = "simulate",
        header = "What Muster would do with these manifests, on simulated time.",
        description = {
            "Applies manifests to a simulated cluster and lets scheduler and binder work on it, as fast as they can: a"
                    + " day takes seconds. A Scenario document says when the run ends, when the scheduler is restarted"
                    + " and what must hold; annotations say when objects come and go. Prints what happened and how it"
                    + " ended. In the end the journal is replayed; exit code 1 when that decides otherwise.",
            "",
            "With --trace a trace of pods is played through the scheduling core alone. Every placement is checked"
                    + " against what nodes have; exit code 1 when a node or GPU was over-committed or the replay"
                    + " differs."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster simulate nodes.yaml jobs.yaml            what happens, until nothing more does",
            "  muster simulate --check scenario.yaml           do its expectations hold? exit code 1 if not",
            "  kubectl get nodes -o json | muster simulate - job.yaml --until 1h",
            "  muster simulate --trace openb --nodes NODES.csv --pods PODS.csv --strategy spread -o json"
        })
final class SimulateCommand implements Callable<Integer> {
    /** Traces that can be played. */
    enum Trace {
        openb
    }

    /** How nodes are scored. */
    enum Strategy {
        mixed,
        fgd,
        binpack,
        spread
    }

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description = "Scenarios or manifests, YAML or JSON; - for stdin. A file with a Scenario is a run of its"
                    + " own; what the other files hold is part of every run.")
    List<String> files = new ArrayList<>();

    @Option(
            names = "--check",
            description = "Judge the expectations: one line each; exit code 1 when one does not hold.")
    boolean check;

    @Option(
            names = "--until",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "Simulated time at which runs end, in place of what scenarios say; default without a"
                    + " scenario: when nothing more happens.")
    Duration until;

    @ArgGroup(exclusive = false, heading = "%nA trace instead of files:%n")
    TraceOptions trace;

    @Mixin
    DocumentOutput output;

    @Mixin
    HelpOption help;

    /** What a trace needs. */
    static final class TraceOptions {
        @Option(
                names = "--trace",
                required = true,
                paramLabel = "FORMAT",
                description = "Format of the trace: ${COMPLETION-CANDIDATES}.")
        Trace format;

        @Option(names = "--nodes", required = true, paramLabel = "FILE", description = "The trace's node list.")
        Path nodes;

        @Option(names = "--pods", required = true, paramLabel = "FILE", description = "The trace's pod list.")
        Path pods;

        @Option(
                names = "--strategy",
                paramLabel = "NAME",
                defaultValue = "mixed",
                description = "How nodes are scored: ${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
        Strategy strategy = Strategy.mixed;
    }

    private final Environment environment;
    private final InputStream stdin;

    SimulateCommand(Environment environment) {
        this(environment, System.in);
    }

    SimulateCommand(Environment environment, InputStream stdin) {
        this.environment = environment;
        this.stdin = stdin;
    }

    @Override
    public Integer call() throws IOException {
        output.check("simulate");
        if (trace != null) {
            return playTrace();
        }
        if (files.isEmpty()) {
            throw CommandException.unusableInput("expected files with scenarios or manifests, or --trace");
        }
        List<Scenario> scenarios = ScenarioReader.read(inputs());
        if (until != null) {
            scenarios =
                    scenarios.stream().map(s -> s.withUntil(until.toMillis())).toList();
        }
        if (check && scenarios.stream().allMatch(s -> s.expectations().isEmpty())) {
            throw CommandException.unusableInput(
                    String.join(", ", files) + ": nothing to check, expected a Scenario document with spec.expect");
        }
        return run(scenarios);
    }

    private int run(List<Scenario> scenarios) {
        List<Report> reports = new ArrayList<>();
        for (Scenario scenario : scenarios) {
            Report report = ScenarioRun.of(scenario, check);
            if (output.format == OutputFormat.table) {
                if (!check && !reports.isEmpty()) {
                    environment.out().println();
                }
                environment.out().print(check ? ReportText.ofCheck(report) : ReportText.ofRun(report));
                environment.out().flush();
            }
            reports.add(report);
        }
        if (output.format != OutputFormat.table) {
            environment.out().print(Listing.document(output.format, ReportJson.of(reports)));
            environment.out().flush();
        }
        return reports.stream().allMatch(Report::good) ? ExitCode.DONE : ExitCode.NO;
    }

    private List<ScenarioReader.Input> inputs() throws IOException {
        List<ScenarioReader.Input> inputs = new ArrayList<>();
        for (String file : files) {
            if (file.equals("-")) {
                if (inputs.stream().anyMatch(input -> input.name().equals("stdin"))) {
                    throw CommandException.unusableInput(
                            "- is given twice, expected once: stdin can be read only once");
                }
                inputs.add(new ScenarioReader.Input("stdin", stdin.readAllBytes()));
            } else {
                inputs.add(new ScenarioReader.Input(file, Files.readAllBytes(InputFile.readable(Path.of(file)))));
            }
        }
        return inputs;
    }

    private int playTrace() throws IOException {
        if (!files.isEmpty() || check || until != null) {
            throw CommandException.unusableInput(
                    "--trace stands alone, expected no files, --check or --until beside it");
        }
        SimulationReport report = Simulations.openb(
                InputFile.readable(trace.nodes), InputFile.readable(trace.pods), trace.strategy.name());
        output.print(environment, report::toText, report::toJson);
        return report.good() ? ExitCode.DONE : ExitCode.NO;
    }
}
