package dev.muster.ingest;

import dev.muster.ingest.publish.KindPublisher;
import dev.muster.ingest.watch.Backoff;
import dev.muster.ingest.watch.IngestClock;
import dev.muster.ingest.watch.KindInformer;
import dev.muster.ingest.watch.ResyncFence;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One take-over of the cluster: a thread per kind, all publishing under one epoch, until it is stopped or breaks. */
final class Term {

    private static final Logger LOG = LoggerFactory.getLogger(Term.class);
    private static final int LISTS_IN_FLIGHT = 2;
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    private final IngestConfig config;
    private final KindPublisher.Context context;
    private final ResyncFence fence;
    private final KindInformer.Shared shared;
    private final List<KindInformer<?>> informers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    private volatile boolean broken;

    Term(
            long epoch,
            List<Kinds.Kind<?>> kinds,
            IngestConfig config,
            KindPublisher.Context context,
            Map<String, AtomicInteger> blind) {
        this.config = config;
        this.context = context;
        this.fence = new ResyncFence(epoch, kinds.stream().map(Kinds.Kind::name).toList());
        this.shared = new KindInformer.Shared(
                config.cluster(),
                fence,
                config.informerSettings(),
                new Semaphore(LISTS_IN_FLIGHT, true),
                context.meters(),
                IngestClock.SYSTEM);
        kinds.forEach(kind -> add(kind, blind.get(kind.name())));
    }

    private <T extends HasMetadata> void add(Kinds.Kind<T> kind, AtomicInteger blind) {
        KindInformer<T> informer = new KindInformer<>(
                new KindInformer.Subject<>(
                        kind.name(),
                        kind.optional(),
                        kind.source(),
                        new KindPublisher<>(kind.name(), kind.projections(), context),
                        blind),
                shared,
                new Backoff(config.retryShortest(), config.retryLongest(), new Random()));
        informers.add(informer);
        threads.add(Thread.ofPlatform()
                .name("ingest-" + config.cluster() + "-" + kind.name())
                .daemon()
                .unstarted(() -> follow(informer)));
    }

    private void follow(KindInformer<?> informer) {
        try {
            informer.run();
        } catch (InterruptedException | InterruptException e) {
            LOG.debug("Stopped"); // Thread.interrupt is how a term is stopped.
        } catch (RuntimeException | Error e) {
            LOG.error("Ingest of {} broke, it starts again under a new epoch", config.cluster(), e);
            broken = true;
        }
    }

    void start() {
        LOG.info("Ingest of {} begins, {}", config.cluster(), fence);
        threads.forEach(Thread::start);
    }

    long epoch() {
        return fence.epoch();
    }

    ResyncFence fence() {
        return fence;
    }

    /** Something was lost: what is published is no longer known. */
    void breakOff() {
        broken = true;
    }

    boolean isBroken() {
        return broken;
    }

    /** True when every kind's loop came round lately. */
    boolean turnsWithin(Duration limit) {
        return !broken
                && informers.stream()
                        .allMatch(informer -> informer.sinceLastTurn().compareTo(limit) < 0);
    }

    /** Stops all threads; returns when they ended, or after ten seconds. */
    void stop() throws InterruptedException {
        threads.forEach(Thread::interrupt);
        long until = System.nanoTime() + STOP_TIMEOUT.toNanos();
        for (Thread thread : threads) {
            long left = until - System.nanoTime();
            if (!thread.join(Duration.ofNanos(Math.max(1, left)))) {
                LOG.warn("{} does not end", thread.getName());
            }
        }
    }
}
