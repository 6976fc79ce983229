package dev.muster.standalone.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import dev.muster.schemas.serde.AvroSerde;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root command: knows its subcommands, and how any of them fails. */
@Command(
        name = "muster",
        versionProvider = Muster.Version.class,
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        header = "Muster schedules gangs of GPU pods on Kubernetes, through Kafka, whole or not at all.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster demo                            watch all of it on a simulated cluster",
            "  muster demo --until-done -o json       the same, with a summary for programs",
            "",
            "MUSTER_BOOTSTRAP_SERVERS, MUSTER_SCHEMA_REGISTRY and MUSTER_COMMAND_CONFIG, or MUSTER_DATA_DIR,",
            "say where the topics are, so that it need not be typed each time.",
            "",
            "Exit codes: 0 done, 1 the answer is no, 2 the input can't be used, 3 a service can't be reached,",
            "130 ended by Ctrl-C.",
            "MUSTER_DEBUG=1 prints the stack trace of an error."
        })
public final class Muster implements Runnable {
    static final int HELP_WIDTH = 100;

    @Spec
    CommandSpec spec;

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Log what happens, to stderr; twice for more.")
    void verbose(boolean[] times) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logback) {
            logback.getLogger("dev.muster").setLevel(times.length > 1 ? Level.DEBUG : Level.INFO);
            logback.getLogger("ROOT").setLevel(times.length > 1 ? Level.INFO : Level.WARN);
        }
    }

    /** Runs the command line and returns the exit code. */
    public static int execute(Environment environment, String... args) {
        // Records are also built here, before any serde has said that their classes may be trusted.
        AvroSerde.trustGeneratedClasses();
        try {
            return commandLine(environment).execute(args);
        } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
            return new FailureTable(environment).report(e);
        }
    }

    static CommandLine commandLine(Environment environment) {
        CommandLine root = new CommandLine(new Muster());
        for (Subcommands.Entry entry : Subcommands.all(environment)) {
            root.addSubcommand(entry.name(), entry.commandLine());
        }
        FailureTable failures = new FailureTable(environment);
        return root.setExecutionExceptionHandler(failures)
                .setParameterExceptionHandler(failures)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(false)
                .setUsageHelpWidth(HELP_WIDTH)
                .setUsageHelpLongOptionsMaxWidth(34)
                .setColorScheme(CommandLine.Help.defaultColorScheme(environment.colourOnOut() ? Ansi.ON : Ansi.OFF))
                .setOut(new PrintWriter(environment.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(environment.err(), true, StandardCharsets.UTF_8));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    /** The version that the build wrote into the jar. */
    static final class Version implements IVersionProvider {
        private static final String BUILD = "/META-INF/maven/dev.muster/standalone/pom.properties";

        @Override
        public String[] getVersion() throws IOException {
            Properties build = new Properties();
            try (InputStream in = Muster.class.getResourceAsStream(BUILD)) {
                if (in != null) {
                    build.load(in);
                }
            }
            return new String[] {"muster " + build.getProperty("version", "(not built by Maven)")};
        }
    }
}
