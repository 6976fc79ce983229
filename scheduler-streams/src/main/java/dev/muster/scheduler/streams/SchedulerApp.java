package dev.muster.scheduler.streams;

import dev.muster.schemas.serde.SchemaRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KafkaStreams.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scheduler as a process: reads the trusted topics of its domains, decides, writes. The topics must exist (see
 * {@code TopicAdmin}). Started once; closed, it is done.
 */
public final class SchedulerApp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SchedulerApp.class);

    private static final Duration PREFLIGHT_TIMEOUT = Duration.ofSeconds(30);

    /** How much longer than its timeout a transaction may stay open: brokers look for such ones every so often. */
    private static final Duration TRANSACTIONS_END_WITHIN = Duration.ofSeconds(15);

    /** A loop that came round within that time does its work; a rebalance or restore of a running process is shorter. */
    private static final Duration FRESH = Duration.ofSeconds(10);

    /** A loop that did not come round for this long never will; any single call to the brokers is shorter. */
    private static final Duration STUCK_AFTER = Duration.ofMinutes(3);

    private final SchedulerConfig config;
    private final Vitals vitals = new Vitals(System::nanoTime);
    private final RestartingStreams streams;
    private volatile Map<String, String> topicIds = Map.of();

    /** A scheduler with the system's clock; {@link #start} does the rest. */
    public SchedulerApp(SchedulerConfig config, SchemaRegistry registry, MeterRegistry meters) {
        this(config, registry, meters, Clock.systemUTC());
    }

    /** A scheduler with a wall clock of its own, from which domain time sets out. */
    public SchedulerApp(SchedulerConfig config, SchemaRegistry registry, MeterRegistry meters, InstantSource clock) {
        this(config, registry, meters, clock, System::nanoTime, () -> true);
    }

    SchedulerApp(
            SchedulerConfig config,
            SchemaRegistry registry,
            MeterRegistry meters,
            InstantSource clock,
            LongSupplier nanoTime,
            BooleanSupplier mayTick) {
        this.config = config;
        Duration open = Duration.ofMillis(config.transactionTimeoutMillis()).plus(TRANSACTIONS_END_WITHIN);
        DomainSetup setup = new DomainSetup(
                config.topics(),
                config.domains(),
                registry,
                meters,
                clock,
                nanoTime,
                vitals,
                new KafkaJournalTail(
                        config.client(), config.topics().journal(), registry, config.applicationId(), open),
                () -> topicIds,
                mayTick);
        streams = new RestartingStreams(
                config.instanceId(),
                () -> new KafkaStreams(
                        SchedulerTopology.of(setup), StreamsSettings.of(config), new SchedulerClients(config, vitals)),
                new RestartBudget(System::nanoTime));
    }

    /**
     * Checks the brokers and starts; returns before the state is restored.
     *
     * @throws StartRefusedException when the brokers cannot be used
     */
    public void start() {
        LOG.info(
                "scheduler {} instance {}: domains {}, topics {}*, commit every {} ms, transactions time out after {}"
                        + " ms, {} thread(s)",
                config.applicationId(),
                config.instanceId(),
                config.domains().names(),
                config.topics().prefix(),
                config.commitIntervalMillis(),
                config.transactionTimeoutMillis(),
                config.threads());
        try (Admin admin = Admin.create(config.client())) {
            Preflight preflight = new Preflight(admin, PREFLIGHT_TIMEOUT);
            preflight.requireTransactionVersion();
            topicIds = preflight.topicIds(config.topics());
            preflight.ensureStartingOffsets(config.applicationId(), config.topics(), config.domains());
        }
        streams.start();
    }

    /** Waits until the state is restored and input is read; false when that takes longer, or will never be. */
    public boolean awaitRunning(Duration timeout) throws InterruptedException {
        return streams.awaitRunning(timeout);
    }

    /** Whether the process does its work: it runs, and the loop of every domain that is not halted came round within the last ten seconds. */
    public boolean isHealthy() {
        return streams.state().isRunningOrRebalancing() && vitals.fresh(FRESH);
    }

    /** Whether the loops come round, be the brokers there or not. */
    public boolean comesRound() {
        return vitals.fresh(STUCK_AFTER);
    }

    /** Whether it starts, or starts anew: state is being restored, or domains are changing hands. */
    public boolean isRestoring() {
        return streams.state() != State.RUNNING && streams.failure().isEmpty();
    }

    /** What ended it for good; empty while it runs. */
    public Optional<String> failure() {
        return streams.failure();
    }

    /** Domains that stopped because a law was broken or their state cannot be used, and why; the others go on. */
    public Map<String, String> haltedDomains() {
        Map<String, String> halted = new TreeMap<>();
        vitals.halted()
                .forEach((partition, why) -> halted.put(config.domains().names().get(partition), why));
        return halted;
    }

    /** Stops within a few seconds. The process stays a member of its group: its next start finds its tasks at once. */
    @Override
    public void close() {
        streams.close();
    }
}
