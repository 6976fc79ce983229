package dev.muster.standalone.cli;

import dev.muster.standalone.bench.StreamBench;
import dev.muster.standalone.bench.StreamOptions;
import dev.muster.standalone.bench.StreamReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code muster bench stream}. */
@Command(
        name = "stream",
        header = "Gangs as events through a broker to committed decisions: how many a second, how late.",
        description = {
            "Broker, scheduler and the generator of the load run in this process. The generator plays tenants, cluster"
                    + " and binder: gangs arrive at a fixed rate whatever becomes of earlier ones, what is placed is bound,"
                    + " runs, ends and is deleted, so that its GPUs come free.",
            "Latency is from a gang's intended arrival to the moment a reader of committed decisions has its placement."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster bench stream                                 550 gangs a second, then 1,100",
            "  muster bench stream --source pods --nodes 5000      a PodGroup and 8 pods for each gang",
            "  muster bench stream --burst 20000 -o json"
        })
final class BenchStreamCommand implements Callable<Integer> {
    @Option(
            names = "--source",
            paramLabel = "WAY",
            defaultValue = "jobs",
            description =
                    "How gangs come in: jobs (one submission per gang) or pods (a PodGroup and 8 pods per gang, as"
                            + " watched from a cluster). Default: ${DEFAULT-VALUE}.")
    StreamOptions.Source source;

    @Option(
            names = "--nodes",
            paramLabel = "COUNT",
            defaultValue = "1000",
            description = "Nodes of 96 CPU, 1 TiB and 8 GPUs, 1 to 50000. Default: ${DEFAULT-VALUE}.")
    int nodes;

    @Option(
            names = "--gangs-per-second",
            paramLabel = "COUNT",
            defaultValue = "1100",
            description = "Gangs of 8 pods that arrive each second, 2 to 20000; half of it first. Default:"
                    + " ${DEFAULT-VALUE}.")
    int gangsPerSecond;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            defaultValue = "75s",
            converter = DurationConverter.class,
            description = "Played at half of the rate before anything is measured. Default: ${DEFAULT-VALUE}.")
    Duration warmUp;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "20s",
            converter = DurationConverter.class,
            description = "Of each measured phase. Default: ${DEFAULT-VALUE}.")
    Duration duration;

    @Option(
            names = "--load",
            paramLabel = "PERCENT",
            defaultValue = "80",
            description = "GPUs that the full rate keeps busy, 1 to 100 percent: how long gangs run follows from it."
                    + " Default: ${DEFAULT-VALUE}.")
    int load;

    @Option(
            names = "--burst",
            paramLabel = "GANGS",
            defaultValue = "0",
            description = "Gangs that arrive at once in the end, 0 to 1000000. Default: none.")
    int burst;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Keep the topics here; default: a temporary directory that is removed.")
    Path dataDir;

    @Mixin
    DocumentOutput output;

    @Mixin
    HelpOption help;

    private final Environment environment;

    BenchStreamCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        output.check("bench");
        Benches.require("--nodes", nodes, 1, 50_000);
        Benches.require("--gangs-per-second", gangsPerSecond, 2, 20_000);
        Benches.require("--load", load, 1, 100);
        Benches.require("--burst", burst, 0, 1_000_000);
        Benches.require("--warm-up", warmUp.toMillis(), 0, 3_600_000);
        Benches.require("--duration", duration.toMillis(), 100, 3_600_000);
        StreamOptions options = new StreamOptions(source, nodes, gangsPerSecond, warmUp, duration, burst, load);
        StreamReport report = Benches.in(dataDir, directory -> StreamBench.run(options, directory, environment.err()));
        Benches.print(environment, output, report::toText, report::toJson);
        return report.good() ? ExitCode.DONE : ExitCode.NO;
    }
}
