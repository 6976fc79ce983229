package dev.muster.standalone.cli;

import java.util.List;

/** The subcommands, in the order in which help shows them. */
final class Subcommands {
    private Subcommands() {}

    /** A subcommand under its name. */
    record Entry(String name, Object command) {}

    static List<Entry> all(Environment environment) {
        return List.of(
                new Entry("demo", new DemoCommand(environment)),
                new Entry("run", new RunCommand(environment)),
                new Entry("simulate", new SimulateCommand(environment)),
                new Entry("submit", new SubmitCommand(environment)),
                new Entry("cancel", new CancelCommand(environment)),
                new Entry("jobs", new JobsCommand(environment)),
                new Entry("nodes", new NodesCommand(environment)),
                new Entry("explain", new ExplainCommand(environment)),
                new Entry("replay", new ReplayCommand(environment)),
                new Entry("broker", new BrokerCommand(environment)),
                new Entry("cluster", new ClusterCommand(environment)),
                new Entry("completion", new CompletionCommand(environment)));
    }
}
