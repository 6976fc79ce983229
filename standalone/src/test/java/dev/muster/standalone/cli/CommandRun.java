package dev.muster.standalone.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A command line run in this process, and what it said. */
public record CommandRun(int exitCode, String out, String err) {

    /** In a pipe, without environment variables. */
    public static CommandRun of(String... args) {
        return with(Map.of(), args);
    }

    /** In a pipe. */
    public static CommandRun with(Map<String, String> variables, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Environment environment = new Environment(print(out), print(err), variables, false, false, 100);
        int exitCode = Muster.execute(environment, args);
        return new CommandRun(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static PrintStream print(ByteArrayOutputStream into) {
        return new PrintStream(into, true, StandardCharsets.UTF_8);
    }
}
