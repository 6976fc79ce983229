package dev.muster.standalone.cli;

import dev.muster.standalone.bench.core.CohortBench;
import dev.muster.standalone.bench.core.CohortOptions;
import dev.muster.standalone.bench.core.CohortReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code muster bench queues}. */
@Command(
        name = "queues",
        header = "The core with a full cluster and long queues: work for each workload that ends, and preemption.",
        description = {
            "ClusterQueues below five levels of cohorts, every fourth of them idle; workloads end one at a time, and"
                    + " the next starts. Then: how long it takes to find whom to evict for a large gang.",
            "1,000,000 workloads want a heap of 8 GiB: MUSTER_JAVA_OPTS=-Xmx8g."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster bench queues                                 all of it, at the usual sizes",
            "  muster bench queues --only waiting --waiting 10000,100000,1000000 -o json",
            "  muster bench queues --only preemption --gangs 8,64,200",
            "  muster bench queues --svg queues.svg"
        })
final class BenchQueuesCommand implements Callable<Integer> {
    @Option(
            names = "--nodes",
            paramLabel = "COUNT",
            defaultValue = "1000",
            description = "Nodes of 8 GPUs, 64 to 20000. Default: ${DEFAULT-VALUE}.")
    int nodes;

    @Option(
            names = "--queues",
            paramLabel = "COUNT",
            defaultValue = "200",
            description = "ClusterQueues while --waiting changes, 1 to 10000. Default: ${DEFAULT-VALUE}.")
    int queues;

    @Option(
            names = "--waiting",
            paramLabel = "COUNT",
            split = ",",
            defaultValue = "10000,100000",
            description = "Workloads that wait, up to 4000000 each. Default: ${DEFAULT-VALUE}.")
    List<Integer> waiting;

    @Option(
            names = "--queue-counts",
            paramLabel = "COUNT",
            split = ",",
            defaultValue = "10,100,1000,10000",
            description =
                    "ClusterQueues, up to 100000 each, while the fewest of --waiting wait. Default: ${DEFAULT-VALUE}.")
    List<Integer> queueCounts;

    @Option(
            names = "--gangs",
            paramLabel = "PODS",
            split = ",",
            defaultValue = "200",
            description = "Gangs that others are evicted for, 1 to 1000 pods each. Default: ${DEFAULT-VALUE}.")
    List<Integer> gangs;

    @Option(
            names = "--ends",
            paramLabel = "COUNT",
            defaultValue = "500",
            description = "Workloads that end in each run, 1 to 100000. Default: ${DEFAULT-VALUE}.")
    int ends;

    @Option(
            names = "--runs",
            paramLabel = "COUNT",
            defaultValue = "5",
            description = "Measured runs of each size, 1 to 100. Default: ${DEFAULT-VALUE}.")
    int runs;

    @Option(
            names = "--only",
            paramLabel = "PART",
            split = ",",
            description = "Measure only: waiting, queues, preemption. Default: all.")
    List<CohortOptions.Part> only = List.of();

    @Option(names = "--svg", paramLabel = "FILE", description = "Write a plot of CPU time per workload that ends.")
    Path svg;

    @Mixin
    DocumentOutput output;

    @Mixin
    HelpOption help;

    private final Environment environment;

    BenchQueuesCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException {
        output.check("bench");
        Benches.require("--nodes", nodes, 64, 20_000);
        Benches.require("--queues", queues, 1, 10_000);
        Benches.require("--ends", ends, 1, 100_000);
        Benches.require("--runs", runs, 1, 100);
        waiting.forEach(count -> Benches.require("--waiting", count, 1, 4_000_000));
        queueCounts.forEach(count -> Benches.require("--queue-counts", count, 1, 100_000));
        gangs.forEach(count -> Benches.require("--gangs", count, 1, 1_000));
        EnumSet<CohortOptions.Part> parts =
                only.isEmpty() ? EnumSet.allOf(CohortOptions.Part.class) : EnumSet.copyOf(only);
        if (svg != null && parts.equals(EnumSet.of(CohortOptions.Part.preemption))) {
            throw CommandException.unusableInput("--svg: there is no plot of --only preemption");
        }
        CohortOptions options = new CohortOptions(
                nodes,
                queues,
                waiting.stream().sorted().distinct().toList(),
                queueCounts.stream().sorted().distinct().toList(),
                ends,
                runs,
                parts,
                gangs.stream().sorted().distinct().toList());
        CohortReport report = CohortBench.run(options, environment.err());
        if (svg != null) {
            Files.writeString(svg, report.toSvg(), StandardCharsets.UTF_8);
        }
        Benches.print(environment, output, report::toText, report::toJson);
        return ExitCode.DONE;
    }
}
