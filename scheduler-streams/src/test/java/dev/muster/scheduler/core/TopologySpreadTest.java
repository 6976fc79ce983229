package dev.muster.scheduler.core;

import static dev.muster.scheduler.core.Terms.skew;
import static dev.muster.scheduler.core.Terms.spread;
import static dev.muster.scheduler.core.Terms.together;
import static dev.muster.scheduler.core.TestDomain.gpus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent.JobSubmitted;
import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.event.ClusterEvent.NodeGone;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.Label;
import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.NodeTerm;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.SpreadConstraint;
import dev.muster.scheduler.core.model.SubmittedJob;
import dev.muster.scheduler.core.model.Taint;
import dev.muster.scheduler.core.model.Toleration;
import dev.muster.scheduler.core.model.WorkloadKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Topology spread constraints, as kube-scheduler's PodTopologySpread reads them: a place may take a pod when pods there + 1
 * (if the pod counts itself) - pods at the place with the fewest is at most maxSkew.
 */
class TopologySpreadTest {
    private static final String HOST = "kubernetes.io/hostname";
    private static final String ZONE = "zone";
    private static final Map<String, String> WEB = Map.of("app", "web");

    private final TestDomain domain = TestDomain.synced();
    private int pods;

    private void node(String name, String zone, Taint... taints) {
        Map<String, String> labels = zone.isEmpty() ? Map.of() : Map.of(ZONE, zone);
        NodeFacts facts = TestDomain.nodeFacts(name, 8, labels);
        domain.apply(new NodeChanged(
                domain.origin("", name),
                new NodeFacts(facts.labels(), List.of(taints), false, true, facts.allocatable())));
    }

    /** A pod that is on the node already, and none of ours. */
    private String there(String node, String namespace, Map<String, String> labels) {
        String name = "there-" + pods++;
        domain.pod(namespace, name, null, "", -1, 0, gpus(0), labels);
        domain.bound(name, node, "Running", "", List.of());
        return name;
    }

    /** Where pods of this kind go, one by one, each as soon as the one before is placed. */
    private List<String> placesOf(int count, Requirement requirement, Map<String, String> labels) {
        List<String> places = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = "p" + pods++;
            domain.labelled("ml", name, requirement, labels);
            List<Decision> decisions = domain.tick();
            places.add(decisions.isEmpty() ? "" : places(decisions).get(name));
            if (decisions.isEmpty()) {
                domain.gone(name);
            } else {
                decisions.forEach(domain::carryOut);
            }
        }
        return places;
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

    private String message(String pod) {
        return domain.statuses.get("c1/ml/Pod/" + pod + "/uid-" + pod).reason().message();
    }

    private static SpreadConstraint with(SpreadConstraint c, int minDomains, boolean affinity, boolean taints) {
        return new SpreadConstraint(
                c.maxSkew(), c.topologyKey(), c.required(), c.namespace(), c.selector(), minDomains, affinity, taints);
    }

    private static SpreadConstraint preferred(SpreadConstraint c) {
        return new SpreadConstraint(
                c.maxSkew(), c.topologyKey(), false, c.namespace(), c.selector(), 1, true, c.honorTaints());
    }

    @Test
    void aZoneMayHaveNoMoreThanMaxSkewAboveTheEmptiest() {
        node("a1", "a");
        node("a2", "a");
        node("b1", "b");

        // 1-0, 1-1, 2-1, 2-2, ...: binpack alone would fill one node.
        List<String> places = placesOf(6, spread(gpus(1), skew(1, ZONE, "app", "web")), WEB);
        assertThat(places.subList(0, 2)).contains("b1");
        assertThat(places.subList(2, 4)).contains("b1");
        assertThat(places.stream().filter("b1"::equals)).hasSize(3);
    }

    @Test
    void aTaintedZoneCountsUnlessTaintsAreHonoured() {
        node("a1", "a");
        node("b1", "b");
        node("c1", "c", new Taint("dedicated", "infra", Taint.NO_SCHEDULE));
        SpreadConstraint plain = skew(1, ZONE, "app", "web");

        // Zone c keeps the fewest at 0: one each in a and b, and 2 - 0 > 1.
        assertThat(placesOf(3, spread(gpus(1), plain), WEB)).containsExactlyInAnyOrder("a1", "b1", "");
        SpreadConstraint honour = with(skew(1, ZONE, "app", "honour"), 1, true, true);
        assertThat(placesOf(4, spread(gpus(1), honour), Map.of("app", "honour")))
                .containsExactlyInAnyOrder("a1", "b1", "a1", "b1");
    }

    @Test
    void aTaintThatIsToleratedDoesNotTakeAZoneOut() {
        node("a1", "a");
        node("b1", "b", new Taint("dedicated", "infra", Taint.NO_SCHEDULE));
        SpreadConstraint honour = with(skew(1, ZONE, "app", "web"), 1, true, true);
        Requirement one = spread(gpus(1), honour);
        Requirement tolerant = new Requirement(
                one.requests(),
                0,
                List.of(),
                List.of(),
                List.of(),
                List.of(new Toleration("dedicated", "Exists", "", "")),
                "",
                one.pods(),
                List.of(),
                one.topology(),
                List.of());

        assertThat(placesOf(2, tolerant, WEB)).containsExactlyInAnyOrder("a1", "b1");
        // For those that do not tolerate it, zone a is the only one: 1, 2 and 3 are all the fewest there are.
        assertThat(placesOf(2, one, WEB)).containsExactly("a1", "a1");
    }

    @Test
    void zonesThatNodeAffinityExcludesCountOnlyIfToldSo() {
        node("a1", "a");
        node("b1", "b");
        SpreadConstraint honour = skew(1, ZONE, "app", "web");
        Requirement onlyA = new Requirement(
                gpus(1).requests(),
                0,
                List.of(),
                List.of(new NodeTerm(List.of(new NodeExpression(ZONE, "NotIn", List.of("b"), false)))),
                List.of(),
                List.of(),
                "");

        assertThat(placesOf(2, spread(onlyA, honour), WEB)).containsExactly("a1", "a1");
        SpreadConstraint ignore = with(skew(1, ZONE, "app", "other"), 1, false, false);
        assertThat(placesOf(2, spread(onlyA, ignore), Map.of("app", "other"))).containsExactly("a1", "");
        Requirement selector = new Requirement(
                gpus(1).requests(), 0, List.of(new Label(ZONE, "a")), List.of(), List.of(), List.of(), "");
        assertThat(placesOf(2, spread(selector, skew(1, ZONE, "app", "third")), Map.of("app", "third")))
                .containsExactly("a1", "a1");
    }

    @Test
    void withFewerZonesThanAskedForTheFewestIsNought() {
        node("a1", "a");
        node("b1", "b");
        SpreadConstraint three = with(skew(1, ZONE, "app", "web"), 3, true, false);

        assertThat(placesOf(3, spread(gpus(1), three), WEB)).containsExactlyInAnyOrder("a1", "b1", "");
        node("c1", "c");
        assertThat(placesOf(2, spread(gpus(1), three), WEB)).contains("c1").doesNotContain("");
    }

    @Test
    void aNodeWithoutTheLabelTakesNoneAndANodeWithoutAnotherConstraintsLabelIsNoPlace() {
        node("a1", "a");
        node("bare", "");
        there("bare", "ml", WEB);
        Requirement both = spread(gpus(1), skew(1, ZONE, "app", "web"), skew(1, HOST, "app", "web"));

        // bare has a host name but no zone: it is no host that counts either, or host a1 with 1 - 0 would be one too
        // many.
        assertThat(placesOf(2, both, WEB)).containsExactly("a1", "a1");
        domain.labelled("ml", "full", spread(gpus(8), skew(1, ZONE, "app", "web")), WEB);
        domain.tick();
        assertThat(message("full")).contains("1 of 2 nodes lack label zone, by which pods are to be spread");
    }

    @Test
    void severalConstraintsHoldTogether() {
        node("a1", "a");
        node("a2", "a");
        node("b1", "b");
        Requirement both = spread(gpus(1), skew(1, ZONE, "app", "web"), skew(1, HOST, "app", "web"));

        // Zones 1-0, 1-1, 2-1, 2-2, 3-2 with hosts a1 2, a2 1, b1 2.
        assertThat(placesOf(5, both, WEB)).doesNotContain("");
        assertThat(domain.pods.values().stream()
                        .filter(pod -> pod.facts().node().equals("b1")))
                .hasSize(2);
        // Zone a: 3 + 1 - 2 > 1. Host b1: 2 + 1 - 1 > 1. Either constraint alone would have a place for it.
        assertThat(placesOf(1, both, WEB)).containsExactly("");
        assertThat(placesOf(1, spread(gpus(1), skew(1, HOST, "app", "web")), WEB))
                .containsExactly("a2");
        assertThat(placesOf(1, spread(gpus(1), skew(1, ZONE, "app", "web")), WEB))
                .containsExactly("b1");
    }

    @Test
    void aPodThatItsConstraintDoesNotCountGoesWhereTheyAreWithinTheSkewAlready() {
        node("a1", "a");
        node("b1", "b");
        there("a1", "ml", WEB);
        Requirement aboutWeb = spread(gpus(1), skew(1, ZONE, "app", "web"));

        // 1 + 0 - 0 <= 1: zone a stays allowed however many of the others come.
        assertThat(placesOf(3, aboutWeb, Map.of("app", "guard"))).doesNotContain("");
        there("a1", "ml", WEB);
        assertThat(placesOf(2, aboutWeb, Map.of("app", "guard"))).containsExactly("b1", "b1");
    }

    @Test
    void podsThatLeaveAndPodsOfOtherNamespacesAreNotCounted() {
        node("a1", "a");
        node("b1", "b");
        there("a1", "other", WEB);
        String leaving = there("a1", "ml", WEB);
        Requirement one = spread(gpus(1), skew(1, ZONE, "app", "web"));
        assertThat(placesOf(1, one, WEB)).containsExactly("b1");

        domain.labelled("ml", "next", spread(gpus(1), skew(1, ZONE, "app", "web"), skew(1, HOST, "app", "none")), WEB);
        domain.tick().forEach(domain::carryOut);
        domain.deleting(leaving);
        domain.restart();
        // a: 1 (or 0 where next is on b1), b: the rest; with the leaving one gone the emptier place comes first.
        assertThat(placesOf(2, one, WEB)).contains("a1");
    }

    @Test
    void membersOfAGangCountForEachOtherAndTheGangWaitsWholeWhereOneFindsNoPlace() {
        node("a1", "a");
        node("b1", "b");
        node("c1", "c", new Taint("dedicated", "infra", Taint.NO_SCHEDULE));
        gang("trio", 3, spread(gpus(1), skew(1, ZONE, "app", "web")));

        assertThat(domain.tick()).as("zone c stays empty: 2 - 0 > 1").isEmpty();
        assertThat(domain.status("trio").reason().message())
                .contains("cluster c1 has room for 2 now")
                .contains("1 of 3 nodes have taint dedicated, which is not tolerated");

        node("c1", "c");
        assertThat(places(domain.tick()).values()).containsExactlyInAnyOrder("a1", "b1", "c1");
    }

    private void gang(String name, int size, Requirement requirement) {
        domain.podGroup(name, size);
        GroupRef ref = new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, name);
        for (int i = 0; i < size; i++) {
            domain.pod("ml", name + "-" + i, ref, "", i, 0, requirement, WEB);
        }
    }

    @Test
    void whatWaitsIsLookedAtAgainWhenTheEmptiestPlaceFillsAPodLeavesOrThePlaceFallsAway() {
        node("a1", "a");
        node("b1", "b");
        Requirement one = spread(gpus(1), skew(1, ZONE, "app", "web"));
        String first = there("a1", "ml", WEB);
        domain.labelled("ml", "late", onlyIn("a", one), WEB);
        assertThat(domain.tick()).as("a has 1, b 0: 1 + 1 - 0 > 1").isEmpty();
        assertThat(message("late")).contains("1 of 2 nodes are where topology spread forbids one more (zone)");

        domain.deleting(first);
        assertThat(places(domain.tick())).containsEntry("late", "a1");

        domain.labelled("ml", "later", onlyIn("a", one), WEB);
        assertThat(domain.tick()).isEmpty();
        domain.labelled("ml", "filler", onlyIn("b", one), WEB);
        assertThat(places(domain.tick())).containsEntry("filler", "b1");
        assertThat(places(domain.tick())).as("now 1 + 1 - 1 = 1").containsEntry("later", "a1");

        domain.labelled("ml", "last", onlyIn("a", one), WEB);
        assertThat(domain.tick()).isEmpty();
        domain.apply(new NodeGone(domain.origin("", "b1")));
        assertThat(places(domain.tick())).as("zone a is the only one").containsEntry("last", "a1");
    }

    /** By node affinity, which does not count here: the other zone is compared all the same. */
    private static Requirement onlyIn(String zone, Requirement of) {
        List<SpreadConstraint> ignoring = of.pods().spread().stream()
                .map(constraint -> with(constraint, 1, false, false))
                .toList();
        Requirement there =
                new Requirement(of.requests(), 0, List.of(new Label(ZONE, zone)), List.of(), List.of(), List.of(), "");
        return spread(there, ignoring.toArray(SpreadConstraint[]::new));
    }

    @Test
    void whereItIsOnlyPreferredTheEmptiestPlaceIsBetterThanAFullNode() {
        node("a1", "a");
        node("b1", "b");
        node("bare", "");
        there("a1", "ml", WEB);
        there("a1", "ml", WEB);
        Requirement one = spread(gpus(1), preferred(skew(1, ZONE, "app", "web")));

        // Counts 2-0, then 2-1: b; at 2-2 the fuller node. A node without the label comes last, but is no forbidden
        // one.
        assertThat(placesOf(2, one, WEB)).containsExactly("b1", "b1");
        assertThat(placesOf(2, spread(gpus(8), preferred(skew(1, ZONE, "app", "web"))), WEB))
                .containsExactly("a1", "bare");
    }

    @Test
    void aConstraintWithoutASelectorCountsNobody() {
        node("a1", "a");
        node("b1", "b");
        SpreadConstraint nobody = new SpreadConstraint(1, ZONE, true, "", List.of(), 1, true, false);

        assertThat(placesOf(3, spread(gpus(1), nobody), WEB)).containsExactly("a1", "a1", "a1");
    }

    @Test
    void podsOfASubmittedJobCountBeforeTheyAreMade() {
        node("a1", "a");
        node("b1", "b");
        Requirement one = spread(gpus(1), skew(1, ZONE, "app", "web"));
        SubmittedJob.Task task = new SubmittedJob.Task("w", 3, 3, one, "hash", new TreeMap<>(WEB));
        domain.apply(
                new JobSubmitted("team", "c1", "train", new SubmittedJob("ml", "", "default", 0, 3, List.of(task)), 0));
        domain.restart();

        assertThat(places(domain.tick()).values()).contains("a1", "b1").hasSize(3);
        // 2-1 is held for the job: one more fits where there is one, and then one more anywhere.
        domain.labelled("ml", "lone", onlyIn("a", one), WEB);
        domain.labelled("ml", "other", onlyIn("b", one), WEB);
        assertThat(places(domain.tick())).containsEntry("other", "b1").doesNotContainKey("lone");
        assertThat(places(domain.tick())).containsEntry("lone", "a1");
    }

    @Test
    void spreadAndAffinityHoldTogether() {
        domain.node("a1", 8, Map.of(ZONE, "a", "rack", "r1"));
        domain.node("a2", 8, Map.of(ZONE, "a", "rack", "r2"));
        domain.node("b1", 8, Map.of(ZONE, "b", "rack", "r3"));
        Requirement near = together(gpus(1), Terms.term(ZONE, "app", "web"));

        // Together in one zone, and there one per rack; rack r3 of the other zone keeps the fewest at 0.
        assertThat(placesOf(3, spread(near, skew(1, "rack", "app", "web")), WEB))
                .containsExactlyInAnyOrder("a1", "a2", "");
    }
}
