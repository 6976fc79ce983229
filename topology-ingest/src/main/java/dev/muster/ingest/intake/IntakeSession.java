package dev.muster.ingest.intake;

import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.job.JobCommand;
import dev.muster.schemas.job.Submission;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.serde.UndecodableException;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of the intake between two failures: it fences earlier ones, reads its memory back from topic submissions,
 * then serves. The memory is only ever ahead of the log inside one transaction; when that transaction fails the
 * session is thrown away, memory and all, and the next one starts from what was committed. So there is no undo to get
 * wrong.
 */
final class IntakeSession implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(IntakeSession.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration IDLE_WAIT = Duration.ofMillis(20);

    /**
     * What a session works with. {@code millis} is wall time for the records it writes, {@code nanos} a clock for
     * waiting.
     */
    record Setup(
            IntakeConfig config,
            Topics topics,
            Domains domains,
            SchemaRegistry registry,
            IntakeClients clients,
            IntakeMetrics metrics,
            LongSupplier millis,
            LongSupplier nanos) {}

    private final Setup setup;
    private final Producer<String, byte[]> producer;
    private final Outbox outbox;
    private final KnownJobs known;
    private final TemplateStore templates;
    private final CommandJudge judge;
    private final List<TenantReader> readers = new ArrayList<>();
    private StatusReader statuses;
    private boolean idle;
    private long transactionStartedNanos;

    private IntakeSession(Setup setup) {
        this.setup = setup;
        IntakeConfig config = setup.config();
        this.known = new KnownJobs(config.maxRememberedPerTenant());
        this.templates = new TemplateStore(config.maxRememberedPerTenant());
        this.judge = new CommandJudge(new SubmissionValidator(new PodTemplateReader(config.maxEventBytes())), known);
        this.producer = setup.clients().producer();
        this.outbox = new Outbox(producer, setup.topics(), setup.domains(), setup.registry());
    }

    /**
     * Opens a session: from here on, earlier ones with the same id can commit nothing. {@code running} false ends the
     * opening early.
     */
    static IntakeSession open(Setup setup, BooleanSupplier running) {
        IntakeSession session = new IntakeSession(setup);
        try {
            session.start(running);
            return session;
        } catch (RuntimeException | Error e) {
            session.close();
            throw e;
        }
    }

    private void start(BooleanSupplier running) {
        // First: it ends what a predecessor left open, so that the end of topic submissions is final when it is read.
        startTransactionClock();
        producer.initTransactions();
        SortedSet<Integer> partitions = new TreeSet<>();
        setup.config()
                .tenants()
                .forEach(policy -> partitions.add(setup.domains().partitionOf(policy.domain())));
        recall(partitions, running);
        for (TenantPolicy policy : setup.config().tenants()) {
            readers.add(new TenantReader(
                    policy,
                    setup.topics().jobs(policy.tenant()),
                    records -> setup.clients().tenantConsumer(policy.tenant(), records),
                    setup.config().maxBatchRecords(),
                    new CommandDecoder(setup.registry(), setup.config().maxEventBytes(), setup.nanos()),
                    setup.metrics(),
                    setup.config().retryBackoff(),
                    setup.nanos()));
        }
        statuses = new StatusReader(
                setup.topics().workloadStatus(),
                partitions,
                setup.clients().trustedConsumer("status"),
                new AvroSerde<>(setup.registry(), WorkloadStatus.class).deserializer(),
                new StatusProjector(setup.config().tenants(), setup.config().maxRememberedPerTenant()));
        LOG.info("intake {} serves {} tenants", setup.config().id(), readers.size());
    }

    private void recall(SortedSet<Integer> partitions, BooleanSupplier running) {
        try (var consumer = setup.clients().trustedConsumer("recall")) {
            SubmissionsReplay.read(
                    consumer,
                    setup.topics().submissions(),
                    partitions,
                    new AvroSerde<>(setup.registry(), Submission.class).deserializer(),
                    this::remember,
                    running);
        }
    }

    private void remember(Submission submission) {
        known.apply(submission);
        templates.apply(submission);
    }

    /** Gives every tenant one turn, then tells the news. Waits a little when the last round found nothing to do. */
    void round() {
        Duration wait = idle ? IDLE_WAIT : Duration.ZERO;
        idle = true;
        for (TenantReader reader : readers) {
            if (!reader.isDue()) {
                continue;
            }
            TenantReader.Batch batch = reader.next(wait);
            // One wait is enough for a round, whoever it was spent on.
            wait = Duration.ZERO;
            if (!batch.isEmpty()) {
                answer(reader, batch);
                idle = false;
            }
        }
        List<StatusProjector.News> news = statuses.next(wait);
        if (!news.isEmpty()) {
            tell(news);
            idle = false;
        }
    }

    /** How long the current transaction, or the last one, has been under way. */
    Duration sinceTransactionStart() {
        return Duration.ofNanos(setup.nanos().getAsLong() - transactionStartedNanos);
    }

    private void answer(TenantReader reader, TenantReader.Batch batch) {
        TenantPolicy policy = reader.policy();
        startTransactionClock();
        outbox.begin();
        for (TenantReader.Arrival arrival : batch.arrivals()) {
            switch (arrival.decoded()) {
                case CommandDecoder.Command decoded -> answer(policy, arrival, decoded.command());
                case CommandDecoder.Undecodable refusal -> bury(policy, arrival, refusal.reason(), refusal.message());
            }
        }
        for (TenantReader.Skip skip : batch.skips()) {
            outbox.deadLetter(policy.domain(), skip, setup.millis().getAsLong());
            setup.metrics().deadLetter(policy.tenant(), UndecodableException.TOO_LARGE);
        }
        outbox.commit(batch.nextOffsets(), reader.group());
    }

    private void answer(TenantPolicy policy, TenantReader.Arrival arrival, JobCommand command) {
        Verdict verdict;
        try {
            verdict = judge.judge(policy, command, setup.millis().getAsLong());
        } catch (RuntimeException | StackOverflowError e) {
            // A fault of ours that a tenant found: it costs that command, not the intake.
            LOG.error("tenant {}: a command cannot be judged, see its dead letter", policy.tenant(), e);
            bury(policy, arrival, "Invalid", "cannot be judged: " + e.getClass().getSimpleName());
            return;
        }
        verdict.submission().ifPresent(submission -> {
            templates.unpublished(submission, verdict.templates()).forEach(outbox::template);
            outbox.submission(submission);
            remember(submission);
        });
        outbox.result(policy.tenant(), verdict.answer());
        setup.metrics().answered(policy.tenant(), verdict.kind());
    }

    private void bury(TenantPolicy policy, TenantReader.Arrival arrival, String reason, String message) {
        outbox.deadLetter(
                policy.domain(),
                arrival.record(),
                reason,
                message,
                setup.millis().getAsLong());
        setup.metrics().deadLetter(policy.tenant(), reason);
    }

    private void tell(List<StatusProjector.News> news) {
        startTransactionClock();
        outbox.begin();
        for (StatusProjector.News item : news) {
            outbox.result(item.tenant(), item.result());
            setup.metrics().news(item.tenant());
        }
        outbox.commit(statuses.nextOffsets(), statuses.group());
    }

    private void startTransactionClock() {
        transactionStartedNanos = setup.nanos().getAsLong();
    }

    @Override
    public void close() {
        readers.forEach(IntakeSession::closeQuietly);
        if (statuses != null) {
            closeQuietly(statuses);
        }
        closeQuietly(() -> producer.close(CLOSE_TIMEOUT));
    }

    private static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            LOG.warn("while closing: {}", e.toString());
        }
    }
}
