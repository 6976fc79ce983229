package dev.muster.standalone.cli;

import java.io.PrintStream;
import java.util.Map;

/**
 * What a command sees of the process it runs in.
 *
 * @param out for the answer
 * @param err for progress, logs and errors
 * @param variables environment variables
 * @param outIsTerminal whether a person reads {@code out}
 * @param errIsTerminal whether a person reads {@code err}
 * @param columns width of the terminal in characters
 */
public record Environment(
        PrintStream out,
        PrintStream err,
        Map<String, String> variables,
        boolean outIsTerminal,
        boolean errIsTerminal,
        int columns) {
    private static final int DEFAULT_COLUMNS = 100;

    /** The process itself. The script says whether a terminal is there: the JVM cannot tell stdout from stderr. */
    public static Environment ofProcess() {
        return new Environment(
                System.out,
                System.err,
                System.getenv(),
                Boolean.getBoolean("muster.terminal.out"),
                Boolean.getBoolean("muster.terminal.err"),
                Integer.getInteger("muster.terminal.columns", DEFAULT_COLUMNS));
    }

    /** Whether colour may be written to {@code err}: it is a terminal that knows colour, and NO_COLOR is not set. */
    public boolean colourOnErr() {
        return errIsTerminal && colourWanted();
    }

    /** Whether colour may be written to {@code out}. */
    public boolean colourOnOut() {
        return outIsTerminal && colourWanted();
    }

    /** How the command was called, so that what it suggests can be typed. */
    public String program() {
        return variables.getOrDefault("MUSTER_PROGRAM", "muster");
    }

    /** Whether a stack trace is wanted where an error is printed. */
    public boolean debug() {
        return !variables.getOrDefault("MUSTER_DEBUG", "").isEmpty();
    }

    private boolean colourWanted() {
        return variables.getOrDefault("NO_COLOR", "").isEmpty()
                && !variables.getOrDefault("TERM", "").equals("dumb");
    }
}
