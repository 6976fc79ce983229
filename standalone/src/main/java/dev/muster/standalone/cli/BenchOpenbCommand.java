package dev.muster.standalone.cli;

import dev.muster.standalone.openb.Experiment;
import dev.muster.standalone.openb.OpenbReport;
import dev.muster.standalone.openb.Schedulers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code muster bench openb}. */
@Command(
        name = "openb",
        header =
                "How much of a GPU cluster can be handed out: the FGD paper's policies and our own on the openb trace.",
        description = {
            "Pods of the trace arrive in the given order and stay; one that does not fit is dropped but counts as arrived. Plays"
                    + " the experiment of 'Beware of Fragmentation' (USENIX ATC 2023) with the paper's policies, and with"
                    + " Muster's core: default is the profile in force when nothing is set, core:NAME a profile by name.",
            "With several orders the means count. Nothing is started, no broker takes part."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster bench openb --nodes NODES.csv --pods PODS.csv --order ORDER.txt --noderank RANKS.csv",
            "  muster bench openb ... --policy FGD,BestFit -o csv      name and the 131 values of the curve"
        })
final class BenchOpenbCommand implements Callable<Integer> {
    /** Forms of the answer. */
    enum Form {
        /** A summary for people. */
        table,
        /** A line per policy: its name, and its GPU allocation at an arrived load of 0 to 130 %. */
        csv,
        /** All of it in one line. */
        json
    }

    @Option(names = "--nodes", required = true, paramLabel = "FILE", description = "The trace's node list.")
    Path nodes;

    @Option(names = "--pods", required = true, paramLabel = "FILE", description = "The trace's pod list.")
    Path pods;

    @Option(
            names = "--order",
            required = true,
            paramLabel = "FILE",
            description = "Order of arrival, the number of a pod in the pod list (from 0) per line. May be repeated.")
    List<Path> orders = new ArrayList<>();

    @Option(
            names = "--noderank",
            paramLabel = "FILE",
            description =
                    "Ranks that break ties between nodes, lines of node,rank; one file for each order, in the same"
                            + " sequence. Default: the order of the node list.")
    List<Path> ranks = new ArrayList<>();

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Policies, comma-separated. Default: all there are. The table of names is in the documentation.")
    List<String> policies = new ArrayList<>();

    @Option(
            names = "--repeat",
            paramLabel = "COUNT",
            defaultValue = "5",
            description =
                    "How often each is played for its speed, 1 to 100; the median counts. Default: ${DEFAULT-VALUE};"
                            + " with -o csv always 1.")
    int repeat;

    @Option(
            names = "--seed",
            paramLabel = "NUMBER",
            defaultValue = "42",
            description = "Seed of the policy Random. Default: ${DEFAULT-VALUE}.")
    long seed;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
    Form form;

    @Mixin
    HelpOption help;

    private final Environment environment;

    BenchOpenbCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException {
        Benches.require("--repeat", repeat, 1, 100);
        List<String> known = Schedulers.names();
        for (String policy : policies) {
            if (!known.contains(policy)) {
                throw CommandException.unusableInput(
                        "--policy " + policy + ": expected one of " + String.join(", ", known));
            }
        }
        if (!ranks.isEmpty() && ranks.size() != orders.size()) {
            throw CommandException.unusableInput("--noderank is given " + ranks.size() + " times and --order "
                    + orders.size() + " times: expected one for each, or none");
        }
        Experiment experiment =
                Experiment.read(InputFile.readable(nodes), InputFile.readable(pods), readable(orders), readable(ranks));
        List<String> played = policies.isEmpty() ? known : List.copyOf(new LinkedHashSet<>(policies));
        OpenbReport report = experiment.play(played, form == Form.csv ? 1 : repeat, seed);
        switch (form) {
            case table -> environment.out().print(report.toText());
            case csv -> environment.out().print(report.toCsv());
            case json -> environment.out().println(report.toJson());
        }
        environment.out().flush();
        return ExitCode.DONE;
    }

    private static List<Path> readable(List<Path> files) {
        return files.stream().map(InputFile::readable).toList();
    }
}
