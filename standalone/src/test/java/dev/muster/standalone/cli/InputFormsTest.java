package dev.muster.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.schemas.serde.AvroSerde;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class InputFormsTest {
    private static final Map<String, String> LABELS = Map.of("gpu", "H100", "nvidia.com/gpu.product", "A100");

    @TempDir
    Path directory;

    @BeforeAll
    static void trust() {
        AvroSerde.trustGeneratedClasses();
    }

    @ParameterizedTest
    @CsvSource({"30s, 30000", "250ms, 250", "2m, 120000", "1h2m3s, 3723000", "1m5ms, 60005"})
    void durationsAreWrittenAsInKubernetes(String text, long millis) {
        assertThat(new DurationConverter().convert(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "-1s", "1.5h", "3s2m", "1d"})
    void otherDurationsAreRefused(String text) {
        assertThatThrownBy(() -> new DurationConverter().convert(text)).isInstanceOf(TypeConversionException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "''; true",
                "gpu; true",
                "!gpu; false",
                "gpu=H100; true",
                "gpu==H100; true",
                "gpu!=H100; false",
                "gpu=H100,nvidia.com/gpu.product=A100; true",
                "gpu=H100,zone; false",
                "zone!=a; true"
            })
    void selectorsSelectAsInKubectl(String selector, boolean matches) {
        assertThat(LabelFilter.parse(selector).matches(LABELS)).isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(strings = {",", "gpu,", "=x", "a b", "gpu in (x)"})
    void otherSelectorsAreRefused(String selector) {
        assertThatThrownBy(() -> LabelFilter.parse(selector))
                .isInstanceOf(CommandException.class)
                .hasMessageStartingWith("-l " + selector);
    }

    @Test
    void aJobFileBecomesAJob() throws IOException {
        JobFile job = JobFile.read(file("""
            apiVersion: muster.dev/v1alpha1
            kind: Job
            metadata: {name: train, namespace: research}
            spec:
              queue: research
              tasks:
              - name: worker
                replicas: 8
                minAvailable: 6
                template: {spec: {containers: [{name: main, image: "x:1"}]}}
            """));
        assertThat(job.name()).isEqualTo("train");
        assertThat(job.spec().getNamespace()).isEqualTo("research");
        assertThat(job.spec().getMinAvailable()).isEqualTo(-1);
        assertThat(job.spec().getTasks()).singleElement().satisfies(task -> {
            assertThat(task.getReplicas()).isEqualTo(8);
            assertThat(task.getMinAvailable()).isEqualTo(6);
            assertThat(task.getPodTemplate())
                    .isEqualTo("{\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"x:1\"}]}}");
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kind: Pod | apiVersion: expected muster.dev/v1alpha1",
                "[1] | expected an object with apiVersion and kind",
                "{apiVersion: muster.dev/v1alpha1, kind: Job, metadata: {name: a}, spec: {}} | spec.tasks: expected a"
                        + " list",
                "{apiVersion: muster.dev/v1alpha1, kind: Job, spc: {}} | the document.spc: expected one of apiVersion,"
                        + " kind",
                "{a: | not YAML",
            })
    void aFileThatIsNoJobIsRefusedByFileAndField(String text, String problem) {
        assertThatThrownBy(() -> JobFile.read(file(text)))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("job.yaml")
                .hasMessageContaining(problem);
    }

    @Test
    void aGangInShortIsPodsTimesGpus() {
        GangShape gang = new GangShape.Converter().convert("8x4");
        assertThat(gang).isEqualTo(new GangShape(8, 4)).isEqualTo(new GangShape.Converter().convert("8x4gpu"));
        assertThat(gang.task("x:1", null).getPodTemplate()).contains("\"nvidia.com/gpu\":\"4\"", "\"cpu\":\"32\"");
        assertThatThrownBy(() -> new GangShape.Converter().convert("8*4")).isInstanceOf(TypeConversionException.class);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("job.yaml"), text);
    }
}
