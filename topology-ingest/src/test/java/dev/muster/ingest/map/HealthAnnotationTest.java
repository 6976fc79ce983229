package dev.muster.ingest.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.event.HealthSeverity;
import dev.muster.schemas.event.HealthSignal;
import io.fabric8.kubernetes.api.model.Node;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HealthAnnotationTest {
    private static List<HealthSignal> signals(String metadata) {
        Node node = Amounts.yaml(Node.class, "{metadata: {name: n, " + metadata + "}}");
        return new GpuHealthMapper(HealthMapping.defaults()).map(node).facts().orElseThrow();
    }

    private static List<HealthSignal> annotated(String text) {
        return signals("annotations: {muster.dev/gpu-uuids: 'GPU-a, GPU-b', muster.dev/gpu-health: '" + text + "'}");
    }

    @ParameterizedTest(name = "{0}: {1} {2} {3} {4} {5} {6}")
    @CsvSource({
        "gpu=3 xid=79, DEVICE, 3, -1, XID, FATAL, 0",
        "gpu=GPU-b ecc=12 ttl=2h, DEVICE, 1, -1, ECC, FATAL, 7200000",
        "gpu=GPU-b ecc=10, DEVICE, 1, -1, ECC, DEGRADED, 0",
        "xid=94 ttl=30s, NODE, -1, -1, XID, RECOVERABLE, 30000",
        "xid=31, NODE, -1, -1, XID, INFO, 0",
        "link=0-5 nvlink=down, LINK, 0, 5, NVLINK, FATAL, 0",
        "nvlink=down severity=degraded, LINK, -1, -1, NVLINK, DEGRADED, 0",
        "gpu=0 thermal=slowdown at=12:00, DEVICE, 0, -1, THERMAL, DEGRADED, 0",
        "thermal=shutdown ttl=1d, NODE, -1, -1, THERMAL, FATAL, 86400000",
        "gpu=GPU-z xid=48, NODE, -1, -1, XID, FATAL, 0",
        "gpu=300 xid=48, NODE, -1, -1, XID, FATAL, 0"
    })
    void anEntrySaysOfWhatHowBadAndForHowLong(
            String text, String scope, int device, int peer, String kind, HealthSeverity severity, long ttlMillis) {
        assertThat(annotated(text)).singleElement().satisfies(signal -> {
            assertThat(signal.getScope()).hasToString(scope);
            assertThat(signal.getDevice()).isEqualTo(device);
            assertThat(signal.getPeer()).isEqualTo(peer);
            assertThat(signal.getKind()).isEqualTo(kind);
            assertThat(signal.getSeverity()).isEqualTo(severity);
            assertThat(signal.getTtlMillis()).isEqualTo(ttlMillis);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ; ;", "gpu=1 ecc=0", "thermal=ok", "link=0-1 nvlink=up", "xid=79 severity=info; "})
    void whatIsWellIsNoSignalButAnXid(String text) {
        assertThat(annotated(text)).noneMatch(signal -> signal.getSeverity() != HealthSeverity.INFO);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gpu=3",
                "sick",
                "xid=many",
                "gpu=1 xid=79 ecc=12",
                "gpu=1 link=0-1 nvlink=down",
                "link=0 nvlink=down",
                "xid=79 ttl=soon",
                "xid=79 ttl=999999d",
                "xid=79 colour=red",
                "xid=79 xid=48",
                "thermal=warm",
                "=79"
            })
    void whatCannotBeReadIsSeenAndChangesNothing(String text) {
        assertThat(annotated(text + "; gpu=0 xid=79"))
                .extracting(HealthSignal::getSeverity)
                .containsExactlyInAnyOrder(HealthSeverity.UNKNOWN, HealthSeverity.FATAL);
    }

    @Test
    void aLabelAndATaintCanSpeakOfOneGpu() {
        assertThat(signals("labels: {nvidia.com/ecc-uncorrected.2: '11', nvidia.com/ecc-uncorrectedness: '99'}"))
                .singleElement()
                .satisfies(signal -> assertThat(signal.getDevice()).isEqualTo(2));
        Node node = Amounts.yaml(
                Node.class,
                "{metadata: {name: n}, spec: {taints: [{key: nvidia.com/xid-error.5, value: '79', effect: NoSchedule}]}}");
        assertThat(new GpuHealthMapper(HealthMapping.defaults())
                        .map(node)
                        .facts()
                        .orElseThrow())
                .singleElement()
                .satisfies(signal -> assertThat(signal.getDevice()).isEqualTo(5));
    }

    @Test
    void anEndlessAnnotationIsBounded() {
        assertThat(annotated("gpu=1 xid=79;".repeat(5_000))).hasSizeLessThanOrEqualTo(64);
    }
}
