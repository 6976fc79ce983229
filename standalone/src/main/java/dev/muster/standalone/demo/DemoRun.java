package dev.muster.standalone.demo;

import dev.muster.standalone.Counts;
import dev.muster.standalone.cluster.SimulatedCluster;
import dev.muster.standalone.cluster.SimulatedClusterOptions;
import dev.muster.standalone.stack.Stack;
import dev.muster.standalone.stack.StackConfig;
import dev.muster.standalone.trace.OpenbTrace;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** One demo, from an empty directory to the summary. */
public final class DemoRun {
    /** The member cluster. */
    static final String CLUSTER = "demo";

    private static final Duration START_TIMEOUT = Duration.ofSeconds(90);
    private static final long QUIET_MILLIS = 2_000;
    private static final long INCOMPLETE_QUIET_MILLIS = 15_000;
    private static final long STUCK_MILLIS = 60_000;
    private static final Duration LOOK = Duration.ofMillis(100);

    private final DemoOptions options;
    private final Play play;
    private final Progress progress;
    private final Interruption interruption;

    private DemoRun(DemoOptions options, Play play, Progress progress, Interruption interruption) {
        this.options = options;
        this.play = play;
        this.progress = progress;
        this.interruption = interruption;
    }

    /**
     * Plays a demo.
     *
     * @param interruption ends it early, with a summary
     * @param err for progress
     * @param terminal where {@code err} is one
     * @throws IOException when the data directory or a trace can't be read or written
     * @throws dev.muster.standalone.trace.TraceFormatException when a trace can't be used
     */
    public static Summary run(
            DemoOptions options, Interruption interruption, PrintStream err, Optional<DemoOptions.Terminal> terminal)
            throws IOException, InterruptedException {
        Play play = play(options);
        Path dataDir = options.dataDir().isPresent()
                ? options.dataDir().get().toAbsolutePath().normalize()
                : Files.createTempDirectory("muster-demo-");
        boolean keep = options.dataDir().isPresent();
        try (Progress progress = terminal.<Progress>map(t -> new LiveProgress(err, t.colour(), t.columns()))
                .orElseGet(() -> new PlainProgress(err))) {
            return new DemoRun(options, play, progress, interruption).run(dataDir, keep);
        } finally {
            if (!keep) {
                Directories.delete(dataDir);
            }
        }
    }

    private static Play play(DemoOptions options) throws IOException {
        return switch (options.source()) {
            case DemoOptions.Waves waves -> new WavePlay(waves.nodes(), waves.seed(), !options.untilDone());
            case DemoOptions.Trace trace ->
                new TracePlay(OpenbTrace.read(trace.nodes(), trace.pods()), trace.maxUndecided());
        };
    }

    private Summary run(Path dataDir, boolean keep) throws InterruptedException {
        long beginNanos = System.nanoTime();
        progress.say("starting Kafka, schema registry, simulated cluster, ingest, scheduler and binder ...");
        try (SimulatedCluster cluster = SimulatedCluster.start(clusterOptions())) {
            ClusterWriter writer = new SimulatedClusterWriter(cluster);
            play.cluster().forEach(writer::apply);
            StackConfig config =
                    StackConfig.embedded(dataDir).withMember(new StackConfig.Member(CLUSTER, cluster.clientConfig()));
            Scoreboard scoreboard = new Scoreboard();
            try (Stack stack = Stack.start(config);
                    TopicWatch watch =
                            TopicWatch.start(stack.bootstrapServers(), stack.registry(), stack.topics(), scoreboard)) {
                awaitNodes(stack, watch, scoreboard);
                long startMillis = millisSince(beginNanos);
                progress.say("up after " + Text.decimal(startMillis / 1000.0) + " s; Kafka at "
                        + stack.bootstrapServers() + ", API server at " + cluster.url());
                progress.say("schema registry at " + stack.registryUri());
                int rehearsed = new Rehearsal(cluster, interruption).play();
                progress.say("rehearsed with " + Counts.of(rehearsed, "pod") + ", not counted");
                return perform(stack, watch, scoreboard, writer, startMillis, keep ? dataDir.toString() : "");
            }
        }
    }

    private SimulatedClusterOptions clusterOptions() {
        SimulatedClusterOptions cluster = SimulatedClusterOptions.DEFAULT.withName(CLUSTER);
        return play.realTime() ? cluster : cluster.withStartDelay(Duration.ZERO);
    }

    private void awaitNodes(Stack stack, TopicWatch watch, Scoreboard scoreboard) throws InterruptedException {
        int nodes = (int) play.cluster().stream()
                .filter(object -> object.get("kind").asText().equals("Node"))
                .count();
        long beginNanos = System.nanoTime();
        while (scoreboard.nodeCount() < nodes || !stack.healthy()) {
            watch.check();
            stack.check();
            if (millisSince(beginNanos) > START_TIMEOUT.toMillis()) {
                throw new IllegalStateException("not up after " + START_TIMEOUT.toSeconds() + " s: "
                        + scoreboard.nodeCount() + " of " + nodes + " nodes seen; " + stack.describeHealth());
            }
            if (interruption.within(LOOK)) {
                return;
            }
        }
    }

    private Summary perform(
            Stack stack,
            TopicWatch watch,
            Scoreboard scoreboard,
            ClusterWriter writer,
            long startMillis,
            String dataDir)
            throws InterruptedException {
        Performer performer = Performer.start(play, writer, scoreboard);
        long beginNanos = System.nanoTime();
        Summary.Ending ending = null;
        while (ending == null) {
            boolean stop = interruption.within(LOOK);
            watch.check();
            stack.check();
            performer.check();
            long elapsedMillis = millisSince(beginNanos);
            progress.show(play.title(), elapsedMillis, scoreboard.snapshot(System.currentTimeMillis()));
            ending = ending(stop, performer.done(), elapsedMillis, scoreboard);
        }
        if (ending == Summary.Ending.STUCK) {
            progress.say("nothing has moved for " + STUCK_MILLIS / 1000 + " s; " + stack.describeHealth());
        }
        performer.stop();
        long playMillis = millisSince(beginNanos);
        long endMillis = System.currentTimeMillis();
        Snapshot last = scoreboard.snapshot(endMillis);
        return new Summary(
                play.title(),
                ending,
                startMillis,
                playMillis,
                endMillis,
                last,
                dataDir,
                NextCommands.after(options, last, dataDir));
    }

    private Summary.Ending ending(boolean stop, boolean allApplied, long elapsedMillis, Scoreboard scoreboard) {
        if (stop) {
            return Summary.Ending.INTERRUPTED;
        }
        if (options.duration().isPresent()
                && elapsedMillis >= options.duration().get().toMillis()) {
            return Summary.Ending.TIME_OVER;
        }
        if (options.untilDone() && allApplied && scoreboard.settled(QUIET_MILLIS, INCOMPLETE_QUIET_MILLIS)) {
            return Summary.Ending.DONE;
        }
        return scoreboard.quietMillis() > STUCK_MILLIS ? Summary.Ending.STUCK : null;
    }

    private static long millisSince(long beginNanos) {
        return (System.nanoTime() - beginNanos) / 1_000_000;
    }
}
