package dev.muster.scheduler.core;

import static dev.muster.scheduler.core.TestDomain.gpus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.decision.DecisionOutcome;
import dev.muster.scheduler.core.decision.DecisionOutcome.MemberStatus;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncBegan;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncEnded;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.NodeTerm;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.Storage;
import dev.muster.scheduler.core.model.WorkloadKind;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where pods can run by the claims they use, as kube-scheduler's volume plugins judge it. */
class VolumesTest {
    private static final String HOST = "kubernetes.io/hostname";
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final List<String> ONE_NODE = List.of("ReadWriteOnce");

    private final TestDomain domain = TestDomain.synced();

    @BeforeEach
    void threeNodesInTwoZones() {
        domain.node("n1", 8, Map.of(ZONE, "a"));
        domain.node("n2", 8, Map.of(ZONE, "b"));
        domain.node("n3", 8);
        for (String kind : Kinds.STORAGE) {
            domain.apply(new ResyncBegan(TestDomain.CLUSTER, kind, 1));
            domain.apply(new ResyncEnded(TestDomain.CLUSTER, kind, 1, 0));
        }
        storageClass("local", "kubernetes.io/no-provisioner", true);
        storageClass("cloud", "disk.csi", true, in(ZONE, "b"));
        storageClass("now", "disk.csi", false);
    }

    private void storageClass(String name, String provisioner, boolean waits, NodeTerm... topologies) {
        told(Kinds.STORAGE_CLASS, "", name, new Storage.Class(provisioner, waits, List.of(topologies)));
    }

    private void told(String kind, String namespace, String name, Storage facts) {
        domain.apply(new PolicyChanged(domain.origin(namespace, name), kind, facts));
    }

    private static NodeTerm in(String label, String... values) {
        return new NodeTerm(List.of(new NodeExpression(label, "In", List.of(values), false)));
    }

    private void bound(String name, Map<String, String> labels, String driver, NodeTerm... nodes) {
        told(
                Kinds.VOLUME,
                "",
                "pv-" + name,
                new Storage.Volume(
                        "ml/" + name,
                        false,
                        "now",
                        ONE_NODE,
                        10,
                        new TreeMap<>(labels),
                        driver,
                        "h-" + name,
                        List.of(nodes),
                        false));
        told(Kinds.CLAIM, "ml", name, claim("pv-" + name, true, "now", false, 10));
    }

    private static Storage.Claim claim(String volume, boolean bound, String storageClass, boolean oncePod, long bytes) {
        return new Storage.Claim(
                volume, bound, false, storageClass, oncePod, ONE_NODE, bytes, List.of(), "", false, List.of());
    }

    private static Storage.Claim selected(String storageClass, List<String> modes, String node) {
        return new Storage.Claim("", false, false, storageClass, false, modes, 10, List.of(), node, false, List.of());
    }

    private void disk(String name, long bytes, String node) {
        told(
                Kinds.VOLUME,
                "",
                name,
                new Storage.Volume(
                        "", true, "local", ONE_NODE, bytes, new TreeMap<>(), "", "", List.of(in(HOST, node)), false));
    }

    /** Where the pod goes; empty where it waits. */
    private String placeOf(String name, Requirement requirement) {
        domain.lonePod(name, 0, requirement);
        List<Decision> decisions = domain.tick();
        if (decisions.isEmpty()) {
            return "";
        }
        domain.carryOut(decisions.getFirst());
        return ((Action.PlaceGang) decisions.getFirst().action())
                .nodes()
                .getFirst()
                .node();
    }

    private String message(String pod) {
        return domain.statuses.get("c1/ml/Pod/" + pod + "/uid-" + pod).reason().message();
    }

    private static Requirement uses(String... claims) {
        return gpus(0).withClaims(List.of(claims));
    }

    @Test
    void aPodFollowsTheNodeAffinityOfItsVolumes() {
        bound("data", Map.of(), "", in(HOST, "n2"), in(HOST, "n3"));
        bound("other", Map.of(), "", in(HOST, "n3"));
        assertThat(placeOf("both", uses("ml/data", "ml/other"))).isEqualTo("n3");
        bound("third", Map.of(), "", in(HOST, "n1"));
        assertThat(placeOf("nowhere", uses("ml/data", "ml/third"))).isEmpty();
        assertThat(message("nowhere"))
                .contains("2 of 3 nodes are kept out by the node affinity of the volume of ml/third")
                .contains("1 of 3 nodes are kept out by the node affinity of the volume of ml/data");
    }

    @ParameterizedTest
    @CsvSource({"a, n1", "b, n2", "x__b, n2", "c, n3"})
    void zonesOfAVolumeBindItAndANodeWithoutAZoneMayBeAnywhere(String zones, String node) {
        bound("data", Map.of(ZONE, zones), "");
        if (!node.equals("n3")) {
            domain.lonePod("filler", 9, gpus(8));
            domain.bound("filler", "n3", "Running", "", List.of());
            domain.node("n3", 8, Map.of(ZONE, "elsewhere"));
        }
        assertThat(placeOf("p", uses("ml/data"))).isEqualTo(node);
    }

    @Test
    void aClaimThatIsMissingUnboundLostOrLeavingKeepsItsPodWaitingUntilItIsNot() {
        assertThat(placeOf("p", uses("ml/data"))).isEmpty();
        assertThat(message("p")).endsWith("3 of 3 nodes are no use while claim ml/data is missing");

        told(Kinds.CLAIM, "ml", "data", claim("", false, "now", false, 10));
        assertThat(domain.tick()).isEmpty();
        assertThat(message("p")).endsWith("claim ml/data is not bound");

        told(Kinds.CLAIM, "ml", "data", claim("pv-data", true, "now", false, 10));
        assertThat(domain.tick()).isEmpty();
        assertThat(message("p")).endsWith("claim ml/data is bound to a volume that is missing");

        bound("data", Map.of(), "");
        told(
                Kinds.CLAIM,
                "ml",
                "data",
                new Storage.Claim("pv-data", true, true, "now", false, ONE_NODE, 10, List.of(), "", false, List.of()));
        assertThat(domain.tick()).isEmpty();
        assertThat(message("p")).endsWith("claim ml/data is being deleted");

        domain.restart();
        bound("data", Map.of(), "");
        assertThat(domain.tick()).hasSize(1);
    }

    @Test
    void nothingIsSaidOfVolumesBeforeTheyWereListed() {
        TestDomain fresh = TestDomain.synced();
        fresh.node("n1", 8);
        fresh.lonePod("p", 0, uses("ml/data"));
        fresh.lonePod("free", 0, gpus(1));
        assertThat(fresh.tick()).hasSize(1);
        assertThat(fresh.statuses.get("c1/ml/Pod/p/uid-p").reason().message()).contains("may not be listed yet");
    }

    @Test
    void claimsThatWaitTakeTheSmallestDiskThatWillDoEachItsOwn() {
        disk("small", 5, "n1");
        disk("large", 20, "n1");
        disk("far", 10, "n2");
        for (String name : List.of("a", "b", "c", "d")) {
            told(Kinds.CLAIM, "ml", name, claim("", false, "local", false, name.equals("a") ? 15 : 5));
        }
        domain.podGroup("disks", 3);
        for (int i = 0; i < 3; i++) {
            GroupRef ref = new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, "disks");
            domain.pod("disks-" + i, ref, "", i, 0, uses("ml/" + (char) ('a' + i)));
        }

        List<Decision> decisions = domain.tick();

        // a needs 15: large. b and c need 5: small and far.
        Map<String, Integer> perNode = new TreeMap<>();
        ((Action.PlaceGang) decisions.getFirst().action())
                .nodes()
                .forEach(node -> perNode.put(node.node(), node.members().size()));
        assertThat(perNode).containsExactlyInAnyOrderEntriesOf(Map.of("n1", 2, "n2", 1));
        assertThat(placeOf("fourth", uses("ml/d"))).as("all are promised").isEmpty();
        assertThat(message("fourth")).contains("3 of 3 nodes have no volume for claim ml/d and get none made");
        domain.carryOut(decisions.getFirst());
        domain.restart();
        assertThat(domain.tick()).isEmpty();
        disk("new", 5, "n3");
        assertThat(domain.tick()).hasSize(1);
    }

    @Test
    void whereAVolumeIsToBeMadeItsClassOrItsClaimSaysWhere() {
        told(Kinds.CLAIM, "ml", "made", claim("", false, "cloud", false, 10));
        assertThat(placeOf("p", uses("ml/made"))).isEqualTo("n2");

        told(Kinds.CLAIM, "ml", "chosen", selected("cloud", ONE_NODE, "n3"));
        assertThat(placeOf("q", uses("ml/chosen"))).isEqualTo("n3");
    }

    /** What claims get by a placement, as claim=volume or claim@node, by member. */
    private static List<String> gets(Decision decision) {
        return TestDomain.members(decision).stream()
                .flatMap(member -> member.claims().stream())
                .map(each -> each.claim() + (each.isMade() ? "@" + each.node() : "=" + each.volume()))
                .sorted()
                .toList();
    }

    private List<Decision> gang(String name, int pods, String... claims) {
        domain.podGroup(name, pods);
        for (int i = 0; i < pods; i++) {
            GroupRef ref = new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, name);
            domain.pod(name + "-" + i, ref, "", i, 0, uses(claims[i % claims.length]));
        }
        return domain.tick();
    }

    @Test
    void aPlacementSaysWhatItsClaimsGetAndHasLongerForIt() {
        disk("d1", 10, "n1");
        told(Kinds.CLAIM, "ml", "a", claim("", false, "local", false, 5));
        told(Kinds.CLAIM, "ml", "b", claim("", false, "cloud", false, 5));
        bound("c", Map.of(), "");
        domain.lonePod("p", 0, uses("ml/a", "ml/c"));
        domain.lonePod("q", 0, uses("ml/b"));
        domain.lonePod("r", 0, uses("ml/c"));

        List<Decision> decisions = domain.tick();

        assertThat(decisions.stream().map(VolumesTest::gets))
                .containsExactlyInAnyOrder(List.of("ml/a=d1"), List.of("ml/b@n2"), List.of());
        assertThat(decisions)
                .allSatisfy(decision -> assertThat(((Action.PlaceGang) decision.action()).deadlineMillis())
                        .isEqualTo(decision.timeMillis() + (gets(decision).isEmpty() ? 30_000 : 630_000)));
    }

    @Test
    void whatIsPromisedStaysPromisedWhateverComesLater() {
        disk("d1", 10, "n1");
        told(Kinds.CLAIM, "ml", "a", claim("", false, "local", false, 5));
        told(Kinds.CLAIM, "ml", "b", claim("", false, "local", false, 5));
        domain.lonePod("p", 0, uses("ml/a"));
        assertThat(gets(domain.tick().getFirst())).containsExactly("ml/a=d1");

        disk("smaller", 5, "n1");
        domain.restart();
        domain.lonePod("q", 0, uses("ml/b"));
        assertThat(gets(domain.tick().getFirst())).containsExactly("ml/b=smaller");
        domain.restart();
        domain.lonePod("same", 0, uses("ml/a"));
        assertThat(gets(domain.tick().getFirst())).containsExactly("ml/a=d1");
    }

    @Test
    void aPromiseEndsWithTheHold() {
        disk("d1", 10, "n1");
        told(Kinds.CLAIM, "ml", "a", claim("", false, "local", false, 5));
        told(Kinds.CLAIM, "ml", "b", claim("", false, "local", false, 5));
        domain.lonePod("p", 0, uses("ml/a"));
        Decision decision = domain.tick().getFirst();
        domain.lonePod("q", 0, uses("ml/b"));
        assertThat(domain.tick()).isEmpty();

        domain.report(decision, DecisionOutcome.Status.COMPENSATED, MemberStatus.RELEASED, false);

        assertThat(gets(domain.tick().getFirst())).containsExactly("ml/b=d1");
    }

    @Test
    void aClaimThatPodsShareIsMadeOnceAndForManyNodesWhereItsModeAllowsThat() {
        domain.node("n4", 8, Map.of(ZONE, "b"));
        told(
                Kinds.CLAIM,
                "ml",
                "many",
                new Storage.Claim(
                        "",
                        false,
                        false,
                        "cloud",
                        false,
                        List.of("ReadWriteMany"),
                        5,
                        List.of(),
                        "",
                        false,
                        List.of()));
        told(Kinds.CLAIM, "ml", "one", claim("", false, "cloud", false, 5));
        domain.podGroup("gang", 2);
        for (String claim : List.of("ml/many", "ml/one")) {
            for (int i = 0; i < 2; i++) {
                GroupRef ref = new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, "gang");
                domain.pod("gang-" + i, ref, "", i, 0, gpus(8).withClaims(List.of(claim)));
            }
            List<Decision> decisions = domain.tick();
            if (claim.equals("ml/many")) {
                assertThat(gets(decisions.getFirst())).containsExactly("ml/many@n2", "ml/many@n2");
                assertThat(((Action.PlaceGang) decisions.getFirst().action()).nodes())
                        .extracting(Action.NodePlacement::node)
                        .containsExactly("n2", "n4");
                domain.report(decisions.getFirst(), DecisionOutcome.Status.COMPENSATED, MemberStatus.RELEASED, false);
                domain.pass(10_000);
            } else {
                assertThat(decisions).as("no node has room for both").isEmpty();
            }
        }
    }

    @Test
    void aNodeForWhichNoVolumeWasMadeComesLastUntilOneIs() {
        told(Kinds.CLAIM, "ml", "a", claim("", false, "anywhere", false, 5));
        storageClass("anywhere", "disk.csi", true);
        for (String refusing : List.of("n1", "n3")) {
            told(Kinds.CLAIM, "ml", "a", selected("anywhere", ONE_NODE, refusing));
            told(Kinds.CLAIM, "ml", "a", claim("", false, "anywhere", false, 5));
            domain.restart();
        }
        domain.lonePod("p", 0, uses("ml/a"));
        Decision decision = domain.tick().getFirst();
        assertThat(gets(decision)).containsExactly("ml/a@n2");
        domain.report(decision, DecisionOutcome.Status.COMPENSATED, MemberStatus.RELEASED, false);

        told(Kinds.CLAIM, "ml", "a", selected("anywhere", ONE_NODE, "n2"));
        told(Kinds.CLAIM, "ml", "a", claim("", false, "anywhere", false, 5));
        domain.pass(10_000);
        assertThat(gets(domain.tick().getFirst()))
                .as("all refused: as if none had")
                .containsExactly("ml/a@n1");
    }

    @Test
    void theEphemeralVolumeOfAnEarlierPodIsNoUseToTheOneOfItsName() {
        bound("p-scratch", Map.of(), "");
        for (String owner : List.of("uid-earlier", "uid-p")) {
            told(
                    Kinds.CLAIM,
                    "ml",
                    "p-scratch",
                    new Storage.Claim(
                            "pv-p-scratch",
                            true,
                            false,
                            "now",
                            false,
                            ONE_NODE,
                            10,
                            List.of(),
                            "",
                            false,
                            List.of(),
                            owner));
            domain.lonePod("p", 0, uses("ml/p-scratch"));
            List<Decision> decisions = domain.tick();
            if (owner.equals("uid-p")) {
                assertThat(decisions).hasSize(1);
            } else {
                assertThat(decisions).isEmpty();
                assertThat(message("p")).endsWith("claim ml/p-scratch is an earlier pod's");
            }
            domain.restart();
        }
    }

    @Test
    void aVolumeKeptForTheClaimComesFirstAndOneOfAnotherModeNever() {
        disk("small", 5, "n1");
        told(Kinds.CLAIM, "ml", "a", claim("", false, "local", false, 5));
        told(
                Kinds.VOLUME,
                "",
                "kept",
                new Storage.Volume(
                        "ml/a", true, "local", ONE_NODE, 50, new TreeMap<>(), "", "", List.of(in(HOST, "n1")), false));
        domain.lonePod("p", 0, uses("ml/a"));
        assertThat(gets(domain.tick().getFirst())).containsExactly("ml/a=kept");

        told(
                Kinds.CLAIM,
                "ml",
                "raw",
                new Storage.Claim("", false, false, "local", false, ONE_NODE, 5, List.of(), "", true, List.of()));
        domain.lonePod("q", 0, uses("ml/raw"));
        assertThat(domain.tick()).isEmpty();
    }

    @Test
    void aClaimForOnePodServesOneAtATimeWithinAGangToo() {
        bound("solo", Map.of(), "");
        told(Kinds.CLAIM, "ml", "solo", claim("pv-solo", true, "now", true, 10));
        domain.podGroup("pair", 2);
        for (int i = 0; i < 2; i++) {
            GroupRef ref = new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, "pair");
            domain.pod("pair-" + i, ref, "", i, 0, uses("ml/solo"));
        }
        assertThat(domain.tick()).isEmpty();

        assertThat(placeOf("one", uses("ml/solo"))).isNotEmpty();
        assertThat(placeOf("two", uses("ml/solo"))).isEmpty();
        assertThat(message("two")).contains("are no use while another pod uses claim ml/solo");
        domain.gone("one");
        assertThat(domain.tick()).hasSize(1);
    }

    @Test
    void aDriverAttachesSoManyVolumesAndOneThatIsAttachedCountsOnce() {
        told(Kinds.CSI_NODE, "", "n1", new Storage.CsiNode(List.of(new Amount("disk.csi", 1))));
        for (String name : List.of("a", "b")) {
            bound(name, Map.of(), "disk.csi", in(HOST, "n1"));
        }
        assertThat(placeOf("p", uses("ml/a"))).isEqualTo("n1");
        assertThat(placeOf("q", uses("ml/b"))).isEmpty();
        assertThat(message("q")).contains("1 of 3 nodes can attach no more volumes of driver disk.csi");
        assertThat(placeOf("again", uses("ml/a"))).isEqualTo("n1");

        // One that is to be made counts for the driver of its class.
        told(Kinds.CSI_NODE, "", "n2", new Storage.CsiNode(List.of(new Amount("disk.csi", 0))));
        told(Kinds.CLAIM, "ml", "made", claim("", false, "cloud", false, 10));
        assertThat(placeOf("r", uses("ml/made"))).isEmpty();
    }
}
