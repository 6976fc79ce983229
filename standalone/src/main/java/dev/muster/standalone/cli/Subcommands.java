package dev.muster.standalone.cli;

import java.util.List;
import picocli.CommandLine;

/** The subcommands, in the order in which help shows them. */
final class Subcommands {
    private Subcommands() {}

    /** A subcommand under its name. */
    record Entry(String name, Object command, List<Entry> below) {
        Entry(String name, Object command) {
            this(name, command, List.of());
        }

        CommandLine commandLine() {
            CommandLine line = new CommandLine(command);
            below.forEach(entry -> line.addSubcommand(entry.name(), entry.commandLine()));
            return line;
        }
    }

    static List<Entry> all(Environment environment) {
        return List.of(
                new Entry("demo", new DemoCommand(environment)),
                new Entry("run", new RunCommand(environment)),
                new Entry("simulate", new SimulateCommand(environment)),
                new Entry("submit", new SubmitCommand(environment)),
                new Entry("cancel", new CancelCommand(environment)),
                new Entry("suspend", new SuspendCommand(environment)),
                new Entry("resume", new ResumeCommand(environment)),
                new Entry("jobs", new JobsCommand(environment)),
                new Entry("nodes", new NodesCommand(environment)),
                new Entry("queues", new QueuesCommand(environment)),
                new Entry("holds", new HoldsCommand(environment)),
                new Entry("top", new TopCommand(environment)),
                new Entry("explain", new ExplainCommand(environment)),
                new Entry("replay", new ReplayCommand(environment)),
                new Entry("broker", new BrokerCommand(environment)),
                new Entry("cluster", new ClusterCommand(environment)),
                new Entry(
                        "bench",
                        new BenchCommand(),
                        List.of(
                                new Entry("core", new BenchCoreCommand(environment)),
                                new Entry("queues", new BenchQueuesCommand(environment)),
                                new Entry("stream", new BenchStreamCommand(environment)),
                                new Entry("restore", new BenchRestoreCommand(environment)),
                                new Entry("openb", new BenchOpenbCommand(environment)))),
                new Entry("completion", new CompletionCommand(environment)));
    }
}
