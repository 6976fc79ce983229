package dev.muster.standalone.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenbTraceTest {
    private static final String NODE_HEADER = "sn,cpu_milli,memory_mib,gpu,model\n";
    private static final String POD_HEADER = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,"
            + "creation_time,deletion_time,scheduled_time\n";

    @TempDir
    Path directory;

    private Path nodes;
    private Path pods;

    @BeforeEach
    void smallTrace() throws IOException {
        nodes = Files.writeString(
                directory.resolve("nodes.csv"), NODE_HEADER + "n-0,64000,262144,2,P100\nn-1,32000,1024,0,\n");
        pods = directory.resolve("pods.csv");
    }

    @Test
    void podsComeInOrderOfArrival() throws IOException {
        Files.writeString(
                pods,
                POD_HEADER + "late,12000,16384,1,460,,LS,Running,20,30,21\n"
                        + "early,6000,12288,2,1000,V100M16|V100M32,BE,Pending,10,10,\n");
        OpenbTrace trace = OpenbTrace.read(nodes, pods);
        assertThat(trace.nodes())
                .containsExactly(
                        new TraceNode("n-0", 64000, 262144, 2, "P100"), new TraceNode("n-1", 32000, 1024, 0, ""));
        assertThat(trace.pods())
                .containsExactly(
                        new TracePod("early", 6000, 12288, 2, 1000, List.of("V100M16", "V100M32"), 10, 10),
                        new TracePod("late", 12000, 16384, 1, 460, List.of(), 20, 30));
        assertThat(trace.pods().get(1).sharesGpu()).isTrue();
    }

    @Test
    void variantsWithoutTimesStayForEver() throws IOException {
        Files.writeString(pods, "name,cpu_milli,memory_mib,num_gpu,gpu_milli\np,1,1,0,0\n");
        assertThat(OpenbTrace.read(nodes, pods).pods())
                .containsExactly(new TracePod("p", 1, 1, 0, 0, List.of(), 0, TracePod.NEVER));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "p,twelve,1,0,0,,LS,Running,1,2,1; pods.csv:3: cpu_milli is \"twelve\", expected a whole number",
                "p,-1,1,0,0,,LS,Running,1,2,1; pods.csv:3: cpu_milli is -1, expected 0 to 2147483647",
                "p,1,1,2,500,,LS,Running,1,2,1; pods.csv:3: gpu_milli is 500, expected 1000 where num_gpu is 2",
                "p,1,1,1,0,,LS,Running,1,2,1; pods.csv:3: gpu_milli is 0, expected 1 to 1000 where num_gpu is 1",
                "p,1,1,0,0,,LS,Running,5,2,1; pods.csv:3: deletion_time is 2, expected at least 5",
                "p,1,1; pods.csv:3: 3 cells, expected 11 as in the header",
                "P_1,1,1,0,0,,LS,Running,1,2,1; pods.csv:3: name is \"P_1\", expected a Kubernetes object name",
                "good,1,1,0,0,,LS,Running,1,2,1; pods.csv:3: name \"good\" was seen before, expected each once",
            })
    void aBadLineIsNamedWithWhatWasExpected(String line, String message) throws IOException {
        Files.writeString(pods, POD_HEADER + "good,1,1,0,0,,LS,Running,1,2,1\n" + line + "\n");
        assertThatThrownBy(() -> OpenbTrace.read(nodes, pods))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageEndingWith(message);
    }

    @Test
    void aForeignFileIsRefused() throws IOException {
        Files.writeString(pods, "a,b,c\n1,2,3\n");
        assertThatThrownBy(() -> OpenbTrace.read(nodes, pods))
                .hasMessageEndingWith("pods.csv:1: the header lacks name, cpu_milli, memory_mib, num_gpu, gpu_milli");
        Files.write(pods, new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
        assertThatThrownBy(() -> OpenbTrace.read(nodes, pods)).isInstanceOf(TraceFormatException.class);
        Files.writeString(pods, "");
        assertThatThrownBy(() -> OpenbTrace.read(nodes, pods)).hasMessageContaining("pods.csv:1: the file is empty");
    }

    @Test
    void thePublishedFilesAreReadWhole() throws IOException {
        Path openb = Path.of("../../shared/data/openb");
        assumeTrue(Files.isDirectory(openb), "needs ../shared/data/openb beside the checkout");
        OpenbTrace trace = OpenbTrace.read(
                openb.resolve("openb_node_list_gpu_node.csv"), openb.resolve("openb_pod_list_default.csv"));
        assertThat(trace.nodes()).hasSize(1213);
        assertThat(trace.nodes().stream().mapToInt(TraceNode::gpus).sum()).isEqualTo(6212);
        assertThat(trace.pods()).hasSize(8152);
        assertThat(OpenbTrace.read(
                                openb.resolve("openb_node_list_all_node.csv"),
                                openb.resolve("openb_pod_list_multigpu50.csv"))
                        .pods())
                .isNotEmpty();
    }
}
