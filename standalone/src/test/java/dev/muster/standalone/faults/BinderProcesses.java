package dev.muster.standalone.faults;

import dev.muster.binder.ApiTransport.Answer;
import dev.muster.binder.ApiTransport.Request;
import dev.muster.binder.BinderClock;
import dev.muster.binder.BinderConfig;
import dev.muster.binder.SimulatedBinder;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.cluster.ResourceKinds;
import dev.muster.standalone.cluster.Timeline;
import dev.muster.standalone.cluster.VirtualCluster;
import dev.muster.standalone.cluster.VirtualTime;
import dev.muster.standalone.faults.Truth.PodTruth;
import dev.muster.standalone.virtual.Fibers;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The binders of one cluster, as many as there happen to be: two of them act when one wakes up that was given up. */
final class BinderProcesses {
    /** A call that takes a pod away, with its namespace and name. */
    private static final Pattern AWAY =
            Pattern.compile("(?:POST|DELETE) /api/v1/namespaces/([^/?]+)/pods/([^/?]+)(?:/eviction)?(?:[?].*)?");

    private static final long TURN_MILLIS = 100;
    private static final long REQUEST_TIMEOUT_MILLIS = 5_000;
    /** Before the first look whether the system has come to rest. */
    private static final long LATEST_MILLIS = 20_000;

    private final boolean statuses;
    private final Oracle oracle;
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
    private final String domain;
    private final List<Process> processes = new ArrayList<>();
    private int started;

    /** Binders of a cluster; whether they write statuses, which is most of what they do where much waits. */
    BinderProcesses(
            boolean statuses,
            Oracle oracle,
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
        this.statuses = statuses;
        this.oracle = oracle;
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
        this.domain = domain;
        feed.follow(ResourceKinds.PODS, Pod.class);
        feed.follow(ResourceKinds.NODES, Node.class);
        kafka.subscribe(record -> List.copyOf(processes).forEach(process -> process.visible(record)));
    }

    void start() {
        processes.add(new Process());
    }

    private void startLater(long millis) {
        time.after(Duration.ofMillis(millis), this::start);
    }

    /** Those that hang go on, clocks are right; when no binder is there, one starts. */
    void heal() {
        for (Process process : processes) {
            process.pausedUntil = 0;
            process.clockAheadMillis = 0;
        }
        if (processes.isEmpty()) {
            start();
        }
    }

    /** Nothing is under way and everything is read. */
    boolean idle() {
        return !processes.isEmpty() && processes.stream().allMatch(Process::idle);
    }

    private final class Process {
        private final Fibers.Group group;
        private final MemoryProducer producer;
        private final SimulatedBinder binder;
        private final SplittableRandom own = random.split();
        private long clockAheadMillis;
        private final Consumer<ClusterFeed.Told> pods = told -> changed(told);
        private final Consumer<ClusterFeed.Told> nodes = told -> changed(told);
        private Timeline.Scheduled turn;
        private long turnAt = Long.MAX_VALUE;
        private long lastToldAt;
        private long pausedUntil;
        private boolean alive = true;

        Process() {
            group = fibers.group(feed.cluster().name() + "-binder-" + started++);
            producer = new MemoryProducer(kafka, time, () -> 0);
            clockAheadMillis = faults.strikes(Fault.BINDER_CLOCK_WRONG)
                    ? faults.amount(Fault.BINDER_CLOCK_WRONG, -20_000, 20_000)
                    : 0;
            binder = new SimulatedBinder(
                    new SimulatedBinder.Place(
                            feed.cluster().name(),
                            domain,
                            topics,
                            registry,
                            this::call,
                            json,
                            new Clock(),
                            work -> group.start("work", work),
                            () -> group.executor("step"),
                            own::nextLong,
                            producer,
                            name -> new MemoryConsumer(kafka, name, () -> faults.strikes(Fault.BINDER_OFFSETS_LOST)),
                            meters),
                    BinderConfig.defaults());
            feed.list(ResourceKinds.NODES).forEach(node -> tell("ADDED", node));
            feed.list(ResourceKinds.PODS).forEach(pod -> tell("ADDED", pod));
            feed.subscribe(ResourceKinds.PODS, pods);
            feed.subscribe(ResourceKinds.NODES, nodes);
            kafka.read(topics.templates(), 0, Integer.MAX_VALUE).forEach(this::visible);
            if (statuses) {
                latestStatuses().forEach(this::visible);
            }
            binder.start();
            turnAt(time.nowMillis() + 1);
        }

        /** As a reader of the compacted topic sees them. */
        private Collection<MemoryKafka.Entry> latestStatuses() {
            Map<String, MemoryKafka.Entry> latest = new LinkedHashMap<>();
            for (MemoryKafka.Entry entry : kafka.read(topics.workloadStatus(), 0, Integer.MAX_VALUE)) {
                latest.remove(entry.key());
                if (entry.value() != null) {
                    latest.put(entry.key(), entry);
                }
            }
            return latest.values();
        }

        private boolean idle() {
            return binder.inFlight() == 0 && group.size() == 0 && turnAt == Long.MAX_VALUE;
        }

        // ---- Kafka

        /** A record became visible; what it says is seen a little later. */
        private void visible(MemoryKafka.Entry record) {
            if (!alive) {
                return;
            }
            if (record.topic().equals(topics.decisions())) {
                turnAt(time.nowMillis() + 1 + own.nextInt(5));
            } else if (record.topic().equals(topics.templates())) {
                binder.template(record.key(), record.value());
            } else if (statuses && record.topic().equals(topics.workloadStatus())) {
                binder.status(record.key(), record.value());
            }
        }

        private void turnAt(long millis) {
            if (alive && millis < turnAt) {
                if (turn != null) {
                    turn.cancel();
                }
                turnAt = millis;
                turn = time.at(millis, this::turn);
            }
        }

        private void turn() {
            turnAt = Long.MAX_VALUE;
            if (!alive) {
                return;
            }
            if (time.nowMillis() < pausedUntil) {
                turnAt(pausedUntil);
                return;
            }
            binder.turn();
            if (binder.inFlight() > 0) {
                turnAt(time.nowMillis() + TURN_MILLIS);
            }
        }

        // ---- watch

        private void changed(ClusterFeed.Told told) {
            long at = Math.max(lastToldAt, time.nowMillis() + 1 + own.nextInt(8));
            if (faults.strikes(Fault.BINDER_VIEW_LATE)) {
                at += faults.amount(Fault.BINDER_VIEW_LATE, 50, 10_000);
            }
            lastToldAt = at;
            time.at(at, () -> tell(told.type(), told.object()));
        }

        private void tell(String type, HasMetadata object) {
            if (!alive) {
                return;
            }
            boolean gone = type.equals("DELETED");
            switch (object) {
                case Pod pod when gone -> binder.gone(pod);
                case Pod pod -> binder.seen(pod);
                case Node node when gone -> binder.gone(node);
                case Node node -> binder.seen(node);
                default -> throw new IllegalStateException(object.getKind());
            }
        }

        // ---- API server

        private Answer call(Request request) throws IOException {
            whileItHangs();
            fibers.throwIfKilled();
            if (faults.strikes(Fault.BINDER_PAUSED)) {
                pausedUntil = time.nowMillis() + faults.amount(Fault.BINDER_PAUSED, 500, 90_000);
            } else if (faults.strikes(Fault.BINDER_TWICE)) {
                pausedUntil = time.nowMillis() + faults.amount(Fault.BINDER_TWICE, 2_000, 90_000);
                startLater(own.nextInt(4_000));
                // Some time after it woke up the one that was given up is found and ended.
                time.at(pausedUntil + own.nextInt(30_000), this::kill);
            }
            if (faults.strikes(Fault.BINDER_KILLED_BEFORE_CALL)) {
                startLater(200 + own.nextInt(10_000));
                kill();
            }
            sleep(1 + own.nextInt(6));
            if (faults.strikes(Fault.API_SLOW)) {
                sleep(faults.amount(Fault.API_SLOW, 100, 8_000));
            }
            Answer refusal = refusal(request);
            if (refusal != null) {
                return refusal;
            }
            if (!request.method().equals("GET") && faults.strikes(Fault.API_REQUEST_LATE)) {
                arriveLate(request);
            }
            VirtualCluster.Answer answer = arrive(request);
            if (faults.strikes(Fault.BINDER_KILLED_AFTER_CALL)) {
                startLater(200 + own.nextInt(10_000));
                kill();
            }
            sleep(1 + own.nextInt(6));
            if (faults.strikes(Fault.API_REPLY_LOST)) {
                throw new IOException("the connection was reset");
            }
            return new Answer(
                    answer.code(),
                    answer.body(),
                    answer.retryAfterSeconds() == 0 ? "" : Integer.toString(answer.retryAfterSeconds()));
        }

        private VirtualCluster.Answer arrive(Request request) {
            Matcher away = AWAY.matcher(request.method() + " " + request.path());
            PodTruth pod =
                    away.matches() ? oracle.truth.podNamed(feed.cluster().name(), away.group(1), away.group(2)) : null;
            boolean there = pod != null && !pod.deleting;
            VirtualCluster.Answer answer =
                    feed.cluster().request(request.method(), request.path(), request.contentType(), request.body());
            if (there && (pod.deleting || pod.gone)) {
                oracle.takenAway(pod);
            }
            return answer;
        }

        /** It lies in some queue on the way for longer than the binder waits. */
        private void arriveLate(Request request) throws IOException {
            long waits = faults.amount(Fault.API_REQUEST_LATE, 100, REQUEST_TIMEOUT_MILLIS);
            time.after(
                    Duration.ofMillis(waits + faults.amount(Fault.API_REQUEST_LATE, 1, LATEST_MILLIS)),
                    () -> arrive(request));
            sleep(waits);
            throw new IOException("the request timed out");
        }

        private Answer refusal(Request request) {
            if (faults.strikes(Fault.API_429)) {
                return status(429, "TooManyRequests", "1");
            }
            if (faults.strikes(Fault.API_500)) {
                return status(500, "InternalError", "");
            }
            if (!request.method().equals("GET") && faults.strikes(Fault.API_409)) {
                return status(409, "Conflict", "");
            }
            boolean binds = request.path().endsWith("/binding");
            return binds && faults.strikes(Fault.API_REFUSES) ? status(403, "Forbidden", "") : null;
        }

        private static Answer status(int code, String reason, String retryAfter) {
            String body = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":" + code
                    + ",\"reason\":\"" + reason + "\",\"message\":\"injected\"}";
            return new Answer(code, body, retryAfter);
        }

        private void sleep(long millis) {
            fibers.sleep(millis);
            whileItHangs();
        }

        private void whileItHangs() {
            while (time.nowMillis() < pausedUntil) {
                fibers.sleep(pausedUntil - time.nowMillis());
            }
        }

        /** From one of its own fibers this does not return. */
        private void kill() {
            if (!alive) {
                return;
            }
            alive = false;
            processes.remove(this);
            if (turn != null) {
                turn.cancel();
            }
            feed.unsubscribe(ResourceKinds.PODS, pods);
            feed.unsubscribe(ResourceKinds.NODES, nodes);
            producer.kill();
            group.kill();
        }

        private final class Clock implements BinderClock {
            @Override
            public long epochMillis() {
                return time.nowMillis() + clockAheadMillis;
            }

            @Override
            public long nanoTime() {
                return time.nowMillis() * 1_000_000;
            }

            @Override
            public void await(CountDownLatch latch, long millis) {
                fibers.await(latch, millis);
                whileItHangs();
            }
        }
    }
}
