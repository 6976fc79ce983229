package dev.muster.ingest.publish;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;

/** 128 bits of a SHA-256: what is remembered of a published record, instead of the record. */
public record Fingerprint(long high, long low) {

    /** The fingerprint of a record's Avro encoding. */
    static Fingerprint of(SpecificRecord record) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
        try {
            new SpecificDatumWriter<SpecificRecord>(record.getSchema()).write(record, encoder);
            encoder.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ByteBuffer digest = ByteBuffer.wrap(sha256(bytes.toByteArray()));
        return new Fingerprint(digest.getLong(), digest.getLong());
    }

    /** SHA-256 in hex. */
    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(sha256(bytes));
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
