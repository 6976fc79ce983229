package dev.muster.ingest.intake;

import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The intake: the only process that reads what tenants write. It consumes {@code jobs.TENANT}, validates and
 * normalises each command, and answers it exactly once on {@code results.TENANT}; what it accepted goes to topics
 * submissions and templates, what cannot even be read is told as a dead letter. It also passes the life of jobs on to
 * their tenants.
 *
 * <p>Offsets and everything written are one Kafka transaction, so an intake killed anywhere neither loses nor doubles
 * a command. After a failure it starts over from what was committed. When another intake with the same id takes over,
 * this one stops for good.
 */
public final class Intake implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Intake.class);
    private static final Duration STALLED_AFTER = Duration.ofSeconds(30);
    /** Longer than any single call to the brokers may block: reading back and joining as a new producer are calls too. */
    private static final Duration STUCK_AFTER = Duration.ofMinutes(3);

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(15);

    private final IntakeSession.Setup setup;
    private final Thread thread;
    private volatile boolean running = true;
    private volatile boolean serving;
    private volatile boolean replaced;
    private volatile long lastRoundNanos;
    private volatile long lastTurnNanos;

    /**
     * Wires an intake; {@link #start} starts it. The topics must exist.
     *
     * @param clientConfig settings that every Kafka client needs, such as {@code bootstrap.servers} and TLS
     * @throws IllegalArgumentException when a tenant's domain is not one of {@code domains}
     */
    public Intake(
            Topics topics,
            Domains domains,
            Map<String, Object> clientConfig,
            SchemaRegistry registry,
            IntakeConfig config,
            MeterRegistry meters) {
        this(setup(topics, domains, clientConfig, registry, config, meters));
    }

    /** For tests: clients and clocks given. */
    Intake(IntakeSession.Setup setup) {
        this.setup = setup;
        setup.config().tenants().forEach(policy -> setup.domains().partitionOf(policy.domain()));
        this.thread = new Thread(this::run, "muster-intake-" + setup.config().id());
    }

    private static IntakeSession.Setup setup(
            Topics topics,
            Domains domains,
            Map<String, Object> clientConfig,
            SchemaRegistry registry,
            IntakeConfig config,
            MeterRegistry meters) {
        String groupId = topics.prefix() + "intake-" + config.id();
        return new IntakeSession.Setup(
                config,
                topics,
                domains,
                registry,
                new KafkaIntakeClients(config, groupId, clientConfig),
                new IntakeMetrics(meters),
                System::currentTimeMillis,
                System::nanoTime);
    }

    /** Starts serving, in a thread of its own. */
    public void start() {
        lastRoundNanos = setup.nanos().getAsLong();
        lastTurnNanos = lastRoundNanos;
        thread.start();
    }

    /** Whether its loop comes round, be it serving, starting or starting over. */
    public boolean comesRound() {
        return thread.isAlive() && setup.nanos().getAsLong() - lastTurnNanos < STUCK_AFTER.toNanos();
    }

    /** Whether another intake with the same id took over: this one stopped for good. */
    public boolean isReplaced() {
        return replaced;
    }

    /** Whether its thread is there; once started it is until closed, replaced, or broken by an error of the JVM. */
    public boolean isRunning() {
        return thread.isAlive();
    }

    /** Whether it serves, and came round in the last 30 s. */
    public boolean isHealthy() {
        return thread.isAlive() && serving && setup.nanos().getAsLong() - lastRoundNanos < STALLED_AFTER.toNanos();
    }

    /** Finishes the batch under way and stops; waits for that at most 15 s. */
    @Override
    public void close() {
        running = false;
        try {
            thread.join(CLOSE_TIMEOUT.toMillis());
            thread.interrupt();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (goesOn()) {
            IntakeSession session = null;
            try {
                session = IntakeSession.open(setup, this::goesOn);
                serve(session);
            } catch (ProducerFencedException | InvalidProducerEpochException e) {
                if (!mayBeOwnTimeout(session)) {
                    LOG.warn(
                            "another intake with id {} took over: this one stops",
                            setup.config().id());
                    replaced = true;
                    running = false;
                } else {
                    failed(e);
                }
            } catch (RuntimeException e) {
                failed(e);
            } finally {
                serving = false;
                if (session != null) {
                    session.close();
                }
            }
        }
    }

    private void serve(IntakeSession session) {
        while (running) {
            serving = true;
            session.round();
            lastRoundNanos = setup.nanos().getAsLong();
            lastTurnNanos = lastRoundNanos;
        }
    }

    private boolean goesOn() {
        lastTurnNanos = setup.nanos().getAsLong();
        return running;
    }

    // The broker fences a producer whose transaction took too long in the same words as one that was replaced.
    private boolean mayBeOwnTimeout(IntakeSession session) {
        return session == null
                || session.sinceTransactionStart().compareTo(setup.config().transactionTimeout()) >= 0;
    }

    private void failed(RuntimeException e) {
        if (!running) {
            return;
        }
        LOG.warn("intake {} starts over after: {}", setup.config().id(), e.toString());
        setup.metrics().sessionFailed();
        try {
            Thread.sleep(setup.config().retryBackoff());
        } catch (InterruptedException interrupted) {
            running = false;
        }
    }
}
