package dev.muster.schemas.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.util.Utf8;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Avro's own writer is the reference. */
class BoundedDecoderTest {
    private static final Schema EVERYTHING = SchemaBuilder.record("Everything")
            .fields()
            .requiredBoolean("yes")
            .requiredInt("small")
            .requiredLong("large")
            .requiredFloat("single")
            .requiredDouble("twice")
            .requiredString("text")
            .requiredBytes("bytes")
            .name("four")
            .type()
            .fixed("Four")
            .size(4)
            .noDefault()
            .name("colour")
            .type()
            .enumeration("Colour")
            .symbols("RED", "GREEN")
            .noDefault()
            .name("list")
            .type()
            .array()
            .items()
            .longType()
            .noDefault()
            .name("map")
            .type()
            .map()
            .values()
            .doubleType()
            .noDefault()
            .optionalString("maybe")
            .endRecord();

    private final byte[] encoded = Samples.encode(everything());

    @Test
    void everyTypeIsReadAsItWasWritten() throws IOException {
        BoundedDecoder in = new BoundedDecoder(10).over(encoded, 0);
        assertThat(new GenericDatumReader<>(EVERYTHING).read(null, in)).isEqualTo(everything());
        assertThat(in.remainingBytes()).isZero();
    }

    @Test
    void everyTypeCanBeSkipped() throws IOException {
        BoundedDecoder in = new BoundedDecoder(10).over(encoded, 0);
        GenericDatumReader.skip(EVERYTHING, in);
        assertThat(in.remainingBytes()).isZero();
    }

    @Test
    void everyTypeThatEndsTooEarlyIsTheEnd() {
        for (int length = 0; length < encoded.length; length++) {
            byte[] truncated = Arrays.copyOf(encoded, length);
            assertThatThrownBy(() ->
                            new GenericDatumReader<>(EVERYTHING).read(null, new BoundedDecoder(10).over(truncated, 0)))
                    .isInstanceOf(EOFException.class);
        }
    }

    @Test
    void itemsOfAllCollectionsCountTogether() {
        assertThatThrownBy(
                        () -> new GenericDatumReader<>(EVERYTHING).read(null, new BoundedDecoder(4).over(encoded, 0)))
                .isInstanceOf(BoundedDecoder.TooManyItemsException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1, 63, 64, -64, -65, 8191, 8192, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE})
    void numbersOfEveryLength(long number) throws IOException {
        GenericData.Record one = new GenericData.Record(
                SchemaBuilder.record("One").fields().requiredLong("n").endRecord());
        one.put("n", number);
        BoundedDecoder in = new BoundedDecoder(0).over(Samples.encode(one), 0);
        assertThat(in.readLong()).isEqualTo(number);
        assertThat(in.remainingBytes()).isZero();
    }

    private static GenericData.Record everything() {
        GenericData.Record record = new GenericData.Record(EVERYTHING);
        record.put("yes", true);
        record.put("small", -77);
        record.put("large", Long.MIN_VALUE);
        record.put("single", 1.5f);
        record.put("twice", -Math.PI);
        record.put("text", new Utf8("ä€😀"));
        record.put("bytes", ByteBuffer.wrap(new byte[] {1, 2, 3}));
        record.put("four", new GenericData.Fixed(EVERYTHING.getField("four").schema(), new byte[] {4, 3, 2, 1}));
        record.put(
                "colour",
                new GenericData.EnumSymbol(EVERYTHING.getField("colour").schema(), "GREEN"));
        record.put("list", new GenericData.Array<>(EVERYTHING.getField("list").schema(), List.of(1L, 300L, -5L)));
        record.put("map", Map.of(new Utf8("a"), 0.5, new Utf8("b"), -0.5));
        record.put("maybe", new Utf8("there"));
        return record;
    }
}
