package dev.muster.standalone.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.scheduler.streams.DrivenHost;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.stack.Connection;
import dev.muster.standalone.virtual.CoreHost;
import dev.muster.standalone.virtual.SchedulerHost;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same scenario files through the pure core, through the production topology in Kafka's test driver, and through a
 * broker with everything around it; with and without a restart of the scheduler in the middle. The decisions are the same.
 */
class ThreeWaysTest {

    private static final int HEADER_BYTES = 5;
    private static final List<String> SAMPLE = List.of("01-", "04-", "07-", "17-", "30-");

    @TempDir
    static Path dataDir;

    private static Connection connection;
    private static int runs;

    /** What a run left behind. */
    private record Traces(List<String> journal, List<String> decisions) {}

    @ParameterizedTest(name = "{0}")
    @MethodSource("files")
    void theTopologyWritesWhatTheCoreDecides(Path file) {
        Scenario scenario = ScenarioFiles.read(file);
        Scenario interrupted = interrupted(scenario);
        Traces core = traces(scenario, CoreHost::new);

        assertEqual(core, traces(scenario, DrivenHost::new), "the topology");
        assertEqual(core, traces(interrupted, CoreHost::new), "the core, restarts " + interrupted.restartMillis());
        assertEqual(
                core, traces(interrupted, DrivenHost::new), "the topology, restarts " + interrupted.restartMillis());
    }

    @Test
    void aSchedulerThatDecidesOtherwiseIsNoticed() {
        Scenario packed = scenario("02-");
        Scenario spread = with(packed, new Scenario.Settings("spread", 30_000, 1_000, 300_000));

        assertThat(decisions(spread)).isNotEqualTo(decisions(packed));
        assertThatThrownBy(() ->
                        assertEqual(traces(packed, CoreHost::new), traces(spread, DrivenHost::new), "another strategy"))
                .isInstanceOf(AssertionError.class);
    }

    private static Scenario scenario(String number) {
        return ScenarioFiles.all().stream()
                .filter(file -> file.getFileName().toString().startsWith(number))
                .map(ScenarioFiles::read)
                .findFirst()
                .orElseThrow();
    }

    private static Scenario with(Scenario scenario, Scenario.Settings settings) {
        return new Scenario(
                scenario.name(),
                scenario.file(),
                scenario.description(),
                scenario.seenIn(),
                scenario.untilMillis(),
                scenario.restartMillis(),
                settings,
                scenario.steps(),
                scenario.expectations());
    }

    private static void assertEqual(Traces expected, Traces actual, String of) {
        for (int i = 0; i < Math.min(expected.journal().size(), actual.journal().size()); i++) {
            assertThat(actual.journal().get(i))
                    .as("entry %d of %s", i, of)
                    .isEqualTo(expected.journal().get(i));
        }
        assertThat(actual.journal()).as("journal of " + of).hasSameSizeAs(expected.journal());
        assertThat(actual.decisions()).as("decisions of " + of).isEqualTo(expected.decisions());
    }

    static List<Path> files() {
        return ScenarioFiles.all();
    }

    /** The scheduler restarted as often as the file says, and besides in the middle and at two odd moments. */
    private static Scenario interrupted(Scenario scenario) {
        long until = scenario.untilMillis().orElse(60_000L);
        List<Long> restarts = new ArrayList<>(scenario.restartMillis());
        restarts.addAll(List.of(until / 2, until / 3 + 1, until * 9 / 10 + 7));
        return scenario.withRestarts(restarts);
    }

    /** A start takes seconds there. */
    private static Scenario interruptedOnce(Scenario scenario) {
        List<Long> restarts = new ArrayList<>(scenario.restartMillis());
        restarts.add(scenario.untilMillis().orElseThrow() / 2);
        return scenario.withRestarts(restarts);
    }

    private static Traces traces(Scenario scenario, SchedulerHost.Factory scheduler) {
        try (ScenarioRun run = new ScenarioRun(scenario, scheduler)) {
            run.run(false);
            assertThat(run.stack().replayDifference()).isEmpty();
            return new Traces(hex(run.stack().journal()), hex(run.stack().decisionBytes()));
        }
    }

    /**
     * Small files of different kinds: gangs that wait, a group that comes late, tasks, a binding that is refused, a choice;
     * all that can be played there with {@code -Dmuster.broker=all}.
     */
    static List<Path> sample() {
        boolean all = System.getProperty("muster.broker", "").equals("all");
        return ScenarioFiles.all().stream()
                .filter(file -> all
                        ? BrokerRun.canPlay(ScenarioFiles.read(file))
                        : SAMPLE.stream().anyMatch(file.getFileName().toString()::startsWith))
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("sample")
    void anInstallationDecidesWhatTheCoreDecides(Path file) throws Exception {
        Scenario scenario = ScenarioFiles.read(file);
        Scenario interrupted = interruptedOnce(scenario);
        List<String> core = decisions(scenario);

        assertThat(installed(scenario)).isEqualTo(core).isNotEmpty();
        assertThat(installed(interrupted))
                .as("restarts " + interrupted.restartMillis())
                .isEqualTo(core);
    }

    private static List<String> decisions(Scenario scenario) {
        try (ScenarioRun run = new ScenarioRun(scenario)) {
            run.run(false);
            return NormalForm.of(run.stack().decisions());
        }
    }

    private static List<String> installed(Scenario scenario) throws Exception {
        Topics topics = new Topics("run" + ++runs + ".");
        try (BrokerRun run = new BrokerRun(scenario, connection(), topics, dataDir.resolve(topics.prefix()))) {
            return NormalForm.of(run.run());
        }
    }

    private static Connection connection() {
        if (connection == null) {
            connection = Connection.to(dataDir);
        }
        return connection;
    }

    @AfterAll
    static void disconnect() {
        if (connection != null) {
            connection.close();
        }
    }

    /** Without what a schema's number in the registry is, which depends on who asked it first. */
    private static List<String> hex(List<byte[]> records) {
        return records.stream()
                .map(record -> HexFormat.of().formatHex(record, HEADER_BYTES, record.length))
                .toList();
    }
}
