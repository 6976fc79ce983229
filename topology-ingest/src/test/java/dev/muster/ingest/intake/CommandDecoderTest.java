package dev.muster.ingest.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.job.JobCommand;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.LocalRegistry;
import dev.muster.schemas.serde.SchemaRegistry;
import java.nio.ByteBuffer;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

class CommandDecoderTest {

    private final LocalRegistry schemas = new LocalRegistry();
    private int lookups;
    private long nanos;
    private final SchemaRegistry counting = new SchemaRegistry() {
        @Override
        public int register(String subject, Schema schema) {
            return schemas.register(subject, schema);
        }

        @Override
        public Schema byId(int id) {
            lookups++;
            return schemas.byId(id);
        }
    };
    private final CommandDecoder decoder = new CommandDecoder(counting, 64 * 1024, () -> nanos);

    @Test
    void asksTheRegistryAboutFewMadeUpSchemaIdsPerMinute() {
        for (int id = 1_000; id < 101_000; id++) {
            assertThat(reasonOf(value(id))).isEqualTo("UnknownSchema");
        }
        assertThat(lookups).isEqualTo(CommandDecoder.VAIN_LOOKUPS_MAX);
        nanos += 61_000_000_000L;
        reasonOf(value(7));
        assertThat(lookups).isEqualTo(CommandDecoder.VAIN_LOOKUPS_MAX + 1);
    }

    @Test
    void aFloodOfMadeUpIdsDoesNotTouchCommandsOfAKnownSchema() {
        byte[] good = new AvroSerde<>(schemas, JobCommand.class).serializer().serialize("t", Commands.submit("c", "j"));
        assertThat(decoder.decode("t", good)).isInstanceOf(CommandDecoder.Command.class);
        for (int id = 1_000; id < 1_100; id++) {
            reasonOf(value(id));
        }
        assertThat(decoder.decode("t", good)).isInstanceOf(CommandDecoder.Command.class);
    }

    @Test
    void refusesAValueThatIsTooLargeBeforeReadingIt() {
        assertThat(reasonOf(new byte[64 * 1024 + 1])).isEqualTo("TooLarge");
        assertThat(lookups).isZero();
    }

    private String reasonOf(byte[] value) {
        return ((CommandDecoder.Undecodable) decoder.decode("t", value)).reason();
    }

    private static byte[] value(int id) {
        return ByteBuffer.allocate(9).put((byte) 0).putInt(id).putInt(0).array();
    }
}
