package dev.muster.standalone.scenario;

import dev.muster.binder.Binder;
import dev.muster.binder.BinderConfig;
import dev.muster.ingest.ClusterIngest;
import dev.muster.ingest.IngestConfig;
import dev.muster.ingest.LocalIngest;
import dev.muster.ingest.publish.EventPublisher;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.round.Engine;
import dev.muster.scheduler.streams.JournalCodec;
import dev.muster.scheduler.streams.SchedulerApp;
import dev.muster.scheduler.streams.SchedulerConfig;
import dev.muster.scheduler.streams.SteppedScheduler;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.LocalRegistry;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.TopicAdmin;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.cluster.ObjectStore;
import dev.muster.standalone.cluster.ResourceKind;
import dev.muster.standalone.cluster.SimulatedCluster;
import dev.muster.standalone.cluster.SimulatedClusterOptions;
import dev.muster.standalone.cluster.VirtualCluster;
import dev.muster.standalone.cluster.VirtualTime;
import dev.muster.standalone.stack.Connection;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * One run of a scenario through everything that an installation has: a broker, a schema registry, an API server per
 * cluster, production ingest, scheduler and binder, each on threads of its own. Kubelets, controllers, the binder's waits
 * and the scheduler's clock are on virtual time, which this class drives: it moves on only when all is quiet, and lets the
 * scheduler hold a round only when it has seen everything.
 *
 * <p>Quiet is known, not waited for, where it can be known: how many records the ingests must have written follows from
 * the clusters' changes (a second ingest without Kafka counts them), how far the scheduler has read from its offsets, what
 * it still wants from an engine that follows its journal, and what the binder owes from decisions and outcomes. What nobody
 * can know (a status that is being written) is given {@link #CALM_MILLIS} in which no object changes.
 */
final class BrokerRun implements AutoCloseable {

    private static final String DOMAIN = "default";
    private static final Domains DOMAINS = Domains.of(DOMAIN);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long CALM_MILLIS = 60;

    /** A decision that waits for time to pass has no outcome to wait for: so long nothing else may happen. */
    private static final long STUCK_MILLIS = 500;

    private static final class Member {
        private final VirtualCluster cluster;
        private final SteppedClock clock;
        private final LocalIngest expected;
        private final ConcurrentLinkedQueue<ObjectStore.Event> news = new ConcurrentLinkedQueue<>();
        private final ApiCalls calls = new ApiCalls();

        Member(VirtualCluster cluster, LocalIngest expected) {
            this.cluster = cluster;
            this.clock = new SteppedClock(cluster.time());
            this.expected = expected;
            cluster.store().subscribe(news::add);
        }

        LocalIngest.Listing list(String apiVersion, String kind) {
            List<String> objects = cluster.store().kinds().stream()
                    .filter(each ->
                            each.apiVersion().equals(apiVersion) && each.kind().equals(kind))
                    .flatMap(each -> cluster.store().list(each).stream())
                    .map(Object::toString)
                    .toList();
            return new LocalIngest.Listing(objects, cluster.store().resourceVersion());
        }

        void takeNews() {
            for (ObjectStore.Event event = news.poll(); event != null; event = news.poll()) {
                ResourceKind kind = event.kind();
                String object = event.object().toString();
                boolean deleted = event.type().equals("DELETED");
                expected.read(kind.apiVersion(), kind.kind(), object).ifPresent(read -> {
                    if (deleted) {
                        expected.deleted(kind.apiVersion(), kind.kind(), read);
                    } else {
                        expected.seen(kind.apiVersion(), kind.kind(), read);
                    }
                });
            }
        }
    }

    private final Scenario scenario;
    private final Topics topics;
    private final Path stateDir;
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final VirtualTime time = new VirtualTime(ScenarioRun.START_MILLIS);
    private final Map<String, Member> members = new TreeMap<>();
    private final Map<String, Long> expectedRecords = new HashMap<>();
    private final JournalCodec journalCodec = new JournalCodec(DOMAIN);
    private final List<Decision> decisions = new ArrayList<>();
    private final Set<String> answered = new HashSet<>();
    private final Connection connection;
    private final Admin admin;
    private final KafkaConsumer<String, byte[]> consumer;
    private final Deserializer<dev.muster.schemas.journal.JournalEntry> entries;
    private final Deserializer<Decision> decisionReader;
    private final Deserializer<dev.muster.schemas.decision.Outcome> outcomeReader;
    private final AtomicBoolean tickAllowed = new AtomicBoolean();
    private long tickAllowedAfter = -1;

    /** Version of the clusters when all was quiet last; -1 when something waits for time to pass. */
    private long quietVersion = -1;

    private Engine follower = Engine.empty();
    private SchedulerApp scheduler;

    /** A run on topics of its own. */
    BrokerRun(Scenario scenario, Connection connection, Topics topics, Path stateDir) throws Exception {
        this.scenario = scenario;
        this.connection = connection;
        this.topics = topics;
        this.stateDir = stateDir;
        this.admin = opened(Admin.create(connection.kafka()));
        TopicAdmin.ensure(admin, topics.trusted(DOMAINS), PATIENCE);
        this.entries = serde(dev.muster.schemas.journal.JournalEntry.class).deserializer();
        this.decisionReader = serde(Decision.class).deserializer();
        this.outcomeReader = serde(dev.muster.schemas.decision.Outcome.class).deserializer();
        Map<String, Object> settings = new HashMap<>(connection.kafka());
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        this.consumer = opened(new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer()));
        consumer.assign(
                List.of(partition(topics.journal()), partition(topics.decisions()), partition(topics.outcomes())));
        startScheduler();
        for (String name : scenario.clusters()) {
            startMember(name);
        }
    }

    /** Whether a scenario is one for this way: with an end, and with the settings that everything starts with. */
    static boolean canPlay(Scenario scenario) {
        return scenario.untilMillis().isPresent()
                && scenario.settings().equals(Scenario.Settings.DEFAULT)
                && scenario.steps().stream()
                        .noneMatch(step -> step instanceof Step.Evict
                                && !step.manifest().kind().equals("Pod"));
    }

    private <T extends SpecificRecord> AvroSerde<T> serde(Class<T> type) {
        return new AvroSerde<>(connection.registry(), type);
    }

    private static TopicPartition partition(String topic) {
        return new TopicPartition(topic, DOMAINS.partitionOf(DOMAIN));
    }

    private <T extends AutoCloseable> T opened(T part) {
        parts.push(part);
        return part;
    }

    private void startScheduler() throws InterruptedException {
        scheduler = SteppedScheduler.of(
                SchedulerConfig.of(connection.kafka(), topics, DOMAINS, "test", stateDir),
                connection.registry(),
                time,
                () -> tickAllowed.getAndSet(false));
        scheduler.start();
        if (!scheduler.awaitRunning(PATIENCE)) {
            throw new IllegalStateException("the scheduler does not start");
        }
    }

    private void startMember(String name) throws Exception {
        SimulatedClusterOptions options =
                SimulatedClusterOptions.DEFAULT.withName(name).withCreateNamespaces(true);
        VirtualCluster cluster = new VirtualCluster(options, time);
        LocalIngest expected = new LocalIngest(
                IngestConfig.of(DOMAIN, name),
                new LocalIngest.Environment(
                        new Counting(),
                        new LocalRegistry(),
                        topics,
                        new KubernetesSerialization(),
                        new SimpleMeterRegistry(),
                        time));
        Member member = new Member(cluster, expected);
        members.put(name, member);
        expected.takeOver(1, member::list);
        SimulatedCluster served = opened(cluster.serve(options));
        KubernetesClient client = opened(served.client());
        KafkaProducer<String, byte[]> producer =
                opened(new KafkaProducer<>(EventPublisher.producerConfig(connection.kafka())));
        ClusterIngest ingest = opened(new ClusterIngest(
                IngestConfig.of(DOMAIN, name),
                new ClusterIngest.Environment(
                        client,
                        producer,
                        connection.registry(),
                        topics,
                        DOMAINS,
                        new SimpleMeterRegistry(),
                        Clock.systemUTC())));
        ingest.start();
        ingest.synced().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        Binder binder = opened(new Binder(
                new Binder.Place(
                        client,
                        name,
                        DOMAIN,
                        DOMAINS,
                        topics,
                        connection.kafka(),
                        connection.registry(),
                        new SimpleMeterRegistry()),
                BinderConfig.defaults(),
                member.clock));
        binder.start();
    }

    private final class Counting implements EventPublisher.Sender {
        @Override
        public void send(String topic, String key, byte[] value) {
            expectedRecords.merge(topic, 1L, Long::sum);
        }

        @Override
        public void flush() {
            // Counted is safe.
        }
    }

    /** Runs the scenario to its end; what was decided, in order. */
    List<Decision> run() throws Exception {
        settle();
        Map<Long, List<Step>> steps = new TreeMap<>();
        scenario.steps()
                .forEach(step -> steps.computeIfAbsent(step.atMillis(), unused -> new ArrayList<>())
                        .add(step));
        TreeSet<Long> moments = new TreeSet<>(steps.keySet());
        moments.addAll(scenario.restartMillis());
        long end = scenario.untilMillis().orElseThrow();
        for (long moment : moments.headSet(end, true)) {
            if (moment > 0) {
                runUntil(ScenarioRun.START_MILLIS + moment - 1);
                time.advanceTo(ScenarioRun.START_MILLIS + moment);
            }
            if (scenario.restartMillis().contains(moment)) {
                scheduler.close();
                startScheduler();
            }
            steps.getOrDefault(moment, List.of()).forEach(this::carryOut);
            runUntil(ScenarioRun.START_MILLIS + moment);
        }
        runUntil(ScenarioRun.START_MILLIS + end);
        return List.copyOf(decisions);
    }

    private void carryOut(Step step) {
        Manifest manifest = step.manifest();
        Member member = members.get(manifest.cluster());
        ResourceKind kind = ApiCalls.served(manifest).orElse(null);
        if (kind == null) {
            return;
        }
        switch (step) {
            case Step.Apply apply -> member.calls.apply(member.cluster, kind, manifest);
            case Step.Delete delete -> member.calls.delete(member.cluster, kind, manifest);
            case Step.Evict evict -> member.calls.evict(member.cluster, manifest.namespace(), manifest.name());
        }
    }

    private void runUntil(long millis) throws Exception {
        settle();
        for (long next = nextMillis(); next <= millis; next = nextMillis()) {
            time.advanceTo(next);
            settle();
        }
        time.advanceTo(millis);
    }

    private long nextMillis() {
        return Math.min(time.nextMillis(), follower.nextDeadlineMillis());
    }

    /** Everything that is due at this moment, and what that brings about, in the order of a virtual stack. */
    private void settle() throws Exception {
        long giveUpNanos = System.nanoTime() + PATIENCE.toNanos();
        boolean untouched = true;
        long versionSeen = -1;
        long calmSinceNanos = System.nanoTime();
        while (true) {
            time.runDue();
            members.values().forEach(Member::takeNews);
            boolean read = poll();
            boolean seenAll = ingested() && consumed();
            boolean wantsTick = follower.tickCause(time.nowMillis()) != null;
            if (seenAll && wantsTick) {
                allowTick();
            }
            long version = version();
            long now = System.nanoTime();
            untouched &= !read && !wantsTick;
            if (untouched && version == quietVersion && seenAll && unanswered() == 0) {
                return;
            }
            if (version != versionSeen || read || !seenAll || wantsTick) {
                versionSeen = version;
                calmSinceNanos = now;
            }
            long calmMillis = TimeUnit.NANOSECONDS.toMillis(now - calmSinceNanos);
            if (calmMillis >= (unanswered() == 0 ? CALM_MILLIS : STUCK_MILLIS) && waitsWhereUnanswered()) {
                quietVersion = unanswered() == 0 ? version : -1;
                return;
            }
            if (now > giveUpNanos) {
                throw new AssertionError("not quiet at " + time.instant() + ": " + this);
            }
            Thread.sleep(1);
        }
    }

    /** One tick for each state of the journal: the next when this one has been seen there. */
    private void allowTick() {
        if (tickAllowedAfter != follower.nextSequence()) {
            tickAllowedAfter = follower.nextSequence();
            tickAllowed.set(true);
        }
    }

    private boolean waitsWhereUnanswered() {
        return unanswered() == 0 || members.values().stream().anyMatch(member -> member.clock.waiting() > 0);
    }

    private long unanswered() {
        return decisions.stream()
                .filter(decision -> !answered.contains(decision.getId()))
                .count();
    }

    private long version() {
        return members.values().stream()
                .mapToLong(member -> member.cluster.store().resourceVersion())
                .sum();
    }

    /** Whether the ingests have written all that the clusters' changes ask for. */
    private boolean ingested() throws ExecutionException, InterruptedException {
        Map<TopicPartition, Long> ends = ends(expectedRecords.keySet());
        boolean all = true;
        for (Map.Entry<String, Long> expected : expectedRecords.entrySet()) {
            // More than is expected means that a change came in between: it is taken note of in the next look.
            all &= ends.get(partition(expected.getKey())).equals(expected.getValue());
        }
        return all;
    }

    /** Whether the scheduler has read, and committed, all there is to read. */
    private boolean consumed() throws ExecutionException, InterruptedException {
        Set<String> inputs = new HashSet<>(expectedRecords.keySet());
        inputs.add(topics.outcomes());
        inputs.remove(topics.deadLetters());
        var committed = admin.listConsumerGroupOffsets(SchedulerConfig.defaultApplicationId(topics))
                .partitionsToOffsetAndMetadata()
                .get();
        for (Map.Entry<TopicPartition, Long> end : ends(inputs).entrySet()) {
            var position = committed.get(end.getKey());
            if (end.getValue() > 0 && (position == null || position.offset() < end.getValue())) {
                return false;
            }
        }
        return true;
    }

    private Map<TopicPartition, Long> ends(Set<String> names) {
        return consumer.endOffsets(names.stream().map(BrokerRun::partition).toList());
    }

    private boolean poll() {
        boolean any = false;
        for (ConsumerRecord<String, byte[]> record : consumer.poll(Duration.ofMillis(2))) {
            any = true;
            if (record.topic().equals(topics.journal())) {
                JournalEntry entry = journalCodec.read(entries.deserialize(record.topic(), record.value()));
                if (!follower.apply(entry).applied()) {
                    throw new AssertionError("entry " + entry.sequence() + " changes nothing in a replay");
                }
            } else if (record.topic().equals(topics.decisions())) {
                decisions.add(decisionReader.deserialize(record.topic(), record.value()));
            } else {
                answered.add(outcomeReader
                        .deserialize(record.topic(), record.value())
                        .getDecisionId());
            }
        }
        return any;
    }

    @Override
    public String toString() {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("expected records", new TreeMap<>(expectedRecords));
        seen.put("decisions", decisions.size());
        seen.put("unanswered", unanswered());
        seen.put("wanted tick", String.valueOf(follower.tickCause(time.nowMillis())));
        return seen.toString();
    }

    @Override
    public void close() {
        parts.push(scheduler::close);
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception e) {
                throw new IllegalStateException(part + " does not close", e);
            }
        }
    }
}
