package dev.muster.standalone.trace;

import java.nio.file.Path;

/** A trace can't be used; the message says file, line, and what was expected. */
public final class TraceFormatException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TraceFormatException(Path file, long line, String problem) {
        super(file + ":" + line + ": " + problem);
    }
}
