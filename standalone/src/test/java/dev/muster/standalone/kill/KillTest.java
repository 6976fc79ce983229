package dev.muster.standalone.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.standalone.kill.KafkaProxy.Fault;
import dev.muster.standalone.kill.KafkaProxy.Way;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One installation of separate processes under load, to which one thing after the other is done; each time work must go
 * on, and at the end the whole run is judged ({@link Verification}). The long form is {@link KillsMain}.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(KillTest.LogsOfTheProcesses.class)
@EnabledIfSystemProperty(
        named = "muster.kills",
        matches = "true",
        disabledReason = "starts and kills ten processes; run with -Dmuster.kills=true (docs/HACKING.md)")
class KillTest {
    private static final long SEED = Long.getLong("muster.kill.seed", System.nanoTime());

    /** In the client ids of the clients that Kafka Streams makes. */
    private static final String SCHEDULER = "StreamThread";

    private static final String ANY = "";

    @TempDir
    static Path dir;

    private Campaign campaign;

    @BeforeAll
    void begin() {
        System.out.println("seed " + SEED + " (-Dmuster.kill.seed=" + SEED + ")");
        campaign = Campaign.begin(dir, SEED, true);
    }

    @AfterAll
    void end() {
        if (campaign != null) {
            campaign.close();
        }
    }

    @Test
    @Order(1)
    void theSchedulerIsKilled() {
        killAtSomeMoment(Part.SCHEDULER);
        killAtSomeMoment(Part.SCHEDULER);
    }

    @Test
    @Order(2)
    void theBinderIsKilled() {
        killAtSomeMoment(Part.BINDER);
        killAtSomeMoment(Part.BINDER);
    }

    @Test
    @Order(3)
    void theIngestIsKilled() {
        killAtSomeMoment(Part.INGEST);
    }

    @Test
    @Order(4)
    void theIntakeIsKilled() {
        killAtSomeMoment(Part.INTAKE);
    }

    @Test
    @Order(5)
    void aSchedulerThatSleptWhileAnotherTookOverDecidesNothingMore() {
        ChildProcess sleeper = replaceSleeping(Part.SCHEDULER);
        ChildProcess successor = campaign.installation().process(Part.SCHEDULER);
        // Under one name only one can stay: the other ends by itself, and whoever runs it would start it again.
        campaign.patiently().until(() -> !sleeper.isAlive() || !successor.isAlive());
        if (sleeper.isAlive()) {
            campaign.installation().putBack(Part.SCHEDULER, sleeper);
        }
        campaign.awaitProgress();
    }

    @Test
    @Order(6)
    void aBinderThatSleptWhileAnotherWorkedOnBindsNothingAgain() {
        replaceSleeping(Part.BINDER).close();
    }

    @Test
    @Order(7)
    void anIngestThatSleptWhileAnotherTookOverStandsBack() {
        ChildProcess zombie = replaceSleeping(Part.INGEST);
        campaign.patiently().until(() -> zombie.printed().contains("stands back"));
        zombie.close();
    }

    /** Those that the scheduler sends, and those that the broker sends itself for its transactions. */
    static Stream<Arguments> stepsOfATransaction() {
        return Stream.of(
                Arguments.of(Way.REQUEST, ApiKeys.END_TXN, SCHEDULER),
                Arguments.of(Way.RESPONSE, ApiKeys.END_TXN, SCHEDULER),
                Arguments.of(Way.REQUEST, ApiKeys.TXN_OFFSET_COMMIT, SCHEDULER),
                Arguments.of(Way.RESPONSE, ApiKeys.TXN_OFFSET_COMMIT, SCHEDULER),
                Arguments.of(Way.REQUEST, ApiKeys.PRODUCE, SCHEDULER),
                Arguments.of(Way.REQUEST, ApiKeys.ADD_PARTITIONS_TO_TXN, ANY),
                Arguments.of(Way.RESPONSE, ApiKeys.ADD_PARTITIONS_TO_TXN, ANY),
                Arguments.of(Way.REQUEST, ApiKeys.WRITE_TXN_MARKERS, ANY),
                Arguments.of(Way.RESPONSE, ApiKeys.WRITE_TXN_MARKERS, ANY));
    }

    @ParameterizedTest
    @MethodSource("stepsOfATransaction")
    @Order(8)
    void aStepOfATransactionIsHeldForLongerThanTheTransactionMayTake(Way way, ApiKeys key, String client) {
        strike(campaign.installation().proxy().hold(way, key, client, 1, Duration.ofSeconds(5)));
        campaign.awaitProgress();
    }

    @Test
    @Order(9)
    void theAnswerToTheEndOfATransactionIsLost() {
        strike(campaign.installation().proxy().lose(Way.RESPONSE, ApiKeys.END_TXN, SCHEDULER, 1));
        campaign.awaitProgress();
    }

    @Test
    @Order(10)
    void aSchedulerThatStartsIsKeptFromItsPositions() {
        Fault held = campaign.installation()
                .proxy()
                .hold(Way.REQUEST, ApiKeys.OFFSET_FETCH, SCHEDULER, 1, Duration.ofSeconds(5));
        killAtSomeMoment(Part.SCHEDULER);
        assertThat(held.struck()).isEqualTo(1);
    }

    @Test
    @Order(11)
    void theBrokerIsKilled() {
        killAtSomeMoment(Part.BROKER);
    }

    @ParameterizedTest
    @CsvSource({"BINDER, PT1H", "BINDER, PT-1H", "INGEST, PT1H", "SCHEDULER, PT-1H", "SCHEDULER, PT1H"})
    @Order(12)
    void aWallClockLiesByAnHour(Part part, Duration off) {
        campaign.restartByAWrongClock(part, off);
        campaign.untilSomeMoment();
        campaign.restartByAWrongClock(part, Duration.ZERO);
    }

    @Test
    @Order(13)
    void nothingWasLostAndNothingDoneTwice() {
        campaign.settleAndVerify();
    }

    private void strike(Fault fault) {
        campaign.patiently().until(() -> fault.struck() == 1);
    }

    private void killAtSomeMoment(Part part) {
        campaign.untilSomeMoment();
        System.out.println(campaign.kill(part));
    }

    /**
     * Stops a part where it stands, starts another in its place under the same name, and wakes the first when the second has
     * done its work for a while. Returns the first.
     */
    private ChildProcess replaceSleeping(Part part) {
        campaign.untilSomeMoment();
        ChildProcess sleeping = campaign.installation().replace(part);
        sleeping.hold();
        campaign.installation().start(part);
        campaign.awaitProgress();
        sleeping.release();
        campaign.untilSomeMoment();
        campaign.awaitProgress();
        assertThat(campaign.oracle().violations()).isEmpty();
        return sleeping;
    }

    /** A failure says what each process said last. */
    static final class LogsOfTheProcesses implements TestWatcher {
        @Override
        public void testFailed(ExtensionContext context, Throwable cause) {
            context.getTestInstance()
                    .map(test -> ((KillTest) test).campaign)
                    .ifPresent(campaign ->
                            System.out.println(campaign.installation().logs(30)));
        }
    }
}
