package dev.muster.standalone.bench;

import dev.muster.schemas.common.Change;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.PlaceGang;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.standalone.bench.ClusterNews.Place;
import dev.muster.standalone.bench.ClusterNews.Stage;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Plays tenants, cluster and binder around a scheduler: gangs arrive at their intended times whatever becomes of earlier
 * ones (an open loop), what is placed is bound at once, runs for its lifetime, ends and is deleted.
 *
 * <p>Two threads: one sends what is due by time, one reads decisions (committed ones only) and answers them.
 */
final class ClusterPlayer implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(50);
    private static final long NAP_NANOS = 200_000;
    private static final long GONE_AFTER_NANOS = 500_000_000;
    private static final int MOST_AT_ONCE = 64;

    private final ClusterNews news;
    private final StreamOptions.Source source;
    private final NewsWriter writer;
    private final GangLedger ledger;
    private final long lifetimeNanos;
    private final KafkaConsumer<byte[], byte[]> decisions;
    private final Deserializer<Decision> decoder;
    private final String topic;
    private final Queue<Running> running = new ConcurrentLinkedQueue<>();
    private final Queue<Running> ended = new ConcurrentLinkedQueue<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Thread sender = new Thread(() -> guarded(this::sendWhatIsDue), "bench-sender");
    private final Thread reader = new Thread(() -> guarded(this::answerDecisions), "bench-reader");

    private volatile boolean closed;
    private volatile Rate rate = new Rate(0, 0, 0);
    private volatile int sentGangs;
    private volatile int decidedGangs;

    /** Gangs from a number on, one each so many nanoseconds from a point in time on; 0: none. */
    private record Rate(long startNanos, int firstGang, long intervalNanos) {
        long intended(int gang) {
            return startNanos + (gang - firstGang) * intervalNanos;
        }
    }

    private record Running(int gang, Place[] places, long untilNanos) {}

    ClusterPlayer(
            StreamOptions options,
            ClusterNews news,
            NewsWriter writer,
            GangLedger ledger,
            Map<String, Object> kafka,
            SchemaRegistry registry,
            TopicPartition decisionsOf) {
        this.news = news;
        this.source = options.source();
        this.writer = writer;
        this.ledger = ledger;
        this.lifetimeNanos = options.lifetimeNanos();
        this.topic = decisionsOf.topic();
        this.decoder = new AvroSerde<>(registry, Decision.class).deserializer();
        Map<String, Object> config = new HashMap<>(kafka);
        config.put("client.id", "bench-reader");
        config.put("isolation.level", "read_committed");
        config.put("enable.auto.commit", false);
        config.put("auto.offset.reset", "earliest");
        this.decisions = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        decisions.assign(List.of(decisionsOf));
        decisions.seekToBeginning(List.of(decisionsOf));
        sender.start();
        reader.start();
    }

    /** From now on gangs arrive at this rate; 0 stops them. */
    void arrive(int gangsPerSecond) {
        long interval = gangsPerSecond == 0 ? 0 : 1_000_000_000L / gangsPerSecond;
        rate = new Rate(System.nanoTime(), sentGangs, interval);
    }

    /** Sends so many gangs as fast as they can be written. */
    void burst(int gangs) {
        rate = new Rate(System.nanoTime(), sentGangs + gangs, -gangs);
    }

    int sentGangs() {
        return sentGangs;
    }

    int decidedGangs() {
        return decidedGangs;
    }

    /** @throws IllegalStateException when one of the threads failed */
    void check() {
        writer.check();
        if (failure.get() != null) {
            throw new IllegalStateException("the load generator failed", failure.get());
        }
    }

    @Override
    public void close() {
        closed = true;
        decisions.wakeup();
        try {
            sender.join();
            reader.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        decisions.close();
    }

    private void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            if (!closed) {
                failure.compareAndSet(null, e);
            }
        }
    }

    private void sendWhatIsDue() {
        while (!closed) {
            boolean busy = arrivals();
            busy |= ends();
            if (!busy) {
                LockSupport.parkNanos(NAP_NANOS);
            }
        }
    }

    private boolean arrivals() {
        Rate now = rate;
        int sent = 0;
        while (sent < MOST_AT_ONCE && isDue(now)) {
            int gang = sentGangs;
            if (gang >= ledger.mostGangs()) {
                throw new IllegalStateException("more gangs than were planned for");
            }
            ledger.sent(gang, now.intervalNanos() > 0 ? now.intended(gang) : System.nanoTime());
            submit(gang);
            sentGangs = gang + 1;
            sent++;
        }
        return sent > 0;
    }

    private boolean isDue(Rate now) {
        return now.intervalNanos() > 0
                ? System.nanoTime() >= now.intended(sentGangs)
                : now.intervalNanos() < 0 && sentGangs < now.firstGang();
    }

    private void submit(int gang) {
        if (source == StreamOptions.Source.jobs) {
            writer.send(news.submission(gang, System.currentTimeMillis()));
            return;
        }
        writer.send(news.group(gang, Change.UPSERT));
        for (int index = 0; index < StreamOptions.GANG; index++) {
            writer.send(news.pod(gang, index, Stage.CREATED, null));
        }
    }

    private boolean ends() {
        boolean busy = false;
        for (Running next = running.peek(); isOver(next); next = running.peek()) {
            running.remove();
            ledger.ended(next.places());
            for (int index = 0; index < StreamOptions.GANG; index++) {
                writer.send(news.pod(next.gang(), index, Stage.ENDED, next.places()[index]));
            }
            ended.add(new Running(next.gang(), null, System.nanoTime() + GONE_AFTER_NANOS));
            busy = true;
        }
        for (Running next = ended.peek(); isOver(next); next = ended.peek()) {
            ended.remove();
            for (int index = 0; index < StreamOptions.GANG; index++) {
                writer.send(news.podGone(next.gang(), index));
            }
            if (source == StreamOptions.Source.pods) {
                writer.send(news.group(next.gang(), Change.DELETE));
            }
            busy = true;
        }
        return busy;
    }

    private static boolean isOver(Running gang) {
        return gang != null && System.nanoTime() >= gang.untilNanos();
    }

    private void answerDecisions() {
        while (!closed) {
            try {
                for (ConsumerRecord<byte[], byte[]> record : decisions.poll(POLL)) {
                    long nanos = System.nanoTime();
                    answer(decoder.deserialize(topic, record.value()), nanos);
                }
            } catch (WakeupException e) {
                return;
            }
        }
    }

    /** What a binder and a cluster do about a placement, all members at once. */
    private void answer(Decision decision, long nanos) {
        if (!(decision.getAction() instanceof PlaceGang placement)) {
            throw new IllegalStateException("nothing is ever taken back here, yet: " + decision);
        }
        int gang = ClusterNews.gangOf(decision);
        Place[] places = ClusterNews.places(decision, placement);
        if (!ledger.decided(gang, nanos, places)) {
            return;
        }
        decidedGangs++; // one thread writes it
        for (int index = 0; index < StreamOptions.GANG; index++) {
            if (source == StreamOptions.Source.jobs) {
                writer.send(news.pod(gang, index, Stage.CREATED, null));
            }
            writer.send(news.pod(gang, index, Stage.BOUND, places[index]));
        }
        writer.send(news.bound(decision, gang, System.currentTimeMillis()));
        running.add(new Running(gang, places, System.nanoTime() + lifetimeNanos));
    }
}
