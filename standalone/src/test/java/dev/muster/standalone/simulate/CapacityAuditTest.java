package dev.muster.standalone.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.standalone.simulate.CapacityAudit.Taken;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The audit must find what a wrong scheduler would do. */
class CapacityAuditTest {
    private final CapacityAudit audit = new CapacityAudit();

    CapacityAuditTest() {
        audit.node("n1", 4_000, 1_024, 2);
    }

    @Test
    void whatFitsIsNoViolationAndAnEndGivesItBack() {
        audit.place("a", "n1", new Taken(4_000, 1_024, 1000, List.of(0, 1)), 2);
        audit.end("a");
        audit.place("b", "n1", new Taken(4_000, 1_024, 500, List.of(0)), 1);
        assertThat(audit.violations()).isEmpty();
        assertThat(audit.gpuMilliInUse()).isEqualTo(500);
    }

    @Test
    void cpuAndMemoryBeyondTheNodeAreFound() {
        audit.place("a", "n1", new Taken(4_001, 1_025, 0, List.of()), 0);
        assertThat(audit.violations()).containsExactly("n1 gives 4001 of 4000 cpu millis", "n1 gives 1025 of 1024 MiB");
    }

    @Test
    void aDeviceGivenBeyondOneIsFound() {
        audit.place("a", "n1", new Taken(1, 1, 600, List.of(1)), 1);
        audit.place("b", "n1", new Taken(1, 1, 600, List.of(1)), 1);
        assertThat(audit.violations()).containsExactly("n1 gives more than it has of GPU 1");
    }

    @Test
    void devicesThatDoNotExistOrAreTooFewAreFound() {
        audit.place("a", "n1", new Taken(1, 1, 1000, List.of(2)), 1);
        audit.place("b", "n1", new Taken(1, 1, 1000, List.of(0)), 2);
        assertThat(audit.violationCount()).isEqualTo(2);
    }

    @Test
    void aPodPlacedTwiceOrEndedWithoutHavingRunIsFound() {
        audit.place("a", "n1", new Taken(1, 1, 0, List.of()), 0);
        audit.place("a", "n1", new Taken(1, 1, 0, List.of()), 0);
        audit.end("b");
        audit.place("c", "nowhere", new Taken(1, 1, 0, List.of()), 0);
        assertThat(audit.violations())
                .containsExactly(
                        "a was placed twice, the second time on n1",
                        "b ended without having been placed",
                        "c was placed on nowhere, which does not exist");
    }
}
