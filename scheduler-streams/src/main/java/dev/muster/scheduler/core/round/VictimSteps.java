package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.state.DisruptionBudgets.Budget;
import dev.muster.scheduler.core.state.Member;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Takes pods off step by step, in the order of {@link VictimSet#steps}, and goes to and fro among the steps that were taken: what
 * a move costs is the pods between here and there.
 */
final class VictimSteps {
    private final VictimSet victims;
    private final Iterator<Member> rest;
    private final List<Step> known = new ArrayList<>();
    /** Disruptions that the steps so far use up. */
    private final Map<Budget, Integer> used = new HashMap<>();

    private int taken;
    private boolean budgetsForbid;

    /** @param before how many of the workload were off before */
    private record Step(Member member, Spare spare, int before) {}

    VictimSteps(VictimSet victims) {
        this.victims = victims;
        this.rest = victims.steps().iterator();
    }

    /** How many steps are taken now. */
    int taken() {
        return taken;
    }

    /** Whether a disruption budget did not allow a step. */
    boolean budgetsForbid() {
        return budgetsForbid;
    }

    /** Takes the next step that the rule and budgets allow, after all that are known; false where there is none. */
    boolean takeAnother() {
        moveTo(known.size());
        while (rest.hasNext()) {
            Member member = rest.next();
            Spare spare = victims.of(member);
            int before = spare.gone().size();
            if (!victims.rule().mayGo(spare)) {
                continue;
            }
            if (victims.takeWithin(member, used)) {
                known.add(new Step(member, spare, before));
                taken++;
                return true;
            }
            budgetsForbid = true;
        }
        return false;
    }

    /** Goes to where so many of the known steps are taken. */
    void moveTo(int steps) {
        while (taken < steps) {
            Step step = known.get(taken);
            step.spare().take(step.member());
            taken++;
        }
        while (taken > steps) {
            taken--;
            Step step = known.get(taken);
            step.spare().undoTo(step.before());
        }
    }
}
