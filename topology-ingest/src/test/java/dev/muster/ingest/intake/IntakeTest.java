package dev.muster.ingest.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.schemas.job.JobCommand;
import dev.muster.schemas.job.JobResult;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class IntakeTest {

    private static final Topics TOPICS = Topics.DEFAULT;
    private static final String JOBS = TOPICS.jobs("default");

    private final FakeKafka kafka = new FakeKafka();
    private volatile long extraNanos;

    @BeforeEach
    void aCommandWaits() {
        kafka.topic(JOBS, 1).topic(TOPICS.results("default"), 1);
        for (String topic :
                List.of(TOPICS.submissions(), TOPICS.templates(), TOPICS.workloadStatus(), TOPICS.deadLetters())) {
            kafka.topic(topic, 1);
        }
        kafka.append(JOBS, 0, null, kafka.encode(JOBS, Commands.submit("c1", "train"), JobCommand.class));
    }

    @Test
    void servesUntilItIsClosed() {
        Intake intake = intake();
        assertThat(intake.isHealthy()).isFalse();
        intake.start();
        await().until(() -> kafka.committedOffset(JOBS, 0) == 1);
        await().until(intake::isHealthy);
        intake.close();
        assertThat(intake.isHealthy()).isFalse();
        assertThat(kafka.read(TOPICS.results("default"), JobResult.class)).hasSize(1);
    }

    @Test
    void canBeClosedBeforeItWasStarted() {
        intake().close();
    }

    @Test
    void startsOverAfterAFailureAndAnswersOnce() {
        kafka.commitFailures.add(new KafkaException("broker went away"));
        kafka.commitFailures.add(new KafkaException("still away"));
        try (Intake intake = intake()) {
            intake.start();
            await().until(() -> kafka.committedOffset(JOBS, 0) == 1);
        }
        assertThat(kafka.read(TOPICS.results("default"), JobResult.class)).hasSize(1);
    }

    static Stream<RuntimeException> waysToBeFenced() {
        return Stream.of(new ProducerFencedException("newer epoch"), new InvalidProducerEpochException("old epoch"));
    }

    @ParameterizedTest
    @MethodSource("waysToBeFenced")
    void stopsForGoodWhenAnotherIntakeTookOver(RuntimeException fenced) {
        kafka.commitFailures.add(fenced);
        try (Intake intake = intake()) {
            intake.start();
            await().until(() -> kafka.commitFailures.isEmpty() && !intake.isHealthy());
            await().during(Duration.ofMillis(200)).until(() -> kafka.committedOffset(JOBS, 0) == 0);
        }
    }

    @Test
    void goesOnWhenItWasFencedForBeingSlowItself() {
        kafka.commitFailures.add(new ProducerFencedException("transaction timed out"));
        kafka.beforeCommit = () -> extraNanos += Duration.ofSeconds(11).toNanos();
        try (Intake intake = intake()) {
            intake.start();
            await().until(() -> kafka.committedOffset(JOBS, 0) == 1);
        }
    }

    @Test
    void isUnhealthyWhenTheLoopDoesNotComeRound() {
        try (Intake intake = intake()) {
            intake.start();
            await().until(intake::isHealthy);
            kafka.blockPolls();
            await().until(() -> {
                extraNanos += Duration.ofSeconds(31).toNanos();
                return !intake.isHealthy();
            });
            kafka.releasePolls();
            await().until(intake::isHealthy);
        }
    }

    private Intake intake() {
        IntakeConfig config = new IntakeConfig(
                "test",
                List.of(TenantPolicy.ofDefaultTenant("main")),
                IntakeConfig.DEFAULT_MAX_EVENT_BYTES,
                100,
                1_000,
                Duration.ofMillis(1),
                Duration.ofSeconds(10));
        return new Intake(new IntakeSession.Setup(
                config,
                TOPICS,
                Domains.of("main"),
                kafka.registry,
                kafka,
                new IntakeMetrics(new SimpleMeterRegistry()),
                System::currentTimeMillis,
                () -> System.nanoTime() + extraNanos));
    }
}
