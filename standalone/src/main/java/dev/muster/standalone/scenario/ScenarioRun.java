package dev.muster.standalone.scenario;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.Evict;
import dev.muster.schemas.decision.MemberOutcome;
import dev.muster.schemas.decision.MemberStatus;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.status.Condition;
import dev.muster.schemas.status.KueueConditions;
import dev.muster.schemas.status.VolcanoStatus;
import dev.muster.schemas.topic.Keys;
import dev.muster.standalone.cli.Evictions;
import dev.muster.standalone.cluster.VirtualCluster;
import dev.muster.standalone.scenario.expect.Judge;
import dev.muster.standalone.scenario.expect.Result;
import dev.muster.standalone.scenario.observe.Clusters;
import dev.muster.standalone.scenario.observe.Happening;
import dev.muster.standalone.scenario.observe.Happening.Type;
import dev.muster.standalone.scenario.observe.StatusView;
import dev.muster.standalone.scenario.read.ScenarioFormatException;
import dev.muster.standalone.virtual.CoreHost;
import dev.muster.standalone.virtual.SchedulerHost;
import dev.muster.standalone.virtual.VirtualStack;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * One run of a scenario: clusters, scheduler and binder on virtual time, steps carried out when they are due, expectations
 * judged by an onlooker.
 *
 * <p>What must hold always is judged whenever clusters have come to rest within a moment: what kubelets and controllers do at
 * one moment is one event, and what the binder does for the decisions of one round is one.
 */
public final class ScenarioRun implements AutoCloseable {
    /** When simulated time begins: 2026-01-01T00:00:00Z. */
    public static final long START_MILLIS = 1_767_225_600_000L;

    /** How the binder words that a member was not bound because another one could not be. */
    private static final String FOLLOWS_ANOTHER = "not without pod ";

    private static final String DOMAIN = "default";
    private static final int MOST_IDLE = 500;
    private static final int MOST_MOMENTS = 1_000_000;

    private final Scenario scenario;
    private final VirtualStack.Options options;
    private final VirtualStack stack;
    private final Clusters clusters = new Clusters();
    private final Judge judge;
    private final Steps steps;
    private final Map<String, WorkloadStatus> statusesSeen = new HashMap<>();
    private final List<String> notes = new ArrayList<>();
    private int decisionsSeen;
    private int outcomesSeen;

    /** A run that has not begun, with the production core as the scheduler. */
    public ScenarioRun(Scenario scenario) {
        this(scenario, CoreHost::new);
    }

    /** A run that has not begun. */
    public ScenarioRun(Scenario scenario, SchedulerHost.Factory scheduler) {
        this.scenario = scenario;
        this.options = VirtualStack.Options.of(DOMAIN, scenario.clusters(), START_MILLIS)
                .withScheduler(scheduler);
        this.stack = new VirtualStack(options);
        this.judge = new Judge(scenario.expectations());
        for (String name : scenario.clusters()) {
            VirtualCluster cluster = stack.cluster(name);
            cluster.store().subscribe(event -> {
                clusters.now(nowMillis());
                clusters.changed(name, event.type(), event.object());
            });
        }
        this.steps = new Steps(scenario, stack, clusters, notes);
        stack.observe(this::happened);
    }

    /** Runs a scenario from beginning to end; expectations are judged where {@code check} says so. */
    public static Report of(Scenario scenario, boolean check) {
        try (ScenarioRun run = new ScenarioRun(scenario)) {
            return run.run(check);
        }
    }

    /** Runs it. To be called once. */
    public Report run(boolean check) {
        SettingsRecord.send(scenario.settings(), DOMAIN, stack, options);
        stack.settle();
        TreeSet<Long> moments = new TreeSet<>(steps.moments());
        moments.addAll(scenario.restartMillis());
        moments.addAll(judge.moments());
        long end = scenario.untilMillis().orElse(Long.MAX_VALUE);
        for (Long moment = moments.pollFirst(); moment != null && moment <= end; moment = moments.pollFirst()) {
            moment(moment);
            moments.addAll(steps.later());
        }
        long ended = finish();
        clusters.now(ended);
        List<Result> results = judge.end(clusters);
        notes.addAll(steps.unusedFields());
        steps.notReached(ended).ifPresent(notes::add);
        return new Report(scenario, ended, clusters, check ? results : List.of(), steps.kept(), turnedAway(), proof());
    }

    private void moment(long millis) {
        if (millis > 0) {
            stack.runUntil(START_MILLIS + millis - 1);
            stack.time().advanceTo(START_MILLIS + millis);
        }
        clusters.now(millis);
        if (scenario.restartMillis().contains(millis)) {
            stack.restartScheduler();
            clusters.happened(Type.RESTART, "", "scheduler", "", "restarted, restored from its stores");
        }
        steps.due(millis);
        stack.runUntil(START_MILLIS + millis);
        clusters.now(millis);
        judge.event(clusters);
        judge.moment(millis, clusters);
    }

    /** Runs to the end that is said, or until nothing more happens; what tries again for ever is stopped and noted. */
    private long finish() {
        if (scenario.untilMillis().isPresent()) {
            stack.runUntil(START_MILLIS + scenario.untilMillis().get());
            return scenario.untilMillis().get();
        }
        int idle = 0;
        int seen = clusters.happenings().size();
        for (int i = 0; stack.nextMillis() != Long.MAX_VALUE && idle < MOST_IDLE && i < MOST_MOMENTS; i++) {
            stack.runUntil(stack.nextMillis());
            List<Happening> news = clusters.happenings();
            idle = news.subList(seen, news.size()).stream().anyMatch(ScenarioRun::isProgress) ? 0 : idle + 1;
            seen = news.size();
        }
        if (stack.nextMillis() != Long.MAX_VALUE) {
            notes.add("stopped while something still happens that leads nowhere; --until says when to end");
        }
        return nowMillis();
    }

    /** Not what trying again brings about: placing, taking back, being refused. */
    private static boolean isProgress(Happening happening) {
        return switch (happening.type()) {
            case SUCCEEDED, FAILED, STATE, NODE, APPLIED, DELETED -> true;
            case PLACED, PREEMPTS, EVICTED, STOPPING, GONE, REFUSED, WAITS, RESTART -> false;
        };
    }

    private long nowMillis() {
        return stack.time().nowMillis() - START_MILLIS;
    }

    private void happened() {
        clusters.now(nowMillis());
        takeStatuses();
        takeEvictions();
        takeOutcomes();
        if (stack.time().nextMillis() > stack.time().nowMillis()) {
            judge.event(clusters);
        }
    }

    private void takeStatuses() {
        stack.statuses().forEach((key, status) -> {
            if (statusesSeen.put(key, status) != status) {
                clusters.status(key, view(status));
            }
        });
        statusesSeen.keySet().removeIf(key -> {
            boolean forgotten = !stack.statuses().containsKey(key);
            if (forgotten) {
                clusters.status(key, null);
            }
            return forgotten;
        });
    }

    private static StatusView view(WorkloadStatus status) {
        return new StatusView(
                status.getCluster(),
                status.getNamespace(),
                status.getKind(),
                status.getName(),
                status.getObject(),
                status.getReason().getCode(),
                status.getReason().getMessage(),
                status.getState().name(),
                VolcanoStatus.phase(status).orElse(""),
                Stream.concat(VolcanoStatus.conditions(status).stream(), KueueConditions.of(status).stream())
                        .map(each -> new Condition(
                                each.type(),
                                each.status(),
                                each.reason(),
                                each.message(),
                                Math.max(0, each.sinceMillis() - START_MILLIS)))
                        .toList());
    }

    /** Who is evicted for whom; a pod's own eviction is seen where it happens. */
    private void takeEvictions() {
        for (; decisionsSeen < stack.decisions().size(); decisionsSeen++) {
            Decision decision = stack.decisions().get(decisionsSeen);
            if (decision.getAction() instanceof Evict evict) {
                clusters.happened(
                        Type.PREEMPTS,
                        evict.getCluster(),
                        nameOf(decision.getWorkload()),
                        "",
                        Evictions.sentence(decision.getWorkload(), evict, this::nameOf));
            }
        }
    }

    /** A workload as people name it; its id where nothing was said of it. */
    private String nameOf(String workload) {
        WorkloadStatus status = statusesSeen.get(Keys.workload(DOMAIN, workload));
        return status == null ? workload : status.getNamespace() + "/" + status.getName();
    }

    private void takeOutcomes() {
        for (; outcomesSeen < stack.outcomes().size(); outcomesSeen++) {
            Outcome outcome = stack.outcomes().get(outcomesSeen);
            for (MemberOutcome member : outcome.getMembers()) {
                boolean itself = !member.getMessage().startsWith(FOLLOWS_ANOTHER);
                if (member.getStatus() != MemberStatus.BOUND
                        && !member.getMessage().isEmpty()
                        && itself) {
                    clusters.happened(
                            Type.REFUSED,
                            outcome.getCluster(),
                            nameOf(outcome.getWorkload()),
                            member.getName(),
                            member.getMessage());
                }
            }
        }
    }

    private List<String> turnedAway() {
        for (String cluster : stack.clusters()) {
            long violations = stack.cluster(cluster).counters().violations();
            if (violations > 0) {
                notes.add(violations + " pods did not fit on their node in cluster " + cluster
                        + " and were turned away by the kubelet");
            }
        }
        return notes;
    }

    private Report.Proof proof() {
        Optional<String> difference = stack.replayDifference();
        return new Report.Proof(stack.journal().size(), stack.decisions().size(), difference.orElse(""));
    }

    /** What ran; for a comparison of runs. */
    public VirtualStack stack() {
        return stack;
    }

    @Override
    public void close() {
        stack.close();
    }

    /** A step that the cluster refused: the manifest can't be used. */
    static ScenarioFormatException refused(Step step, String why) {
        return ScenarioFormatException.at(
                step.manifest().place(), "refused at " + SimulatedTime.text(step.atMillis()) + ": " + why);
    }
}
