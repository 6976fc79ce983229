package dev.muster.standalone.bench.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.standalone.bench.core.CohortOptions.Part;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

/**
 * The short form of {@code muster bench queues}: each end starts one workload, and its work does not grow with what waits, and
 * far less than the queues. Memory allocated stands in for time, since it is the same on every machine.
 */
class CohortBenchTest {
    private static final PrintStream NOWHERE = new PrintStream(OutputStream.nullOutputStream());

    @Test
    void workForAnEndDoesNotGrowWithWhatWaitsAndLittleWithTheQueues() {
        CohortReport report = CohortBench.run(
                options(List.of(600, 6_000), List.of(40, 400), EnumSet.of(Part.waiting, Part.queues)), NOWHERE);

        assertThat(allocated(report.byWaiting(), true)).isLessThan(0.3);
        assertThat(allocated(report.byQueues(), false)).isLessThan(0.6);
    }

    private static double allocated(List<CohortReport.Size> sizes, boolean byWaiting) {
        return Growth.exponent(sizes.stream()
                .map(size -> new Growth.Point(byWaiting ? size.waiting() : size.queues(), size.bytes()))
                .toList());
    }

    @Test
    void theJsonHasItsStableFields() {
        CohortReport report =
                CohortBench.run(options(List.of(60, 120), List.of(4, 8), EnumSet.allOf(Part.class)), NOWHERE);

        JsonNode json = report.toJson();
        assertThat(json.path("benchmark").textValue()).isEqualTo("queues");
        assertThat(json.path("results")).hasSize(2);
        assertThat(json.path("growthExponent").isNumber()).isTrue();
        assertThat(json.path("queues")).hasSize(2);
        assertThat(json.path("queuesGrowthExponent").isNumber()).isTrue();
        for (String field : List.of("cpuMicrosPerEnd", "cpuMicrosPerRound", "p99CpuMicros", "bytesPerEnd")) {
            assertThat(json.path("results").get(0).path(field).doubleValue())
                    .as(field)
                    .isPositive();
        }
        assertThat(json.path("preemption")).hasSize(6);
        assertThat(json.path("preemption").get(0).path("victims").intValue()).isPositive();
        assertThat(report.toText()).contains("US/END");
    }

    @Test
    void thePlotIsAPictureOfEverySize() throws Exception {
        CohortReport report = CohortBench.run(
                options(List.of(60, 120), List.of(4, 8), EnumSet.of(Part.waiting, Part.queues)), NOWHERE);

        var builder = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder();
        var picture = builder.parse(new ByteArrayInputStream(report.toSvg().getBytes(StandardCharsets.UTF_8)));
        assertThat(picture.getElementsByTagName("circle").getLength()).isEqualTo(4);
    }

    private static CohortOptions options(List<Integer> waiting, List<Integer> queues, Set<Part> parts) {
        return new CohortOptions(64, 20, waiting, queues, 30, 1, parts, List.of(12));
    }
}
