package dev.muster.scheduler.core;

import static dev.muster.scheduler.core.TestDomain.gpus;
import static dev.muster.scheduler.core.TestDomain.victims;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.decision.DecisionOutcome.MemberStatus;
import dev.muster.scheduler.core.decision.DecisionOutcome.Status;
import dev.muster.scheduler.core.decision.Reason;
import dev.muster.scheduler.core.decision.ReasonCodes;
import dev.muster.scheduler.core.decision.WorkloadStatus;
import dev.muster.scheduler.core.event.ClusterEvent.GroupChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.GroupFacts;
import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.scheduler.core.model.PreemptionPolicy;
import dev.muster.scheduler.core.model.PreemptionPolicy.Ceiling;
import dev.muster.scheduler.core.model.PreemptionPolicy.Fence;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is evicted for whom, and what becomes of the room. Each step is also taken by an engine restored from the rows. */
class PreemptionTest {
    private final TestDomain domain = TestDomain.synced();

    @BeforeEach
    void classes() {
        priorityClass("low", 10, true);
        priorityClass("mid", 100, true);
        priorityClass("high", 1000, true);
        priorityClass("patient", 1000, false);
    }

    // ---- who goes

    @Test
    void theLowestPriorityGoesAndNoMoreThanIsNeeded() {
        domain.node("n1", 4);
        run("low-1", 10, 1);
        run("low-2", 10, 1);
        run("mid", 100, 2);

        domain.lonePod("urgent", 1000, gpus(1));

        assertThat(victims(theDecision())).containsExactly("low-2"); // began last, so it loses least
    }

    @Test
    void equalPriorityIsNoVictim() {
        domain.node("n1", 4);
        run("other", 1000, 4);

        domain.lonePod("urgent", 1000, gpus(1));

        assertThat(tick()).isEmpty();
        assertThat(reason("urgent")).isEqualTo(ReasonCodes.NOT_ENOUGH_ROOM);
    }

    @Test
    void anElasticGangShrinksToItsMinimum() {
        domain.node("n1", 8);
        gang("soft", "low", 3, 8, 1);

        gang("need", "high", 5, 5, 1, false);

        assertThat(victims(theDecision())).containsExactly("soft-3", "soft-4", "soft-5", "soft-6", "soft-7");
    }

    @Test
    void belowItsMinimumAGangGoesWhole() {
        domain.node("n1", 8);
        gang("soft", "low", 4, 8, 1);

        gang("need", "high", 5, 5, 1, false);

        Decision decision = theDecision();
        assertThat(victims(decision)).hasSize(8);
        assertThat(((Action.Evict) decision.action()).victims()).allMatch(Action.Victim::whole);
    }

    @Test
    void rolesKeepTheirMinimumsAndThoseOfLowerPriorityGoFirst() {
        domain.node("n1", 8);
        domain.apply(new GroupChanged(
                domain.origin("ml", "job"),
                Kinds.VOLCANO_JOB,
                new GroupFacts(
                        "",
                        "",
                        4,
                        List.of(task("chief", 1, "mid"), task("worker", 1, "low"), task("server", 1, "high")),
                        "",
                        "",
                        0,
                        0)));
        domain.apply(new GroupChanged(
                domain.origin("ml", "g"),
                Kinds.VOLCANO_POD_GROUP,
                new GroupFacts("", "low", 3, List.of(), "job", "", 0, 0)));
        domain.gangPods("g", "chief", 2, gpus(1));
        domain.gangPods("g", "worker", 3, gpus(1));
        domain.gangPods("g", "server", 3, gpus(1));
        carryOutAll();
        domain.pass(60_000);

        gang("need", "high", 3, 3, 1, false);

        assertThat(victims(theDecision())).containsExactly("g-chief-1", "g-worker-1", "g-worker-2");
    }

    private static GroupFacts.Task task(String name, int minMember, String priorityClass) {
        return new GroupFacts.Task(name, minMember, 8, priorityClass);
    }

    @Test
    void aGangThatIsEvictedAnywayMakesRoomWhereverItWas() {
        domain.node("n1", 4);
        domain.node("n2", 4);
        domain.node("n3", 4);
        gang("wide", "low", 2, 2, 4);
        gang("small", "low", 1, 1, 4);

        gang("need", "high", 2, 2, 4, false);

        // small and one of wide would do as well, but wide goes whole: its two nodes are enough.
        assertThat(victims(theDecision())).containsExactly("wide-0", "wide-1");
    }

    @Test
    void whoMayNotPreemptWaits() {
        domain.node("n1", 4);
        run("low", 10, 4);

        gang("patient", "patient", 1, 1, 4, false);

        assertThat(tick()).isEmpty();
        assertThat(refusals("patient")).containsExactly("PreemptionPolicyNever");
    }

    @Test
    void whatLeavesAnywayIsWaitedForAndKept() {
        domain.node("n1", 4);
        run("leaving", 10, 2);
        run("staying", 10, 2);
        domain.deleting("leaving");
        domain.lonePod("urgent", 1000, gpus(2));

        assertThat(tick()).isEmpty();
        assertThat(reason("urgent")).isEqualTo(ReasonCodes.AWAITING_EVICTIONS);
        domain.lonePod("sneaky", 10, gpus(1));
        domain.gone("leaving");

        assertThat(placed(tick())).containsExactly("urgent");
    }

    // ---- budgets

    @Test
    void aBudgetIsCountedOverAllVictimsTogether() {
        domain.node("a", 8);
        domain.node("b", 8);
        web("web-0", "a");
        web("web-1", "a");
        web("web-2", "b");
        budget("web", 1);
        run("filler", 500, 4, Map.of(), "b");

        domain.lonePod("urgent", 1000, gpus(8));

        assertThat(victims(theDecision())).containsExactly("filler", "web-2");
    }

    @Test
    void whatABudgetForbidsIsNoVictim() {
        domain.node("a", 4);
        web("web-0", "a");
        budget("web", 0);

        domain.lonePod("urgent", 1000, gpus(4));

        assertThat(tick()).isEmpty();
        assertThat(refusals("urgent")).containsExactly("DisruptionBudget");

        budget("web", 1);
        assertThat(victims(theDecision())).containsExactly("web-0");
    }

    @Test
    void aRefusedEvictionIsPlannedAnewAfterAWhile() {
        domain.node("n1", 4);
        run("low", 10, 4);
        domain.lonePod("urgent", 1000, gpus(4));
        Decision first = theDecision();

        domain.reportEviction(first, Status.EVICTION_REFUSED, MemberStatus.KEPT);
        assertThat(reason("urgent")).isEqualTo(ReasonCodes.EVICTION_REFUSED);
        assertThat(tick()).isEmpty();

        domain.pass(1_000);
        assertThat(victims(theDecision())).containsExactly("low");
    }

    @Test
    void anUnansweredEvictionIsRevoked() {
        domain.node("n1", 4);
        run("low", 10, 4);
        domain.lonePod("urgent", 1000, gpus(4));
        Decision eviction = theDecision();

        domain.pass(SchedulerPolicy.DEFAULT.bindTimeoutMillis());
        Decision revoke = theDecision();
        assertThat(((Action.Revoke) revoke.action()).revoked()).isEqualTo(eviction.id());
        domain.report(revoke, Status.REVOKED, MemberStatus.RELEASED, false);

        domain.pass(1_000);
        assertThat(victims(theDecision())).containsExactly("low");
    }

    // ---- room that is kept

    @Test
    void theRoomIsKeptUntilThePreemptorHasIt() {
        domain.node("n1", 4);
        run("low-1", 10, 2);
        run("low-2", 10, 2);
        domain.lonePod("urgent", 1000, gpus(4));
        Decision eviction = theDecision();
        domain.evict(eviction);
        domain.lonePod("thief", 500, gpus(2));
        domain.lonePod("equal", 1000, gpus(2));

        domain.gone("low-1");
        assertThat(tick()).isEmpty();
        domain.gone("low-2");

        List<Decision> decisions = tick();
        assertThat(placed(decisions)).containsExactly("urgent");
        decisions.forEach(domain::carryOut);
        assertThat(reason("thief")).isEqualTo(ReasonCodes.NOT_ENOUGH_ROOM);
    }

    @Test
    void theRoomIsFreeWhenThePreemptorGoesAway() {
        domain.node("n1", 4);
        run("holder", 10, 4);
        domain.lonePod("urgent", 1000, gpus(4));
        domain.evict(theDecision());
        domain.lonePod("waiter", 0, gpus(4));

        domain.gone("urgent");
        assertThat(tick()).isEmpty();
        domain.gone("holder");

        assertThat(placed(tick())).containsExactly("waiter");
    }

    @Test
    void theRoomIsKeptNoLongerThanSaid() {
        domain.node("n1", 4);
        run("holder", 10, 4);
        domain.lonePod("urgent", 1000, gpus(4));
        domain.evict(theDecision());

        domain.pass(PreemptionPolicy.DEFAULT.roomKeptMillis());
        assertThat(tick()).isEmpty(); // what is leaving is waited for anew, and nobody else is evicted
        domain.gone("holder");
        assertThat(placed(tick())).containsExactly("urgent");
    }

    @Test
    void higherPriorityTakesRoomThatIsKeptForLower() {
        domain.node("n1", 4);
        run("low", 10, 4);
        domain.lonePod("urgent", 1000, gpus(4));
        domain.evict(theDecision());

        domain.lonePod("more-urgent", 2000, gpus(4));
        assertThat(tick()).isEmpty();
        assertThat(reason("more-urgent")).isEqualTo(ReasonCodes.AWAITING_EVICTIONS);
        domain.gone("low");

        assertThat(placed(tick())).containsExactly("more-urgent");
    }

    @Test
    void roomThatBecomesFreeElsewhereIsTakenAtOnce() {
        domain.node("n1", 4);
        domain.node("n2", 4);
        run("low", 10, 4);
        run("mid", 100, 4);
        domain.lonePod("urgent", 1000, gpus(4));
        domain.evict(theDecision());

        domain.gone("mid");
        assertThat(placed(tick())).containsExactly("urgent");
        domain.lonePod("next", 5, gpus(4));
        domain.gone("low");
        assertThat(placed(tick())).containsExactly("next");
    }

    @Test
    void aNodeThatIsLostEndsWhatIsKeptThere() {
        domain.node("n1", 4);
        domain.node("n2", 4);
        run("on-1", 10, 4, Map.of(), "n1");
        run("on-2", 100, 4, Map.of(), "n2");
        domain.lonePod("urgent", 1000, gpus(4));
        Decision first = theDecision();
        assertThat(victims(first)).containsExactly("on-1");
        domain.evict(first);

        domain.apply(new dev.muster.scheduler.core.event.ClusterEvent.NodeGone(domain.origin("", "n1")));

        assertThat(victims(theDecision())).containsExactly("on-2");
    }

    @Test
    void anEvictedGangComesBackToItsPlaceInTheQueue() {
        domain.node("n1", 4);
        gang("early", "low", 2, 2, 2);
        gang("late", "low", 1, 1, 4, false);
        tick();
        domain.lonePod("urgent", 1000, gpus(4));
        domain.evict(theDecision());
        domain.gone("early-0");
        domain.gone("early-1");
        List<Decision> decisions = tick();
        assertThat(placed(decisions)).containsExactly("urgent");
        decisions.forEach(domain::carryOut);
        domain.gangPods("early", 2, gpus(2));
        tick();

        domain.gone("urgent");
        assertThat(placed(tick())).containsExactly("early-0", "early-1");
    }

    // ---- guards

    @Test
    void aWorkloadRunsForAWhileBeforeItMayBeEvicted() {
        domain.node("n1", 4);
        runJustNow("low", 10, 4);
        domain.lonePod("urgent", 1000, gpus(4));

        assertThat(tick()).isEmpty();
        assertThat(refusals("urgent")).containsExactly("MinimumRuntime");

        domain.pass(PreemptionPolicy.DEFAULT.minimumRuntimeMillis());
        assertThat(victims(theDecision())).containsExactly("low");
    }

    @Test
    void nobodyIsEvictedAcrossTheFence() {
        policy(with(Fence.NAMESPACE, 0, 0, List.of(), List.of()));
        domain.node("n1", 8);
        run("low", 10, 4);
        domain.pod("other", "theirs", null, "", -1, 5, gpus(4), Map.of());
        carryOutAll();

        domain.lonePod("urgent", 1000, gpus(8));
        assertThat(tick()).isEmpty();
        assertThat(refusals("urgent")).containsExactly("NamespaceFence");

        domain.lonePod("modest", 900, gpus(4));
        assertThat(victims(theDecision())).containsExactly("low");
    }

    @Test
    void aCeilingHoldsAcrossPriorities() {
        policy(with(Fence.CLUSTER, 0, 0, List.of(), List.of(new Ceiling("ml", 100))));
        domain.node("n1", 4);
        run("mid", 100, 4);
        domain.lonePod("urgent", 1000, gpus(4));

        assertThat(tick()).isEmpty();
        assertThat(refusals("urgent")).containsExactly("PriorityCeiling");
    }

    @Test
    void protectedClassesAreNeverEvicted() {
        policy(with(Fence.CLUSTER, 0, 0, List.of("mid"), List.of()));
        domain.node("n1", 4);
        run("online", 100, 4);
        domain.lonePod("urgent", 1000, gpus(4));

        assertThat(tick()).isEmpty();
        assertThat(refusals("urgent")).containsExactly("ProtectedClass");
    }

    @Test
    void moreEvictionsThanTheLimitAreWaitedFor() {
        policy(with(Fence.CLUSTER, 1, 3600, List.of(), List.of())); // one at once, one more a second
        domain.node("n1", 2);
        run("low-1", 10, 1);
        run("low-2", 10, 1);
        domain.lonePod("urgent-1", 1000, gpus(1));
        domain.lonePod("urgent-2", 1000, gpus(1));

        assertThat(tick().stream().map(TestDomain::victims)).containsExactly(List.of("low-2"));
        assertThat(refusals("urgent-2")).containsExactly("QueueEvictionRate");

        domain.pass(1_001);
        assertThat(victims(theDecision())).containsExactly("low-1");
    }

    @Test
    void whoWasEvictedInARowOfManyEvictsNobody() {
        policy(new PreemptionPolicy(true, Fence.CLUSTER, 0, 0, 0, 0, 0, 1, 0, 0, List.of(), List.of(), 600_000));
        domain.node("n1", 4);
        domain.node("n2", 4);
        gang("first", "mid", 1, 1, 4);
        gang("other", "low", 1, 1, 4);
        domain.lonePod("urgent", 1000, gpus(4));
        // Of the two the one of lower priority goes first, so it has to be out of reach.
        Decision eviction = theDecision();
        assertThat(victims(eviction)).containsExactly("other-0");
        domain.evict(eviction);
        domain.gone("other-0");
        tick().forEach(domain::carryOut);
        domain.lonePod("urgent-2", 1000, gpus(4));
        Decision second = theDecision();
        assertThat(victims(second)).containsExactly("first-0");
        domain.evict(second);
        domain.gone("first-0");
        tick().forEach(domain::carryOut);
        domain.node("n3", 4);
        run("lowest", 1, 4);
        domain.gangPods("first", 1, gpus(4));

        assertThat(tick()).isEmpty();
        assertThat(refusals("first")).containsExactly("CascadeDepth");
    }

    @Test
    void whoCannotBeBoundEvictsNobodyForEver() {
        domain.node("n1", 4);
        domain.lonePod("broken", 1000, gpus(4));
        for (int i = 0; i < PreemptionPolicy.DEFAULT.failedStarts(); i++) {
            domain.report(theDecision(), Status.COMPENSATED, MemberStatus.RELEASED, true);
            domain.pass(300_000);
            if (i + 1 < PreemptionPolicy.DEFAULT.failedStarts()) {
                continue;
            }
            domain.apply(new dev.muster.scheduler.core.event.ClusterEvent.NodeChanged(
                    domain.origin("", "n1"), TestDomain.nodeFacts("n1", 4, Map.of())));
        }
        // Meanwhile somebody else has the room.
        domain.report(theDecision(), Status.COMPENSATED, MemberStatus.RELEASED, true);
        run("low", 10, 4);
        domain.pass(300_000);

        assertThat(tick()).isEmpty();
        assertThat(refusals("broken")).containsExactly("FailedStarts");
    }

    // ---- what happens

    private static PreemptionPolicy with(
            Fence fence, int perQueue, int perHour, List<String> protectedClasses, List<Ceiling> ceilings) {
        return new PreemptionPolicy(
                true, fence, perQueue, perHour, 0, 0, 0, 0, 0, 0, protectedClasses, ceilings, 600_000);
    }

    private void policy(PreemptionPolicy preemption) {
        domain.apply(new PolicyChanged(
                domain.origin("", "policy"),
                Kinds.SCHEDULER_POLICY,
                SchedulerPolicy.DEFAULT.withPreemption(preemption)));
    }

    private void priorityClass(String name, int value, boolean mayPreempt) {
        domain.apply(new PolicyChanged(
                domain.origin("", name), Kinds.PRIORITY_CLASS, new Policy.PriorityClass(value, false, mayPreempt)));
    }

    private void budget(String app, int allowed) {
        domain.apply(new PolicyChanged(
                domain.origin("ml", app),
                Kinds.DISRUPTION_BUDGET,
                new Policy.DisruptionBudget(
                        "1", "", List.of(new NodeExpression("app", "In", List.of(app), false)), allowed)));
    }

    private void web(String name, String node) {
        run(name, 100, 4, Map.of("app", "web"), node);
    }

    private void run(String name, int priority, int gpus) {
        run(name, priority, gpus, Map.of(), null);
    }

    /** A lone pod that has run for a while. */
    private void run(String name, int priority, int gpus, Map<String, String> labels, String node) {
        domain.pod("ml", name, null, "", -1, priority, gpus(gpus), labels);
        if (node == null) {
            carryOutAll();
        } else {
            domain.bound(name, node, "Running", "", List.of());
        }
        domain.pass(60_000);
    }

    private void runJustNow(String name, int priority, int gpus) {
        domain.lonePod(name, priority, gpus(gpus));
        carryOutAll();
    }

    private void gang(String name, String priorityClass, int min, int size, int gpus) {
        gang(name, priorityClass, min, size, gpus, true);
    }

    private void gang(String name, String priorityClass, int min, int size, int gpus, boolean carriedOut) {
        domain.apply(new GroupChanged(
                domain.origin("ml", name),
                Kinds.VOLCANO_POD_GROUP,
                new GroupFacts("", priorityClass, min, List.of(), "", "", 0, 0)));
        domain.gangPods(name, size, gpus(gpus));
        if (carriedOut) {
            carryOutAll();
            domain.pass(60_000);
        }
    }

    private void carryOutAll() {
        for (List<Decision> decisions = domain.tick(); !decisions.isEmpty(); decisions = domain.tick()) {
            decisions.forEach(domain::carryOut);
        }
    }

    /** What the next round that decides something decides, by an engine restored before and after it. */
    private List<Decision> tick() {
        List<Decision> decisions = List.of();
        for (int i = 0; i < 5 && decisions.isEmpty(); i++) {
            domain.restart();
            decisions = domain.tick();
            domain.restart();
        }
        return decisions;
    }

    private Decision theDecision() {
        List<Decision> decisions = tick();
        assertThat(decisions).hasSize(1);
        return decisions.getFirst();
    }

    private static List<String> placed(List<Decision> decisions) {
        return decisions.stream()
                .flatMap(decision -> TestDomain.members(decision).stream())
                .map(Action.MemberPlacement::name)
                .sorted()
                .toList();
    }

    private String reason(String pod) {
        return status(pod).reason().code();
    }

    private WorkloadStatus status(String pod) {
        return domain.statuses.values().stream()
                .filter(status -> status.object().equals(pod))
                .findFirst()
                .orElseThrow();
    }

    private List<String> refusals(String pod) {
        return status(pod).reason().details().stream()
                .filter(detail -> detail.nodes() == 0)
                .map(Reason.Detail::rule)
                .toList();
    }
}
