package dev.muster.standalone.bench;

import dev.muster.scheduler.streams.SchedulerApp;
import dev.muster.scheduler.streams.SchedulerConfig;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.TopicAdmin;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.bench.StreamReport.Phase;
import dev.muster.standalone.stack.Connection;
import dev.muster.standalone.stack.StackConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;

/**
 * How many gangs a second the scheduler places through a broker, and how late: generator, broker and scheduler in one
 * process. Phases: warm-up at half of the full rate, half, the full rate, and a burst.
 */
public final class StreamBench {
    private static final Topics TOPICS = Topics.DEFAULT;
    private static final String DOMAIN = StackConfig.DEFAULT_DOMAIN;
    private static final Domains DOMAINS = Domains.of(DOMAIN);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long HIGHEST_MICROS = Duration.ofMinutes(10).toNanos() / 1_000;
    private static final long LOOK_MILLIS = 10;

    private final StreamOptions options;
    private final PrintStream progress;

    private StreamBench(StreamOptions options, PrintStream progress) {
        this.options = options;
        this.progress = progress;
    }

    /**
     * Runs it all on an empty data directory.
     *
     * @param progress where to say what is going on
     */
    public static StreamReport run(StreamOptions options, Path dataDir, PrintStream progress)
            throws InterruptedException {
        return new StreamBench(options, progress).run(dataDir);
    }

    private StreamReport run(Path dataDir) throws InterruptedException {
        try (Connection connection = Connection.to(dataDir);
                Admin admin = Admin.create(connection.kafka())) {
            TopicAdmin.ensure(admin, TOPICS.trusted(DOMAINS), PATIENCE);
            try (NewsWriter writer =
                            new NewsWriter(connection.kafka(), connection.registry(), TOPICS, DOMAINS, DOMAIN);
                    SchedulerApp scheduler = scheduler(connection, dataDir)) {
                ClusterNews news = new ClusterNews(DOMAIN, options.source());
                news.firstLists(options.nodes()).forEach(writer::send);
                writer.flush();
                scheduler.start();
                if (!scheduler.awaitRunning(PATIENCE)) {
                    throw new IllegalStateException("the scheduler does not run");
                }
                GangLedger ledger = new GangLedger(options.mostGangs(), options.nodes());
                TopicPartition decisions = new TopicPartition(TOPICS.decisions(), 0);
                try (ClusterPlayer player = new ClusterPlayer(
                        options, news, writer, ledger, connection.kafka(), connection.registry(), decisions)) {
                    List<Phase> phases = play(player, ledger, writer);
                    TopicSizes sizes = TopicSizes.of(admin, TOPICS, SchedulerConfig.defaultApplicationId(TOPICS));
                    return new StreamReport(
                            options, phases, ledger.violations(), sizes, scheduler.haltedDomains(), Machine.read());
                }
            }
        }
    }

    private static SchedulerApp scheduler(Connection connection, Path dataDir) {
        return new SchedulerApp(
                SchedulerConfig.of(connection.kafka(), TOPICS, DOMAINS, "bench", dataDir.resolve("streams")),
                connection.registry(),
                new SimpleMeterRegistry());
    }

    private List<Phase> play(ClusterPlayer player, GangLedger ledger, NewsWriter writer) throws InterruptedException {
        List<Phase> phases = new ArrayList<>();
        int full = options.gangsPerSecond();
        int half = Math.max(1, full / 2);
        player.arrive(half);
        pass(player, options.warmUp(), "warm-up at " + half + " gangs/s");
        phases.add(measured(player, ledger, writer, "half", half));
        player.arrive(full);
        pass(player, options.warmUp().dividedBy(3), "settling at " + full + " gangs/s");
        phases.add(measured(player, ledger, writer, "full", full));
        player.arrive(0);
        awaitAllDecided(player, ledger);
        if (options.burst() > 0) {
            Thread.sleep(options.lifetimeNanos() / 1_000_000 + 1_000);
            phases.add(burst(player, ledger, writer));
        }
        // Latencies of what was still undecided when its phase ended are known only now.
        phases.replaceAll(phase -> withLatency(phase, ledger));
        return phases;
    }

    private void pass(ClusterPlayer player, Duration time, String what) throws InterruptedException {
        progress.println(what + " for " + time.toMillis() / 1000.0 + " s");
        long until = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < until) {
            Thread.sleep(LOOK_MILLIS);
            player.check();
        }
    }

    private Phase measured(ClusterPlayer player, GangLedger ledger, NewsWriter writer, String name, int rate)
            throws InterruptedException {
        Map<String, Long> cpu = CpuMeter.read();
        long events = writer.sent();
        int firstGang = player.sentGangs();
        int waitingBefore = player.sentGangs() - player.decidedGangs();
        int decidedBefore = player.decidedGangs();
        long start = System.nanoTime();
        pass(player, options.duration(), "measuring at " + rate + " gangs/s");
        double seconds = (System.nanoTime() - start) / 1e9;
        int decided = player.decidedGangs() - decidedBefore;
        int lastGang = player.sentGangs();
        int waiting = lastGang - player.decidedGangs();
        progress.printf(
                Locale.ROOT,
                "decided %.0f gangs/s, %d wait; CPU seconds %s%n",
                decided / seconds,
                waiting,
                CpuMeter.between(cpu, CpuMeter.read()));
        return new Phase(
                name,
                rate,
                seconds,
                firstGang,
                lastGang,
                decided,
                waitingBefore,
                waiting,
                writer.sent() - events,
                CpuMeter.between(cpu, CpuMeter.read()),
                null);
    }

    private Phase burst(ClusterPlayer player, GangLedger ledger, NewsWriter writer) throws InterruptedException {
        progress.println("a burst of " + options.burst() + " gangs");
        Map<String, Long> cpu = CpuMeter.read();
        long events = writer.sent();
        int firstGang = player.sentGangs();
        long start = System.nanoTime();
        player.burst(options.burst());
        while (player.sentGangs() < firstGang + options.burst()) {
            Thread.sleep(LOOK_MILLIS);
            player.check();
        }
        awaitAllDecided(player, ledger);
        long last = start;
        for (int gang = firstGang; gang < player.sentGangs(); gang++) {
            last = Math.max(last, ledger.decidedNanos(gang));
        }
        return new Phase(
                "burst",
                0,
                (last - start) / 1e9,
                firstGang,
                player.sentGangs(),
                options.burst(),
                0,
                0,
                writer.sent() - events,
                CpuMeter.between(cpu, CpuMeter.read()),
                null);
    }

    private void awaitAllDecided(ClusterPlayer player, GangLedger ledger) throws InterruptedException {
        long until = System.nanoTime() + PATIENCE.toNanos();
        int seen = -1;
        while (player.decidedGangs() < player.sentGangs()) {
            if (player.decidedGangs() != seen) {
                seen = player.decidedGangs();
                until = System.nanoTime() + PATIENCE.toNanos();
            }
            if (System.nanoTime() > until) {
                throw new IllegalStateException((player.sentGangs() - player.decidedGangs()) + " gangs wait, "
                        + ledger.violations() + " violations; nothing was decided for " + PATIENCE.toSeconds() + " s");
            }
            Thread.sleep(LOOK_MILLIS);
            player.check();
        }
    }

    private static Phase withLatency(Phase phase, GangLedger ledger) {
        Histogram histogram = new Histogram(HIGHEST_MICROS, 3);
        for (int gang = phase.firstGang(); gang < phase.endGang(); gang++) {
            histogram.recordValue(Math.clamp(ledger.latencyNanos(gang) / 1_000, 0, HIGHEST_MICROS));
        }
        Map<String, Double> millis = new TreeMap<>();
        millis.put("p50", histogram.getValueAtPercentile(50) / 1e3);
        millis.put("p90", histogram.getValueAtPercentile(90) / 1e3);
        millis.put("p99", histogram.getValueAtPercentile(99) / 1e3);
        millis.put("max", histogram.getMaxValue() / 1e3);
        return phase.withLatency(millis);
    }
}
