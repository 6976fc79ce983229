package dev.muster.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class CommandLineTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    static Stream<String> subcommands() {
        return Muster.commandLine(new CommandLineTest().environment(Map.of())).getSubcommands().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("subcommands")
    void everyCommandHasHelpWithAnExample(String command) {
        assertThat(run(command, "--help")).isZero();
        assertThat(text(out))
                .contains("Usage: muster " + command)
                .contains("Example")
                .contains("muster " + command + " ");
        assertThat(text(err)).isEmpty();
        for (String line : Muster.commandLine(environment(Map.of()))
                .getSubcommands()
                .get(command)
                .getCommandSpec()
                .usageMessage()
                .footer()) {
            assertThat(line.length())
                    .as("an example that can be copied: " + line)
                    .isLessThanOrEqualTo(Muster.HELP_WIDTH);
        }
    }

    @Test
    void helpIsPlainTextInAPipe() {
        assertThat(run("--help")).isZero();
        assertThat(text(out)).contains("Exit codes:").doesNotContain("\u001b");
    }

    @Test
    void versionIsOneLine() {
        assertThat(run("--version")).isZero();
        assertThat(text(out)).startsWith("muster ").hasLineCount(1);
    }

    @ParameterizedTest
    @MethodSource("unusable")
    void whatCannotBeUnderstoodIsOneLineAndExitCode2(String line) {
        assertThat(run(line.isEmpty() ? new String[0] : line.split(" "))).isEqualTo(2);
        assertThat(text(err)).startsWith("muster: ").hasLineCount(1).doesNotContain("Exception");
        assertThat(text(out)).isEmpty();
    }

    static Stream<String> unusable() {
        return Stream.of(
                "",
                "demp",
                "demo --no-such-option",
                "demo --seed x",
                "demo -o csv",
                "demo --max-undecided 4",
                "jobs --state waitin",
                "submit --gang 8x4 --name a",
                "submit -f .",
                "run --kubeconfig .",
                "completion fish");
    }

    @Test
    void completionNamesTheSubcommands() {
        assertThat(run("completion", "bash")).isZero();
        assertThat(text(out)).contains("demo").contains("complete -F");
    }

    @Test
    void aBugIsOneLineUnlessDebuggingIsOn() {
        CommandLine bare = Muster.commandLine(environment(Map.of()));
        bare.addSubcommand("broken", new Broken());
        assertThat(bare.execute("broken")).isEqualTo(70);
        assertThat(text(err))
                .contains("internal error")
                .contains("MUSTER_DEBUG=1")
                .doesNotContain("\tat ");
        err.reset();
        CommandLine debugging = Muster.commandLine(environment(Map.of("MUSTER_DEBUG", "1")));
        debugging.addSubcommand("broken", new Broken());
        assertThat(debugging.execute("broken")).isEqualTo(70);
        assertThat(text(err)).contains("\tat ");
    }

    @CommandLine.Command(name = "broken")
    static final class Broken implements Runnable {
        @Override
        public void run() {
            throw new IllegalStateException("a law is broken");
        }
    }

    private int run(String... args) {
        return Muster.execute(environment(Map.of()), args);
    }

    private Environment environment(Map<String, String> variables) {
        return new Environment(print(out), print(err), variables, false, false, 100);
    }

    private static PrintStream print(ByteArrayOutputStream into) {
        return new PrintStream(into, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }
}
