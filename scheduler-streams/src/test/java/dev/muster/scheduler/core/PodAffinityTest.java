package dev.muster.scheduler.core;

import static dev.muster.scheduler.core.Terms.apart;
import static dev.muster.scheduler.core.Terms.inNamespacesLabelled;
import static dev.muster.scheduler.core.Terms.term;
import static dev.muster.scheduler.core.Terms.together;
import static dev.muster.scheduler.core.TestDomain.gpus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
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
import org.junit.jupiter.api.Test;

/** Required pod affinity and anti-affinity: each case says what kube-scheduler would do with one pod, and what a gang needs. */
class PodAffinityTest {
    private static final String HOST = "kubernetes.io/hostname";
    private static final Map<String, String> BULK = Map.of("lane", "bulk");

    private final TestDomain domain = TestDomain.synced();

    private void nodes(String... zones) {
        for (int i = 0; i < zones.length; i++) {
            domain.node("n" + (i + 1), 8, Map.of("zone", zones[i]));
        }
    }

    private void gang(String name, int min, int size, Requirement requirement, Map<String, String> labels) {
        domain.podGroup(name, min);
        for (int i = 0; i < size; i++) {
            GroupRef ref = new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, name);
            domain.pod("ml", name + "-" + i, ref, "", i, 0, requirement, labels);
        }
    }

    private static Map<String, String> places(List<Decision> decisions) {
        Map<String, String> places = new TreeMap<>();
        for (Decision decision : decisions) {
            ((Action.PlaceGang) decision.action())
                    .nodes()
                    .forEach(node -> node.members().forEach(member -> places.put(member.name(), node.node())));
        }
        return places;
    }

    @Test
    void twoGangsThatExcludeEachOtherAndThemselvesShareNoNodeAndOneRunsWhole() {
        nodes("a", "a", "a", "a");
        Requirement alone = apart(gpus(1), term(HOST, "lane", "bulk"));
        gang("left", 4, 4, alone, BULK);
        gang("right", 4, 4, alone, BULK);

        List<Decision> decisions = domain.tick();

        assertThat(places(decisions).keySet()).containsExactly("left-0", "left-1", "left-2", "left-3");
        assertThat(places(decisions).values()).doesNotHaveDuplicates();
        assertThat(domain.status("right").reason().code()).isEqualTo("NotEnoughRoom");
        assertThat(domain.status("right").reason().message())
                .endsWith("4 of 4 nodes are where pod anti-affinity forbids it (" + HOST + ")");
        decisions.forEach(domain::carryOut);
        domain.restart();
        assertThat(domain.tick()).isEmpty();

        for (int i = 0; i < 4; i++) {
            domain.phase("left-" + i, "Succeeded");
        }
        assertThat(places(domain.tick())).hasSize(4);
    }

    @Test
    void aGangThatNeedsMoreNodesThanThereAreIsToldSo() {
        nodes("a", "a", "b");
        gang("wide", 4, 4, apart(gpus(1), term(HOST, "lane", "bulk")), BULK);
        gang("zones", 3, 3, apart(gpus(1), term("zone", "lane", "bulk")), BULK);

        assertThat(domain.tick()).isEmpty();
        assertThat(domain.status("wide").reason().message())
                .contains("4 pods (1 GPU each) must start together; cluster c1 could hold 3 even if it were empty");
        assertThat(domain.status("zones").reason().message()).contains("could hold 2 even if it were empty");
    }

    @Test
    void aPodThatOthersKeepAwayStaysAwayThoughItSaysNothingItself() {
        nodes("a", "b");
        domain.labelled("ml", "hermit", apart(gpus(1), term("zone", "lane", "bulk")), Map.of());
        List<Decision> first = domain.tick();
        domain.carryOut(first.getFirst());
        String taken = places(first).get("hermit");

        domain.labelled("ml", "bulky", gpus(1), BULK);
        domain.labelled("other", "elsewhere", gpus(1), BULK);
        Map<String, String> places = places(domain.tick());
        assertThat(places.get("bulky")).isNotEqualTo(taken);
        // The term is about the hermit's own namespace: binpack puts the stranger beside one of them.
        assertThat(places).containsKey("elsewhere");

        domain.gone("hermit");
        domain.labelled("ml", "late", gpus(7), BULK);
        domain.labelled("ml", "later", gpus(7), BULK);
        assertThat(places(domain.tick()).values()).containsExactlyInAnyOrder("n1", "n2");
    }

    @Test
    void podsThatWantToBeTogetherFillThePlaceOfTheFirstAndMoveOnWhereItIsTooSmallForAll() {
        // Zone a has 8 GPUs and the fuller node, so that it looks best for the first pod; only zone b has room for 12.
        nodes("a", "b", "b");
        domain.labelled("ml", "filler", gpus(2), Map.of());
        domain.carryOut(domain.tick().getFirst());
        gang("near", 3, 3, together(gpus(4), term("zone", "app", "near")), Map.of("app", "near"));

        Map<String, String> places = places(domain.tick());

        assertThat(places).hasSize(3);
        assertThat(places.values()).isSubsetOf("n2", "n3");
    }

    @Test
    void podsThatFollowOthersOfTheirGangArePlacedAfterThem() {
        nodes("a", "b");
        domain.podGroup("pair", 2);
        GroupRef ref = new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, "pair");
        Requirement follower = together(gpus(1), term("zone", "app", "server"));
        domain.pod("ml", "pair-a-worker", ref, "a-worker", 0, 0, follower, Map.of("app", "worker"));
        domain.pod("ml", "pair-server", ref, "server", 0, 0, gpus(8), Map.of("app", "server"));
        domain.pod("ml", "blocker", null, "", -1, 9, gpus(8), Map.of());

        List<Decision> decisions = domain.tick();

        // The blocker fills one node, the server the other one, and the worker finds no GPU near it.
        assertThat(places(decisions).keySet()).containsExactly("blocker");
        domain.node("n3", 8, Map.of("zone", "b"));
        Map<String, String> places = places(domain.tick());
        assertThat(places.keySet()).containsExactly("pair-a-worker", "pair-server");
        assertThat(places.values()).containsExactlyInAnyOrder("n2", "n3");
    }

    @Test
    void aPodWaitsForTheOneItWantsToBeNearAndNothingElseWakesIt() {
        nodes("a", "b");
        Requirement near = together(gpus(1), term("zone", "app", "db"));
        domain.labelled("ml", "client", near, Map.of("app", "client"));
        assertThat(domain.tick()).isEmpty();
        assertThat(domain.statuses.get("c1/ml/Pod/client/uid-client").reason().message())
                .contains("2 of 2 nodes are not near the pods that its pod affinity asks for (zone)");

        domain.labelled("ml", "db", gpus(1), Map.of("app", "db"));
        Map<String, String> db = places(domain.tick());
        assertThat(db.keySet()).containsExactly("db");
        assertThat(places(domain.tick())).containsEntry("client", db.get("db"));
    }

    @Test
    void affinityWithSeveralTermsIsMetOnlyByPodsThatAllOfThemSelect() {
        nodes("a");
        domain.labelled("ml", "one", gpus(1), Map.of("app", "x"));
        domain.labelled("ml", "two", gpus(1), Map.of("tier", "y"));
        domain.tick().forEach(domain::carryOut);
        domain.labelled("ml", "picky", together(gpus(1), term("zone", "app", "x"), term(HOST, "tier", "y")), Map.of());
        assertThat(domain.tick()).isEmpty();

        domain.relabel("two", Map.of("app", "x", "tier", "y"));
        assertThat(places(domain.tick())).containsEntry("picky", "n1");
    }

    @Test
    void aNodesOrANamespacesLabelsDecideAnewWhenTheyChange() {
        nodes("a", "b");
        domain.labelled("ml", "hermit", apart(gpus(1), inNamespacesLabelled("zone", "team", "b")), Map.of());
        assertThat(domain.tick()).as("namespaces are not known yet").isEmpty();
        namespace("ml", "a");
        namespace("other", "a");
        domain.apply(new ResyncEnded(TestDomain.CLUSTER, Kinds.NAMESPACE, 1, 0));
        List<Decision> decisions = domain.tick();
        domain.carryOut(decisions.getFirst());
        String taken = places(decisions).get("hermit");

        namespace("other", "b");
        domain.labelled("other", "guest", gpus(1), Map.of());
        String guest = places(domain.tick()).get("guest");
        assertThat(guest).isNotEqualTo(taken);
        domain.restart();

        // Both nodes are in one zone now: the next of the other team has nowhere to go.
        domain.apply(new NodeChanged(
                domain.origin("", guest),
                TestDomain.nodeFacts(guest, 8, Map.of("zone", taken.equals("n1") ? "a" : "b"))));
        domain.labelled("other", "late", gpus(1), Map.of());
        assertThat(domain.tick()).isEmpty();
    }

    @Test
    void surplusPodsKeepTheDistanceToo() {
        nodes("a", "a", "a");
        gang("spread", 2, 5, apart(gpus(1), term(HOST, "lane", "bulk")), BULK);

        List<Decision> decisions = domain.tick();
        assertThat(places(decisions)).hasSize(3);
        assertThat(places(decisions).values()).doesNotHaveDuplicates();

        domain.node("n4", 8, Map.of("zone", "a"));
        assertThat(places(domain.tick()).values()).containsExactly("n4");
    }

    private void namespace(String name, String team) {
        domain.apply(new PolicyChanged(
                domain.origin("", name), Kinds.NAMESPACE, new Policy.Namespace(new TreeMap<>(Map.of("team", team)))));
    }
}
