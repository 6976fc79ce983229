package dev.muster.standalone.virtual;

import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.round.Effects;
import dev.muster.scheduler.core.round.Engine;
import dev.muster.scheduler.streams.DecisionCodec;
import dev.muster.scheduler.streams.JournalCodec;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Topics;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;

/** Decides a journal that is in memory again and compares bytes. */
public final class JournalReplay {

    private final Topics topics;
    private final JournalCodec journalCodec;
    private final DecisionCodec decisionCodec;
    private final Deserializer<dev.muster.schemas.journal.JournalEntry> entries;
    private final Serializer<dev.muster.schemas.decision.Decision> decisions;

    /** A replay of one domain's records. */
    public JournalReplay(String domain, Topics topics, SchemaRegistry registry) {
        this.topics = topics;
        this.journalCodec = new JournalCodec(domain);
        this.decisionCodec = new DecisionCodec(domain);
        this.entries = new AvroSerde<>(registry, dev.muster.schemas.journal.JournalEntry.class).deserializer();
        this.decisions = new AvroSerde<>(registry, dev.muster.schemas.decision.Decision.class).serializer();
    }

    /** The first difference between what the journal decides now and what was decided; empty where all is equal. */
    public Optional<String> difference(List<byte[]> journal, List<byte[]> decided) {
        Engine engine = Engine.empty();
        int at = 0;
        for (byte[] bytes : journal) {
            JournalEntry entry = journalCodec.read(entries.deserialize(topics.journal(), bytes));
            Effects effects = engine.apply(entry);
            if (!effects.applied()) {
                return Optional.of("entry " + entry.sequence() + " changes nothing, yet it was journaled");
            }
            for (Decision decision : effects.decisions()) {
                byte[] again = decisions.serialize(topics.decisions(), decisionCodec.write(decision));
                if (at >= decided.size() || !Arrays.equals(again, decided.get(at))) {
                    return Optional.of("decision " + decisionCodec.idOf(decision.id()) + " of entry " + entry.sequence()
                            + " differs");
                }
                at++;
            }
        }
        return at == decided.size()
                ? Optional.empty()
                : Optional.of((decided.size() - at) + " decisions do not follow from the journal");
    }
}
