package dev.muster.standalone.cli;

/** What the command's exit code says. */
public final class ExitCode {
    /** Done. */
    public static final int DONE = 0;

    /** The answer is no: an expectation failed, a replay differs, nothing of that name exists. */
    public static final int NO = 1;

    /** The input can't be used; one line says which, where, and what was expected. */
    public static final int UNUSABLE_INPUT = 2;

    /** A service can't be reached. */
    public static final int UNREACHABLE = 3;

    /** A bug in Muster itself (EX_SOFTWARE of sysexits). */
    public static final int INTERNAL = 70;

    /** Ended by Ctrl-C (SIGINT): 128 and the signal's number, as shells and kubectl have it. The JVM gives it by itself. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
