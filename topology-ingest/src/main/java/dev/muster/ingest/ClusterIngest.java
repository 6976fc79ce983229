package dev.muster.ingest;

import dev.muster.ingest.publish.EventPublisher;
import dev.muster.ingest.publish.KindPublisher;
import dev.muster.ingest.watch.ClusterLease;
import dev.muster.ingest.watch.KubernetesLeaseStore;
import dev.muster.ingest.watch.KubernetesListWatch;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ingest of one member cluster: waits until the lease says that it should try, then lists and watches every kind and
 * publishes what matters of it, under an epoch that rises with each take-over. When it sees the lease in other hands it
 * stands back; when a record was lost it takes over anew.
 *
 * <p>It owns neither the client nor the producer: both outlive {@link #close}.
 */
public final class ClusterIngest implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterIngest.class);
    private static final Duration STUCK = Duration.ofMinutes(3);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);

    /**
     * What an ingest works with.
     *
     * @param client of the member cluster; may read all kinds and write the lease
     * @param producer idempotent, see {@link EventPublisher#producerConfig}
     * @param domains partition of the configured domain
     * @param clock dates dead letters and the lease, for people; decides nothing
     */
    public record Environment(
            KubernetesClient client,
            Producer<String, byte[]> producer,
            SchemaRegistry registry,
            Topics topics,
            Domains domains,
            MeterRegistry meters,
            Clock clock) {}

    private final IngestConfig config;
    private final Environment environment;
    private final List<Kinds.Kind<?>> kinds;
    private final KindPublisher.Context context;
    private final ClusterLease lease;
    private final Map<String, AtomicInteger> blind = new TreeMap<>();
    private final CompletableFuture<Void> synced = new CompletableFuture<>();
    private final Thread supervisor;

    private volatile Term term;
    private volatile long lastTurnNanos = System.nanoTime();

    /**
     * An ingest, not started.
     *
     * @throws IllegalArgumentException when the domain is not one of the environment's
     */
    public ClusterIngest(IngestConfig config, Environment environment) {
        this.config = config;
        this.environment = environment;
        this.kinds = Kinds.of(config, environment.topics(), environment.client());
        EventPublisher publisher = new EventPublisher(
                environment.producer(),
                environment.registry(),
                environment.domains().partitionOf(config.domain()),
                environment.topics().deadLetters(),
                this::lost);
        this.context = new KindPublisher.Context(
                config.domain(),
                config.cluster(),
                publisher,
                environment.client().getKubernetesSerialization()::asJson,
                environment.meters(),
                environment.clock());
        this.lease = new ClusterLease(
                new KubernetesLeaseStore(
                        KubernetesListWatch.plain(environment.client()),
                        config.leaseNamespace(),
                        "muster-ingest-" + config.domain(),
                        environment.clock()),
                config.cluster() + "/" + config.instance(),
                UUID.randomUUID(),
                config.leaseDuration(),
                config.minimumEpoch(),
                System::nanoTime);
        for (Kinds.Kind<?> kind : kinds) {
            Tags tags = Tags.of("cluster", config.cluster(), "kind", kind.name());
            blind.put(kind.name(), environment.meters().gauge("muster.ingest.blind", tags, new AtomicInteger()));
        }
        this.supervisor =
                Thread.ofPlatform().name("ingest-" + config.cluster()).daemon().unstarted(this::supervise);
    }

    /** Starts in the background; returns at once. */
    public void start() {
        supervisor.start();
    }

    /** Completes when every kind was listed and published once, and the brokers have all of it. */
    public CompletableFuture<Void> synced() {
        return synced.copy();
    }

    /** The epoch under which this ingest publishes; 0 while it stands back. */
    public long epoch() {
        Term current = term;
        return current == null ? 0 : current.epoch();
    }

    /** Whether the lease could be read, and written where it had to be, when it was last tried. */
    public boolean isLeaseReached() {
        return lease.isReached();
    }

    /** Kinds that cannot be seen at the moment (not allowed, or the server is away), sorted. */
    public List<String> blindKinds() {
        return blind.entrySet().stream()
                .filter(entry -> entry.getValue().get() != 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** True while the loops come round: the lease is looked at, and each kind's thread is not stuck. */
    public boolean isHealthy() {
        Term current = term;
        boolean turns = System.nanoTime() - lastTurnNanos < STUCK.toNanos();
        return supervisor.isAlive() && turns && (current == null || current.turnsWithin(STUCK));
    }

    private void supervise() {
        try {
            while (true) {
                lastTurnNanos = System.nanoTime();
                turn();
                Thread.sleep(lease.period());
            }
        } catch (InterruptedException e) {
            LOG.debug("Ingest of {} ends", config.cluster());
        }
    }

    /** One look at the lease: begin, go on, stand back, or begin anew. */
    private void turn() throws InterruptedException {
        Term current = term;
        if (current != null && current.isBroken()) {
            stopTerm();
            lease.takeAnew();
        }
        OptionalLong epoch = attempt();
        current = term;
        if (current != null && (epoch.isEmpty() || epoch.getAsLong() != current.epoch())) {
            LOG.warn("Ingest of {} stands back from epoch {}", config.cluster(), current.epoch());
            stopTerm();
        }
        if (epoch.isPresent() && term == null) {
            Term next = new Term(epoch.getAsLong(), kinds, config, context, blind);
            next.fence().closed().thenRun(() -> {
                LOG.info("Ingest of {} is in sync, epoch {}", config.cluster(), next.epoch());
                synced.complete(null);
            });
            term = next;
            next.start();
        }
    }

    private OptionalLong attempt() throws InterruptedException {
        try {
            return lease.turn();
        } catch (RuntimeException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            LOG.warn("Lease of {} cannot be used", config.cluster(), e);
            return OptionalLong.empty();
        }
    }

    private void stopTerm() throws InterruptedException {
        Term current = term;
        term = null;
        if (current != null) {
            current.stop();
        }
    }

    private void lost(String topic, String key, boolean tooLarge, Exception cause) {
        environment
                .meters()
                .counter("muster.ingest.lost", "cluster", config.cluster())
                .increment();
        Term current = term;
        if (tooLarge) {
            LOG.error("Record {} of topic {} is too large for the broker", key, topic, cause);
        } else if (current != null) {
            LOG.error("Record {} of topic {} was lost, listing everything again", key, topic, cause);
            current.breakOff();
        }
    }

    /** Stops and gives the lease up. What was sent is acknowledged when this returns, unless the brokers are away. */
    @Override
    public void close() {
        supervisor.interrupt();
        try {
            if (supervisor.isAlive() && !supervisor.join(CLOSE_TIMEOUT)) {
                LOG.warn("Ingest of {} does not end", config.cluster());
            }
            stopTerm();
            lease.release();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synced.cancel(false);
    }
}
