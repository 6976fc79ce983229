package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.event.ClusterEvent.EngineStarted;
import dev.muster.scheduler.core.event.ClusterEvent.GroupChanged;
import dev.muster.scheduler.core.event.ClusterEvent.GroupGone;
import dev.muster.scheduler.core.event.ClusterEvent.HealthChanged;
import dev.muster.scheduler.core.event.ClusterEvent.JobCancelled;
import dev.muster.scheduler.core.event.ClusterEvent.JobResumed;
import dev.muster.scheduler.core.event.ClusterEvent.JobSubmitted;
import dev.muster.scheduler.core.event.ClusterEvent.JobSuspended;
import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.event.ClusterEvent.NodeGone;
import dev.muster.scheduler.core.event.ClusterEvent.NumaChanged;
import dev.muster.scheduler.core.event.ClusterEvent.OutcomeReported;
import dev.muster.scheduler.core.event.ClusterEvent.PodChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PodGone;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyGone;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncBegan;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncEnded;
import dev.muster.scheduler.core.event.ClusterEvent.Tick;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.Facts;
import dev.muster.scheduler.core.state.Jobs;
import dev.muster.scheduler.core.state.LawBrokenException;
import dev.muster.scheduler.core.state.Laws;
import dev.muster.scheduler.core.state.Members;
import dev.muster.scheduler.core.state.Outcomes;
import dev.muster.scheduler.core.state.Restorer;
import dev.muster.scheduler.core.state.Revocations;
import dev.muster.scheduler.core.state.Row;
import dev.muster.scheduler.core.state.Settlement;
import dev.muster.scheduler.core.state.Workload;

/**
 * The deterministic state machine of one domain: entries in, decisions out. It reads no clock and no randomness, does no
 * I/O, and is used by one thread.
 */
public final class Engine {
    /** Version of the rules: rises whenever the same journal could give other decisions. */
    public static final String VERSION = "7";

    private final DomainState state = new DomainState();
    private final Members members = new Members(state);
    private final Jobs jobs = new Jobs(state);
    private final Facts facts = new Facts(state, members);
    private final Outcomes outcomes = new Outcomes(state, members);
    private final Revocations revocations = new Revocations(state, members);
    private final Settlement settlement = new Settlement(state, members);
    private final Profiles profiles = new Profiles();
    private final CandidateIndex candidates = new CandidateIndex();
    /** Null where everybody is looked at closely. */
    private final Glance glance;

    private Engine(boolean glances) {
        glance = glances ? new Glance(state, members.kept()) : null;
    }

    /** An engine that has seen nothing; the first entry must be {@code EngineStarted}. */
    public static Engine empty() {
        return new Engine(true);
    }

    /**
     * The same, but it takes a closer look at everybody who waits, where usually a glance is enough. It decides and says the
     * same, later. For tests that hold the two against each other.
     */
    public static Engine looksCloselyAtAll() {
        return new Engine(false);
    }

    /** An engine with exactly the state that the rows describe. */
    public static Engine restore(Iterable<Row> rows) {
        Engine engine = new Engine(true);
        new Restorer(engine.state, engine.members, engine.jobs, engine.facts).restore(rows);
        return engine;
    }

    /** Sequence the next entry must carry. */
    public long nextSequence() {
        return state.nextSequence();
    }

    /** Domain time, epoch milliseconds: the next entry's must not be smaller. */
    public long timeMillis() {
        return state.timeMillis();
    }

    /** Version of the engine that the journal says is deciding; empty before the first entry. */
    public String engineVersion() {
        return state.engineVersion();
    }

    /** Why a tick should be written now ("marked", "deadline", "marked,deadline"), or null when none is wanted. */
    public String tickCause(long nowMillis) {
        boolean marked = !state.marked().isEmpty()
                || (state.roomFreed() && !state.placeable().isEmpty())
                || state.hasUntold();
        boolean deadline = state.nextDueMillis() <= nowMillis;
        if (marked) {
            return deadline ? "marked,deadline" : "marked";
        }
        return deadline ? "deadline" : null;
    }

    /** Earliest time at which a tick is wanted for a deadline, epoch milliseconds; Long.MAX_VALUE when there is none. */
    public long nextDeadlineMillis() {
        return state.nextDueMillis();
    }

    /**
     * Applies one entry.
     *
     * @throws LawBrokenException when the entry is out of order, or something that can never be is found to be: the
     *     engine must not be used any more
     */
    public Effects apply(JournalEntry entry) {
        if (entry.sequence() != state.nextSequence()) {
            throw new LawBrokenException(
                    "entry " + entry.sequence() + " where " + state.nextSequence() + " was expected");
        }
        long before = state.timeMillis();
        if (entry.timeMillis() < before) {
            throw new LawBrokenException(
                    "entry " + entry.sequence() + " runs back in time: " + entry.timeMillis() + " after " + before);
        }
        state.enter(entry.sequence(), entry.timeMillis());
        Decisions decisions = new Decisions(entry.sequence(), entry.timeMillis());
        if (!dispatch(entry, decisions)) {
            state.enter(entry.sequence(), before);
            state.discardChanges();
            return Effects.IGNORED;
        }
        Settlement.Changes changes = settlement.settle(entry.event() instanceof Tick);
        state.enter(entry.sequence() + 1, entry.timeMillis());
        return new Effects(true, decisions.made(), changes.statuses(), changes.forgotten(), state.drainChanges());
    }

    private boolean dispatch(JournalEntry entry, Decisions decisions) {
        return switch (entry.event()) {
            case Tick tick -> {
                new Round(state, members, revocations, decisions, profiles, candidates, glance).run();
                yield true;
            }
            case NodeChanged event -> facts.nodeChanged(event);
            case NodeGone event -> facts.nodeGone(event);
            case PodChanged event -> {
                boolean applied = facts.pods().changed(event);
                revocations.latecomers().forEach(late -> decisions.add(late.workload(), late.attempt(), late.action()));
                yield applied;
            }
            case PodGone event -> facts.pods().gone(event);
            case GroupChanged event -> facts.groupChanged(event);
            case GroupGone event -> facts.groupGone(event);
            case HealthChanged event -> facts.healthChanged(event);
            case NumaChanged event -> facts.numaChanged(event);
            case PolicyChanged event -> facts.policyChanged(event);
            case PolicyGone event -> facts.policyGone(event);
            case ResyncBegan event -> facts.resyncBegan(event);
            case ResyncEnded event -> facts.resyncEnded(event);
            case OutcomeReported event -> outcomes.reported(event.outcome());
            case JobSubmitted event -> jobs.submitted(event.tenant(), event.jobId(), event.job());
            case JobCancelled event -> {
                Workload workload = jobs.job(event.tenant(), event.jobId());
                yield workload != null && jobs.cancel(workload) && stopped(workload, decisions);
            }
            case JobSuspended event -> {
                Workload workload = jobs.job(event.tenant(), event.jobId());
                yield workload != null && jobs.suspend(workload) && stopped(workload, decisions);
            }
            case JobResumed event -> {
                Workload workload = jobs.job(event.tenant(), event.jobId());
                yield workload != null && jobs.resume(workload);
            }
            case EngineStarted event -> state.engineStarted(event.engineVersion());
        };
    }

    /** What a job has that was cancelled or suspended is taken from it. */
    private boolean stopped(Workload workload, Decisions decisions) {
        for (Revocations.Pending pending : revocations.stopped(workload)) {
            decisions.add(pending.workload(), pending.attempt(), pending.action());
        }
        return true;
    }

    /** Works everything out again from pods and holds and compares; throws at the first difference. For tests. */
    public void checkLaws() {
        Laws.check(state);
    }

    /** The same without asking whether nodes hold more than they have: nodes may be replaced by smaller ones. For tests. */
    public void checkAccounts() {
        Laws.checkAccounts(state);
    }
}
