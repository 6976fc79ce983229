package dev.muster.standalone.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code muster completion}. */
@Command(
        name = "completion",
        header = "Print a completion script for bash or zsh.",
        footerHeading = "%nExample:%n",
        footer = "  muster completion bash > ~/.local/share/bash-completion/completions/muster")
final class CompletionCommand implements Callable<Integer> {
    /** Shells that the script works in; it is the same for both. */
    enum Shell {
        bash,
        zsh
    }

    @Mixin
    HelpOption help;

    @Spec
    CommandSpec spec;

    @Parameters(
            paramLabel = "SHELL",
            arity = "0..1",
            defaultValue = "bash",
            description = "${COMPLETION-CANDIDATES}; default: bash.")
    Shell shell;

    private final Environment environment;

    CompletionCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        environment.out().print(AutoComplete.bash("muster", spec.root().commandLine()));
        return ExitCode.DONE;
    }
}
