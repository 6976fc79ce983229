package dev.muster.standalone.bench;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.TopicAdmin;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.stack.Connection;
import dev.muster.standalone.stack.StackConfig;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Kills a scheduler process (kill -9) that has a whole cluster in its state, while it works, and starts another one in its
 * place: a fresh JVM with the same instance id, whose state comes from the changelogs. Broker and registry run on in this
 * process.
 */
final class RestartBench implements AutoCloseable {
    private static final Topics TOPICS = Topics.DEFAULT;
    private static final String DOMAIN = StackConfig.DEFAULT_DOMAIN;
    private static final Domains DOMAINS = Domains.of(DOMAIN);
    private static final Duration TOPICS_PATIENCE = Duration.ofSeconds(60);
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration POLL = Duration.ofMillis(20);

    /** Gangs that are submitted together, so that the kill comes while their decisions are being made. */
    private static final int AT_THE_KILL = 20;

    /** All gangs that are submitted: one before these and one after. */
    static final int GANGS = AT_THE_KILL + 2;

    private static final int KILL_AFTER_MILLIS = 30;

    private final Connection connection;
    private final Path dataDir;
    private final ClusterNews news = new ClusterNews(DOMAIN, StreamOptions.Source.jobs);
    private final NewsWriter writer;
    private final KafkaConsumer<byte[], byte[]> decisions;
    private final Deserializer<Decision> decoder;

    private RestartBench(Connection connection, Path dataDir) {
        this.connection = connection;
        this.dataDir = dataDir;
        this.writer = new NewsWriter(connection.kafka(), connection.registry(), TOPICS, DOMAINS, DOMAIN);
        this.decoder = new AvroSerde<>(connection.registry(), Decision.class).deserializer();
        Map<String, Object> config = new HashMap<>(connection.kafka());
        config.put("isolation.level", "read_committed");
        config.put("enable.auto.commit", false);
        this.decisions = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        TopicPartition partition = new TopicPartition(TOPICS.decisions(), DOMAINS.partitionOf(DOMAIN));
        decisions.assign(List.of(partition));
        decisions.seekToBeginning(List.of(partition));
    }

    static RestoreReport.Restart run(RestoreOptions options, Path dataDir, PrintStream progress)
            throws IOException, InterruptedException {
        try (Connection connection = Connection.to(dataDir);
                Admin admin = Admin.create(connection.kafka())) {
            TopicAdmin.ensure(admin, TOPICS.trusted(DOMAINS), TOPICS_PATIENCE);
            try (RestartBench bench = new RestartBench(connection, dataDir)) {
                return bench.run(options, progress);
            }
        }
    }

    private RestoreReport.Restart run(RestoreOptions options, PrintStream progress)
            throws IOException, InterruptedException {
        progress.println("telling of " + options.nodes() + " nodes and " + options.pods() + " pods");
        news.runningCluster(options.nodes(), options.pods(), writer::send);
        int gang = ClusterNews.firstFreeGang(options.pods());
        writer.send(news.submission(gang, System.currentTimeMillis()));
        writer.flush();
        try (SchedulerChild first = start(progress)) {
            awaitDecision(gang, first);
            progress.println("killing the scheduler while it works");
            for (int i = 0; i < AT_THE_KILL; i++) {
                writer.send(news.submission(++gang, System.currentTimeMillis()));
            }
            writer.flush();
            Thread.sleep(KILL_AFTER_MILLIS);
        }
        writer.send(news.submission(++gang, System.currentTimeMillis()));
        writer.flush();
        long start = System.nanoTime();
        try (SchedulerChild second = start(progress)) {
            awaitDecision(gang, second);
            double millis = (System.nanoTime() - start) / 1e6;
            double cpuSeconds = second.cpuSeconds();
            Map<String, Double> steps = new TreeMap<>();
            second.steps().forEach((step, nanos) -> steps.put(step, (nanos - start) / 1e6));
            return new RestoreReport.Restart(options.nodes(), options.pods(), millis, cpuSeconds, steps);
        }
    }

    private SchedulerChild start(PrintStream progress) throws IOException {
        return SchedulerChild.start(connection, dataDir.resolve("streams"), progress);
    }

    private void awaitDecision(int gang, SchedulerChild scheduler) {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            for (ConsumerRecord<byte[], byte[]> record : decisions.poll(POLL)) {
                if (ClusterNews.gangOf(decoder.deserialize(TOPICS.decisions(), record.value())) == gang) {
                    return;
                }
            }
            scheduler.requireAlive();
            if (System.nanoTime() > until) {
                throw new IllegalStateException("no decision within " + PATIENCE.toSeconds() + " s");
            }
        }
    }

    @Override
    public void close() {
        writer.close();
        decisions.close();
    }
}
