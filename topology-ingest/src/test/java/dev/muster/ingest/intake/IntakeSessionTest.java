package dev.muster.ingest.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.schemas.decision.DeadLetter;
import dev.muster.schemas.decision.Reason;
import dev.muster.schemas.decision.WorkloadState;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.job.JobAction;
import dev.muster.schemas.job.JobCommand;
import dev.muster.schemas.job.JobResult;
import dev.muster.schemas.job.PodTemplate;
import dev.muster.schemas.job.Submission;
import dev.muster.schemas.serde.RegistryClient;
import dev.muster.schemas.serde.RegistryConfig;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.avro.Schema;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IntakeSessionTest {

    private static final Topics TOPICS = Topics.DEFAULT;
    private static final Domains DOMAINS = Domains.of("other", "main");
    private static final String JOBS_A = TOPICS.jobs("a");
    private static final String JOBS_B = TOPICS.jobs("b");

    private final FakeKafka kafka = new FakeKafka();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private SchemaRegistry registry = kafka.registry;
    private int remembered = 1_000;
    private long nanos;
    private IntakeSession session;

    @BeforeEach
    void createTopics() {
        kafka.topic(JOBS_A, 3).topic(JOBS_B, 1).topic(TOPICS.results("a"), 1).topic(TOPICS.results("b"), 1);
        for (String topic :
                List.of(TOPICS.submissions(), TOPICS.templates(), TOPICS.workloadStatus(), TOPICS.deadLetters())) {
            kafka.topic(topic, 2);
        }
    }

    @AfterEach
    void close() {
        if (session != null) {
            session.close();
        }
    }

    @Test
    void anAcceptedJobIsAnsweredAndPassedOnWithItsTemplateAheadOfIt() {
        send(JOBS_A, Commands.submit("c1", "train"));
        serve(1);

        assertThat(results("a")).singleElement().satisfies(result -> {
            assertThat(result.getCommandId()).isEqualTo("c1");
            assertThat(result.getJobId()).isEqualTo("train");
            assertThat(result.getStatus()).isEqualTo("Accepted");
            assertThat(result.getTimeMillis()).isEqualTo(4711);
        });
        Submission submission = submissions().getFirst();
        assertThat(submission.getTenant()).isEqualTo("a");
        assertThat(submission.getDomain()).isEqualTo("main");
        PodTemplate template = kafka.read(TOPICS.templates(), PodTemplate.class).getFirst();
        assertThat(template.getHash())
                .isEqualTo(submission.getJob().getTasks().getFirst().getTemplateHash())
                .isEqualTo(Hashes.sha256(template.getJson()));
        assertThat(kafka.records(TOPICS.submissions()).getFirst().partition()).isEqualTo(1);
        assertThat(new String(kafka.records(TOPICS.templates()).getFirst().key(), StandardCharsets.UTF_8))
                .isEqualTo("main/" + template.getHash());
        assertThat(kafka.committedOffset(JOBS_A, 0)).isEqualTo(1);
    }

    @Test
    void aRefusedJobIsAnsweredWithReasonAndFieldAndNothingElseHappens() {
        JobCommand command = Commands.submit("c1", "train");
        command.getJob().getTasks().getFirst().setReplicas(0);
        send(JOBS_A, command);
        serve(1);

        assertThat(results("a")).singleElement().satisfies(result -> {
            assertThat(result.getStatus()).isEqualTo("Rejected");
            assertThat(result.getReason()).isEqualTo("OutOfRange");
            assertThat(result.getField()).isEqualTo("job.tasks[0].replicas");
        });
        assertThat(submissions()).isEmpty();
        assertThat(kafka.records(TOPICS.templates())).isEmpty();
    }

    @Test
    void theTenantIsTheTopicWhateverElseTheRecordClaims() {
        kafka.append(JOBS_B, 0, "a".getBytes(StandardCharsets.UTF_8), encode(Commands.submit("c1", "train")));
        serve(1);
        assertThat(submissions().getFirst().getTenant()).isEqualTo("b");
        assertThat(results("a")).isEmpty();
        assertThat(results("b")).hasSize(1);
    }

    @Test
    void theSameTemplateIsPublishedOnce() {
        send(JOBS_A, Commands.submit("c1", "one"));
        send(JOBS_A, Commands.submit("c2", "two"));
        send(JOBS_B, Commands.submit("c3", "three"));
        serve(1);
        restart();
        send(JOBS_A, Commands.submit("c4", "four"));
        serve(1);
        assertThat(submissions()).hasSize(4);
        assertThat(kafka.records(TOPICS.templates())).hasSize(1);
    }

    @Test
    void theSameCommandAgainIsAnsweredAgainAndChangesNothingAlsoAfterARestart() {
        send(JOBS_A, Commands.submit("c1", "train"));
        send(JOBS_A, Commands.submit("c1", "train"));
        send(JOBS_A, Commands.submit("c2", "train"));
        send(JOBS_A, Commands.cancel("c3", "train"));
        serve(1);
        restart();
        send(JOBS_A, Commands.submit("c1", "train"));
        send(JOBS_A, Commands.cancel("c3", "train"));
        send(JOBS_A, Commands.cancel("c4", "train"));
        serve(1);

        assertThat(results("a")).extracting(JobResult::getStatus).hasSize(7).containsOnly("Accepted");
        assertThat(submissions()).extracting(Submission::getAction).containsExactly(JobAction.SUBMIT, JobAction.CANCEL);
    }

    @Test
    void aJobIsSuspendedAndResumedAsOftenAsItsTenantLikesButNotOnceItIsCancelled() {
        JobCommand waiting = Commands.submit("c1", "train");
        waiting.getJob().setSuspend(true);
        send(JOBS_A, waiting);
        send(JOBS_A, Commands.of(JobAction.SUSPEND, "c2", "train"));
        send(JOBS_A, Commands.of(JobAction.RESUME, "c3", "train"));
        send(JOBS_A, Commands.of(JobAction.RESUME, "c4", "train"));
        serve(1);
        restart();
        send(JOBS_A, Commands.of(JobAction.RESUME, "c5", "train"));
        send(JOBS_A, Commands.of(JobAction.SUSPEND, "c6", "train"));
        send(JOBS_A, Commands.of(JobAction.RESUME, "c6", "train"));
        send(JOBS_A, Commands.of(JobAction.RESUME, "c7", "absent"));
        send(JOBS_A, Commands.cancel("c8", "train"));
        send(JOBS_A, Commands.of(JobAction.RESUME, "c9", "train"));
        serve(1);

        assertThat(submissions())
                .extracting(Submission::getCommandId, Submission::getAction)
                .containsExactly(
                        tuple("c1", JobAction.SUBMIT),
                        tuple("c3", JobAction.RESUME),
                        tuple("c6", JobAction.SUSPEND),
                        tuple("c8", JobAction.CANCEL));
        assertThat(submissions().getFirst().getJob().getSuspend()).isTrue();
        assertThat(results("a"))
                .extracting(JobResult::getReason)
                .containsExactly("", "", "", "", "", "", "CommandIdInUse", "UnknownJob", "", "UnknownJob");
    }

    @Test
    void aUsedIdStandsForOneThingOnly() {
        JobCommand different = Commands.submit("c2", "train");
        different.getJob().setPriority(7);
        JobCommand recycled = Commands.submit("c1", "other");
        send(JOBS_A, Commands.submit("c1", "train"));
        send(JOBS_A, different);
        send(JOBS_A, recycled);
        send(JOBS_A, Commands.cancel("c1", "train"));
        send(JOBS_A, Commands.cancel("c3", "train"));
        send(JOBS_A, Commands.submit("c4", "train"));
        send(JOBS_A, Commands.submit("c3", "train"));
        serve(1);

        assertThat(results("a"))
                .extracting(JobResult::getReason)
                .containsExactly(
                        "", "JobIdInUse", "CommandIdInUse", "CommandIdInUse", "", "JobIdInUse", "CommandIdInUse");
        assertThat(submissions()).hasSize(2);
    }

    @Test
    void onlyATenantsOwnJobsCanBeCancelledAndForeignOnesLookLikeAbsentOnes() {
        send(JOBS_A, Commands.submit("c1", "train"));
        send(JOBS_B, Commands.cancel("c1", "train"));
        send(JOBS_B, Commands.cancel("c2", "absent"));
        serve(1);
        assertThat(results("b"))
                .extracting(JobResult::getStatus, JobResult::getReason, JobResult::getMessage)
                .containsOnly(tuple("Rejected", "UnknownJob", "is not the id of an accepted job"));
        assertThat(submissions()).hasSize(1);
    }

    @Test
    void memoryIsBoundedByTenantSoThatOneTenantCannotPushOutAnother() {
        remembered = 10;
        send(JOBS_B, Commands.submit("c1", "train"));
        for (int i = 0; i < 100; i++) {
            send(JOBS_A, Commands.submit("c" + i, "job-" + i));
        }
        serve(1);
        send(JOBS_B, Commands.submit("c1", "train"));
        send(JOBS_A, Commands.submit("c99", "job-99"));
        serve(1);
        assertThat(submissions()).hasSize(101);
    }

    @Test
    void whatCannotBeDecodedBecomesADeadLetterWithHashAndSizeAndTheRestIsServed() {
        byte[] good = encode(Commands.submit("c1", "train"));
        byte[] truncated = Arrays.copyOf(good, good.length / 2);
        byte[] huge = new byte[IntakeConfig.DEFAULT_MAX_EVENT_BYTES + 1];
        kafka.append(JOBS_A, 0, null, null);
        kafka.append(JOBS_A, 0, null, new byte[0]);
        kafka.append(JOBS_A, 0, null, "{\"jobId\":1}".getBytes(StandardCharsets.UTF_8));
        kafka.append(JOBS_A, 0, null, truncated);
        kafka.append(JOBS_A, 0, null, new byte[] {0, 0, 0, 77, 77, 1});
        kafka.append(JOBS_A, 0, null, huge);
        kafka.append(JOBS_A, 0, null, good);
        serve(1);

        List<DeadLetter> letters = deadLetters();
        assertThat(letters)
                .extracting(DeadLetter::getReason)
                .containsExactly("Invalid", "Undecodable", "Undecodable", "Undecodable", "UnknownSchema", "TooLarge");
        assertThat(letters).allSatisfy(letter -> {
            assertThat(letter.getBy()).isEqualTo("intake");
            assertThat(letter.getSource()).isEqualTo(JOBS_A);
            assertThat(letter.getPartition()).isZero();
            assertThat(letter.getMessage()).isNotBlank().matches("[ -~]*");
        });
        assertThat(letters).extracting(DeadLetter::getOffset).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
        assertThat(letters.get(3).getSha256()).isEqualTo(Hashes.sha256(truncated));
        assertThat(letters.get(5).getSizeBytes()).isEqualTo(huge.length);
        assertThat(results("a"))
                .singleElement()
                .extracting(JobResult::getStatus)
                .isEqualTo("Accepted");
        assertThat(kafka.committedOffset(JOBS_A, 0)).isEqualTo(7);
    }

    @Test
    void secretsOfATemplateAppearOnTheTemplatesTopicAndNowhereElse() {
        send(JOBS_A, Commands.submit("c1", "train"));
        send(JOBS_A, Commands.withTemplate(Commands.TEMPLATE.replace("\"value\"", "\"valeu\"")));
        kafka.append(JOBS_A, 0, null, Commands.TEMPLATE.getBytes(StandardCharsets.UTF_8));
        serve(1);
        assertThat(mentions(TOPICS.templates(), "canary-4711")).isEqualTo(1);
        for (String topic : List.of(TOPICS.submissions(), TOPICS.deadLetters(), TOPICS.results("a"))) {
            assertThat(kafka.records(topic)).isNotEmpty();
            assertThat(mentions(topic, "canary-4711")).as(topic).isZero();
        }
    }

    @Test
    void aFailedCommitLeavesNoTraceAndTheNextSessionAnswersTheSameCommandsOnce() {
        send(JOBS_A, Commands.submit("c1", "train"));
        kafka.commitFailures.add(new KafkaException("killed"));
        assertThatThrownBy(() -> serve(1)).hasMessage("killed");
        assertThat(kafka.records(TOPICS.results("a"))).isEmpty();
        assertThat(kafka.committedOffset(JOBS_A, 0)).isZero();

        restart();
        serve(2);
        restart();
        serve(2);
        assertThat(results("a")).hasSize(1);
        assertThat(submissions()).hasSize(1);
        assertThat(kafka.records(TOPICS.templates())).hasSize(1);
    }

    @Test
    void aFloodOfOneTenantDelaysAnotherByOneBatchAtMost() {
        kafka.batchRecords = 10;
        for (int i = 0; i < 1_000; i++) {
            send(JOBS_A, Commands.cancel("c" + i, "absent"));
        }
        send(JOBS_B, Commands.submit("c1", "train"));
        serve(1);
        assertThat(results("a")).hasSize(10);
        assertThat(results("b")).hasSize(1);
    }

    @Test
    void aTopicThatCannotBeReadStopsItsTenantOnlyAndIsTriedAgain() {
        kafka.pollFailures.put("a", new KafkaException("corrupt"));
        send(JOBS_A, Commands.submit("c1", "train"));
        send(JOBS_B, Commands.submit("c1", "train"));
        serve(2);
        assertThat(results("a")).isEmpty();
        assertThat(results("b")).hasSize(1);

        kafka.pollFailures.clear();
        serve(1);
        assertThat(results("a")).isEmpty();
        nanos += Duration.ofSeconds(2).toNanos();
        serve(1);
        assertThat(results("a")).hasSize(1);
    }

    @Test
    void aRegistryThatCannotBeAskedDelaysCommandsInsteadOfRefusingThem() {
        byte[] command = encode(Commands.submit("c1", "train"));
        var down = new AtomicBoolean(true);
        SchemaRegistry unreachable = new RegistryClient(new RegistryConfig(
                List.of(URI.create("http://127.0.0.1:1")), Optional.empty(), Optional.empty(), Duration.ofMillis(200)));
        registry = new SchemaRegistry() {
            @Override
            public int register(String subject, Schema schema) {
                return kafka.registry.register(subject, schema);
            }

            @Override
            public Schema byId(int id) {
                return (down.get() ? unreachable : kafka.registry).byId(id);
            }
        };
        kafka.append(JOBS_A, 0, null, command);
        kafka.append(JOBS_A, 0, null, command);
        serve(2);
        assertThat(results("a")).isEmpty();
        assertThat(deadLetters()).isEmpty();

        down.set(false);
        nanos += Duration.ofSeconds(2).toNanos();
        serve(1);
        assertThat(results("a")).hasSize(2);
        assertThat(submissions()).hasSize(1);
    }

    @Test
    void theLifeOfAJobIsToldToItsTenantOnceAndOnlyToIt() {
        status("a", "train", WorkloadState.INCOMPLETE, "");
        status("a", "train", WorkloadState.WAITING, "");
        status("a", "train", WorkloadState.WAITING, "NoRoom");
        status("a", "train", WorkloadState.PLACED, "");
        status("b", "train", WorkloadState.RUNNING, "");
        status("a", "train", WorkloadState.RUNNING, "");
        status("stranger", "train", WorkloadState.RUNNING, "");
        serve(1);
        restart();
        status("a", "train", WorkloadState.RUNNING, "");
        status("a", "train", WorkloadState.FAILED, "PodFailed");
        serve(1);

        assertThat(results("a"))
                .extracting(JobResult::getStatus, JobResult::getReason)
                .containsExactly(
                        tuple("Pending", ""),
                        tuple("Pending", "NoRoom"),
                        tuple("Placed", ""),
                        tuple("Running", ""),
                        tuple("Failed", "PodFailed"));
        assertThat(results("b")).extracting(JobResult::getStatus).containsExactly("Running");
        assertThat(results("a")).extracting(JobResult::getCommandId).containsOnly("");
        assertThat(new String(kafka.records(TOPICS.results("a")).getFirst().key(), StandardCharsets.UTF_8))
                .isEqualTo("train");
    }

    @Test
    void pollsEveryPartitionOfATenantsTopic() {
        for (int partition = 0; partition < 3; partition++) {
            kafka.append(JOBS_A, partition, null, encode(Commands.submit("c" + partition, "job-" + partition)));
        }
        serve(1);
        assertThat(results("a")).hasSize(3);
        assertThat(kafka.committedOffset(JOBS_A, 2)).isEqualTo(1);
    }

    @Test
    void countsAnswersByTenantAndKind() {
        send(JOBS_A, Commands.submit("c1", "train"));
        send(JOBS_A, Commands.submit("c1", "train"));
        send(JOBS_A, Commands.cancel("c2", "absent"));
        serve(1);
        for (Verdict.Kind kind : Verdict.Kind.values()) {
            assertThat(meters.get("muster.intake.commands")
                            .tags("tenant", "a", "answer", kind.name())
                            .counter()
                            .count())
                    .isEqualTo(1);
        }
    }

    private void serve(int rounds) {
        if (session == null) {
            session = IntakeSession.open(setup(), () -> true);
        }
        for (int i = 0; i < rounds; i++) {
            session.round();
        }
    }

    private void restart() {
        session.close();
        session = null;
    }

    @Test
    void aRecordThatExhaustsTheMemoryIsSkippedAfterTwoTriesAndNobodyElseIsKeptWaiting() {
        send(JOBS_A, Commands.submit("c1", "before"));
        kafka.append(JOBS_A, 0, null, new byte[] {1});
        send(JOBS_A, Commands.submit("c2", "behind"));
        kafka.bombs.put(new TopicPartition(JOBS_A, 0), Set.of(1L));
        send(JOBS_B, Commands.submit("c3", "neighbour"));
        serve(1);
        assertThat(results("b")).as("served in the first round").hasSize(1);

        serveSeconds(10);

        assertThat(kafka.bombsRead).as("once in a batch, then alone").isEqualTo(1 + BombTrail.TRIES);
        assertThat(results("a")).extracting(JobResult::getJobId).containsExactly("before", "behind");
        assertThat(deadLetters()).singleElement().satisfies(letter -> {
            assertThat(letter.getReason()).isEqualTo("TooLarge");
            assertThat(letter.getOffset()).isEqualTo(1);
            assertThat(letter.getMessage()).contains("offsets 1 to 1", "skipped after 2 tries");
        });
        assertThat(kafka.committedOffset(JOBS_A, 0)).isEqualTo(3);
    }

    @Test
    void aBatchOfManyBombsIsSkippedInLongerAndLongerStrides() {
        Set<Long> bombs = new TreeSet<>();
        for (long offset = 0; offset < 40; offset++) {
            kafka.append(JOBS_A, 0, null, new byte[] {1});
            bombs.add(offset);
        }
        kafka.bombs.put(new TopicPartition(JOBS_A, 0), bombs);
        for (int i = 0; i < 40; i++) {
            send(JOBS_A, Commands.submit("c" + i, "behind-" + i));
        }

        serveSeconds(200);

        assertThat(kafka.bombsRead).isLessThan(12);
        assertThat(deadLetters()).allMatch(letter -> letter.getReason().equals("TooLarge"));
        // 1 + 2 + 4 + 8 + 16 + 32 offsets: 40 of the bomb, 23 behind it, all of which a dead letter names.
        assertThat(deadLetters())
                .hasSize(6)
                .last()
                .satisfies(letter -> assertThat(letter.getMessage()).contains("offsets 31 to 62"));
        assertThat(results("a")).hasSize(17);
        send(JOBS_A, Commands.submit("last", "last"));
        serveSeconds(10);
        assertThat(results("a"))
                .last()
                .satisfies(result -> assertThat(result.getJobId()).isEqualTo("last"));
    }

    /** Rounds, with a clock that goes on between them. */
    private void serveSeconds(int seconds) {
        serve(0);
        for (int round = 0; round < 10 * seconds; round++) {
            nanos += 100_000_000L;
            session.round();
        }
    }

    private IntakeSession.Setup setup() {
        Grant any = Grant.everything();
        IntakeConfig config = new IntakeConfig(
                "test",
                List.of(
                        new TenantPolicy("a", "main", Grant.only("default"), any, any, 100),
                        new TenantPolicy("b", "main", Grant.only("default"), any, any, 100)),
                IntakeConfig.DEFAULT_MAX_EVENT_BYTES,
                100,
                remembered,
                Duration.ofSeconds(1),
                Duration.ofSeconds(10));
        return new IntakeSession.Setup(
                config, TOPICS, DOMAINS, registry, kafka, new IntakeMetrics(meters), () -> 4711, () -> nanos);
    }

    private void send(String topic, JobCommand command) {
        kafka.append(topic, 0, null, encode(command));
    }

    private byte[] encode(JobCommand command) {
        return kafka.encode(JOBS_A, command, JobCommand.class);
    }

    private List<JobResult> results(String tenant) {
        return kafka.read(TOPICS.results(tenant), JobResult.class);
    }

    private List<Submission> submissions() {
        return kafka.read(TOPICS.submissions(), Submission.class);
    }

    private List<DeadLetter> deadLetters() {
        return kafka.read(TOPICS.deadLetters(), DeadLetter.class);
    }

    private long mentions(String topic, String text) {
        return kafka.records(topic).stream()
                .filter(record -> new String(record.value(), StandardCharsets.ISO_8859_1).contains(text))
                .count();
    }

    private void status(String tenant, String jobId, WorkloadState state, String reason) {
        String workload = tenant + "/Job/" + jobId;
        WorkloadStatus status = WorkloadStatus.newBuilder()
                .setDomain("main")
                .setWorkload(workload)
                .setKind("Job")
                .setCluster("")
                .setNamespace("default")
                .setName(jobId)
                .setObject(jobId)
                .setTenant(tenant)
                .setQueue("default")
                .setPriority(0)
                .setState(state)
                .setReason(new Reason(reason, reason.isEmpty() ? "" : "because", List.of()))
                .setMinMember(1)
                .setPods(1)
                .setBound(0)
                .setAttempt(0)
                .setArrivedMillis(1)
                .setSinceMillis(2)
                .build();
        kafka.append(
                TOPICS.workloadStatus(),
                1,
                ("main/" + workload).getBytes(StandardCharsets.UTF_8),
                kafka.encode(TOPICS.workloadStatus(), status, WorkloadStatus.class));
    }
}
