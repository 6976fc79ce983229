package dev.muster.standalone.replay;

import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.streams.DecisionCodec;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.LocalRegistry;
import dev.muster.standalone.replay.Difference.Field;
import dev.muster.standalone.replay.Difference.Kind;
import dev.muster.standalone.replay.RecordedDecisions.Recorded;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.serialization.Serializer;

/** Lays replayed decisions beside recorded ones, in order: bodies must be equal byte for byte. */
final class DecisionComparison {
    private final RecordedDecisions recorded;
    private final DecisionCodec codec;
    private final Serializer<dev.muster.schemas.decision.Decision> encoder =
            new AvroSerde<>(new LocalRegistry(), dev.muster.schemas.decision.Decision.class).serializer();
    private long index;
    private long equal;
    private long differences;
    private Difference first;

    DecisionComparison(RecordedDecisions recorded, String domain) {
        this.recorded = recorded;
        this.codec = new DecisionCodec(domain);
    }

    /** Takes the next decision of the replay. */
    void take(Decision replayed) {
        dev.muster.schemas.decision.Decision expected = codec.write(replayed);
        while (next().filter(found -> before(found, expected)).isPresent()) {
            extra(next().get());
        }
        Optional<Recorded> found = next();
        if (found.isEmpty() || after(found.get(), expected)) {
            differs(new Difference(
                    Kind.MISSING, index, expected.getId(), -1, "the topic does not have this decision", List.of()));
        } else {
            compare(expected, found.get());
            recorded.advance();
        }
        index++;
    }

    /**
     * Sums up.
     *
     * @param toTheEnd the replay came to the end of the scheduler's work: what the topic has beyond it is too much
     */
    ReplayReport.Comparison finish(boolean toTheEnd) {
        while (toTheEnd && next().isPresent()) {
            extra(next().get());
        }
        recorded.damage().ifPresent(damage -> {
            // Named already when what the damage changed was a decision.
            if (differences == 0) {
                differs(new Difference(Kind.DAMAGED, index, "", damage.offset(), damage.message(), List.of()));
            }
        });
        return new ReplayReport.Comparison(equal, differences, Optional.ofNullable(first));
    }

    private Optional<Recorded> next() {
        return recorded.peek();
    }

    private void compare(dev.muster.schemas.decision.Decision expected, Recorded found) {
        if (found.decision() == null) {
            differs(new Difference(
                    Kind.DAMAGED,
                    index,
                    expected.getId(),
                    found.offset(),
                    "what the topic has cannot be decoded: " + found.problem(),
                    List.of()));
            return;
        }
        byte[] expectedBody = AvroSerde.bodyOf(encoder.serialize("decisions", expected));
        if (Arrays.equals(expectedBody, AvroSerde.bodyOf(found.value()))) {
            equal++;
            return;
        }
        List<Field> fields = RecordDiff.between(expected, found.decision());
        String message = fields.isEmpty()
                ? "the bytes differ, although the fields do not"
                : fields.size() + (fields.size() == 1 ? " field differs" : " fields differ");
        differs(new Difference(Kind.DIFFERENT, index, expected.getId(), found.offset(), message, fields));
    }

    private void extra(Recorded found) {
        String id = found.decision() == null ? "" : found.decision().getId();
        differs(new Difference(
                Kind.EXTRA, index, id, found.offset(), "the journal does not give this decision", List.of()));
        recorded.advance();
    }

    private void differs(Difference difference) {
        differences++;
        if (first == null) {
            first = difference;
        }
    }

    /** A decision that cannot be decoded, or whose id was altered, stands for the one expected in its place. */
    private static boolean before(Recorded found, dev.muster.schemas.decision.Decision expected) {
        return found.decision() != null && order(found.decision(), expected) < 0 && consistent(found.decision());
    }

    private static boolean after(Recorded found, dev.muster.schemas.decision.Decision expected) {
        return found.decision() != null && order(found.decision(), expected) > 0 && consistent(found.decision());
    }

    private static boolean consistent(dev.muster.schemas.decision.Decision found) {
        return found.getId().endsWith(":" + found.getSequence() + ":" + found.getOrdinal());
    }

    private static int order(dev.muster.schemas.decision.Decision a, dev.muster.schemas.decision.Decision b) {
        int bySequence = Long.compare(a.getSequence(), b.getSequence());
        return bySequence != 0 ? bySequence : Integer.compare(a.getOrdinal(), b.getOrdinal());
    }
}
