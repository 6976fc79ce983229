package dev.muster.binder;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.MemberOutcome;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.OutcomeStatus;
import java.util.List;

/** Builds outcomes. */
final class Outcomes {

    private Outcomes() {}

    static Outcome of(
            Decision decision,
            String cluster,
            OutcomeStatus status,
            boolean refused,
            List<MemberOutcome> members,
            long timeMillis) {
        return new Outcome(
                decision.getDomain(),
                cluster,
                decision.getId(),
                decision.getWorkload(),
                status,
                refused,
                members,
                timeMillis);
    }
}
