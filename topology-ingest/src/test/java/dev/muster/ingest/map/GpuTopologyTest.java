package dev.muster.ingest.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.event.DeviceGroup;
import dev.muster.schemas.event.DeviceLink;
import dev.muster.schemas.event.NodeSpec;
import io.fabric8.kubernetes.api.model.Node;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GpuTopologyTest {
    private static Mapped<NodeSpec> map(String annotations) {
        return NodeMapper.map(Amounts.yaml(
                Node.class,
                "{metadata: {name: n, annotations: {" + annotations
                        + "}}, status: {capacity: {nvidia.com/gpu: '8'}, allocatable: {nvidia.com/gpu: '7'}}}"));
    }

    @Test
    void groupsAreReadByLinkAndSmallestDevice() {
        NodeSpec node = map("muster.dev/gpu-topology: 'pcie=4,5|0-1 nvlink=0-3|4-7,9'")
                .facts()
                .orElseThrow();
        assertThat(node.getGpuCapacity()).isEqualTo(8);
        assertThat(node.getDeviceGroups())
                .containsExactly(
                        new DeviceGroup(DeviceLink.NVLINK, List.of(0, 1, 2, 3)),
                        new DeviceGroup(DeviceLink.NVLINK, List.of(4, 5, 6, 7, 9)),
                        new DeviceGroup(DeviceLink.PCIE, List.of(0, 1)),
                        new DeviceGroup(DeviceLink.PCIE, List.of(4, 5)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nvlink",
                "nvlink=",
                "nvlink=0|",
                "nvlink=0-3|3-7",
                "nvlink=3-0",
                "nvlink=0,256",
                "nvlink=-1",
                "nvlink=0-999",
                "ring=0-3",
                "NVLINK=0 nvlink=1",
                "nvlink=0;1",
                "nvlink=0 1"
            })
    void whatCannotBeReadIsReportedAndNothingIsKnown(String text) {
        Mapped<NodeSpec> mapped = map("muster.dev/gpu-topology: '" + text + "'");
        assertThat(mapped.facts().orElseThrow().getDeviceGroups()).isEmpty();
        assertThat(mapped.refusals())
                .extracting(Refusal::field)
                .containsExactly("metadata.annotations[muster.dev/gpu-topology]");
    }

    @ParameterizedTest(name = "{0}: {1} GPUs in an island, {2} problems")
    @CsvSource({"nvswitch-full-mesh, 8, 0", "nvswitch, 8, 0", "ring, 0, 1", "'', 0, 1"})
    void theAliasIsOneIslandOfAll(String value, int gpus, int problems) {
        Mapped<NodeSpec> mapped = map("scheduling.k8s.io/nvidia-gpu-topology: '" + value + "'");
        assertThat(mapped.facts().orElseThrow().getDeviceGroups().stream()
                        .mapToInt(group -> group.getDevices().size())
                        .sum())
                .isEqualTo(gpus);
        assertThat(mapped.refusals()).hasSize(problems);
    }

    @Test
    void whatANodeOffersOfItsDisksIsCountedUnderOneNameToo() {
        Node node = Amounts.yaml(Node.class, """
            metadata: {name: n, labels: {nvme-iops: "7"}}
            status: {allocatable: {example.com/local-nvme-iops: "5"}}
            """);
        assertThat(NodeMapper.map(node).facts().orElseThrow().getAllocatable())
                .extracting(amount -> amount.getResource() + "=" + amount.getAmount())
                .containsExactly("example.com/local-nvme-iops=5", "nvme-iops=5");
    }

    @ParameterizedTest
    @CsvSource({"2000000, 1, 0", "lots, 0, 1", "-5, 0, 1"})
    void aLabelSaysHowManyThereAreWhereTheNodeOffersNone(String text, int amounts, int problems) {
        Node node = Amounts.yaml(Node.class, "{metadata: {name: n, labels: {nvme-iops: '" + text + "'}}}");
        assertThat(NodeMapper.map(node).facts().orElseThrow().getAllocatable()).hasSize(amounts);
        assertThat(NodeMapper.map(node).refusals()).hasSize(problems);
    }
}
