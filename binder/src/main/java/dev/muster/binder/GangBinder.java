package dev.muster.binder;

import dev.muster.binder.Progress.Bound;
import dev.muster.binder.Progress.Failed;
import dev.muster.binder.Progress.Ready;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.MemberOutcome;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.PlaceGang;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Binds a gang member by member, since the API server has no wider transaction: prepare, claims, bind, confirm, else
 * compensate.
 *
 * <p>It keeps no memory of its own between calls. What was already done is read from the pods (their node and the
 * annotation
 * {@value Marks#DECISION}), so that doing a decision again from any point ends as if it had been done once.
 */
final class GangBinder {

    private final ClusterApi api;
    private final MemberCheck check;
    private final PodCreator creator;
    private final ClaimBinder claims;
    private final TakeBack takeBack;
    private final Seals seals;
    private final ClusterView view;
    private final Patience.Spacing spacing;
    private final Parallel parallel;
    private final long confirmMillis;
    private final Timer bindTimer;

    GangBinder(
            ClusterApi api,
            ClusterView view,
            PodCreator creator,
            Patience.Spacing spacing,
            Parallel parallel,
            BinderConfig config,
            ClaimWaits waits,
            MeterRegistry meters) {
        this.api = api;
        this.view = view;
        this.check = new MemberCheck(view, new PodReader(api));
        this.creator = creator;
        this.claims = new ClaimBinder(api, spacing, parallel, waits);
        this.takeBack = new TakeBack(api, spacing);
        this.seals = new Seals(api, spacing);
        this.spacing = spacing;
        this.parallel = parallel;
        this.confirmMillis = config.confirmTimeout().toMillis();
        this.bindTimer = Timer.builder("muster.binder.bind")
                .description("Time to bind one pod, tries included")
                .publishPercentileHistogram()
                .register(meters);
    }

    /**
     * Carries out a placement and says how it ended; without an outcome (exception) when the binder closes or can't go
     * on.
     */
    Outcome carryOut(Decision decision, PlaceGang place, Halt halt) {
        Budget budget = Budget.ofDecision(spacing.clock(), decision, place.getDeadlineMillis(), halt);
        GangRun run = new GangRun(decision, place, budget, halt);
        noteCompensationUnderWay(run);
        List<Progress> progress = parallel.each(
                run.members().size(), i -> prepare(run, run.members().get(i)));
        progress = run.broken(progress) ? progress : stillOpen(run, progress);
        progress = run.broken(progress) ? progress : withClaims(run, progress);
        progress = run.broken(progress) ? progress : each(run, progress, this::bind);
        progress = run.broken(progress) ? progress : each(run, progress, this::confirm);
        Seal seal = end(run, progress);
        progress = seal.bound() && run.broken(progress) ? each(run, progress, this::lookAgain) : progress;
        List<MemberOutcome> members = seal.bound() ? settleEach(run, progress) : compensate(run, progress, seal);
        return Outcomes.of(
                decision,
                place.getCluster(),
                run.status(progress, seal),
                GangRun.refused(progress),
                members,
                spacing.clock().epochMillis());
    }

    /**
     * The pod is there (or made now), is the one decided on and unbound, the fence allows it, the node is there and
     * ready.
     */
    private Progress prepare(GangRun run, Member member) {
        Patience patience = run.patience(spacing);
        Progress seen = check.glance(run, member);
        Failed last = null;
        while (run.creates(member) && MemberCheck.isMissing(seen)) {
            Optional<Failed> end = run.endOf();
            if (end.isPresent()) {
                // What kept it from being made until the deadline says more than the deadline.
                return last != null && end.get().why() == Failure.DEADLINE ? run.fail(member, last) : end.get();
            }
            switch (creator.create(member, run.place().getPodSets(), run.job())) {
                case PodCreator.Try.Created(PodState pod) -> {
                    return check.judge(run, member, pod, patience);
                }
                case PodCreator.Try.Hopeless(Failed failed) -> {
                    return run.fail(member, failed);
                }
                case PodCreator.Try.Again(Failed failed, long retryAfterMillis) -> {
                    Progress now = check.look(run, member, patience);
                    if (MemberCheck.isMissing(now) && !patience.again(retryAfterMillis)) {
                        return run.fail(member, run.halt().isRevoked() ? GangRun.TAKEN_BACK : failed);
                    }
                    seen = now;
                    last = failed;
                }
            }
        }
        if (seen instanceof Failed) {
            seen = check.look(run, member, patience);
        }
        return seen instanceof Failed failed ? run.fail(member, failed) : seen;
    }

    /** What makes pods may have been ended by another binder, before the pods were there to be fenced. */
    private List<Progress> stillOpen(GangRun run, List<Progress> prepared) {
        if (!run.place().getCreate() || prepared.stream().noneMatch(Ready.class::isInstance)) {
            return prepared;
        }
        Optional<Failed> ended = endedBySomebody(run);
        return ended.isEmpty()
                ? prepared
                : each(
                        run,
                        prepared,
                        (same, member, each) -> each instanceof Ready ? run.fail(member, ended.get()) : each);
    }

    /** Claims first. That may take a while, so pods and nodes are looked at again. */
    private List<Progress> withClaims(GangRun run, List<Progress> prepared) {
        List<GangRun.Claim> wanted = ClaimBinder.wanted(run, prepared);
        if (wanted.isEmpty()) {
            return prepared;
        }
        List<Progress> bound = claims.bind(run, wanted, prepared);
        return run.broken(bound) ? bound : each(run, bound, this::lookAfterWait);
    }

    private Progress lookAfterWait(GangRun run, Member member, Progress progress) {
        if (!(progress instanceof Ready)) {
            return progress;
        }
        Progress seen = check.glance(run, member);
        Progress now = seen instanceof Failed ? check.look(run, member, run.patience(spacing)) : seen;
        return now instanceof Failed failed ? run.fail(member, failed) : now;
    }

    private Optional<Failed> endedBySomebody(GangRun run) {
        try {
            return seals.of(run.decisionId(), run.patience(spacing)).map(Seal::tooLate);
        } catch (PodReader.UnreadableException e) {
            return Optional.of(new Failed(Failure.SERVER_ERROR, e.getMessage()));
        }
    }

    /** From here on nobody makes a pod by this placement; the verdict is another's where another was first. */
    private Seal end(GangRun run, List<Progress> progress) {
        Seal own = run.broken(progress) ? Seal.takenBack(run.causeOf(progress).why()) : Seal.BOUND;
        return run.place().getCreate() ? seals.end(run.decisionId(), own, run.halt()) : own;
    }

    /** Another binder says it is bound: whether it is, by now. */
    private Progress lookAgain(GangRun run, Member member, Progress progress) {
        return progress instanceof Bound ? progress : check.look(run, member, run.patience(spacing));
    }

    /** One call on the normal path. Whatever goes wrong, what the API server says of the pod then decides. */
    private Progress bind(GangRun run, Member member, Progress prepared) {
        if (!(prepared instanceof Ready ready)) {
            return prepared;
        }
        long startNanos = spacing.clock().nanoTime();
        Patience patience = run.patience(spacing);
        PodState pod = ready.pod();
        boolean first = true;
        while (true) {
            Optional<Failed> end = run.endOf();
            if (end.isPresent()) {
                return end.get();
            }
            try {
                api.bind(pod, member.node(), run.annotations(member));
                bindTimer.record(spacing.clock().nanoTime() - startNanos, TimeUnit.NANOSECONDS);
                return new Bound(pod);
            } catch (ApiException e) {
                Failed failed = bindFailure(e);
                if (failed.why() == Failure.REFUSED) {
                    return run.fail(member, failed);
                }
                // A first conflict is mostly a status write that moved the version: no need to pause.
                boolean again = (first && failed.why() == Failure.CONFLICT) || patience.again(e.retryAfterMillis());
                first = false;
                Progress now = check.look(run, member, patience);
                if (!(now instanceof Ready next)) {
                    return now instanceof Failed hopeless ? run.fail(member, hopeless) : now;
                }
                if (!again) {
                    return run.fail(member, run.halt().isRevoked() ? GangRun.TAKEN_BACK : failed);
                }
                if (!next.pod().uid().equals(pod.uid())) {
                    // Made anew by another binder: what was read of the seal says nothing of this one.
                    return run.fail(member, new Failed(Failure.POD_CHANGED, "the pod was made anew meanwhile"));
                }
                pod = next.pod();
            }
        }
    }

    private static Failed bindFailure(ApiException e) {
        return switch (ErrorTable.verdictOrStop(e)) {
            case REFUSED -> new Failed(Failure.REFUSED, e.getMessage());
            case REREAD, GONE -> new Failed(Failure.CONFLICT, e.getMessage());
            case RETRY, FATAL -> new Failed(Failure.SERVER_ERROR, e.getMessage());
        };
    }

    /** By the watch, which tells of it anyway; by reading where the watch is late. */
    private Progress confirm(GangRun run, Member member, Progress bound) {
        if (!(bound instanceof Bound(PodState pod))) {
            return bound;
        }
        try {
            boolean told = view.await(
                    member.key(),
                    seen -> !seen.uid().equals(pod.uid()) || seen.bound(),
                    spacing.clock(),
                    confirmMillis);
            if (told && check.glance(run, member) instanceof Bound confirmed) {
                return confirmed;
            }
            return switch (check.look(run, member, run.patience(spacing))) {
                case Bound confirmed -> confirmed;
                case Ready unbound -> run.fail(member, new Failed(Failure.CONFLICT, "the binding did not take effect"));
                // Acknowledged, and can't be read now: bound all the same.
                case Failed(Failure why, String message) when why == Failure.SERVER_ERROR -> bound;
                case Failed failed -> run.fail(member, failed);
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbandonedException();
        }
    }

    /**
     * All or none: members that are not bound are fenced, which also writes down why, then those that were bound are
     * evicted. Not to be stopped; a binder that is killed in the middle finds the fences when it does the decision
     * again, and goes on here.
     */
    private List<MemberOutcome> compensate(GangRun run, List<Progress> progress, Seal seal) {
        Failed cause = run.broken(progress) ? run.causeOf(progress) : seal.tooLate();
        TakeBack.Order order = run.takeBackOrder();
        MemberOutcome[] settled = new MemberOutcome[progress.size()];
        for (boolean bound : new boolean[] {false, true}) {
            parallel.each(progress.size(), i -> {
                if (progress.get(i) instanceof Bound == bound) {
                    Failed own = progress.get(i) instanceof Failed failed ? failed : cause;
                    settled[i] = takeBack.settle(order, run.members().get(i), own, run.halt());
                }
                return i;
            });
        }
        return List.of(settled);
    }

    /** Every member stands alone: the bound ones stay, the others can't be bound by this decision any more. */
    private List<MemberOutcome> settleEach(GangRun run, List<Progress> progress) {
        TakeBack.Order order = run.takeBackOrder();
        return parallel.each(run.members().size(), i -> {
            Member member = run.members().get(i);
            return switch (progress.get(i)) {
                case Bound(PodState pod) -> GangRun.bound(member, pod);
                case Failed failed -> takeBack.settle(order, member, failed, run.halt());
                // Neither bound nor refused: what another binder bound and ended was made anew since.
                case Ready ready -> takeBack.settle(order, member, Seal.BOUND.tooLate(), run.halt());
            };
        });
    }

    /**
     * Before anything is created or bound again: a fence that this decision wrote says that it was being taken back
     * already.
     */
    private void noteCompensationUnderWay(GangRun run) {
        for (Member member : run.members()) {
            view.pod(member.key())
                    .filter(pod -> MemberCheck.fencedByThis(run, pod))
                    .ifPresent(pod -> run.fail(
                            member, new Failed(Failure.ofMark(pod.fencedBecause()), "the gang is being taken back")));
        }
    }

    private List<Progress> each(GangRun run, List<Progress> progress, Step step) {
        return parallel.each(progress.size(), i -> step.apply(run, run.members().get(i), progress.get(i)));
    }

    @FunctionalInterface
    private interface Step {
        Progress apply(GangRun run, Member member, Progress progress);
    }
}
