package dev.muster.standalone.cli;

import picocli.CommandLine.Option;

/** {@code --help}, on every subcommand. */
final class HelpOption {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;
}
