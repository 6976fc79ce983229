package dev.muster.standalone.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What a demo plays and when it ends.
 *
 * @param source the workload
 * @param duration longest time to play; empty means no limit
 * @param untilDone whether to play one wave and end when all of it that fits has run
 * @param dataDir where the topics are kept; empty means a temporary directory
 * @param program how the command was called, for what it suggests to type next
 */
public record DemoOptions(
        Source source, Optional<Duration> duration, boolean untilDone, Optional<Path> dataDir, String program) {

    /** A workload. */
    public sealed interface Source {}

    /**
     * The project's own, made from a seed.
     *
     * @param nodes nodes of 8 GPUs
     */
    public record Waves(int nodes, long seed) implements Source {}

    /**
     * A trace in openb's format.
     *
     * @param maxUndecided most pods that may be undecided at a time
     */
    public record Trace(Path nodes, Path pods, int maxUndecided) implements Source {}

    /** A terminal to draw on. */
    public record Terminal(int columns, boolean colour) {}
}
