package dev.muster.standalone.bench;

import java.time.Duration;

/**
 * What {@code muster bench stream} plays.
 *
 * @param source how gangs come in
 * @param nodes nodes of 96 CPU, 1 TiB and 8 GPUs
 * @param gangsPerSecond gangs of 8 pods of one GPU that arrive each second, in the phase at full rate
 * @param warmUp played at half of the full rate before anything is measured
 * @param duration of each measured phase
 * @param burst gangs that arrive all at once at the end; 0 for none
 * @param load share of the GPUs that the full rate keeps busy, percent: says how long a gang runs
 */
public record StreamOptions(
        Source source, int nodes, int gangsPerSecond, Duration warmUp, Duration duration, int burst, int load) {
    /** Pods of a gang. */
    static final int GANG = 8;

    static final int GPUS_PER_NODE = 8;

    /** How gangs come in. */
    public enum Source {
        /** One submission per gang on topic {@code submissions}; the binder makes the pods. */
        jobs,
        /** A PodGroup and its pods per gang, as an ingest tells them from watching a cluster. */
        pods
    }

    /** How long a gang runs, nanoseconds. */
    long lifetimeNanos() {
        double pods = (double) nodes * GPUS_PER_NODE * load / 100;
        return (long) (pods / GANG / gangsPerSecond * 1e9);
    }

    /** Gangs that will have come when all phases are over, and some more. */
    int mostGangs() {
        double seconds = (warmUp.toMillis() + 2.5 * duration.toMillis()) / 1000 + 60;
        return (int) (gangsPerSecond * seconds) + burst + 1_000;
    }
}
