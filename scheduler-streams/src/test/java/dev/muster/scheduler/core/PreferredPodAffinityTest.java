package dev.muster.scheduler.core;

import static dev.muster.scheduler.core.Terms.inNamespacesLabelled;
import static dev.muster.scheduler.core.Terms.rather;
import static dev.muster.scheduler.core.Terms.term;
import static dev.muster.scheduler.core.Terms.together;
import static dev.muster.scheduler.core.TestDomain.gpus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncEnded;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.WorkloadKind;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Preferred pod affinity and anti-affinity, as kube-scheduler's InterPodAffinity scores them: a node gets the weights of the
 * pod's own terms times the pods they select there, and the weights of what pods there say of this one.
 */
class PreferredPodAffinityTest {
    private static final String HOST = "kubernetes.io/hostname";
    private static final Map<String, String> NONE = Map.of();

    private final TestDomain domain = TestDomain.synced();

    /** Without a say of other pods, binpack puts one pod more on n1, which is fuller, and after it on n2. */
    @BeforeEach
    void threeNodesOfWhichTheFirstIsTheFullest() {
        for (int i = 1; i <= 3; i++) {
            domain.node("n" + i, 8, Map.of("zone", i < 3 ? "a" : "b"));
        }
        there("n1", "ml", gpus(4), NONE);
        there("n2", "ml", gpus(2), NONE);
    }

    private void there(String node, String namespace, Requirement requirement, Map<String, String> labels) {
        String name = "there-" + domain.pods.size();
        domain.pod(namespace, name, null, "", -1, 0, requirement, labels);
        domain.bound(name, node, "Running", "", List.of());
    }

    private String placeOf(Requirement requirement, Map<String, String> labels) {
        String name = "p" + domain.pods.size();
        domain.labelled("ml", name, requirement, labels);
        List<Decision> decisions = domain.tick();
        assertThat(decisions).hasSize(1);
        domain.carryOut(decisions.getFirst());
        return ((Action.PlaceGang) decisions.getFirst().action())
                .nodes()
                .getFirst()
                .node();
    }

    @Test
    void withoutAWordAboutOthersThePodGoesToTheFullestNode() {
        there("n3", "ml", gpus(0), Map.of("app", "cache"));
        assertThat(placeOf(gpus(1), NONE)).isEqualTo("n1");
    }

    @Test
    void aPodGoesNearThosesItPrefers() {
        there("n3", "ml", gpus(0), Map.of("app", "cache"));
        there("n1", "other", gpus(0), Map.of("app", "cache"));
        assertThat(placeOf(rather(gpus(1), 1, term(HOST, "app", "cache")), NONE))
                .isEqualTo("n3");
    }

    @Test
    void aPodGoesAwayFromThoseItPrefersToAvoid() {
        there("n1", "ml", gpus(0), Map.of("app", "noisy"));
        assertThat(placeOf(rather(gpus(1), -1, term(HOST, "app", "noisy")), NONE))
                .isEqualTo("n2");
        // By zone, n1 and n2 are one place.
        assertThat(placeOf(rather(gpus(1), -1, term("zone", "app", "noisy")), NONE))
                .isEqualTo("n3");
    }

    @Test
    void whatPodsThatAreThereWishOfAPodCountsThoughItSaysNothingItself() {
        there("n3", "ml", rather(gpus(0), 10, term(HOST, "app", "web")), NONE);
        assertThat(placeOf(gpus(1), Map.of("app", "web"))).isEqualTo("n3");
        assertThat(placeOf(gpus(1), Map.of("app", "other"))).isEqualTo("n1");

        there("n3", "ml", rather(gpus(0), -20, term(HOST, "app", "web")), NONE);
        assertThat(placeOf(gpus(1), Map.of("app", "web"))).as("10 - 20 < 0").isEqualTo("n1");
    }

    @Test
    void aRequiredAffinityOfPodsThatAreThereDrawsAPodWithWeightOne() {
        there("n3", "ml", together(gpus(0), term(HOST, "app", "web")), NONE);
        assertThat(placeOf(gpus(1), Map.of("app", "web"))).isEqualTo("n3");

        there("n2", "ml", rather(gpus(0), 2, term(HOST, "app", "web")), NONE);
        assertThat(placeOf(gpus(1), Map.of("app", "web"))).as("2 > 1").isEqualTo("n2");
    }

    @Test
    void weightsCountForEachPodAndAddUpOverTerms() {
        there("n2", "ml", gpus(0), Map.of("app", "a"));
        there("n2", "ml", gpus(0), Map.of("app", "a"));
        there("n3", "ml", gpus(0), Map.of("app", "b"));
        // n2: 2 pods x 10 = 20; n3: 1 pod x 25 = 25.
        Requirement both = rather(rather(gpus(1), 10, term(HOST, "app", "a")), 25, term(HOST, "app", "b"));
        assertThat(placeOf(both, NONE)).isEqualTo("n3");
        there("n2", "ml", gpus(0), Map.of("app", "a"));
        assertThat(placeOf(both, NONE)).as("3 x 10 = 30 > 25").isEqualTo("n2");
    }

    @Test
    void aPreferenceForbidsNothing() {
        for (int i = 1; i <= 3; i++) {
            there("n" + i, "ml", gpus(0), Map.of("app", "noisy"));
        }
        assertThat(placeOf(rather(gpus(1), -100, term(HOST, "app", "noisy")), NONE))
                .isEqualTo("n1");
        assertThat(placeOf(rather(gpus(1), 100, term(HOST, "app", "nobody")), NONE))
                .isEqualTo("n1");
    }

    @Test
    void membersOfAGangThatAvoidEachOtherSpreadWhileThereIsRoomAndShareWhereThereIsNot() {
        domain.podGroup("shy", 4);
        GroupRef ref = new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, "shy");
        Requirement shy = rather(gpus(2), -100, term(HOST, "app", "shy"));
        for (int i = 0; i < 4; i++) {
            domain.pod("ml", "shy-" + i, ref, "", i, 0, shy, Map.of("app", "shy"));
        }

        Action.PlaceGang placed = (Action.PlaceGang) domain.tick().getFirst().action();

        assertThat(placed.nodes()).extracting(node -> node.members().size()).containsExactlyInAnyOrder(1, 1, 2);
    }

    @Test
    void namespacesAreChosenByTheirLabels() {
        there("n3", "team-b", gpus(0), Map.of("app", "cache"));
        namespace("team-b", "b");
        domain.apply(new ResyncEnded(TestDomain.CLUSTER, Kinds.NAMESPACE, 1, 0));
        Requirement nearB = rather(gpus(1), 5, inNamespacesLabelled(HOST, "team", "b"));
        assertThat(placeOf(nearB, NONE)).isEqualTo("n3");

        namespace("team-b", "c");
        domain.restart();
        assertThat(placeOf(nearB, NONE)).isEqualTo("n1");
    }

    private void namespace(String name, String team) {
        domain.apply(new PolicyChanged(
                domain.origin("", name), Kinds.NAMESPACE, new Policy.Namespace(new TreeMap<>(Map.of("team", team)))));
    }
}
