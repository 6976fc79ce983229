package dev.muster.ingest.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.common.AlignedContainer;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** By class of service, kind of container and resource: what a kubelet takes from NUMA nodes. */
class AlignedContainersTest {
    private static final String GUARANTEED = "{limits: {cpu: '2', memory: 1Ki, nvidia.com/gpu: '1'}}";

    @ParameterizedTest
    @CsvSource(delimiter = '!', textBlock = """
        containers: [{resources: {limits: {cpu: '2', memory: 1Ki, nvidia.com/gpu: '1'}}}]                 ! MAIN cpu=2000 memory=1024 nvidia.com/gpu=1
        containers: [{resources: {limits: {cpu: 1500m, memory: 1Ki}}}]                                    ! MAIN memory=1024
        containers: [{resources: {limits: {cpu: '2', memory: 1Ki, hugepages-2Mi: 2Mi}}}]                  ! MAIN cpu=2000 hugepages-2Mi=2097152 memory=1024
        containers: [{resources: {requests: {cpu: '1'}, limits: {cpu: '2', memory: 1Ki, a.b/nic: '1'}}}]  ! MAIN a.b/nic=1
        containers: [{resources: {requests: {cpu: '2', memory: 1Ki}}}]                                    ! ''
        containers: [{resources: {limits: {nvidia.com/gpu: '2'}}}, {}]                                    ! MAIN nvidia.com/gpu=2
        """)
    void devicesAlwaysTheRestOfGuaranteedPodsAlone(String spec, String expected) {
        assertThat(of("{" + spec + "}")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '!', textBlock = """
        # one container that is not Guaranteed makes the pod Burstable
        {containers: [{resources: R}, {resources: {limits: {cpu: '1'}}}]}                      ! MAIN nvidia.com/gpu=1
        {initContainers: [{resources: R}], containers: [{resources: R}]}                       ! INIT cpu=2000 memory=1024 nvidia.com/gpu=1, MAIN cpu=2000 memory=1024 nvidia.com/gpu=1
        {initContainers: [{restartPolicy: Always, resources: R}], containers: [{resources: R}]} ! SIDECAR cpu=2000 memory=1024 nvidia.com/gpu=1, MAIN cpu=2000 memory=1024 nvidia.com/gpu=1
        # pod-level cpus or memory are not pinned
        {resources: {limits: {cpu: '4', memory: 1Mi}}, containers: [{resources: R}]}           ! MAIN nvidia.com/gpu=1
        """)
    void everyContainerCounts(String spec, String expected) {
        assertThat(of(spec.replace("R", GUARANTEED))).isEqualTo(expected);
    }

    private static String of(String spec) {
        return AlignedContainers.of(Amounts.yaml(PodSpec.class, spec)).stream()
                .map(AlignedContainersTest::written)
                .collect(Collectors.joining(", "));
    }

    private static String written(AlignedContainer container) {
        return container.getKind()
                + container.getRequests().stream()
                        .map(amount -> " " + amount.getResource() + "=" + amount.getAmount())
                        .collect(Collectors.joining());
    }
}
