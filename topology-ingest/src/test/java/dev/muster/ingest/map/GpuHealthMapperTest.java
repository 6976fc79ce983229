package dev.muster.ingest.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.event.HealthScope;
import dev.muster.schemas.event.HealthSeverity;
import dev.muster.schemas.event.HealthSignal;
import io.fabric8.kubernetes.api.model.Node;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GpuHealthMapperTest {

    private final GpuHealthMapper mapper = new GpuHealthMapper(HealthMapping.defaults());

    private List<HealthSignal> signals(String yaml) {
        return mapper.map(Amounts.yaml(Node.class, yaml)).facts().orElseThrow();
    }

    @Test
    void aHealthyNodeHasNoSignals() {
        assertThat(signals("{metadata: {name: n}}")).isEmpty();
        assertThat(signals("""
            metadata: {name: n, labels: {nvidia.com/ecc-uncorrected: "0"}}
            status: {conditions: [{type: GPUMissing, status: "False"}, {type: Ready, status: "False"}]}
            """)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "1, DEGRADED",
        "10, DEGRADED",
        "11, FATAL",
        "99999999999999999999999, FATAL",
        "-1, UNKNOWN",
        "many, UNKNOWN",
        "1e3, UNKNOWN",
        "'', UNKNOWN"
    })
    void uncorrectedEccErrorsAboveTheThresholdAreFatal(String value, HealthSeverity severity) {
        assertThat(signals("{metadata: {name: n, labels: {nvidia.com/ecc-uncorrected: '" + value + "'}}}"))
                .containsExactly(new HealthSignal(
                        HealthScope.NODE, -1, "ECC", severity, value, "label nvidia.com/ecc-uncorrected", -1, 0L));
    }

    @ParameterizedTest
    @CsvSource({"79, FATAL", "48, FATAL", "31, INFO", "45, INFO", "61, DEGRADED", "x, UNKNOWN", "'', UNKNOWN"})
    void anXidIsJudgedByItsCode(String value, HealthSeverity severity) {
        assertThat(signals("{metadata: {name: n}, spec: {taints: [{key: nvidia.com/xid-error, value: '" + value
                        + "', effect: NoSchedule}]}}"))
                .extracting(HealthSignal::getSeverity)
                .containsExactly(severity);
    }

    @Test
    void severalXidsInOneTaintAreSeveralSignals() {
        assertThat(signals("{metadata: {name: n}, spec: {taints: [{key: nvidia.com/xid-error, value: 79_31_79}]}}"))
                .extracting(HealthSignal::getValue)
                .containsExactly("31", "79");
    }

    @Test
    void conditionsAndLabelsSpeakByTheirOwnPolarity() {
        assertThat(signals("""
            metadata: {name: n, labels: {feature.node.kubernetes.io/gpu-nvlink-down: "true"}}
            status:
              conditions:
              - {type: XIDErrors, status: "True", reason: XIDErrorsFound}
              - {type: AcceleratedHardwareReady, status: "False", reason: NvidiaXID79}
              - {type: IBLinkFlapping, status: Unknown}
            """))
                .extracting(HealthSignal::getKind, HealthSignal::getSeverity, HealthSignal::getValue)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("NPD", HealthSeverity.FATAL, "NvidiaXID79"),
                        org.assertj.core.groups.Tuple.tuple("NPD", HealthSeverity.UNKNOWN, "Unknown"),
                        org.assertj.core.groups.Tuple.tuple("XID", HealthSeverity.FATAL, "XIDErrorsFound"),
                        org.assertj.core.groups.Tuple.tuple("NVLINK", HealthSeverity.FATAL, "true"));
    }
}
