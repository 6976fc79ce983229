package dev.muster.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent.HealthChanged;
import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.FairSharing;
import dev.muster.scheduler.core.model.HealthSignal;
import dev.muster.scheduler.core.model.HealthSignal.Scope;
import dev.muster.scheduler.core.model.HealthSignal.Severity;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.PreemptionPolicy;
import dev.muster.scheduler.core.model.Requirement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What health signals do, and for how long; each also after a restart in the middle. */
class HealthSignalsTest {
    private static final long MINUTE = 60_000;

    private final TestDomain domain = TestDomain.synced();
    private int pods;

    private static HealthSignal ofNode(Severity severity, String value) {
        return new HealthSignal(Scope.NODE, -1, "XID", severity, value, "taint");
    }

    private static HealthSignal ofDevice(int device, Severity severity) {
        return new HealthSignal(Scope.DEVICE, device, "ECC", severity, "12", "label");
    }

    private void report(String node, HealthSignal... signals) {
        domain.apply(new HealthChanged(domain.origin("", node), Arrays.asList(signals)));
    }

    private void policy(long ttlMillis, int flaps, long quietMillis) {
        domain.apply(new PolicyChanged(
                domain.origin("", "default"),
                Kinds.SCHEDULER_POLICY,
                new Policy.SchedulerPolicy(
                        "binpack",
                        30_000,
                        1_000,
                        300_000,
                        new Policy.Health(ttlMillis, flaps, quietMillis),
                        new TreeMap<>(),
                        new TreeMap<>(),
                        600_000,
                        PreemptionPolicy.DEFAULT,
                        FairSharing.DEFAULT)));
    }

    /** The devices that a new pod gets, after a restart; null when it waits. */
    private List<Integer> devicesOf(Requirement requirement) {
        domain.restart();
        domain.lonePod("p" + pods++, 0, requirement);
        return placed(domain.tick());
    }

    private static List<Integer> placed(List<Decision> decisions) {
        return decisions.stream()
                .filter(decision -> decision.action() instanceof Action.PlaceGang)
                .map(decision -> ((Action.PlaceGang) decision.action())
                        .nodes()
                        .getFirst()
                        .members()
                        .getFirst()
                        .devices())
                .reduce(null, (earlier, later) -> later);
    }

    private String why(String pod) {
        return domain.statuses.values().stream()
                .filter(status -> status.object().equals(pod))
                .map(status -> status.reason().message())
                .findFirst()
                .orElse("");
    }

    @ParameterizedTest
    @EnumSource(
            value = Severity.class,
            names = {"FATAL", "RECOVERABLE"})
    void aClosedDeviceIsNotChosenAndTheOthersAre(Severity severity) {
        domain.node("n1", 4);
        report("n1", ofDevice(1, severity));

        assertThat(devicesOf(TestDomain.gpus(4))).isNull();
        assertThat(why("p0")).contains("1 of 1 nodes have sick GPUs (ECC)");
        assertThat(devicesOf(TestDomain.gpus(2))).containsExactly(0, 2);
        assertThat(devicesOf(TestDomain.gpuShare(500))).containsExactly(3);
        assertThat(devicesOf(TestDomain.gpuShare(500))).containsExactly(3);
        assertThat(devicesOf(TestDomain.gpuShare(10))).isNull();
    }

    @Test
    void aDegradedDeviceIsTheLastToBeChosenOnANodeAndAmongNodes() {
        domain.node("n1", 2);
        domain.node("n2", 2);
        report("n1", ofDevice(0, Severity.DEGRADED));

        assertThat(devicesOf(TestDomain.gpus(1))).as("of n1").containsExactly(1);
        assertThat(domain.decisions.getLast().action().toString()).contains("node=n1");
        assertThat(devicesOf(TestDomain.gpus(1))).containsExactly(0);
        assertThat(domain.decisions.getLast().action().toString())
                .as("not the degraded one of n1")
                .contains("node=n2");
    }

    @Test
    void aDeviceThatItsPluginTookAwayIsNotTakenAwayTwice() {
        NodeFacts facts = TestDomain.nodeFacts("n1", 3, Map.of());
        domain.apply(new NodeChanged(
                domain.origin("", "n1"),
                new NodeFacts(facts.labels(), List.of(), false, true, facts.allocatable(), 4, List.of())));
        report("n1", ofDevice(0, Severity.FATAL));

        assertThat(devicesOf(TestDomain.gpus(3))).containsExactly(1, 2, 3);
    }

    @Test
    void aSignalCountsLessAfterEachTimeToLive() {
        policy(MINUTE, 3, MINUTE);
        domain.node("n1", 8);
        report("n1", ofNode(Severity.FATAL, "79"));
        assertThat(devicesOf(TestDomain.gpus(1))).isNull();

        domain.pass(MINUTE - 1);
        assertThat(domain.engine().tickCause(domain.timeMillis())).isNull();
        domain.pass(1);
        assertThat(placed(domain.tick())).as("only a lower score is left").containsExactly(0);
        domain.pass(MINUTE);
        assertThat(domain.engine().nextDeadlineMillis()).isLessThanOrEqualTo(domain.timeMillis());
        domain.restart();
        domain.tick();
        assertThat(domain.engine().nextDeadlineMillis()).isGreaterThan(domain.timeMillis());
    }

    @Test
    void anotherValueMakesItNewAndAnotherXidIsAnotherSignal() {
        policy(MINUTE, 3, MINUTE);
        domain.node("n1", 8);
        HealthSignal more = new HealthSignal(Scope.NODE, -1, "ECC", Severity.FATAL, "13", "label");
        report("n1", new HealthSignal(Scope.NODE, -1, "ECC", Severity.FATAL, "12", "label"));
        domain.pass(MINUTE / 2);
        report("n1", more);
        domain.pass(MINUTE / 2);
        assertThat(devicesOf(TestDomain.gpus(1)))
                .as("raised anew half a minute ago")
                .isNull();
        report("n1", more, ofNode(Severity.FATAL, "79"));
        domain.pass(MINUTE / 2);
        assertThat(placed(domain.tick())).as("the XID is half a minute old").isNull();
        domain.pass(MINUTE / 2);
        assertThat(placed(domain.tick())).isNotNull();
    }

    @Test
    void aSignalThatComesAndGoesCountsUntilItIsQuiet() {
        policy(0, 3, MINUTE);
        domain.node("n1", 8);
        for (int raise = 1; raise <= 3; raise++) {
            report("n1", ofNode(Severity.FATAL, "79"));
            domain.pass(1_000);
            report("n1");
            domain.pass(1_000);
            boolean flaps = raise == 3;
            assertThat(devicesOf(TestDomain.gpus(1)) == null)
                    .as("after %d times", raise)
                    .isEqualTo(flaps);
        }
        assertThat(why("p2")).contains("XID, raised 3 times");
        domain.pass(MINUTE - 1_001);
        assertThat(placed(domain.tick())).isNull();
        domain.pass(1);
        assertThat(placed(domain.tick())).isNotNull();
    }

    @Test
    void whatWasQuietForLongEnoughBeginsAnew() {
        policy(0, 2, MINUTE);
        domain.node("n1", 8);
        report("n1", ofNode(Severity.FATAL, "79"));
        report("n1");
        domain.pass(MINUTE);
        report("n1", ofNode(Severity.FATAL, "79"));
        report("n1");
        assertThat(devicesOf(TestDomain.gpus(1))).isNotNull();
    }

    @Test
    void anotherPolicyCountsForSignalsThatAreOn() {
        policy(0, 3, MINUTE);
        domain.node("n1", 8);
        report("n1", ofNode(Severity.FATAL, "79"));
        domain.pass(10 * MINUTE);
        assertThat(devicesOf(TestDomain.gpus(1))).isNull();
        policy(MINUTE, 3, MINUTE);
        assertThat(placed(domain.tick())).isNotNull();
    }

    @Test
    void theSameReportAgainChangesNothing() {
        domain.node("n1", 8);
        report("n1", ofNode(Severity.FATAL, "79"), ofDevice(1, Severity.DEGRADED));
        var again = new HealthChanged(
                domain.origin("", "n1"), List.of(ofNode(Severity.FATAL, "79"), ofDevice(1, Severity.DEGRADED)));
        assertThat(domain.apply(again).applied()).isFalse();
    }
}
