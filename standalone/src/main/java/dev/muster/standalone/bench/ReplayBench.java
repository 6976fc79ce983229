package dev.muster.standalone.bench;

import dev.muster.ingest.publish.EventPublisher;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.round.Engine;
import dev.muster.scheduler.streams.JournalCodec;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.TopicAdmin;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.replay.ReplayReport;
import dev.muster.standalone.replay.ReplayVerifier;
import dev.muster.standalone.stack.Connection;
import dev.muster.standalone.stack.StackConfig;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Replays a journal: in the core, of entries that are in memory and decoded; then as {@code muster replay} does, from topic
 * {@code journal} of a broker in this process.
 */
final class ReplayBench {
    private static final Topics TOPICS = Topics.DEFAULT;
    private static final String DOMAIN = StackConfig.DEFAULT_DOMAIN;
    private static final Domains DOMAINS = Domains.of(DOMAIN);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int DECODED_AT_ONCE = 20_000;
    private static final int WARM_UP = 100_000;

    /** The load that the journal is of: as a fresh {@code muster bench stream} plays it. */
    private static final StreamOptions LOAD =
            new StreamOptions(StreamOptions.Source.jobs, 1_000, 1_000, Duration.ZERO, Duration.ZERO, 0, 80);

    private final JournalCodec codec = new JournalCodec(DOMAIN);
    private final AvroSerde<dev.muster.schemas.journal.JournalEntry> serde;
    private final List<byte[]> journal = new ArrayList<>();

    private ReplayBench(SchemaRegistry registry) {
        serde = new AvroSerde<>(registry, dev.muster.schemas.journal.JournalEntry.class);
    }

    static RestoreReport.Replay run(int entries, Path dataDir, PrintStream progress) {
        try (Connection connection = Connection.to(dataDir);
                Admin admin = Admin.create(connection.kafka())) {
            TopicAdmin.ensure(admin, TOPICS.trusted(DOMAINS), PATIENCE);
            ReplayBench bench = new ReplayBench(connection.registry());
            progress.println("making a journal of " + entries + " entries");
            bench.make(entries);
            bench.write(connection.kafka());
            return bench.measure(connection, progress);
        }
    }

    private void make(int entries) {
        new JournalMaker(DOMAIN, LOAD, entry -> {
                    if (journal.size() < entries) {
                        journal.add(serde.serializer().serialize(TOPICS.journal(), entry));
                    }
                })
                .make(entries);
    }

    private void write(Map<String, Object> kafka) {
        Map<String, Object> config = EventPublisher.producerConfig(kafka);
        try (KafkaProducer<String, byte[]> producer = new KafkaProducer<>(config)) {
            for (byte[] entry : journal) {
                producer.send(new ProducerRecord<>(TOPICS.journal(), DOMAINS.partitionOf(DOMAIN), DOMAIN, entry));
            }
        }
    }

    private RestoreReport.Replay measure(Connection connection, PrintStream progress) {
        progress.println("replaying it in the core");
        replay(Math.min(WARM_UP, journal.size()));
        Timed core = replay(journal.size());
        progress.println("replaying it from topic " + TOPICS.journal());
        ReplayVerifier verifier =
                new ReplayVerifier(connection.kafka(), connection.registry(), TOPICS, DOMAINS, DOMAIN);
        long cpu = CpuMeter.processNanos();
        long start = System.nanoTime();
        ReplayReport report = verifier.replay();
        double seconds = (System.nanoTime() - start) / 1e9;
        double cpuSeconds = (CpuMeter.processNanos() - cpu) / 1e9;
        if (!report.good() || report.entries() != journal.size() || report.decisions() != core.decisions) {
            throw new IllegalStateException("the two replays differ: " + report);
        }
        return new RestoreReport.Replay(
                journal.size(),
                core.decisions,
                core.nanos / 1e9,
                core.cpuNanos / 1e9,
                seconds,
                cpuSeconds,
                journal.stream().mapToLong(entry -> entry.length).sum());
    }

    private static final class Timed {
        private long nanos;
        private long cpuNanos;
        private long decisions;
    }

    /** Decodes some entries, then applies them on the clock, and so on: a million decoded entries would fill the heap. */
    private Timed replay(int entries) {
        Timed timed = new Timed();
        Engine engine = Engine.empty();
        for (int from = 0; from < entries; from += DECODED_AT_ONCE) {
            List<JournalEntry> decoded = decode(from, Math.min(entries, from + DECODED_AT_ONCE));
            long cpu = threadCpuNanos();
            long start = System.nanoTime();
            for (JournalEntry entry : decoded) {
                timed.decisions += engine.apply(entry).decisions().size();
            }
            timed.nanos += System.nanoTime() - start;
            timed.cpuNanos += threadCpuNanos() - cpu;
        }
        return timed;
    }

    private List<JournalEntry> decode(int from, int to) {
        List<JournalEntry> decoded = new ArrayList<>(to - from);
        for (byte[] entry : journal.subList(from, to)) {
            decoded.add(codec.read(serde.deserializer().deserialize(TOPICS.journal(), entry)));
        }
        return decoded;
    }

    private static long threadCpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
