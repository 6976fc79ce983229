package dev.muster.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.ReasonCodes;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReasonsDocumentedTest {
    static Stream<String> codes() {
        return Arrays.stream(ReasonCodes.class.getFields())
                .filter(field -> Modifier.isStatic(field.getModifiers()) && field.getType() == String.class)
                .map(field -> {
                    try {
                        return (String) field.get(null);
                    } catch (IllegalAccessException e) {
                        throw new AssertionError(e);
                    }
                });
    }

    @ParameterizedTest
    @MethodSource("codes")
    void everyReasonCodeHasASectionThatSaysWhatHelps(String code) throws IOException {
        List<String> lines = Files.readAllLines(reasons());
        assertThat(lines).contains("### " + code);
        assertThat(lines.stream()
                        .skip(lines.indexOf("### " + code) + 1L)
                        .takeWhile(line -> !line.startsWith("#"))
                        .toList())
                .anyMatch(line -> line.startsWith("Helps: "));
    }

    @ParameterizedTest
    @MethodSource("codes")
    void explainSaysForEveryReasonCodeWhatWouldHelp(String code) {
        assertThat(Remedies.of(code)).isPresent();
    }

    @Test
    void aSectionIsOfACodeThatExists() throws IOException {
        assertThat(Files.readAllLines(reasons()).stream()
                        .filter(line -> line.startsWith("### "))
                        .map(line -> line.substring(4)))
                .containsExactlyInAnyOrderElementsOf(codes().toList());
    }

    /** Tests run in the module's directory or in the project's. */
    private static Path reasons() {
        Path inProject = Path.of("docs", "reasons.md");
        return Files.exists(inProject) ? inProject : Path.of("..").resolve(inProject);
    }
}
