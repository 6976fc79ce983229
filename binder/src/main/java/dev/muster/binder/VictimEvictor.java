package dev.muster.binder;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.Evict;
import dev.muster.schemas.decision.MemberOutcome;
import dev.muster.schemas.decision.MemberStatus;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.OutcomeStatus;
import dev.muster.schemas.decision.Victim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Evicts pods so that others find room, by the Eviction API and never past it: what a disruption budget refuses is not asked
 * for again, since another set of pods may be the better one then. Those that budgets cover go one after the other, first, and
 * with the first refusal the rest is left alone; so a set that is not to be had costs as little as can be.
 */
final class VictimEvictor {
    private static final String LEFT_ALONE = "LeftAlone";
    private static final String BUDGET = "DisruptionBudget";
    private static final int TOO_MANY_REQUESTS = 429;

    private final ClusterApi api;
    private final PodReader reader;
    private final Patience.Spacing spacing;
    private final Parallel parallel;

    VictimEvictor(ClusterApi api, Patience.Spacing spacing, Parallel parallel) {
        this.api = api;
        this.reader = new PodReader(api);
        this.spacing = spacing;
        this.parallel = parallel;
    }

    /** How it ended for one pod; {@code hopeless} when asking again cannot help. */
    private record Answer(MemberStatus status, String reason, String message, boolean hopeless) {
        private static final Answer EVICTED = new Answer(MemberStatus.EVICTED, "", "", false);
        private static final Answer GONE = new Answer(MemberStatus.GONE, Failure.POD_GONE.reason(), "", false);

        private static Answer kept(String reason, String message, boolean hopeless) {
            return new Answer(MemberStatus.KEPT, reason, message, hopeless);
        }

        private boolean stays() {
            return status == MemberStatus.KEPT;
        }
    }

    Outcome carryOut(Decision decision, Evict evict, Halt halt) {
        Budget budget = Budget.ofDecision(spacing.clock(), decision, evict.getDeadlineMillis(), halt);
        List<Victim> victims = evict.getVictims();
        Answer[] answers = new Answer[victims.size()];
        boolean refused = false;
        List<Integer> uncovered = new ArrayList<>();
        for (int i = 0; i < answers.length; i++) {
            if (victims.get(i).getBudget().isEmpty()) {
                uncovered.add(i);
                continue;
            }
            answers[i] = refused ? leftAlone() : evict(victims.get(i), budget, halt);
            refused |= answers[i].stays();
        }
        boolean stop = refused;
        parallel.each(uncovered.size(), i -> {
            int victim = uncovered.get(i);
            answers[victim] = stop ? leftAlone() : evict(victims.get(victim), budget, halt);
            return i;
        });
        boolean stays = List.of(answers).stream().anyMatch(Answer::stays);
        List<MemberOutcome> members = IntStream.range(0, answers.length)
                .mapToObj(i -> member(i, victims.get(i), answers[i]))
                .toList();
        return Outcomes.of(
                decision,
                evict.getCluster(),
                stays ? OutcomeStatus.EVICTION_REFUSED : OutcomeStatus.EVICTED,
                List.of(answers).stream().anyMatch(Answer::hopeless),
                members,
                spacing.clock().epochMillis());
    }

    private static Answer leftAlone() {
        return Answer.kept(LEFT_ALONE, "another eviction was refused", false);
    }

    private static MemberOutcome member(int index, Victim victim, Answer answer) {
        return new MemberOutcome(
                0, index, victim.getName(), victim.getUid(), answer.status(), answer.reason(), answer.message(), 0L);
    }

    private Answer evict(Victim victim, Budget budget, Halt halt) {
        PodKey key = new PodKey(victim.getNamespace(), victim.getName());
        Patience patience = Patience.within(budget, spacing, halt);
        if (halt.isRevoked() || budget.spent()) {
            return Answer.kept(Failure.DEADLINE.reason(), "it was too late to ask for it", false);
        }
        while (true) {
            try {
                api.evict(key, victim.getUid());
                return Answer.EVICTED;
            } catch (ApiException e) {
                if (forbiddenByBudget(e)) {
                    return Answer.kept(BUDGET, e.getMessage(), false);
                }
                switch (ErrorTable.verdictOrStop(e)) {
                    case GONE -> {
                        return Answer.GONE;
                    }
                    case REFUSED -> {
                        return Answer.kept(Failure.REFUSED.reason(), e.getMessage(), true);
                    }
                    case REREAD, RETRY, FATAL -> {
                        Optional<Answer> settled = look(key, victim.getUid(), halt);
                        if (settled.isPresent()) {
                            return settled.get();
                        }
                        if (!patience.again(e.retryAfterMillis())) {
                            return Answer.kept(Failure.SERVER_ERROR.reason(), e.getMessage(), false);
                        }
                    }
                }
            }
        }
    }

    /** After a conflict or a lost answer: whether the pod is going or gone; empty when it has to be asked for again. */
    private Optional<Answer> look(PodKey key, String uid, Halt halt) {
        Optional<PodState> now = reader.podForSure(key, Patience.endless(spacing, halt));
        if (now.isEmpty() || !now.get().uid().equals(uid)) {
            return Optional.of(Answer.GONE);
        }
        return now.get().deleting() ? Optional.of(Answer.EVICTED) : Optional.empty();
    }

    /**
     * The Eviction API answers 429 where a budget forbids it, as it does when it is asked too often; then it says when to ask
     * again. More than one budget for a pod is more than it can judge (eviction registry, {@code EvictionREST.Create}).
     */
    private static boolean forbiddenByBudget(ApiException e) {
        String message = e.getMessage() == null ? "" : e.getMessage();
        boolean forbids =
                e.code() == TOO_MANY_REQUESTS && e.retryAfterMillis() == 0 && message.contains("disruption budget");
        return forbids || e.code() == 500 && message.contains("more than one PodDisruptionBudget");
    }
}
