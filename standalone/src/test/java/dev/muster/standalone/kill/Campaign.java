package dev.muster.standalone.kill;

import static org.awaitility.Awaitility.await;

import dev.muster.schemas.decision.Decision;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.awaitility.core.ConditionFactory;

/** An installation under load that things are done to, and the judgement at its end. */
final class Campaign implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** What queued up while things were broken must be worked off: the longest runs take turns on few GPUs. */
    private static final Duration ALL_RAN = Duration.ofMinutes(3);

    /**
     * How long it took until work went on after a process was killed, milliseconds from its restart.
     *
     * @param killed the part
     * @param toDecision until the first new decision could be read (for the intake: the first new answer)
     * @param toBinding until a pod that came after the kill was bound
     */
    record Recovery(Part killed, long toDecision, long toBinding) {}

    private final Installation installation;
    private final Oracle oracle;
    private final Story story;
    private final Load load;
    private final Random random;

    private Campaign(Installation installation, long seed) {
        this.installation = installation;
        this.random = new Random(seed);
        this.oracle = Oracle.of(installation.cluster());
        this.story = new Story(installation);
        this.load = new Load(installation, oracle, seed);
    }

    /** All parts are up, work comes and is being placed. */
    static Campaign begin(Path dir, long seed, boolean behindProxy) {
        Installation installation = behindProxy ? Installation.startBehindProxy(dir) : Installation.start(dir);
        Campaign campaign = new Campaign(installation, seed);
        boolean begun = false;
        try {
            installation.startAll();
            campaign.load.begin();
            campaign.patiently()
                    .failFast("a process ended", () -> !installation.dead().isEmpty())
                    .until(() -> !campaign.oracle.bindings().isEmpty());
            campaign.awaitProgress();
            begun = true;
            return campaign;
        } finally {
            if (!begun) {
                System.err.println(installation.logs(30));
                campaign.close();
            }
        }
    }

    Installation installation() {
        return installation;
    }

    Oracle oracle() {
        return oracle;
    }

    Story story() {
        return story;
    }

    Load load() {
        return load;
    }

    /** Lets the load flow until a moment that nobody chose. */
    void untilSomeMoment() {
        int bindings = oracle.bindings().size();
        int more = 1 + random.nextInt(12);
        patiently().until(() -> oracle.bindings().size() >= bindings + more);
    }

    /** Waits until something that is submitted now is bound: every part does its work. */
    void awaitProgress() {
        Workload probe = load.submit(Workload.Kind.LONE_POD, 1, 0, 500);
        Workload job = load.submit(Workload.Kind.JOB, 1, 0, 500);
        patiently().until(() -> oracle.bound(probe) && oracle.bound(job));
    }

    /** Kill -9 and start again at once. */
    Recovery kill(Part part) {
        int answers = story.answers().size();
        installation.process(part).kill();
        long killedMillis = System.currentTimeMillis();
        long startNanos = System.nanoTime();
        installation.start(part);
        Workload probe = load.submit(Workload.Kind.LONE_POD, 1, 0, 500);
        Workload job = load.submit(Workload.Kind.JOB, 1, 0, 500);
        patiently().until(() -> oracle.bound(probe));
        long bound = millisSince(startNanos, bindingOf(probe));
        patiently().until(() -> oracle.bound(job));
        Supplier<Optional<Long>> first = part == Part.INTAKE
                ? () -> story.answers().stream().skip(answers).findFirst().map(Story.Told::nanos)
                : () -> firstDecision(killedMillis, part == Part.INGEST ? probe : null);
        // What an API server has done already may be told later.
        patiently().until(() -> first.get().isPresent());
        return new Recovery(part, millisSince(startNanos, first.get().orElseThrow()), bound);
    }

    /** Kill -9, and a start by a wall clock that is so far off; work must go on. */
    void restartByAWrongClock(Part part, Duration off) {
        installation.process(part).kill();
        installation.start(part, "a", off);
        awaitProgress();
    }

    /** No more load; everything that was submitted must run, and then one gang as large as the cluster. */
    void settle() {
        load.end();
        patiently().atMost(ALL_RAN).untilAsserted(() -> {
            List<String> waiting = load.submitted().stream()
                    .filter(workload -> !oracle.ran(workload))
                    .map(Workload::name)
                    .toList();
            if (!waiting.isEmpty()) {
                throw new AssertionError("did not run: " + waiting);
            }
        });
        Workload whole = load.submit(Workload.Kind.GANG, Load.NODES, Load.GPUS, 200);
        patiently().until(() -> oracle.ran(whole));
        patiently().until(() -> oracle.open().isEmpty());
        patiently().until(() -> answered().containsAll(decided()));
    }

    /** Comes to rest and judges. */
    void settleAndVerify() {
        settle();
        Verification verification = new Verification(installation, oracle, story, load);
        patiently()
                .pollInterval(Duration.ofMillis(500))
                .until(() -> verification.heldRoom().isEmpty());
        for (Part part : List.of(Part.INGEST, Part.INTAKE, Part.BINDER, Part.SCHEDULER)) {
            installation.process(part).kill();
        }
        verification.check();
    }

    /** Waits longer than anything may take, and says what every process printed last when it takes longer still. */
    ConditionFactory patiently() {
        return await().pollInSameThread().pollInterval(Duration.ofMillis(10)).atMost(PATIENCE);
    }

    @Override
    public void close() {
        load.close();
        story.close();
        installation.close();
    }

    private long bindingOf(Workload workload) {
        return oracle.bindings().stream()
                .filter(bound -> bound.workload().equals(workload.name()))
                .findFirst()
                .orElseThrow()
                .nanos();
    }

    /** When the first decision could be read that was made after a moment, about a workload if one is given. */
    private Optional<Long> firstDecision(long afterMillis, Workload about) {
        return story.decisions().stream()
                .filter(told -> told.value().getTimeMillis() > afterMillis)
                .filter(told -> about == null || told.value().getWorkload().contains("/" + about.name() + "/"))
                .findFirst()
                .map(Story.Told::nanos);
    }

    private Set<String> decided() {
        Set<String> ids = new HashSet<>();
        for (Story.Told<Decision> told : story.decisions()) {
            ids.add(told.value().getId());
        }
        return ids;
    }

    private Set<String> answered() {
        Set<String> ids = new HashSet<>();
        story.outcomes().forEach(told -> ids.add(told.value().getDecisionId()));
        return ids;
    }

    private static long millisSince(long startNanos, long nanos) {
        return Duration.ofNanos(nanos - startNanos).toMillis();
    }
}
