package dev.muster.ingest;

import dev.muster.ingest.publish.EventPublisher;
import dev.muster.ingest.publish.KindPublisher;
import dev.muster.ingest.watch.Backoff;
import dev.muster.ingest.watch.ClusterLease;
import dev.muster.ingest.watch.IngestClock;
import dev.muster.ingest.watch.KindInformer;
import dev.muster.ingest.watch.LeaseStore;
import dev.muster.ingest.watch.ResyncFence;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Topics;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.producer.Producer;

/**
 * The ingest of one cluster on a given clock: lease, informers, mappers, filters and publishers are production's; what {@link
 * ClusterIngest} and {@link Term} do with threads is done with whatever runs its loops.
 */
public final class SimulatedIngest {
    /** Runs the loops of one term, and ends them. */
    public interface Loops {
        /** Begins a loop. */
        void start(String name, Loop loop);

        /** Ends all that were begun. */
        void stop();
    }

    /** A loop that ends when its thread is stopped. */
    @FunctionalInterface
    public interface Loop {
        void run() throws InterruptedException;
    }

    /** What an ingest works with. */
    public record Environment(
            Sources sources,
            Producer<String, byte[]> producer,
            SchemaRegistry registry,
            Topics topics,
            LeaseStore lease,
            IngestClock clock,
            InstantSource wallClock,
            RandomGenerator random,
            KubernetesSerialization json,
            MeterRegistry meters,
            Loops loops) {}

    private final IngestConfig config;
    private final Environment environment;
    private final ClusterLease lease;
    private final List<Kinds.Kind<?>> kinds;
    private final KindPublisher.Context context;
    private long epoch;

    public SimulatedIngest(IngestConfig config, String identity, Environment environment) {
        this.config = config;
        this.environment = environment;
        this.kinds = Kinds.of(config, environment.topics(), environment.sources());
        this.context = new KindPublisher.Context(
                config.domain(),
                config.cluster(),
                new EventPublisher(
                        environment.producer(),
                        environment.registry(),
                        0,
                        environment.topics().deadLetters(),
                        (topic, key, tooLarge, cause) -> {}),
                environment.json()::asJson,
                environment.meters(),
                environment.wallClock());
        this.lease = new ClusterLease(
                environment.lease(),
                identity,
                new UUID(0, 0),
                config.leaseDuration(),
                config.minimumEpoch(),
                environment.clock()::nanoTime);
    }

    /** Looks at the lease again and again: begins, goes on, or stands back. */
    public void run() throws InterruptedException {
        while (true) {
            OptionalLong now = lease.turn();
            if (epoch != 0 && (now.isEmpty() || now.getAsLong() != epoch)) {
                environment.loops().stop();
                epoch = 0;
            }
            if (now.isPresent() && epoch == 0) {
                begin(now.getAsLong());
            }
            environment.clock().sleep(lease.period().toMillis());
        }
    }

    private void begin(long next) {
        epoch = next;
        ResyncFence fence =
                new ResyncFence(epoch, kinds.stream().map(Kinds.Kind::name).toList());
        KindInformer.Shared shared = new KindInformer.Shared(
                config.cluster(),
                fence,
                config.informerSettings(),
                new Semaphore(kinds.size()),
                environment.meters(),
                environment.clock());
        kinds.forEach(kind -> follow(kind, shared));
    }

    private <T extends HasMetadata> void follow(Kinds.Kind<T> kind, KindInformer.Shared shared) {
        KindInformer<T> informer = new KindInformer<>(
                new KindInformer.Subject<>(
                        kind.name(),
                        kind.optional(),
                        kind.source(),
                        new KindPublisher<>(kind.name(), kind.projections(), context),
                        new AtomicInteger()),
                shared,
                new Backoff(config.retryShortest(), config.retryLongest(), environment.random()));
        environment.loops().start(kind.name(), informer::run);
    }
}
