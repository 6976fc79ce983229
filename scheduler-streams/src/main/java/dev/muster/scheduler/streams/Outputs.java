package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.decision.WorkloadStatus;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.model.WorkloadId;
import dev.muster.schemas.decision.DeadLetter;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Keys;
import dev.muster.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** What a domain writes: journal, decisions, workload-status, dead-letters; all into the partition of its task. */
final class Outputs {
    private static final String JOURNAL = "journal";
    private static final String DECISIONS = "decisions";
    private static final String STATUS = "workload-status";
    private static final String DEAD_LETTERS = "dead-letters";

    private final ProcessorContext<Routed, byte[]> context;
    private final Topics topics;
    private final String domain;
    private final int partition;
    private final JournalCodec journalCodec;
    private final DecisionCodec decisionCodec;
    private final StatusCodec statusCodec;
    private final Serializer<dev.muster.schemas.journal.JournalEntry> entries;
    private final Serializer<dev.muster.schemas.decision.Decision> decisions;
    private final Serializer<dev.muster.schemas.decision.WorkloadStatus> statuses;
    private final Serializer<DeadLetter> deadLetters;

    Outputs(ProcessorContext<Routed, byte[]> context, SchemaRegistry registry, Topics topics, String domain) {
        this.context = context;
        this.topics = topics;
        this.domain = domain;
        this.partition = context.taskId().partition();
        this.journalCodec = new JournalCodec(domain);
        this.decisionCodec = new DecisionCodec(domain);
        this.statusCodec = new StatusCodec(domain);
        this.entries = new AvroSerde<>(registry, dev.muster.schemas.journal.JournalEntry.class).serializer();
        this.decisions = new AvroSerde<>(registry, dev.muster.schemas.decision.Decision.class).serializer();
        this.statuses = new AvroSerde<>(registry, dev.muster.schemas.decision.WorkloadStatus.class).serializer();
        this.deadLetters = new AvroSerde<>(registry, DeadLetter.class).serializer();
    }

    /** A record's key and its partition, which follows from the task and not from the key. */
    record Routed(int partition, String key) {}

    /** Adds the sinks to a topology, fed by one processor. */
    static void addSinks(Topology topology, Topics topics, String processor) {
        addSink(topology, JOURNAL, topics.journal(), processor);
        addSink(topology, DECISIONS, topics.decisions(), processor);
        addSink(topology, STATUS, topics.workloadStatus(), processor);
        addSink(topology, DEAD_LETTERS, topics.deadLetters(), processor);
    }

    void entry(JournalEntry entry, String topic, long offset) {
        byte[] value = entries.serialize(topics.journal(), journalCodec.write(entry, topic, offset));
        forward(JOURNAL, domain, value, entry.timeMillis());
    }

    void decisions(List<Decision> made) {
        for (Decision decision : made) {
            byte[] value = decisions.serialize(topics.decisions(), decisionCodec.write(decision));
            forward(DECISIONS, domain, value, decision.timeMillis());
        }
    }

    void statuses(List<WorkloadStatus> changed, List<WorkloadId> forgotten, long timeMillis) {
        for (WorkloadStatus status : changed) {
            byte[] value = statuses.serialize(topics.workloadStatus(), statusCodec.write(status));
            forward(STATUS, Keys.workload(domain, status.id().value()), value, timeMillis);
        }
        for (WorkloadId id : forgotten) {
            forward(STATUS, Keys.workload(domain, id.value()), null, timeMillis);
        }
    }

    void deadLetter(DeadLetter letter) {
        byte[] value = deadLetters.serialize(topics.deadLetters(), letter);
        forward(DEAD_LETTERS, letter.getSource(), value, letter.getTimeMillis());
    }

    private void forward(String sink, String key, byte[] value, long timeMillis) {
        context.forward(new Record<>(new Routed(partition, key), value, timeMillis), sink);
    }

    private static void addSink(Topology topology, String name, String topic, String processor) {
        Serializer<Routed> keys = (t, routed) -> routed.key().getBytes(StandardCharsets.UTF_8);
        topology.addSink(name, topic, keys, new ByteArraySerializer(), new TaskPartitioner(), processor);
    }

    private static final class TaskPartitioner implements StreamPartitioner<Routed, byte[]> {
        @Override
        @SuppressWarnings("removal")
        public Optional<Set<Integer>> partitions(String topic, Routed key, byte[] value, int count) {
            return Optional.of(Set.of(key.partition()));
        }
    }
}
