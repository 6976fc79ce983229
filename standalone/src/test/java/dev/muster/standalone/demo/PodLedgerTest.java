package dev.muster.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.common.Change;
import dev.muster.schemas.common.Origin;
import dev.muster.schemas.common.PodRequirement;
import dev.muster.schemas.common.Quantity;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.event.NodeSpec;
import dev.muster.schemas.event.PodEvent;
import dev.muster.schemas.event.PodSpec;
import dev.muster.schemas.serde.AvroSerde;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PodLedgerTest {
    private final PodLedger ledger = new PodLedger();

    @BeforeAll
    static void trust() {
        AvroSerde.trustGeneratedClasses();
    }

    @BeforeEach
    void oneNodeOfTwoGpus() {
        ledger.apply(NodeEvent.newBuilder()
                .setOrigin(origin("n", Change.UPSERT))
                .setSpec(NodeSpec.newBuilder()
                        .setAllocatable(List.of(new Quantity("cpu", 4000L), new Quantity("nvidia.com/gpu", 2L)))
                        .build())
                .build());
    }

    @Test
    void aPodHoldsItsRoomFromItsBindingUntilItEnds() {
        assertThat(ledger.apply(pod("a", "", "Pending", 1, 0, 1000), 0)).isFalse();
        assertThat(ledger.counts().unbound()).isEqualTo(1);
        assertThat(ledger.apply(pod("a", "n", "Pending", 1, 0, 1000, 0), 10)).isTrue();
        assertThat(ledger.apply(pod("a", "n", "Running", 1, 0, 1000, 0), 20)).isFalse();
        assertThat(ledger.gpuMilliUsed()).isEqualTo(1000);
        ledger.apply(pod("a", "n", "Succeeded", 1, 0, 1000, 0), 110);
        assertThat(ledger.gpuMilliUsed()).isZero();
        assertThat(ledger.counts()).isEqualTo(new PodLedger.PodCounts(1, 1, 0, 1, 0));
        assertThat(ledger.gpuMilliAverage()).isEqualTo(1000);
        assertThat(ledger.violationCount()).isZero();
    }

    @Test
    void threeGpusOnANodeOfTwoAreFound() {
        ledger.apply(pod("a", "n", "Running", 2, 0, 1000, 0, 1), 0);
        assertThat(ledger.violations()).isEmpty();
        ledger.apply(pod("b", "n", "Running", 1, 0, 1000), 1);
        assertThat(ledger.violations()).isNotEmpty().allMatch(v -> v.contains("node n"));
    }

    @Test
    void aGpuSharedBeyondItsWholeIsFound() {
        ledger.apply(pod("a", "n", "Running", 0, 600, 1000, 1), 0);
        ledger.apply(pod("b", "n", "Running", 0, 400, 1000, 1), 1);
        assertThat(ledger.violationCount()).isZero();
        ledger.apply(pod("c", "n", "Running", 0, 1, 1000, 1), 2);
        assertThat(ledger.violations()).singleElement().asString().contains("GPU 1 holds 1001/1000");
    }

    @Test
    void cpuBeyondTheNodeIsFoundAlsoForPodsOfOthers() {
        PodEvent foreign = pod("a", "n", "Running", 0, 0, 4000);
        foreign.getSpec().setOurs(false);
        ledger.apply(foreign, 0);
        assertThat(ledger.counts().known()).isZero();
        ledger.apply(pod("b", "n", "Running", 0, 0, 1), 1);
        assertThat(ledger.violations()).singleElement().asString().contains("cpu 4001 of 4000");
    }

    @Test
    void aDeletedPodGivesItsRoomBack() {
        ledger.apply(pod("a", "n", "Running", 2, 0, 1000, 0, 1), 0);
        ledger.apply(new PodEvent(origin("a", Change.DELETE), null), 1);
        ledger.apply(pod("b", "n", "Running", 2, 0, 1000, 0, 1), 2);
        assertThat(ledger.violationCount()).isZero();
        assertThat(ledger.gpuMilliPeak()).isEqualTo(2000);
    }

    private static PodEvent pod(
            String uid, String node, String phase, long gpus, int fractionMilli, long cpuMillis, Integer... devices) {
        List<Quantity> requests = gpus == 0
                ? List.of(new Quantity("cpu", cpuMillis))
                : List.of(new Quantity("cpu", cpuMillis), new Quantity("nvidia.com/gpu", gpus));
        return PodEvent.newBuilder()
                .setOrigin(origin(uid, Change.UPSERT))
                .setSpec(PodSpec.newBuilder()
                        .setSchedulerName("muster")
                        .setOurs(true)
                        .setPhase(phase)
                        .setNode(node)
                        .setRequirement(PodRequirement.newBuilder()
                                .setRequests(requests)
                                .setGpuFractionMilli(fractionMilli)
                                .build())
                        .setDevices(List.of(devices))
                        .build())
                .build();
    }

    private static Origin origin(String name, Change change) {
        return Origin.newBuilder()
                .setDomain("default")
                .setCluster("demo")
                .setEpoch(1)
                .setChange(change)
                .setName(name)
                .setUid(name)
                .build();
    }
}
