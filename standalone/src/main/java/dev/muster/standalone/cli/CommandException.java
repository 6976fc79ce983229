package dev.muster.standalone.cli;

/** Ends a command with one line on stderr and an exit code. */
public final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int exitCode;

    private CommandException(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** The answer is no. */
    public static CommandException no(String message) {
        return new CommandException(ExitCode.NO, message, null);
    }

    /** The input can't be used: which, where, and what was expected. */
    public static CommandException unusableInput(String message) {
        return new CommandException(ExitCode.UNUSABLE_INPUT, message, null);
    }

    /** A service can't be reached: which, where. */
    public static CommandException unreachable(String message, Throwable cause) {
        return new CommandException(ExitCode.UNREACHABLE, message, cause);
    }

    /** One of {@link ExitCode}. */
    public int exitCode() {
        return exitCode;
    }
}
