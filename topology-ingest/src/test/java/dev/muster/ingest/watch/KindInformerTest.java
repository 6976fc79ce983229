package dev.muster.ingest.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.ingest.map.NodeMapper;
import dev.muster.ingest.publish.EventPublisher;
import dev.muster.ingest.publish.KindPublisher;
import dev.muster.ingest.publish.Projection;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.LocalRegistry;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KindInformerTest {

    private final FakeSource source = new FakeSource();
    private final MockProducer<String, byte[]> producer =
            new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    private final LocalRegistry registry = new LocalRegistry();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final AtomicInteger blind = new AtomicInteger();
    private final ResyncFence fence = new ResyncFence(3, List.of("Node"));
    private Thread thread;

    private void start(boolean optional, Duration silence, Duration audit) {
        var context = new KindPublisher.Context(
                "d",
                "c",
                new EventPublisher(producer, registry, 0, "dead", (topic, key, tooLarge, cause) -> {}),
                Object::toString,
                meters,
                Clock.systemUTC());
        Projection<Node, ?> projection = new Projection<>(
                "Node", "nodes", NodeMapper::map, NodeEvent::new, id -> "k/" + id.name(), spec -> false);
        KindInformer<Node> informer = new KindInformer<>(
                new KindInformer.Subject<>(
                        "Node", optional, source, new KindPublisher<>("Node", List.of(projection), context), blind),
                new KindInformer.Shared(
                        "c",
                        fence,
                        new KindInformer.Settings(silence, audit, Duration.ofMillis(50), 4),
                        new Semaphore(1),
                        meters,
                        IngestClock.SYSTEM),
                new Backoff(Duration.ofMillis(1), Duration.ofMillis(20), new Random(1)));
        thread = Thread.ofPlatform().daemon().start(() -> {
            try {
                informer.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void start() {
        start(false, Duration.ofMinutes(1), Duration.ofMinutes(1));
    }

    @AfterEach
    void stop() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }

    /** What was published, as {@code CHANGE name/uid} and {@code TOMBSTONE key}. */
    private List<String> published() {
        var deserializer = new AvroSerde<>(registry, NodeEvent.class).deserializer();
        List<String> lines = new ArrayList<>();
        producer.history().forEach(record -> {
            if (record.value() == null) {
                lines.add("TOMBSTONE " + record.key());
            } else {
                var origin = deserializer.deserialize("nodes", record.value()).getOrigin();
                assertThat(origin.getEpoch()).isEqualTo(3);
                lines.add((origin.getChange() + " " + origin.getName() + "/" + origin.getUid()).replaceAll(" /$", ""));
            }
        });
        return lines;
    }

    private void awaitPublished(String... lines) {
        await().untilAsserted(() -> assertThat(published()).containsExactly(lines));
    }

    @Test
    void aFreshListIsBracketedAndReadPageByPage() {
        source.put("a", "ua", "1");
        source.put("b", "ub", "1");
        source.put("c", "uc", "1");
        start();
        awaitPublished("RESYNC_BEGIN", "UPSERT a/ua", "UPSERT b/ub", "UPSERT c/uc", "RESYNC_END");
        assertThat(fence.closed()).isCompleted();
    }

    @Test
    void changesFollowAndRepeatsAreSwallowed() {
        start();
        source.awaitWatch();
        Node node = source.put("a", "ua", "1");
        source.sink.changed(node);
        source.sink.changed(node);
        source.sink.changed(source.put("a", "ua", "1"));
        source.sink.changed(node);
        Node last = source.remove("a");
        source.sink.deleted(last);
        source.sink.changed(node);
        source.sink.deleted(last);
        awaitPublished("RESYNC_BEGIN", "RESYNC_END", "UPSERT a/ua", "DELETE a/ua", "TOMBSTONE k/a");
    }

    @Test
    void aReplacedObjectIsADeletionAndAnAddition() {
        source.put("a", "old", "1");
        start();
        source.awaitWatch();
        source.remove("a");
        source.sink.changed(source.put("a", "new", "1"));
        awaitPublished("RESYNC_BEGIN", "UPSERT a/old", "RESYNC_END", "DELETE a/old", "TOMBSTONE k/a", "UPSERT a/new");
    }

    @Test
    void afterAGoneWatchTheListSaysWhatWasMissed() {
        source.put("a", "ua", "1");
        source.put("b", "ub", "1");
        start();
        source.awaitWatch();
        source.remove("a");
        source.put("b", "other", "1");
        source.sink.ended(new SourceException(SourceException.Kind.GONE, "too old"));
        awaitPublished(
                "RESYNC_BEGIN",
                "UPSERT a/ua",
                "UPSERT b/ub",
                "RESYNC_END",
                "DELETE b/ub",
                "TOMBSTONE k/b",
                "UPSERT b/other",
                "DELETE a/ua",
                "TOMBSTONE k/a",
                "RESYNC_END");
    }

    @Test
    void aWatchThatSaysNothingIsGivenUp() {
        source.put("a", "ua", "1");
        start(false, Duration.ofMillis(50), Duration.ofMinutes(1));
        source.awaitWatch();
        source.remove("a");
        await().untilAsserted(
                        () -> assertThat(published()).containsSequence("DELETE a/ua", "TOMBSTONE k/a", "RESYNC_END"));
        assertThat(meters.get("muster.ingest.silent.watches").counter().count()).isPositive();
    }

    @Test
    void aWatchThatJustEndsGoesOnWhereItWasWithoutAList() {
        start();
        source.awaitWatch();
        source.sink.changed(source.put("a", "ua", "1"));
        source.sink.ended(null);
        await().until(() -> source.watches.size() == 2);
        assertThat(source.watches.get(1)).isEqualTo(Long.toString(source.version));
        assertThat(source.lists.get()).isEqualTo(1);
    }

    @Test
    void theAuditRepairsAndCountsWhatTheWatchNeverTold() {
        source.put("a", "ua", "1");
        start(false, Duration.ofMinutes(1), Duration.ofMillis(200));
        source.awaitWatch();
        source.put("b", "ub", "1");
        source.remove("a");
        await().until(() -> source.lists.get() >= 2);
        assertThat(published()).hasSize(3);
        source.sink.bookmark(Long.toString(source.version));
        await().untilAsserted(() ->
                assertThat(published()).containsSequence("UPSERT b/ub", "DELETE a/ua", "TOMBSTONE k/a", "RESYNC_END"));
        assertThat(meters.get("muster.ingest.audit.differences").counter().count())
                .isEqualTo(2);
    }

    @Test
    void aKindThatTheServerDoesNotHaveIsAnEmptyBracketUntilItAppears() {
        source.failure = new SourceException(SourceException.Kind.MISSING, "no CRD");
        start(true, Duration.ofMinutes(1), Duration.ofMinutes(1));
        awaitPublished("RESYNC_BEGIN", "RESYNC_END");
        source.put("a", "ua", "1");
        source.failure = null;
        awaitPublished("RESYNC_BEGIN", "RESYNC_END", "UPSERT a/ua", "RESYNC_END");
    }

    @Test
    void aKindThatMustNotBeSeenIsBlindAndNothingIsConcluded() {
        source.failure = new SourceException(SourceException.Kind.DENIED, "forbidden");
        start();
        await().untilAtomic(blind, org.hamcrest.Matchers.is(1));
        assertThat(published()).isEmpty();
        source.failure = null;
        awaitPublished("RESYNC_BEGIN", "RESYNC_END");
        assertThat(blind).hasValue(0);
    }

    @Test
    void aSlowPublisherHoldsTheWatchBackInsteadOfLosing() {
        start();
        source.awaitWatch();
        List<String> expected = new ArrayList<>(List.of("RESYNC_BEGIN", "RESYNC_END"));
        for (int i = 0; i < 100; i++) {
            source.sink.changed(source.put("n" + i, "u" + i, "1"));
            expected.add("UPSERT n" + i + "/u" + i);
        }
        awaitPublished(expected.toArray(String[]::new));
    }

    /** An API server with one kind; pages of two. */
    private static final class FakeSource implements ListWatch<Node> {

        private final TreeMap<String, Node> objects = new TreeMap<>();
        private final List<String> watches = new java.util.concurrent.CopyOnWriteArrayList<>();
        private final AtomicInteger lists = new AtomicInteger();
        private volatile long version = 10;
        private volatile Sink<Node> sink;
        private volatile SourceException failure;

        synchronized Node put(String name, String uid, String value) {
            version++;
            Node node = new NodeBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .withUid(uid)
                    .withResourceVersion(Long.toString(version))
                    .addToLabels("value", value)
                    .endMetadata()
                    .build();
            objects.put(name, node);
            return node;
        }

        synchronized Node remove(String name) {
            version++;
            return new NodeBuilder(objects.remove(name))
                    .editMetadata()
                    .withResourceVersion(Long.toString(version))
                    .endMetadata()
                    .build();
        }

        @Override
        public synchronized Page<Node> list(String next) {
            if (failure != null) {
                throw failure;
            }
            if (next.isEmpty()) {
                lists.incrementAndGet();
            }
            List<Node> rest = new ArrayList<>(objects.tailMap(next, false).values());
            List<Node> page = rest.subList(0, Math.min(2, rest.size()));
            String more = rest.size() > 2 ? page.get(1).getMetadata().getName() : "";
            return new Page<>(List.copyOf(page), Long.toString(version), more);
        }

        @Override
        public synchronized Open watch(String resourceVersion, Sink<Node> newSink) {
            watches.add(resourceVersion);
            sink = newSink;
            return () -> {};
        }

        void awaitWatch() {
            await().until(() -> sink != null);
        }
    }
}
