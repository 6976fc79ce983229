package dev.muster.standalone.faults;

import dev.muster.schemas.common.Change;
import dev.muster.schemas.common.Origin;
import dev.muster.schemas.event.PolicyEvent;
import dev.muster.schemas.event.SchedulerPolicySpec;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.LocalRegistry;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Keys;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.cluster.ResourceKinds;
import dev.muster.standalone.cluster.SimulatedClusterOptions;
import dev.muster.standalone.cluster.VirtualCluster;
import dev.muster.standalone.cluster.VirtualTime;
import dev.muster.standalone.virtual.Fibers;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The whole system under the faults of one seed, on virtual time: schedulers, ingests and binders of production over
 * virtual clusters and Kafka in memory. First everything breaks, then everything is healed, and the system has to come to
 * rest with all of them in agreement and nothing left undone.
 */
final class Simulation {
    static final String DOMAIN = "prod";

    private static final long START_MILLIS = 1_800_000_000_000L;
    private static final long FIRST_LOOK_MILLIS = 30_000;
    private static final long LOOK_EVERY_MILLIS = 5_000;
    private static final long REST_WITHIN_MILLIS = 15 * 60_000;
    private static final long LONGEST_REST_MILLIS = 4 * 60 * 60_000;

    private static final KubernetesSerialization JSON = new KubernetesSerialization();
    private static final MeterRegistry METERS = new SimpleMeterRegistry();

    /**
     * What to play.
     *
     * @param without kinds of faults to leave out, for shrinking
     * @param actions how many actions at most
     */
    record Play(long seed, Set<Fault> without, int actions) {
        static Play of(long seed) {
            return new Play(seed, Set.of(), Integer.MAX_VALUE);
        }
    }

    /**
     * How it went.
     *
     * @param violation what was found; empty when nothing was
     * @param hash over every record that became visible
     * @param kinds kinds of faults that the seed has
     * @param struck how often each kind struck
     * @param seen how often what is rare happened, such as a preemption
     */
    record Result(
            long seed,
            String violation,
            String hash,
            long records,
            int decisions,
            int schedulerStarts,
            long virtualMillis,
            Set<Fault> kinds,
            Map<Fault, Integer> struck,
            Map<String, Integer> seen) {
        boolean passed() {
            return violation.isEmpty();
        }

        Result withViolation(String found) {
            return new Result(
                    seed, found, hash, records, decisions, schedulerStarts, virtualMillis, kinds, struck, seen);
        }
    }

    private final Play play;
    private final SplittableRandom random;
    private final VirtualTime time = new VirtualTime(START_MILLIS);
    private final Fibers fibers = new Fibers(time);
    private final MemoryKafka kafka = new MemoryKafka(time::nowMillis);
    private final SchemaRegistry registry = new LocalRegistry();
    private final Topics topics = Topics.DEFAULT;
    private final FaultPlan faults;
    private final Oracle oracle = new Oracle(registry, topics);
    private final List<VirtualCluster> clusters = new ArrayList<>();
    /** Clusters whose binders write statuses, without which Volcano makes no pods. */
    private final Map<String, Boolean> volcanoJobs = new TreeMap<>();

    private final List<IngestProcesses> ingests = new ArrayList<>();
    private final List<BinderProcesses> binders = new ArrayList<>();
    private final SchedulerProcesses scheduler;
    private final Workload workload;
    private final Worlds worlds;
    private final Operators operators;
    private final Rest rest;
    private final Poison poison;

    private Simulation(Play play) {
        this.play = play;
        this.random = new SplittableRandom(play.seed() * 7_919 + 17);
        this.faults = new FaultPlan(play.seed(), play.without());
        kafka.subscribe(oracle::visible);
        this.scheduler = new SchedulerProcesses(time, kafka, faults, random.split(), registry, METERS, topics, DOMAIN);
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            cluster("cluster-" + i);
        }
        this.operators = new Operators(clusters, time, faults, random.split());
        this.workload =
                new Workload(clusters, volcanoJobs, time, kafka, oracle, random.split(), registry, topics, DOMAIN);
        this.worlds = new Worlds(play.seed(), clusters, time, faults);
        this.poison = new Poison(kafka, faults, random.split(), topics);
        this.rest = new Rest(oracle, scheduler, binders, workload, poison, kafka);
    }

    private void cluster(String name) {
        VirtualCluster cluster = new VirtualCluster(
                SimulatedClusterOptions.DEFAULT.withName(name).withCreateNamespaces(true), time);
        boolean statuses = random.nextInt(3) == 0;
        cluster.store().subscribe(ResourceKinds.NODES, (type, node) -> oracle.truth.node(name, type, node));
        cluster.store().subscribe(ResourceKinds.PODS, (type, pod) -> oracle.truth.pod(name, type, pod));
        cluster.store().subscribe(ResourceKinds.CLAIMS, (type, claim) -> oracle.truth.claim(name, type, claim));
        cluster.store()
                .subscribe(
                        ResourceKinds.POD_GROUPS, (type, group) -> oracle.truth.group(name, "PodGroup", type, group));
        cluster.store()
                .subscribe(
                        ResourceKinds.VOLCANO_POD_GROUPS,
                        (type, group) -> oracle.truth.group(name, "VolcanoPodGroup", type, group));
        ClusterFeed feed = new ClusterFeed(cluster, JSON);
        clusters.add(cluster);
        volcanoJobs.put(name, statuses);
        ingests.add(new IngestProcesses(
                feed, time, fibers, kafka, faults, random.split(), registry, METERS, JSON, topics, DOMAIN));
        binders.add(new BinderProcesses(
                statuses,
                oracle,
                feed,
                time,
                fibers,
                kafka,
                faults,
                random.split(),
                registry,
                METERS,
                JSON,
                topics,
                DOMAIN));
    }

    /**
     * Plays a seed. It plays on a virtual thread, as its fibers do: so that the baton goes from one to the next without the
     * operating system.
     */
    static Result run(Play play) {
        AtomicReference<Result> result = new AtomicReference<>();
        try {
            Thread.ofVirtual().start(() -> result.set(runHere(play))).join();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts here", e);
        }
        return result.get();
    }

    private static Result runHere(Play play) {
        Simulation simulation = new Simulation(play);
        String violation = "";
        try {
            simulation.play();
        } catch (RuntimeException | Error e) {
            violation = describe(e);
        } finally {
            simulation.close();
        }
        return simulation.result(violation);
    }

    private static String describe(Throwable problem) {
        StringBuilder text = new StringBuilder();
        for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
            text.append(text.isEmpty() ? "" : "\n  caused by ")
                    .append(cause.getClass().getSimpleName())
                    .append(": ")
                    .append(cause.getMessage());
            for (StackTraceElement frame : cause.getStackTrace()) {
                if (frame.getClassName().startsWith("dev.muster") && text.length() < 6_000) {
                    text.append("\n    at ").append(frame);
                }
            }
        }
        return text.toString();
    }

    private Result result(String violation) {
        return new Result(
                play.seed(),
                violation,
                kafka.hash(),
                kafka.records(),
                oracle.decisions.size(),
                scheduler.starts(),
                time.nowMillis() - START_MILLIS,
                faults.kinds(),
                faults.struck(),
                oracle.evictions.seen());
    }

    private void close() {
        try {
            fibers.close();
        } catch (RuntimeException | Error e) {
            // What a fiber says while it is killed is of no interest any more.
        }
        time.close();
    }

    private void play() {
        policy();
        operators.furnish(3 + random.nextInt(10));
        worlds.furnish();
        ingests.forEach(IngestProcesses::start);
        binders.forEach(BinderProcesses::start);
        scheduler.start();
        int actions = Math.min(play.actions(), 50 + random.nextInt(101));
        long pace = 200 + random.nextInt(1_800);
        for (int i = 0; i < actions; i++) {
            time.runUntil(time.nowMillis() + random.nextLong(2 * pace));
            if (random.nextBoolean()) {
                workload.ask();
            }
            operators.act();
            worlds.act();
            if (faults.strikes(Fault.JOB_CANCELLED)) {
                workload.cancelSome();
            }
            poison.act();
        }
        time.runUntil(time.nowMillis() + random.nextInt(10_000));
        heal();
        restWithin(REST_WITHIN_MILLIS);
    }

    /** Deadlines and pauses that fit into virtual minutes. */
    private void policy() {
        SchedulerPolicySpec.Builder policy = SchedulerPolicySpec.newBuilder()
                .setStrategy(random.nextBoolean() ? "binpack" : "spread")
                .setBindTimeoutMillis(5_000L + random.nextInt(20_000))
                .setBindBackoffMillis(500L)
                .setBindBackoffMaxMillis(20_000L);
        worlds.policy(policy);
        PolicyEvent event = new PolicyEvent(
                new Origin(DOMAIN, "", 0L, Change.UPSERT, "", "default", "policy", 1L),
                "SchedulerPolicy",
                policy.build());
        kafka.append(
                topics.policies(),
                Keys.policy(DOMAIN, "SchedulerPolicy", "", "", "default"),
                new AvroSerde<>(registry, PolicyEvent.class).serializer().serialize(topics.policies(), event));
    }

    private void heal() {
        faults.heal();
        oracle.evictions.heal();
        ingests.forEach(IngestProcesses::heal);
        binders.forEach(BinderProcesses::heal);
        scheduler.heal();
    }

    /** A small cluster may take long over what waits, one pod after the other: time counts from the last that ended. */
    private void restWithin(long millis) {
        long last = time.nowMillis() + LONGEST_REST_MILLIS;
        long end = time.nowMillis() + millis;
        long ended = rest.ended();
        time.runUntil(time.nowMillis() + FIRST_LOOK_MILLIS);
        List<String> open = rest.open();
        while (!open.isEmpty() && time.nowMillis() < Math.min(end, last)) {
            time.runUntil(time.nowMillis() + LOOK_EVERY_MILLIS);
            open = rest.open();
            if (rest.ended() > ended) {
                ended = rest.ended();
                end = time.nowMillis() + millis;
            }
        }
        if (!open.isEmpty()) {
            throw new Oracle.ViolationException("no rest "
                    + Duration.ofMillis(millis).toMinutes()
                    + " minutes after everything was healed, or something ended last: " + open.size() + " open\n  "
                    + String.join("\n  ", open.subList(0, Math.min(4, open.size()))));
        }
        rest.finallyCheck();
    }
}
