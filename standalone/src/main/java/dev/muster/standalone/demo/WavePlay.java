package dev.muster.standalone.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.standalone.Counts;
import java.util.List;

/** The project's own workload, in real time: one wave, or one after the other for ever. */
final class WavePlay implements Play {
    private static final long SPAN_MILLIS = 20_000;

    private final GpuCluster cluster;
    private final int nodes;
    private final long seed;
    private final boolean forEver;

    /** @param forEver whether another wave follows each */
    WavePlay(int nodes, long seed, boolean forEver) {
        this.cluster = new GpuCluster(nodes);
        this.nodes = nodes;
        this.seed = seed;
        this.forEver = forEver;
    }

    @Override
    public String title() {
        return Counts.of(nodes, "node") + ", seed " + seed;
    }

    @Override
    public boolean realTime() {
        return true;
    }

    @Override
    public List<ObjectNode> cluster() {
        return cluster.objects();
    }

    @Override
    public void perform(ClusterWriter writer, Scoreboard scoreboard) throws InterruptedException {
        long beginNanos = System.nanoTime();
        int wave = 0;
        do {
            long waveMillis = wave * SPAN_MILLIS;
            for (Arrival arrival : GpuWorkload.wave(cluster, seed, wave, SPAN_MILLIS)) {
                long elapsedMillis = (System.nanoTime() - beginNanos) / 1_000_000;
                Thread.sleep(Math.max(0, waveMillis + arrival.atMillis() - elapsedMillis));
                arrival.objects().forEach(writer::apply);
            }
            wave++;
        } while (forEver);
    }
}
