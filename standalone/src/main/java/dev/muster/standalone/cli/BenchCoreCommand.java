package dev.muster.standalone.cli;

import dev.muster.standalone.bench.core.CoreBench;
import dev.muster.standalone.bench.core.CoreOptions;
import dev.muster.standalone.bench.core.CoreReport;
import dev.muster.standalone.bench.core.CoreWorkload;
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

/** {@code muster bench core}. */
@Command(
        name = "core",
        header =
                "The scheduling core alone, on one thread: pods placed per CPU-second, memory, growth with the cluster.",
        description = {
            "Fills empty clusters of 8-GPU nodes with pods of 8 CPU, 64 GiB and 1 GPU; all wait before the clock starts."
                    + " No Kafka, no binder: events in, one round, decisions out.",
            "Large clusters want a larger heap: MUSTER_JAVA_OPTS=-Xmx8g."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster bench core                                   gangs of 8 at 1,000 to 50,000 nodes",
            "  muster bench core --workload gang64 --nodes 1000,5000 --numa -o json",
            "  muster bench core --numa --topology required        with four levels of topology, gangs in one rack each",
            "  muster bench core --with naive,large,waiting,queues --svg core.svg"
        })
final class BenchCoreCommand implements Callable<Integer> {
    @Option(
            names = "--workload",
            paramLabel = "NAME",
            defaultValue = "gang8",
            description =
                    "single, gang8, gang64, gang512, node8 (8 pods of 8 GPUs) or mixed (of gangs of 8, every fifth with"
                            + " three roles). Default: ${DEFAULT-VALUE}.")
    CoreWorkload workload;

    @Option(
            names = "--nodes",
            paramLabel = "COUNT",
            split = ",",
            defaultValue = "1000,5000,10000,50000",
            description = "Sizes of the cluster, 64 to 200000 nodes each. Default: ${DEFAULT-VALUE}.")
    List<Integer> nodes;

    @Option(
            names = "--fill",
            paramLabel = "PERCENT",
            defaultValue = "95",
            description = "GPUs that the pods ask for, 1 to 100 percent. Default: ${DEFAULT-VALUE}.")
    int fill;

    @Option(names = "--numa", description = "Nodes report two NUMA nodes each, Topology Manager policy restricted.")
    boolean numa;

    @Option(
            names = "--topology",
            paramLabel = "WHAT",
            arity = "0..1",
            defaultValue = "none",
            fallbackValue = "levels",
            description =
                    "levels: the cluster has a Topology of zone, block, rack and node. required: each gang asks for"
                            + " one rack besides (or block). Default: ${DEFAULT-VALUE}; without a value: ${FALLBACK-VALUE}.")
    CoreOptions.Topology topology;

    @Option(
            names = "--runs",
            paramLabel = "COUNT",
            defaultValue = "5",
            description = "Measured runs of each size, 1 to 100. Default: ${DEFAULT-VALUE}.")
    int runs;

    @Option(
            names = "--with",
            paramLabel = "PART",
            split = ",",
            description =
                    "Measure more: naive (the same decisions by looking at every node for every pod), large (time of one"
                            + " decision for a gang of 512), waiting (time per decision by how many pods wait), queues (by"
                            + " how many queues gangs are in, at the largest --nodes).")
    List<CoreOptions.Part> parts = List.of();

    @Option(
            names = "--naive-nodes",
            paramLabel = "COUNT",
            defaultValue = "5000",
            description = "Nodes for --with naive, 64 to 50000. Default: ${DEFAULT-VALUE}.")
    int naiveNodes;

    @Option(
            names = "--large-nodes",
            paramLabel = "COUNT",
            defaultValue = "10000",
            description = "Nodes for --with large, 70 to 50000. Default: ${DEFAULT-VALUE}.")
    int largeNodes;

    @Option(
            names = "--waiting",
            paramLabel = "COUNT",
            split = ",",
            defaultValue = "10000,100000,1000000",
            description = "Pods that wait for --with waiting, up to 4000000 each. Default: ${DEFAULT-VALUE}.")
    List<Integer> waiting;

    @Option(
            names = "--queues",
            paramLabel = "COUNT",
            split = ",",
            defaultValue = "10,100,1000,10000",
            description = "Queues for --with queues, up to 100000 each. Default: ${DEFAULT-VALUE}.")
    List<Integer> queues;

    @Option(names = "--svg", paramLabel = "FILE", description = "Write a plot of CPU time per pod over nodes.")
    Path svg;

    @Mixin
    DocumentOutput output;

    @Mixin
    HelpOption help;

    private final Environment environment;

    BenchCoreCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException {
        output.check("bench");
        nodes.forEach(count -> Benches.require("--nodes", count, 64, 200_000));
        Benches.require("--fill", fill, 1, 100);
        Benches.require("--runs", runs, 1, 100);
        Benches.require("--naive-nodes", naiveNodes, 64, 50_000);
        Benches.require("--large-nodes", largeNodes, 70, 50_000);
        waiting.forEach(count -> Benches.require("--waiting", count, 1, 4_000_000));
        queues.forEach(count -> Benches.require("--queues", count, 1, 100_000));
        CoreOptions options = new CoreOptions(
                workload,
                nodes.stream().sorted().distinct().toList(),
                fill,
                numa,
                topology,
                CoreOptions.WARM_UP_PODS,
                CoreOptions.HEAP_NODES,
                runs,
                parts.isEmpty() ? EnumSet.noneOf(CoreOptions.Part.class) : EnumSet.copyOf(parts),
                naiveNodes,
                largeNodes,
                CoreOptions.WAITING_NODES,
                waiting.stream().sorted().distinct().toList(),
                queues.stream().sorted().distinct().toList());
        CoreReport report = CoreBench.run(options, environment.err());
        if (svg != null) {
            Files.writeString(svg, report.toSvg(), StandardCharsets.UTF_8);
        }
        Benches.print(environment, output, report::toText, report::toJson);
        return ExitCode.DONE;
    }
}
