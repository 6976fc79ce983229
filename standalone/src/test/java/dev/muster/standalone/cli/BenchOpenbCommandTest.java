package dev.muster.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two nodes of 2 GPUs; pods of 1, 2 and half a GPU. */
class BenchOpenbCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path dir;

    @BeforeEach
    void writeTheTrace() throws IOException {
        write("nodes.csv", "sn,cpu_milli,memory_mib,gpu,model\nn1,64000,262144,2,T4\nn2,64000,262144,2,T4\n");
        write("pods.csv", """
                name,cpu_milli,memory_mib,num_gpu,gpu_milli
                one,1000,1024,1,1000
                two,1000,1024,2,1000
                half,1000,1024,1,500
                """);
        // 25 %, then 75 %, 100 % and 112 %: half a GPU is left over in the end.
        write("order_1.txt", "0\n1\n0\n2\n");
        write("ranks_1.csv", "n1,1\nn2,0\n");
    }

    @Test
    void csvIsALineOfNameAndValuesPerPolicy() {
        assertThat(run(
                        "--order",
                        "order_1.txt",
                        "--noderank",
                        "ranks_1.csv",
                        "--policy",
                        "BestFit,FGD,default",
                        "-o",
                        "csv"))
                .isZero();

        List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines).extracting(line -> line.split(",", -1)[0]).containsExactly("BestFit", "FGD", "default");
        assertThat(lines).allSatisfy(line -> {
            String[] cells = line.split(",", -1);
            assertThat(cells).hasSize(132);
            assertThat(cells[1]).isEmpty();
            assertThat(cells[1 + 25]).isEqualTo("25.00");
            assertThat(cells[1 + 75]).isEqualTo("75.00");
            assertThat(cells[1 + 100]).isEqualTo("100.00");
            assertThat(cells[1 + 112]).isEqualTo("100.00");
        });
    }

    @Test
    void everyPolicyThereIsPlaysEveryOrder() throws IOException {
        write("order_2.txt", "1\n1\n");

        assertThat(run("--order", "order_1.txt", "--order", "order_2.txt", "--repeat", "1", "-o", "json"))
                .isZero();

        JsonNode json = new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8));
        assertThat(out.toString(StandardCharsets.UTF_8)).hasLineCount(1);
        assertThat(json.path("gpus").intValue()).isEqualTo(4);
        assertThat(json.path("policies").findValuesAsText("name"))
                .contains("Random", "DotProd", "GpuClustering", "GpuPacking", "BestFit", "FGD", "FirstFit", "Spread")
                .contains("default", "core:binpack", "order_1", "order_2");
        for (JsonNode policy : json.path("policies")) {
            assertThat(policy.path("orders")).hasSize(2);
            assertThat(policy.path("orders").get(1).path("placed").intValue()).isEqualTo(2);
            assertThat(policy.path("decisionsPerSecond").longValue()).isPositive();
        }
    }

    @Test
    void theTableHasARowPerPolicy() {
        assertThat(run("--order", "order_1.txt", "--policy", "FirstFit,Spread", "--repeat", "1"))
                .isZero();

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("\nFirstFit ", "\nSpread ", "100.00 %", "2 nodes, 4 GPUs");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--policy; Best; --policy Best: expected one of Random, DotProd",
                "--repeat; 0; --repeat 0: expected 1 to 100",
                "--noderank; short.csv; short.csv:1: the file ends without a rank for node n2",
                "--noderank; twice.csv; twice.csv:2: \"n2,0\", expected each node and each rank once",
                "--noderank; cells.csv; cells.csv:1: \"n1\", expected node,rank",
                "--order; beyond.txt; beyond.txt:2: \"3\", expected the number of a pod, 0 to 2",
                "--order; empty.txt; empty.txt:1: the file is empty",
                "--order; none.txt; none.txt: no such file"
            })
    void whatCannotBePlayedIsRefusedInOneLine(String option, String value, String expected) throws IOException {
        write("short.csv", "n1,0\n");
        write("twice.csv", "n1,0\nn2,0\n");
        write("cells.csv", "n1\n");
        write("beyond.txt", "2\n3\n");
        write("empty.txt", "\n");
        List<String> args = new ArrayList<>(List.of(option, value));
        if (!option.equals("--order")) {
            args.addAll(List.of("--order", "order_1.txt"));
        }

        assertThat(run(args.toArray(String[]::new))).isEqualTo(2);

        assertThat(err.toString(StandardCharsets.UTF_8)).contains(expected).hasLineCount(1);
    }

    @Test
    void ranksAreGivenForEachOrderOrForNone() {
        assertThat(run("--order", "order_1.txt", "--order", "order_1.txt", "--noderank", "ranks_1.csv"))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("expected one for each, or none");
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(dir.resolve(file), text);
    }

    /** Names of files are taken as of the temporary directory. */
    private int run(String... options) {
        List<String> args =
                new ArrayList<>(List.of("bench", "openb", "--nodes", path("nodes.csv"), "--pods", path("pods.csv")));
        for (String option : options) {
            args.add(option.endsWith(".csv") || option.endsWith(".txt") ? path(option) : option);
        }
        Environment environment = new Environment(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Map.of(),
                false,
                false,
                100);
        return Muster.execute(environment, args.toArray(String[]::new));
    }

    private String path(String file) {
        return dir.resolve(file).toString();
    }
}
