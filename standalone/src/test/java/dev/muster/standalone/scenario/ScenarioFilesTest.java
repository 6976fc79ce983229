package dev.muster.standalone.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.standalone.scenario.expect.BrokenExpectations;
import dev.muster.standalone.scenario.expect.Result;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every scenario file holds, decides the same whenever the scheduler is restarted, and could fail. */
class ScenarioFilesTest {
    private static final int MOST_RESTARTS = 40;

    @Test
    void thereAreMoreThanTwentyFiveFiles() {
        assertThat(ScenarioFiles.all()).hasSizeGreaterThan(25);
    }

    @TestFactory
    Stream<DynamicTest> everyFileHolds() {
        return perFile(file -> {
            Report report = ScenarioRun.of(ScenarioFiles.read(file), true);

            assertThat(report.good()).as(ReportText.ofCheck(report)).isTrue();
            assertThat(report.results()).isNotEmpty();
        });
    }

    @TestFactory
    Stream<DynamicTest> everyFileDecidesTheSameWithRestartsAtAnyMoment() {
        return perFile(file -> {
            Scenario scenario = ScenarioFiles.read(file);
            List<String> uninterrupted = decisions(scenario.withRestarts(List.of()));

            assertThat(decisions(scenario.withRestarts(List.of(middle(scenario)))))
                    .isEqualTo(uninterrupted);
            assertThat(decisions(scenario.withRestarts(moments(scenario)))).isEqualTo(uninterrupted);
        });
    }

    @TestFactory
    Stream<DynamicTest> everyExpectationCanFail() {
        return perFile(file -> {
            Scenario scenario = ScenarioFiles.read(file);
            Scenario broken = new Scenario(
                    scenario.name(),
                    scenario.file(),
                    scenario.description(),
                    scenario.seenIn(),
                    scenario.untilMillis(),
                    scenario.restartMillis(),
                    scenario.settings(),
                    scenario.steps(),
                    BrokenExpectations.of(scenario.expectations()));
            Report report = ScenarioRun.of(broken, true);

            assertThat(report.results()).noneMatch(Result::held);
            assertThat(report.good()).isFalse();
        });
    }

    private interface Body {
        void run(Path file);
    }

    private static Stream<DynamicTest> perFile(Body body) {
        return ScenarioFiles.all().stream()
                .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> body.run(file)));
    }

    private static long middle(Scenario scenario) {
        return scenario.untilMillis().orElse(60_000L) / 2;
    }

    /** At each step, a moment after it, and in between. */
    private static List<Long> moments(Scenario scenario) {
        TreeSet<Long> moments = new TreeSet<>(scenario.restartMillis());
        scenario.steps().forEach(step -> {
            moments.add(step.atMillis());
            moments.add(step.atMillis() + 1);
        });
        long end = scenario.untilMillis().orElse(60_000L);
        for (int i = 1; i < 8; i++) {
            moments.add(end * i / 8);
        }
        return moments.stream().filter(at -> at < end).limit(MOST_RESTARTS).toList();
    }

    private static List<String> decisions(Scenario scenario) {
        try (ScenarioRun run = new ScenarioRun(scenario)) {
            run.run(false);
            return run.stack().decisionBytes().stream()
                    .map(HexFormat.of()::formatHex)
                    .toList();
        }
    }
}
