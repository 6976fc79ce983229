package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.event.ClusterEvent;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.round.Effects;
import dev.muster.scheduler.core.round.Engine;
import dev.muster.scheduler.streams.Outputs.Routed;
import java.time.Duration;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One domain: each record in, decoded, becomes a journal entry; the engine applies it; the entry, what it changed, and
 * what it decided go out in the same transaction. Ticks are entries too, written when the engine wants one.
 *
 * <p>Kafka Streams may initialise the same processor again after it gave up a transaction: {@link #init} starts from
 * what is committed, and nothing else of an earlier life is kept.
 */
final class DomainProcessor implements Processor<byte[], byte[], Routed, byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(DomainProcessor.class);

    /** How often the engine is asked whether it wants a tick; the thread's poll time bounds it from below when idle. */
    static final Duration TICK_EVERY = Duration.ofMillis(2);

    private final DomainSetup setup;

    private ProcessorContext<Routed, byte[]> context;
    private int partition;
    private String domain;
    private Inputs inputs;
    private Outputs outputs;
    private StateMirror mirror;
    private SchedulerMetrics metrics;
    private Engine engine;
    private DomainClock clock;
    private Cancellable ticks;
    private TickPacer pacer;
    private CommitPacer commits;

    DomainProcessor(DomainSetup setup) {
        this.setup = setup;
    }

    @Override
    public void init(ProcessorContext<Routed, byte[]> taskContext) {
        context = taskContext;
        partition = context.taskId().partition();
        domain = setup.domains().names().get(partition);
        inputs = new Inputs(setup.registry(), setup.topics(), domain);
        outputs = new Outputs(context, setup.registry(), setup.topics(), domain);
        mirror = new StateMirror(
                setup.registry(),
                context.applicationId(),
                context::getStateStore,
                problem -> haltOrRethrow(problem, "writing the state"));
        metrics = new SchedulerMetrics(setup.meters(), domain);
        pacer = new TickPacer(setup.nanoTime());
        commits = new CommitPacer(setup.nanoTime());
        if (setup.vitals().isHalted(partition)) {
            return;
        }
        engine = restore();
        if (setup.vitals().isHalted(partition)) {
            // Nothing of it was read yet, and nothing will be: the thread and its other domains go on.
            return;
        }
        clock = new DomainClock(engine.timeMillis(), setup.clock(), setup.nanoTime());
        setup.vitals().cameRound(partition);
        ticks = context.schedule(TICK_EVERY, PunctuationType.WALL_CLOCK_TIME, now -> tick());
        LOG.info("domain {}: at entry {}, engine {}", domain, engine.nextSequence(), engine.engineVersion());
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        if (setup.vitals().isHalted(partition)) {
            throw new DomainHaltedException("domain " + domain + " is halted", null);
        }
        if (record.value() == null) {
            // A tombstone: the deletion itself came before it, as a value.
            return;
        }
        commits.back();
        pacer.record();
        RecordMetadata from = context.recordMetadata().orElseThrow();
        switch (inputs.read(from.topic(), record.value())) {
            case Decoded.Event(ClusterEvent event) -> {
                enter(event, from.topic(), from.offset());
                metrics.lag(engine.timeMillis() - record.timestamp());
            }
            case Decoded.Refused(Refusal refusal) -> {
                LOG.warn("domain {}: {}-{}@{}: {}", domain, from.topic(), partition, from.offset(), refusal.line());
                outputs.deadLetter(DeadLetters.of(
                        from, record.value(), refusal, setup.clock().millis()));
                metrics.refused(refusal.reason());
            }
        }
    }

    @Override
    public void close() {
        if (ticks != null) {
            ticks.cancel();
            ticks = null;
        }
        setup.vitals().left(partition);
    }

    private void tick() {
        if (setup.vitals().isHalted(partition)) {
            return;
        }
        setup.vitals().cameRound(partition);
        commits.back();
        boolean paused = pacer.paused();
        if (paused) {
            commits.paused();
        }
        String cause = paused || pacer.overdue() ? engine.tickCause(now()) : null;
        if (cause != null && setup.mayTick().getAsBoolean()) {
            pacer.roundBegins();
            enter(new ClusterEvent.Tick(cause), "", -1);
            metrics.round(pacer.roundEnds());
        }
        if (commits.due()) {
            context.commit();
        }
    }

    /** Makes an entry of an event. The first entry of a domain, or of a new engine, says which engine decides. */
    private Effects enter(ClusterEvent event, String topic, long offset) {
        if (!engine.engineVersion().equals(Engine.VERSION)) {
            step(new ClusterEvent.EngineStarted(Engine.VERSION), "", -1);
        }
        return step(event, topic, offset);
    }

    private Effects step(ClusterEvent event, String topic, long offset) {
        JournalEntry entry = new JournalEntry(engine.nextSequence(), now(), event);
        try {
            Effects effects = engine.apply(entry);
            if (effects.applied()) {
                write(entry, topic, offset, effects);
                metrics.applied(effects);
            } else {
                metrics.ignored();
            }
            return effects;
        } catch (RuntimeException | Error problem) {
            throw haltOrRethrow(problem, "entry " + entry.sequence());
        }
    }

    private void write(JournalEntry entry, String topic, long offset, Effects effects) {
        outputs.entry(entry, topic, offset);
        mirror.apply(effects.rows());
        outputs.decisions(effects.decisions());
        outputs.statuses(effects.statuses(), effects.forgotten(), entry.timeMillis());
        if (!effects.decisions().isEmpty() || !effects.statuses().isEmpty()) {
            commits.news();
        }
    }

    /** The state as it was; null when the domain had to be stopped. */
    private Engine restore() {
        try {
            new TopicPins(context.getStateStore(TopicPins.STORE), setup.topicIds()).check();
            var rows = mirror.rows();
            return caughtUp(rows.isEmpty() ? Engine.empty() : Engine.restore(rows));
        } catch (RuntimeException | Error problem) {
            RuntimeException failure = haltOrRethrow(problem, "restoring the state");
            if (setup.vitals().isHalted(partition)) {
                return null;
            }
            throw failure;
        }
    }

    /**
     * Brings a restored state to the end of the journal. A transaction whose end was under way when the state was restored
     * (a broker or a scheduler died at that moment) may be committed afterwards: its entries are in the journal and its
     * input is not read again, while the state was restored without it. The journal has both.
     */
    private Engine caughtUp(Engine restored) {
        long from = restored.nextSequence();
        JournalCodec codec = new JournalCodec(domain);
        long next = setup.journal().read(partition, from, recorded -> {
            JournalEntry entry = codec.read(recorded);
            if (entry.sequence() != restored.nextSequence()) {
                throw new IllegalStateException("entry " + restored.nextSequence()
                        + " is needed to go on, and the journal has it no more: it goes on at " + entry.sequence());
            }
            Effects effects = restored.apply(entry);
            if (!effects.applied() || !restored.engineVersion().equals(Engine.VERSION)) {
                throw new IllegalStateException("entry " + entry.sequence() + " was made by engine "
                        + restored.engineVersion() + " and cannot be made again by engine " + Engine.VERSION);
            }
            mirror.apply(effects.rows());
        });
        if (next < from) {
            throw new IllegalStateException("the journal ends before entry " + next + ", but the state has applied "
                    + (from - 1) + ": the journal was cut or made anew");
        }
        if (next > from) {
            LOG.warn(
                    "domain {}: entries {} to {} were taken from the journal, the state lacked them",
                    domain,
                    from,
                    next - 1);
        }
        return restored;
    }

    /** What is thrown gives up the transaction: nothing of a half-written entry is ever committed. */
    private RuntimeException haltOrRethrow(Throwable problem, String where) {
        if (FaultTable.ofStep(problem) == FaultTable.Fault.HALT_DOMAIN) {
            String message = "domain " + domain + " stops at " + where + ": " + problem;
            LOG.error("{}; the other domains go on", message, problem);
            setup.vitals().halt(partition, message);
            return new DomainHaltedException(message, problem);
        }
        if (problem instanceof Error error) {
            throw error;
        }
        return (RuntimeException) problem;
    }

    /** Domain time, which never runs backwards. */
    long now() {
        return Math.max(engine.timeMillis(), clock.millis());
    }
}
