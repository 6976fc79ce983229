package dev.muster.schemas.serde;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;

/** Encodes records of one class, one after the other, with buffers that are used again. For one thread. */
final class RecordWriter<T extends SpecificRecord> {
    private static final int KEPT_BYTES = 64 << 10;

    private final SpecificDatumWriter<T> writer;
    private ByteArrayOutputStream out = new ByteArrayOutputStream(512);
    private BinaryEncoder encoder;

    RecordWriter(Schema schema, SpecificData model) {
        writer = new SpecificDatumWriter<>(schema, model);
    }

    byte[] write(int schemaId, T record) throws IOException {
        out.write(0);
        out.write(schemaId >>> 24);
        out.write(schemaId >>> 16);
        out.write(schemaId >>> 8);
        out.write(schemaId);
        encoder = EncoderFactory.get().binaryEncoder(out, encoder);
        writer.write(record, encoder);
        encoder.flush();
        byte[] value = out.toByteArray();
        if (value.length > KEPT_BYTES) {
            out = new ByteArrayOutputStream(512);
        } else {
            out.reset();
        }
        return value;
    }
}
