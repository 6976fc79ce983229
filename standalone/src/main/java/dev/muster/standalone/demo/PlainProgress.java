package dev.muster.standalone.demo;

import java.io.PrintStream;

/** A line every few seconds, for pipes and logs. */
final class PlainProgress implements Progress {
    private static final long EVERY_MILLIS = 5_000;

    private final PrintStream err;
    private long nextMillis;

    PlainProgress(PrintStream err) {
        this.err = err;
    }

    @Override
    public void show(String headline, long elapsedMillis, Snapshot now) {
        if (elapsedMillis < nextMillis) {
            return;
        }
        nextMillis = elapsedMillis + EVERY_MILLIS;
        PodLedger.PodCounts pods = now.pods();
        err.printf(
                "%4ds  %s: GPUs %s of %d, pods %d running %d waiting %d finished, gangs %d running %d waiting,"
                        + " %d decisions (%.0f/s), pod to decision %d/%d ms p50/p99%n",
                elapsedMillis / 1000,
                headline,
                Text.gpus(now.gpuMilliUsed()),
                now.gpus(),
                pods.holding(),
                pods.unbound(),
                pods.finished(),
                now.gangs().running(),
                now.gangs().waiting(),
                now.decisions().total(),
                now.decisionsPerSecond(),
                now.decisionLatency().p50Millis(),
                now.decisionLatency().p99Millis());
    }

    @Override
    public void say(String line) {
        err.println(line);
    }

    @Override
    public void close() {
        err.flush();
    }
}
