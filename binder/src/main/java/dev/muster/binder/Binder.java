package dev.muster.binder;

import dev.muster.schemas.decision.DeadLetter;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.job.PodTemplate;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The binder of one member cluster in one domain: reads the domain's decisions, carries those of its cluster to the
 * API server, and reports every outcome. May be killed at any moment and run twice: a successor does again what has
 * no outcome yet.
 */
public final class Binder implements AutoCloseable {

    /**
     * Where a binder works and what it works with. Closes none of it.
     *
     * @param client reaches the member cluster
     * @param cluster name of the member cluster in the domain
     * @param domain the domain
     * @param domains all domains
     * @param topics topic names
     * @param kafka what reaches and opens the Kafka cluster (bootstrap.servers, security)
     * @param registry schema registry
     * @param meters where metrics go
     */
    public record Place(
            KubernetesClient client,
            String cluster,
            String domain,
            Domains domains,
            Topics topics,
            Map<String, Object> kafka,
            SchemaRegistry registry,
            MeterRegistry meters) {}

    private static final Logger LOG = LoggerFactory.getLogger(Binder.class);
    private static final Duration LISTED_WITHIN = Duration.ofSeconds(60);
    private static final Duration ROUND = Duration.ofSeconds(30);
    /** Longer than any single call to the brokers may block. */
    private static final Duration STUCK_AFTER = Duration.ofMinutes(3);

    private static final Duration SWEEP_EVERY = Duration.ofHours(6);
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final int FEED_RECORDS = 500;

    private final Place place;
    private final BinderConfig config;
    private final BinderClock clock;
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private ClusterInformers informers;
    private Turner decisions;
    private Turner templates;

    /** A binder that does nothing yet. */
    public Binder(Place place, BinderConfig config) {
        this(place, config, BinderClock.SYSTEM);
    }

    /** A binder that does nothing yet, and has its time from that clock. */
    public Binder(Place place, BinderConfig config, BinderClock clock) {
        this.clock = clock;
        this.place = place;
        this.config = config;
    }

    /**
     * Lists the cluster, goes to the lowest decision without an outcome, and begins.
     *
     * @throws IllegalStateException when cluster or broker can't be used; everything is closed again then
     */
    public synchronized void start() {
        if (decisions != null) {
            throw new IllegalStateException("binder of cluster " + place.cluster() + " was started already");
        }
        LOG.info("binder of cluster {} in domain {}: {}", place.cluster(), place.domain(), config);
        try {
            wire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
            throw new IllegalStateException("interrupted while starting", e);
        } catch (TimeoutException e) {
            close();
            throw new ClusterUnlistedException(
                    "pods and nodes were not listed within " + LISTED_WITHIN.toSeconds() + " s", e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** The consumer group under which the binder of a cluster keeps its position. */
    public static String groupId(Topics topics, String cluster) {
        return topics.prefix() + "binder-" + cluster;
    }

    /** Both loops come round, and the cluster is being watched. */
    public synchronized boolean isHealthy() {
        return decisions != null && decisions.isHealthy(ROUND) && templates.isHealthy(ROUND) && informers.running();
    }

    /** Whether the loops come round, be the brokers there or not. */
    public synchronized boolean comesRound() {
        return decisions == null || (decisions.isHealthy(STUCK_AFTER) && templates.isHealthy(STUCK_AFTER));
    }

    /** Whether pods and nodes are being watched: false while the API server can't be reached. */
    public synchronized boolean isWatching() {
        return decisions != null && informers.watching();
    }

    /** What ended a loop for good; empty while both run. */
    public synchronized Optional<Throwable> failure() {
        return decisions == null ? Optional.empty() : decisions.failure().or(templates::failure);
    }

    /** Ends what can end at once and abandons the rest, which is done again at the next start. */
    @Override
    public synchronized void close() {
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.warn("{} did not close cleanly", part, e);
            }
        }
    }

    private void wire() throws InterruptedException, TimeoutException {
        Patience.Spacing spacing = Patience.Spacing.of(clock, config);
        ClusterApi api = api(config.concurrency());
        ClusterView view = new ClusterView();
        informers = opened(new ClusterInformers(place.client(), view));
        informers.start(LISTED_WITHIN);

        OutcomePublisher publisher = publisher();
        TemplateStore templateStore = new TemplateStore();
        templates = feed("templates", place.topics().templates(), PodTemplate.class, templateStore::take, publisher);
        startStatusWriter(view, spacing, publisher);

        PodCreator creator = new PodCreator(api, templateStore, place.client().getKubernetesSerialization());
        ClaimWaits waits = new ClaimWaits();
        DecisionCarrier carrier =
                DecisionCarrier.over(api, view, creator, spacing, Parallel.THREADS, config, waits, place.meters());
        decisions = startDecisions(carrier, waits, publisher);
        sweepSeals(api);
    }

    private ClusterApi api(int concurrency) {
        return new Fabric8ClusterApi(
                new HttpTransport(place.client(), concurrency, config.requestTimeout()),
                place.client().getKubernetesSerialization(),
                config.leaseNamespace());
    }

    private void sweepSeals(ClusterApi api) {
        ScheduledExecutorService sweeper = Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform()
                .daemon()
                .name("muster-binder-seals-" + place.cluster())
                .factory());
        parts.push(sweeper::shutdownNow);
        SealSweeper seals = new SealSweeper(api);
        sweeper.scheduleWithFixedDelay(seals::sweep, 0, SWEEP_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    private OutcomePublisher publisher() {
        Producer<String, byte[]> producer = KafkaSettings.producer(place.kafka());
        parts.push(() -> producer.close(Duration.ofSeconds(5)));
        return new OutcomePublisher(
                producer,
                serde(Outcome.class).serializer(),
                serde(DeadLetter.class).serializer(),
                new OutcomePublisher.Target(
                        place.topics().outcomes(), place.topics().deadLetters(), place.domain(), partition()),
                clock);
    }

    private void startStatusWriter(ClusterView view, Patience.Spacing spacing, OutcomePublisher publisher) {
        // An API with a limit of its own: however many statuses wait, bindings find their permits free.
        ClusterApi api = api(config.statusConcurrency());
        StatusWriter writer = new StatusWriter(api, view, place.cluster(), spacing, config.statusBacklog());
        ExecutorService threads = opened(Executors.newVirtualThreadPerTaskExecutor());
        for (int i = 0; i < config.statusConcurrency(); i++) {
            threads.execute(writer::run);
        }
        feed("statuses", place.topics().workloadStatus(), WorkloadStatus.class, writer::take, publisher);
        parts.push(writer::close);
        Gauge.builder("muster.binder.status.backlog", writer, StatusWriter::backlog)
                .tag("cluster", place.cluster())
                .register(place.meters());
    }

    private Turner startDecisions(DecisionCarrier carrier, ClaimWaits waits, OutcomePublisher publisher) {
        ExecutorService threads = opened(Executors.newVirtualThreadPerTaskExecutor());
        Pulse pulse = new Pulse(BinderClock.SYSTEM);
        DecisionLanes lanes = new DecisionLanes(
                carrier::carryOut, publisher::publish, threads, place.meters(), () -> new Halt(pulse));
        DecisionConsumer consumer = new DecisionConsumer(
                KafkaSettings.consumer(place.kafka(), groupId(place.topics(), place.cluster()), config.maxInFlight()),
                new DecisionConsumer.Source(
                        new TopicPartition(place.topics().decisions(), partition()),
                        place.domain(),
                        place.cluster(),
                        config.maxInFlight()),
                serde(Decision.class).deserializer(),
                lanes,
                waits,
                publisher);
        Turner turner = new Turner(
                "muster-binder-decisions-" + place.cluster(),
                () -> {
                    long sinceNanos = pulse.nanoTime();
                    consumer.turn();
                    pulse.beat(sinceNanos, consumer.readToTheEnd());
                },
                consumer::close);
        try {
            OptionalLong waitsSinceMillis = consumer.start();
            if (waitsSinceMillis.isPresent()) {
                consumer.skip(answered(waitsSinceMillis.getAsLong()));
            }
        } catch (RuntimeException e) {
            consumer.close();
            throw e;
        }
        // Closed in the opposite order: the lanes end first, so that the last commit has what they finished.
        parts.push(turner);
        parts.push(() -> lanes.close(GRACE));
        Gauge.builder("muster.binder.in.flight", consumer, DecisionConsumer::inFlight)
                .tag("cluster", place.cluster())
                .register(place.meters());
        Gauge.builder("muster.binder.waiting.for.volumes", waits, ClaimWaits::decisions)
                .tag("cluster", place.cluster())
                .register(place.meters());
        return turner.start();
    }

    private Set<String> answered(long sinceMillis) {
        try (Consumer<String, byte[]> reader = KafkaSettings.consumer(place.kafka(), "", FEED_RECORDS)) {
            Set<String> answered = AnsweredDecisions.since(
                    sinceMillis,
                    reader,
                    new TopicPartition(place.topics().outcomes(), partition()),
                    serde(Outcome.class).deserializer(),
                    place.cluster());
            LOG.info("{} decisions of cluster {} were answered before", answered.size(), place.cluster());
            return answered;
        }
    }

    private <T extends SpecificRecord> Turner feed(
            String name, String topic, Class<T> type, PartitionFeed.Sink<T> sink, OutcomePublisher publisher) {
        PartitionFeed<T> feed = new PartitionFeed<>(
                KafkaSettings.consumer(place.kafka(), "", FEED_RECORDS),
                new TopicPartition(topic, partition()),
                serde(type).deserializer(),
                sink,
                publisher);
        feed.start();
        Turner turner = opened(new Turner("muster-binder-" + name + "-" + place.cluster(), feed::turn, feed::close));
        parts.push(feed::stop);
        return turner.start();
    }

    private <T extends SpecificRecord> AvroSerde<T> serde(Class<T> type) {
        return new AvroSerde<>(place.registry(), type);
    }

    private int partition() {
        return place.domains().partitionOf(place.domain());
    }

    private <T extends AutoCloseable> T opened(T part) {
        parts.push(part);
        return part;
    }
}
