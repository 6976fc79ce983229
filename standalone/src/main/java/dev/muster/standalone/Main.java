package dev.muster.standalone;

import dev.muster.standalone.cli.Environment;
import dev.muster.standalone.cli.Muster;

/** The {@code muster} command. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        int exitCode = Muster.execute(Environment.ofProcess(), args);
        System.out.flush();
        System.err.flush();
        // Libraries may leave threads behind; what must be closed was closed by the subcommand.
        Runtime.getRuntime().exit(exitCode);
    }
}
