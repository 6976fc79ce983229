package dev.muster.standalone.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code muster bench}: its subcommands measure. */
@Command(
        name = "bench",
        header = "Measure the scheduler: core, long queues, through Kafka, after a restart, on a public trace.",
        synopsisSubcommandLabel = "COMMAND",
        description = "Starts what it needs in this process, measures, prints a table and leaves nothing behind.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster bench core                    the core alone, at 1,000 to 50,000 nodes",
            "  muster bench queues                  long queues in a full cluster, and preemption",
            "  muster bench stream                  1,000 gangs of 8 pods a second through the broker",
            "  muster bench stream -o json          the last line is one line of JSON",
            "  muster bench restore                 replay of a journal, restart after a kill",
            "  muster bench openb --nodes ...       GPU allocation on a public trace, by policy"
        })
final class BenchCommand implements Runnable {
    @Spec
    CommandSpec spec;

    @Mixin
    HelpOption help;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}
