package dev.muster.standalone.cli;

import dev.muster.standalone.bench.RestoreBench;
import dev.muster.standalone.bench.RestoreOptions;
import dev.muster.standalone.bench.RestoreReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code muster bench restore}. */
@Command(
        name = "restore",
        header = "How soon the scheduler is back: a journal replayed, a process started after kill -9.",
        description = {
            "Replays a journal of the load of bench stream: in the core, of decoded entries in memory, and from a topic as"
                    + " muster replay does.",
            "Then tells a scheduler in a process of its own of a whole cluster, kills it while it works, starts another"
                    + " process in its place and waits for its first new decision. Broker and registry run on meanwhile."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster bench restore                                1,000,000 entries; 10,000 nodes, 100,000 pods",
            "  muster bench restore --entries 0 --nodes 1000 --pods 8000 -o json"
        })
final class BenchRestoreCommand implements Callable<Integer> {
    @Option(
            names = "--entries",
            paramLabel = "COUNT",
            defaultValue = "1000000",
            description = "Journal entries to replay, up to 2000000; 0 leaves the replays out. Default:"
                    + " ${DEFAULT-VALUE}.")
    int entries;

    @Option(
            names = "--nodes",
            paramLabel = "COUNT",
            defaultValue = "10000",
            description = "Nodes of 8 GPUs that the restarted scheduler knows, up to 50000; 0 leaves the restart out."
                    + " Default: ${DEFAULT-VALUE}.")
    int nodes;

    @Option(
            names = "--pods",
            paramLabel = "COUNT",
            defaultValue = "100000",
            description = "Pods that run on them, at most 20 a node. Default: ${DEFAULT-VALUE}.")
    int pods;

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

    BenchRestoreCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        output.check("bench");
        Benches.require("--entries", entries, 0, 2_000_000);
        Benches.require("--nodes", nodes, 0, 50_000);
        if (nodes > 0) {
            Benches.require("--pods", pods, 0, 20L * nodes);
        }
        RestoreOptions options = new RestoreOptions(entries, nodes, pods);
        if (nodes > 0 && !options.leavesRoom()) {
            throw CommandException.unusableInput("--nodes " + nodes + ": too few for " + pods
                    + " pods and the gangs that are submitted beside them; fewer pods or more nodes");
        }
        RestoreReport report =
                Benches.in(dataDir, directory -> RestoreBench.run(options, directory, environment.err()));
        Benches.print(environment, output, report::toText, report::toJson);
        return ExitCode.DONE;
    }
}
