package dev.muster.schemas.serde;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/** Records with something in every field, made from a schema alone: one for each branch of its widest union. */
public final class Samples {
    private Samples() {}

    public static List<GenericData.Record> of(Schema schema) {
        return IntStream.range(0, widestUnion(schema))
                .mapToObj(variant -> (GenericData.Record) value(schema, "", variant))
                .toList();
    }

    /** The Avro encoding, without a header. */
    public static byte[] encode(GenericData.Record sample) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
        try {
            new GenericDatumWriter<GenericData.Record>(sample.getSchema()).write(sample, encoder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** The encoding with magic byte and schema id before it. */
    static byte[] onTheWire(int id, byte[] body) {
        byte[] value = new byte[5 + body.length];
        value[1] = (byte) (id >>> 24);
        value[2] = (byte) (id >>> 16);
        value[3] = (byte) (id >>> 8);
        value[4] = (byte) id;
        System.arraycopy(body, 0, value, 5, body.length);
        return value;
    }

    private static Object value(Schema schema, String name, int variant) {
        return switch (schema.getType()) {
            case RECORD -> {
                GenericData.Record record = new GenericData.Record(schema);
                schema.getFields().forEach(f -> record.put(f.pos(), value(f.schema(), f.name(), variant)));
                yield record;
            }
            case ENUM ->
                new GenericData.EnumSymbol(
                        schema,
                        schema.getEnumSymbols()
                                .get(variant % schema.getEnumSymbols().size()));
            case ARRAY -> {
                List<Object> items = new ArrayList<>();
                for (int i = 0; i <= variant % 3; i++) {
                    items.add(value(schema.getElementType(), name, variant + i));
                }
                yield new GenericData.Array<>(schema, items);
            }
            case UNION -> {
                List<Schema> branches = schema.getTypes();
                Schema branch = branches.get((variant + branches.size() - 1) % branches.size());
                yield value(branch, name, variant);
            }
            case STRING -> name + "-" + variant + "-ä€😀";
            case INT -> 1 + name.length() + 1_000 * variant;
            case LONG -> name.length() * 10_000_000_007L + variant;
            case BOOLEAN -> variant % 2 == 0;
            case NULL -> null;
            default -> throw new IllegalArgumentException("no schema of ours uses " + schema.getType());
        };
    }

    private static int widestUnion(Schema schema) {
        return switch (schema.getType()) {
            case RECORD ->
                schema.getFields().stream()
                        .mapToInt(f -> widestUnion(f.schema()))
                        .max()
                        .orElse(1);
            case ARRAY -> widestUnion(schema.getElementType());
            case UNION ->
                Math.max(
                        schema.getTypes().size(),
                        schema.getTypes().stream()
                                .mapToInt(Samples::widestUnion)
                                .max()
                                .orElse(1));
            default -> 1;
        };
    }
}
