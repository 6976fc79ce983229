package dev.muster.standalone.replay;

import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent.EngineStarted;
import dev.muster.scheduler.core.event.ClusterEvent.Tick;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.round.Effects;
import dev.muster.scheduler.core.round.Engine;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Feeds a domain's journal to the core and, if asked, compares what it decides with what the scheduler decided when it
 * wrote the journal. They are equal unless one of the two was altered, the engine is another one, or it is not deterministic.
 */
public final class ReplayVerifier {
    private final Map<String, Object> kafka;
    private final SchemaRegistry registry;
    private final Topics topics;
    private final Domains domains;
    private final String domain;

    /**
     * A verifier for one domain.
     *
     * @param kafka settings that every Kafka client needs
     */
    public ReplayVerifier(
            Map<String, Object> kafka, SchemaRegistry registry, Topics topics, Domains domains, String domain) {
        this.kafka = Map.copyOf(kafka);
        this.registry = registry;
        this.topics = topics;
        this.domains = domains;
        this.domain = domain;
    }

    /**
     * Replays the journal as it is now.
     *
     * @throws org.apache.kafka.common.errors.TimeoutException when Kafka does not answer
     */
    public ReplayReport replay() {
        try (JournalReader journal = openJournal()) {
            return new Run(decision -> {}).over(journal, Optional.empty());
        }
    }

    /**
     * Replays the journal as it is now and compares decisions with topic decisions.
     *
     * @throws org.apache.kafka.common.errors.TimeoutException when Kafka does not answer
     */
    public ReplayReport verify() {
        TopicPartition partition = new TopicPartition(topics.decisions(), domains.partitionOf(domain));
        // The journal first: an entry's decisions are committed with it, so that none can be missing for having come
        // later.
        try (JournalReader journal = openJournal();
                RecordedDecisions recorded = new RecordedDecisions(kafka, registry, partition)) {
            DecisionComparison comparison = new DecisionComparison(recorded, domain);
            return new Run(comparison::take).over(journal, Optional.of(comparison));
        }
    }

    private JournalReader openJournal() {
        return new JournalReader(kafka, registry, topics, domains, domain);
    }

    private final class Run {
        private final Consumer<Decision> decisionTaker;
        private final Engine engine = Engine.empty();
        private final List<ReplayReport.EngineSpan> engines = new ArrayList<>();
        private long entries;
        private long ticks;
        private long decisions;

        Run(Consumer<Decision> decisionTaker) {
            this.decisionTaker = decisionTaker;
        }

        ReplayReport over(JournalReader journal, Optional<DecisionComparison> comparison) {
            Optional<String> problem = readAll(journal);
            boolean toTheEnd = problem.isEmpty() && !journal.grown();
            return new ReplayReport(
                    domain,
                    entries,
                    ticks,
                    decisions,
                    engines,
                    Engine.VERSION,
                    problem,
                    comparison.map(compared -> compared.finish(toTheEnd)));
        }

        /** Why it ended before the end, if it did. */
        private Optional<String> readAll(JournalReader journal) {
            try {
                for (Optional<JournalEntry> next = journal.next(); next.isPresent(); next = journal.next()) {
                    Optional<String> problem = take(next.get());
                    if (problem.isPresent()) {
                        return problem;
                    }
                }
                return Optional.empty();
            } catch (JournalUnusableException e) {
                return Optional.of(e.getMessage());
            }
        }

        private Optional<String> take(JournalEntry entry) {
            if (entry.sequence() != engine.nextSequence()) {
                return Optional.of("entry " + engine.nextSequence() + " is missing: " + entry.sequence()
                        + (entries == 0 ? " is the first (older ones were deleted)" : " follows"));
            }
            switch (entry.event()) {
                case EngineStarted started ->
                    engines.add(new ReplayReport.EngineSpan(started.engineVersion(), entry.sequence()));
                case Tick tick -> ticks++;
                default -> {
                    // Nothing to count.
                }
            }
            Effects effects;
            try {
                effects = engine.apply(entry);
            } catch (RuntimeException e) {
                return Optional.of("entry " + entry.sequence() + " breaks a law: " + e.getMessage());
            }
            if (!effects.applied()) {
                return Optional.of("entry " + entry.sequence() + " changes nothing here, yet it was journaled");
            }
            entries++;
            decisions += effects.decisions().size();
            effects.decisions().forEach(decisionTaker);
            return Optional.empty();
        }
    }
}
