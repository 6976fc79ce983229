package dev.muster.binder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.MemberStatus;
import dev.muster.schemas.decision.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The binder is killed in every call, before and after it takes effect, twice in a row, and does the decision again
 * from scratch: it ends as if nothing had happened.
 */
class RestartTest {

    /** A cluster, what is wrong with it, and a decision for it. */
    record Case(String name, Supplier<Rig> rig, Consumer<FakeCluster> faults, Decision decision) {
        Rig fresh() {
            Rig fresh = rig.get();
            faults.accept(fresh.cluster);
            return fresh;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Case> cases() {
        Supplier<Rig> pods = () -> Rig.withPods(3);
        Supplier<Rig> noPods = () -> Rig.withNodes(3);
        Decision gang = Decisions.decision("d1", Decisions.GROUP, 1, Decisions.gangOf(3));
        Decision surplus = Decisions.decision("d1", Decisions.GROUP, 1, Decisions.surplusOf(3));
        Decision created = Decisions.decision("d1", Decisions.JOB, 1, Decisions.createdGangOf(3));
        Decision revoke = Decisions.decision("d2", Decisions.GROUP, 2, Decisions.revoke("d1", 3));
        Supplier<Rig> claims = () -> Rig.withClaims(3);
        Decision making = Decisions.decision("d1", Decisions.GROUP, 1, Decisions.making(Decisions.gangOf(3)));
        Decision taking = Decisions.decision("d1", Decisions.GROUP, 1, Decisions.taking(Decisions.gangOf(3)));
        Decision eviction = Decisions.decision(
                "d3",
                Decisions.GROUP,
                3,
                Decisions.evict(
                        Decisions.victim(0, "u-0", "web"),
                        Decisions.victim(1, "u-1", ""),
                        Decisions.victim(2, "u-2", "")));
        Consumer<FakeCluster> fine = cluster -> {};
        Consumer<FakeCluster> refusesOne = cluster ->
                cluster.on("bind p-1").answers(403, "denied by a webhook").always();
        return Stream.of(
                new Case("a gang", pods, fine, gang),
                new Case("a gang of which one is refused", pods, refusesOne, gang),
                new Case(
                        "a gang with an unreachable member",
                        pods,
                        c -> c.on("bind p-1").getsLost().always(),
                        gang),
                new Case("a gang with a pod that is gone", pods, c -> c.removePod("p-1"), gang),
                new Case("surplus", pods, fine, surplus),
                new Case("surplus of which one is refused", pods, refusesOne, surplus),
                new Case("a created gang", noPods, fine, created),
                new Case("a created gang of which one is refused", noPods, refusesOne, created),
                new Case(
                        "a gang of which one can't be created",
                        noPods,
                        c -> c.on("create p-1").answers(403, "exceeded quota").always(),
                        created),
                new Case("a gang for which volumes are made", claims, fine, making),
                new Case("a gang that takes volumes", claims, fine, taking),
                new Case("a gang of which one gets no volume", claims, c -> c.storage.refusedNodes.add("n-1"), making),
                new Case("a gang that finds a volume taken", claims, c -> c.storage.take("d-1", "other", "u"), taking),
                new Case("an eviction", pods, fine, eviction),
                new Case(
                        "an eviction that a budget refuses",
                        pods,
                        c -> c.on("evict p-0")
                                .answers(429, "Cannot evict pod as it would violate the pod's disruption budget.")
                                .always(),
                        eviction),
                new Case("a gang that is revoked half bound", () -> halfBound(pods.get()), fine, revoke));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aBinderKilledInAnyCallEndsAsOneThatWasNot(Case tried) {
        Rig undisturbed = tried.fresh();
        Outcome expected = undisturbed.start().carryOut(tried.decision(), new Halt());
        String expectedState = stateOf(undisturbed);
        int calls = undisturbed.cluster.calls.size();

        for (int first = 0; first <= calls; first++) {
            for (int second = 0; second <= calls; second++) {
                for (boolean afterEffect : new boolean[] {false, true}) {
                    Rig rig = tried.fresh();
                    Outcome outcome = carryOutKilledAt(rig, tried.decision(), List.of(first, second), afterEffect);
                    String where = tried + " killed in calls " + first + " and " + second
                            + (afterEffect ? ", after" : ", before") + " their effect";

                    assertThat(outcome.getStatus()).as(where).isEqualTo(expected.getStatus());
                    assertThat(outcome.getRefused()).as(where).isEqualTo(expected.getRefused());
                    assertThat(outcome.getMembers()).as(where).hasSize(3);
                    if (expected.getStatus() == dev.muster.schemas.decision.OutcomeStatus.COMPENSATED) {
                        assertThat(nobodyIsBound(rig, outcome)).as(where).isTrue();
                    } else {
                        assertThat(stateOf(rig)).as(where).isEqualTo(expectedState);
                    }
                }
            }
        }
    }

    private static Outcome carryOutKilledAt(Rig rig, Decision decision, List<Integer> kills, boolean afterEffect) {
        for (int kill : kills) {
            rig.cluster.killAt(kill, afterEffect);
            try {
                Outcome outcome = rig.start().carryOut(decision, new Halt());
                rig.cluster.revive();
                return outcome;
            } catch (FakeCluster.Killed e) {
                rig.cluster.revive();
            }
        }
        return rig.start().carryOut(decision, new Halt());
    }

    private static Rig halfBound(Rig rig) {
        rig.cluster.annotateBySomebody("p-0", Marks.DECISION, "d1");
        rig.cluster.annotateBySomebody("p-0", Marks.ATTEMPT, "1");
        rig.cluster.bindBySomebody("p-0", "n-0");
        return rig;
    }

    /** Bound, there or gone; which of an evicted gang's members had been bound depends on where it was killed. */
    private static String stateOf(Rig rig) {
        List<String> state = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            state.add(rig.cluster.now("p-" + i).map(PodState::node).orElse("gone"));
            state.add(rig.cluster.storage.volumeOf("c-" + i));
        }
        return state.toString();
    }

    private static boolean nobodyIsBound(Rig rig, Outcome outcome) {
        boolean truly = Stream.of("p-0", "p-1", "p-2")
                .noneMatch(name -> rig.cluster.now(name).filter(PodState::bound).isPresent());
        return truly && outcome.getMembers().stream().noneMatch(m -> m.getStatus() == MemberStatus.BOUND);
    }
}
