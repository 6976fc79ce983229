package dev.muster.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent.HealthChanged;
import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.model.HealthSignal;
import dev.muster.scheduler.core.model.Label;
import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.NodeTerm;
import dev.muster.scheduler.core.model.PreferredTerm;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.Taint;
import dev.muster.scheduler.core.model.Toleration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Filters and scores, each by what it makes of a pod and two nodes. */
class RulesTest {
    private static final Toleration TOLERATES_ALL = new Toleration("", "Exists", "", "");

    private final TestDomain domain = TestDomain.synced();

    @Test
    void aNodeThatIsNotReadyTakesNothing() {
        node("n1", Map.of(), List.of(), false, false);
        assertThat(whereIs(TestDomain.gpus(1))).isEmpty();
        assertThat(why()).contains("1 of 1 nodes are not ready");
    }

    @Test
    void aCordonedNodeTakesOnlyPodsThatTolerateIt() {
        node("n1", Map.of(), List.of(), true, true);
        assertThat(whereIs(TestDomain.gpus(1))).isEmpty();
        assertThat(why()).contains("are cordoned");
        assertThat(whereIs(tolerating(TOLERATES_ALL))).isEqualTo("n1");
    }

    @Test
    void aNodeWithAFatalSignalTakesNoGpuPodsButOthers() {
        node("n1", Map.of(), List.of(), false, true);
        domain.apply(new HealthChanged(domain.origin("", "n1"), List.of(signal(HealthSignal.Severity.FATAL))));
        assertThat(whereIs(TestDomain.gpus(1))).isEmpty();
        assertThat(why()).contains("have sick GPUs (XID)");
        assertThat(whereIs(TestDomain.gpus(0))).isEqualTo("n1");
    }

    @Test
    void aDegradedNodeComesLastAndAnUnreadableSignalChangesNothing() {
        node("n1", Map.of(), List.of(), false, true);
        node("n2", Map.of(), List.of(), false, true);
        domain.apply(new HealthChanged(domain.origin("", "n1"), List.of(signal(HealthSignal.Severity.DEGRADED))));
        domain.apply(new HealthChanged(domain.origin("", "n2"), List.of(signal(HealthSignal.Severity.UNKNOWN))));
        assertThat(whereIs(TestDomain.gpus(1))).isEqualTo("n2");
    }

    @ParameterizedTest(name = "taint {0} with toleration {1}: {2}")
    @CsvSource({
        "NoSchedule, none, kept out",
        "NoExecute, none, kept out",
        "PreferNoSchedule, none, placed",
        "NoSchedule, equal, placed",
        "NoSchedule, other value, kept out",
        "NoSchedule, exists, placed",
        "NoSchedule, other effect, kept out",
        "NoSchedule, all, placed"
    })
    void taintsKeepOutWhatDoesNotTolerateThem(String effect, String toleration, String verdict) {
        node("n1", Map.of(), List.of(new Taint("dedicated", "ml", effect)), false, true);
        Toleration tolerated = switch (toleration) {
            case "equal" -> new Toleration("dedicated", "Equal", "ml", "");
            case "other value" -> new Toleration("dedicated", "Equal", "web", "");
            case "exists" -> new Toleration("dedicated", "Exists", "", "NoSchedule");
            case "other effect" -> new Toleration("dedicated", "Exists", "", "NoExecute");
            case "all" -> TOLERATES_ALL;
            default -> null;
        };
        String node = whereIs(tolerated == null ? TestDomain.gpus(1) : tolerating(tolerated));
        assertThat(node.isEmpty() ? "kept out" : "placed").isEqualTo(verdict);
    }

    @ParameterizedTest(name = "{0} {1} {2} against a node with gen=3: {3}")
    @CsvSource({
        "gen, In, 2|3, true",
        "gen, In, 4, false",
        "gen, NotIn, 3, false",
        "absent, NotIn, 3, true",
        "gen, Exists, '', true",
        "absent, Exists, '', false",
        "absent, DoesNotExist, '', true",
        "gen, Gt, 2, true",
        "gen, Gt, 3, false",
        "gen, Lt, 4, true",
        "gen, Lt, x, false",
        "gen, Matches, 3, false"
    })
    void affinityOperatorsMeanWhatKubernetesSays(String key, String operator, String values, boolean placed) {
        node("n1", Map.of("gen", "3"), List.of(), false, true);
        List<String> list = values.isEmpty() ? List.of() : List.of(values.split("\\|"));
        Requirement requirement = affine(new NodeTerm(List.of(new NodeExpression(key, operator, list, false))));
        assertThat(!whereIs(requirement).isEmpty()).isEqualTo(placed);
    }

    @Test
    void oneTermIsEnoughButEachTermWantsAllItsExpressions() {
        node("n1", Map.of("a", "1", "b", "2"), List.of(), false, true);
        NodeExpression a = new NodeExpression("a", "In", List.of("1"), false);
        NodeExpression no = new NodeExpression("b", "In", List.of("9"), false);
        assertThat(whereIs(affine(new NodeTerm(List.of(a, no))))).isEmpty();
        assertThat(whereIs(affine(new NodeTerm(List.of(no)), new NodeTerm(List.of(a)))))
                .isEqualTo("n1");
        assertThat(whereIs(affine(new NodeTerm(List.of())))).isEmpty();
    }

    @Test
    void aNodeCanBeNamedByFieldAndByHostname() {
        node("n1", Map.of(), List.of(), false, true);
        node("n2", Map.of(), List.of(), false, true);
        assertThat(whereIs(
                        affine(new NodeTerm(List.of(new NodeExpression("metadata.name", "In", List.of("n2"), true))))))
                .isEqualTo("n2");
        assertThat(whereIs(selecting("kubernetes.io/hostname", "n1"))).isEqualTo("n1");
    }

    @Test
    void preferredAffinityDrawsButDoesNotForce() {
        node("n1", Map.of(), List.of(), false, true);
        node("n2", Map.of("disk", "fast"), List.of(), false, true);
        NodeTerm fast = new NodeTerm(List.of(new NodeExpression("disk", "In", List.of("fast"), false)));
        NodeTerm none = new NodeTerm(List.of(new NodeExpression("disk", "In", List.of("huge"), false)));
        assertThat(whereIs(preferring(fast))).isEqualTo("n2");
        assertThat(whereIs(preferring(none))).isNotEmpty();
    }

    private void node(String name, Map<String, String> labels, List<Taint> taints, boolean cordoned, boolean ready) {
        SortedMap<String, String> all = new TreeMap<>(labels);
        all.put("kubernetes.io/hostname", name);
        NodeFacts plain = TestDomain.nodeFacts(name, 8, Map.of());
        domain.apply(new NodeChanged(
                domain.origin("", name), new NodeFacts(all, taints, cordoned, ready, plain.allocatable())));
    }

    private int pods;

    /** The node that a new pod with this requirement gets; empty when it has to wait. */
    private String whereIs(Requirement requirement) {
        domain.lonePod("p" + pods++, 0, requirement);
        List<Decision> decisions = domain.tick();
        return decisions.isEmpty()
                ? ""
                : ((Action.PlaceGang) decisions.getFirst().action())
                        .nodes()
                        .getFirst()
                        .node();
    }

    private String why() {
        return domain.statuses.values().stream()
                .map(status -> status.reason().message())
                .reduce("", (a, b) -> b.isEmpty() ? a : b);
    }

    private static HealthSignal signal(HealthSignal.Severity severity) {
        return new HealthSignal(HealthSignal.Scope.NODE, -1, "XID", severity, "79", "taint");
    }

    private static Requirement tolerating(Toleration toleration) {
        return with(List.of(), List.of(), List.of(), List.of(toleration));
    }

    private static Requirement affine(NodeTerm... terms) {
        return with(List.of(), List.of(terms), List.of(), List.of());
    }

    private static Requirement selecting(String key, String value) {
        return with(List.of(new Label(key, value)), List.of(), List.of(), List.of());
    }

    private static Requirement preferring(NodeTerm term) {
        return with(List.of(), List.of(), List.of(new PreferredTerm(10, term)), List.of());
    }

    private static Requirement with(
            List<Label> selector, List<NodeTerm> terms, List<PreferredTerm> preferred, List<Toleration> tolerations) {
        return new Requirement(TestDomain.gpus(1).requests(), 0, selector, terms, preferred, tolerations, "");
    }
}
