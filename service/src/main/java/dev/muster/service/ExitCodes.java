package dev.muster.service;

/** What the exit code of a service says. Ended by SIGTERM it is 143, the JVM's own. */
final class ExitCodes {
    /** Help, version or a check was asked for, and is done. */
    static final int DONE = 0;

    /** It ended by itself; a line says why. Whoever runs it starts it again. */
    static final int ENDED = 1;

    /** Its arguments or settings cannot be used. */
    static final int UNUSABLE = 2;

    /** Kafka, the schema registry or the API server cannot be reached. */
    static final int UNREACHABLE = 3;

    /** A bug (EX_SOFTWARE of sysexits). */
    static final int INTERNAL = 70;

    private ExitCodes() {}
}
