package dev.muster.ingest.intake;

import dev.muster.schemas.job.JobCommand;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.serde.UndecodableException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.function.LongSupplier;

/**
 * Turns one tenant's bytes into commands. It has its own serde, so that nothing it learns from one tenant is used for
 * another, and asks the registry about few schema ids: a tenant that makes them up is told so without the network
 * after ten a minute.
 */
final class CommandDecoder {

    /** Most schema ids per minute that the registry is asked about in vain. */
    static final int VAIN_LOOKUPS_MAX = 10;

    private static final long MINUTE_NANOS = 60_000_000_000L;
    private static final int IDS_MAX = 1_000;
    private static final int HEADER_BYTES = 5;
    private static final int MESSAGE_MAX = 300;

    /** What the bytes are. */
    sealed interface Decoded {}

    /** A command. */
    record Command(JobCommand command) implements Decoded {}

    /** Nothing that can be answered: reason code and sentence for a dead letter. */
    record Undecodable(String reason, String message) implements Decoded {}

    private final AvroSerde<JobCommand> serde;
    private final int maxValueBytes;
    private final LongSupplier nanos;
    private final SequencedSet<Integer> goodIds = new LinkedHashSet<>();
    private final Map<Integer, Long> vainIds = new HashMap<>();

    /**
     * @param maxValueBytes largest value that is decoded
     * @param nanos a clock that never runs backwards, for counting lookups
     */
    CommandDecoder(SchemaRegistry registry, int maxValueBytes, LongSupplier nanos) {
        this.serde = new AvroSerde<>(registry, JobCommand.class, maxValueBytes);
        this.maxValueBytes = maxValueBytes;
        this.nanos = nanos;
    }

    /**
     * Decodes one value.
     *
     * @throws dev.muster.schemas.serde.RegistryException when the registry cannot say: the value may be good, try
     *     again later
     */
    Decoded decode(String topic, byte[] value) {
        if (value == null) {
            return new Undecodable("Invalid", "the record has no value, expected a JobCommand");
        }
        if (value.length > maxValueBytes) {
            return new Undecodable(
                    UndecodableException.TOO_LARGE,
                    "value of " + value.length + " bytes, at most " + maxValueBytes + " are accepted");
        }
        Integer id = value.length < HEADER_BYTES
                ? null
                : Integer.valueOf(ByteBuffer.wrap(value, 1, 4).getInt());
        if (id != null && !goodIds.contains(id) && !mayAsk(id)) {
            return new Undecodable(UndecodableException.UNKNOWN_SCHEMA, "schema " + id + " is not registered");
        }
        try {
            JobCommand command = serde.deserializer().deserialize(topic, value);
            remember(id);
            return new Command(command);
        } catch (UndecodableException e) {
            if (id != null && e.reason().equals(UndecodableException.UNKNOWN_SCHEMA)) {
                vainIds.put(id, nanos.getAsLong());
            }
            return new Undecodable(e.reason(), Names.escape(String.valueOf(e.getMessage()), MESSAGE_MAX));
        }
    }

    private boolean mayAsk(Integer id) {
        long now = nanos.getAsLong();
        vainIds.values().removeIf(asked -> now - asked > MINUTE_NANOS);
        return !vainIds.containsKey(id) && vainIds.size() < VAIN_LOOKUPS_MAX;
    }

    private void remember(Integer id) {
        goodIds.add(id);
        if (goodIds.size() > IDS_MAX) {
            goodIds.removeFirst();
        }
    }
}
