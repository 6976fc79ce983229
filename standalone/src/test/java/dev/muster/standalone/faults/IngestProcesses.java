package dev.muster.standalone.faults;

import dev.muster.ingest.IngestConfig;
import dev.muster.ingest.SimulatedIngest;
import dev.muster.ingest.Sources;
import dev.muster.ingest.watch.IngestClock;
import dev.muster.ingest.watch.LeaseStore;
import dev.muster.ingest.watch.ListWatch;
import dev.muster.ingest.watch.SourceException;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.cluster.ResourceKind;
import dev.muster.standalone.cluster.ResourceKinds;
import dev.muster.standalone.cluster.VirtualTime;
import dev.muster.standalone.virtual.Fibers;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;

/** The ingests of one cluster, as many as there happen to be, and the lease that they fight over. */
final class IngestProcesses {
    private static final Duration SILENCE = Duration.ofSeconds(90);
    private static final Duration AUDIT = Duration.ofMinutes(2);
    private static final Duration MISSING_RECHECK = Duration.ofMinutes(3);
    /** An informer looks around every half second; here nothing would come of most of these looks. */
    private static final long LOOK_MILLIS = 15_000;

    private final ClusterFeed feed;
    private final VirtualTime time;
    private final Fibers fibers;
    private final MemoryKafka kafka;
    private final FaultPlan faults;
    private final SplittableRandom random;
    private final SchemaRegistry registry;
    private final MeterRegistry meters;
    private final KubernetesSerialization json;
    private final Topics topics;
    private final IngestConfig config;
    private LeaseStore.Stored lease;
    private long renewals;
    private Process current;
    private int started;

    IngestProcesses(
            ClusterFeed feed,
            VirtualTime time,
            Fibers fibers,
            MemoryKafka kafka,
            FaultPlan faults,
            SplittableRandom random,
            SchemaRegistry registry,
            MeterRegistry meters,
            KubernetesSerialization json,
            Topics topics,
            String domain) {
        this.feed = feed;
        this.time = time;
        this.fibers = fibers;
        this.kafka = kafka;
        this.faults = faults;
        this.random = random;
        this.registry = registry;
        this.meters = meters;
        this.json = json;
        this.topics = topics;
        this.config = IngestConfig.of(domain, feed.cluster().name()).withTimes(SILENCE, AUDIT, MISSING_RECHECK);
    }

    void start() {
        current = new Process();
    }

    private void startLater(long millis) {
        Process dead = current;
        time.after(Duration.ofMillis(millis), () -> {
            if (current == dead) {
                start();
            }
        });
    }

    /** One that hangs goes on. */
    void heal() {
        if (!current.alive) {
            start();
        }
        current.pausedUntil = 0;
    }

    private final class Process implements SimulatedIngest.Loops {
        private final MemoryProducer producer;
        private final Fibers.Group group;
        private final SplittableRandom own = random.split();
        private Fibers.Group term;
        private boolean alive = true;
        private long pausedUntil;

        Process() {
            String name = feed.cluster().name() + "-ingest-" + started++;
            producer = new MemoryProducer(kafka, time, () -> own.nextInt(12));
            group = fibers.group(name);
            SimulatedIngest ingest = new SimulatedIngest(
                    config,
                    name,
                    new SimulatedIngest.Environment(
                            new FaultySources(IngestProcesses.this, this),
                            producer,
                            registry,
                            topics,
                            new FaultyLease(),
                            new Clock(time, fibers, this),
                            time,
                            own.split(),
                            json,
                            meters,
                            this));
            group.start("lease", () -> quietly(ingest::run));
        }

        /** At each event that one of its watches tells. */
        private void event() {
            if (!alive || time.nowMillis() < pausedUntil) {
                return;
            }
            if (faults.strikes(Fault.INGEST_KILLED)) {
                startLater(random.nextInt(20_000));
                kill();
            } else if (faults.strikes(Fault.INGEST_ZOMBIE) && current == this) {
                pausedUntil = time.nowMillis() + faults.amount(Fault.INGEST_ZOMBIE, 1_000, 60_000);
                producer.hold(true);
                time.at(pausedUntil, () -> {
                    if (alive) {
                        producer.hold(false);
                    }
                });
                if (random.nextBoolean()) {
                    startLater(random.nextInt(5_000));
                }
            }
        }

        private void kill() {
            alive = false;
            producer.kill();
            stopTerm();
            group.kill();
        }

        private void whileItHangs() {
            while (time.nowMillis() < pausedUntil) {
                fibers.sleep(pausedUntil - time.nowMillis());
            }
        }

        @Override
        public void start(String loop, SimulatedIngest.Loop body) {
            if (term == null) {
                term = fibers.group("term");
            }
            term.start(loop, () -> quietly(body));
        }

        @Override
        public void stop() {
            stopTerm();
        }

        private void stopTerm() {
            if (term != null) {
                term.kill();
                term = null;
            }
        }
    }

    private static void quietly(SimulatedIngest.Loop loop) {
        try {
            loop.run();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts here", e);
        }
    }

    private record Clock(VirtualTime time, Fibers fibers, Process process) implements IngestClock {
        @Override
        public long nanoTime() {
            return time.nowMillis() * 1_000_000;
        }

        @Override
        public void sleep(long millis) {
            fibers.sleep(millis);
            process.whileItHangs();
        }

        @Override
        public <E> E poll(BlockingQueue<E> queue, long millis) {
            fibers.await(() -> !queue.isEmpty(), LOOK_MILLIS);
            process.whileItHangs();
            return queue.poll();
        }
    }

    /** Where each kind is read from. */
    private record FaultySources(IngestProcesses all, Process process) implements Sources {
        @Override
        public <T extends HasMetadata> ListWatch<T> core(Class<T> type) {
            ResourceKind kind = ResourceKinds.ALL.stream()
                    .filter(each -> each.kind().equals(type.getSimpleName()) && isBuiltIn(each))
                    .findFirst()
                    .orElseThrow();
            return all.source(kind, type, process);
        }

        private static boolean isBuiltIn(ResourceKind kind) {
            return !kind.apiVersion().contains("volcano") && !kind.apiVersion().contains(".x-k8s.io");
        }

        @Override
        public ListWatch<GenericKubernetesResource> custom(ResourceDefinitionContext type) {
            ResourceKind kind = ResourceKinds.ALL.stream()
                    .filter(each -> each.apiVersion().equals(type.getGroup() + "/" + type.getVersion())
                            && each.kind().equals(type.getKind()))
                    .findFirst()
                    .orElseThrow();
            return all.source(kind, GenericKubernetesResource.class, process);
        }
    }

    private <T extends HasMetadata> ListWatch<T> source(ResourceKind kind, Class<T> type, Process process) {
        return new FaultySource<>(kind, type, feed, time, fibers, faults, random.split(), process::event);
    }

    /** The lease object, which every write changes under the precondition of its version. */
    private final class FaultyLease implements LeaseStore {
        @Override
        public Optional<Stored> read() {
            call();
            return Optional.ofNullable(lease);
        }

        @Override
        public boolean write(String holder, long epoch, int durationSeconds, String resourceVersion) {
            call();
            boolean expected = lease == null
                    ? resourceVersion.isEmpty()
                    : lease.resourceVersion().equals(resourceVersion);
            if (expected) {
                String renewal = Long.toString(++renewals);
                lease = new Stored(holder, epoch, durationSeconds, renewal, renewal);
            }
            if (faults.strikes(Fault.LEASE_FAILS)) {
                throw new SourceException(SourceException.Kind.UNAVAILABLE, "the answer was lost");
            }
            return expected;
        }

        private void call() {
            fibers.sleep(1 + random.nextInt(5));
            if (faults.strikes(Fault.LEASE_FAILS)) {
                throw new SourceException(SourceException.Kind.UNAVAILABLE, "500");
            }
        }
    }
}
