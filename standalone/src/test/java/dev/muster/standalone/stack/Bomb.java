package dev.muster.standalone.stack;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;

/**
 * A batch of one record whose value is zeros, packed: some thousandths of what it unpacks to. Written as a stranger would,
 * without a client of Kafka's, whose own limits count the unpacked size.
 */
final class Bomb {
    private static final int PRODUCE = 0;
    private static final int VERSION = 3;
    private static final byte GZIP = 1;

    private Bomb() {}

    /** The error code that the broker answers with, 0 for none; 10 is MESSAGE_TOO_LARGE. */
    static int send(String bootstrapServers, String topic, int valueBytes) throws IOException {
        byte[] batch = batch(valueBytes);
        int colon = bootstrapServers.indexOf(':');
        try (Socket socket = new Socket(
                bootstrapServers.substring(0, colon), Integer.parseInt(bootstrapServers.substring(colon + 1)))) {
            ByteArrayOutputStream request = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(request);
            out.writeShort(PRODUCE);
            out.writeShort(VERSION);
            out.writeInt(7);
            text(out, "stranger");
            out.writeShort(-1); // no transaction
            out.writeShort(-1); // all replicas
            out.writeInt(60_000);
            out.writeInt(1);
            text(out, topic);
            out.writeInt(1);
            out.writeInt(0);
            out.writeInt(batch.length);
            out.write(batch);
            DataOutputStream wire = new DataOutputStream(socket.getOutputStream());
            wire.writeInt(request.size());
            request.writeTo(wire);
            wire.flush();
            socket.setSoTimeout(60_000);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            in.readInt(); // size
            in.readInt(); // correlation
            in.readInt(); // topics
            in.skipNBytes(in.readShort());
            in.readInt(); // partitions
            in.readInt(); // index
            return in.readShort();
        }
    }

    /** A record batch of format version 2 (Kafka's protocol guide, "Record Batch"). */
    private static byte[] batch(int valueBytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream zip = new GZIPOutputStream(packed)) {
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            head.write(0); // attributes
            varint(head, 0); // timestamp delta
            varint(head, 0); // offset delta
            varint(head, -1); // no key
            varint(head, valueBytes);
            ByteArrayOutputStream size = new ByteArrayOutputStream();
            varint(size, head.size() + valueBytes + 1L);
            size.writeTo(zip);
            head.writeTo(zip);
            byte[] zeros = new byte[1 << 16];
            for (int left = valueBytes; left > 0; left -= zeros.length) {
                zip.write(zeros, 0, Math.min(left, zeros.length));
            }
            zip.write(0); // no headers
        }
        ByteBuffer batch = ByteBuffer.allocate(61 + packed.size());
        batch.putLong(0).putInt(49 + packed.size()).putInt(-1).put((byte) 2);
        int crcAt = batch.position();
        batch.putInt(0);
        batch.putShort(GZIP).putInt(0).putLong(1_000).putLong(1_000);
        batch.putLong(-1).putShort((short) -1).putInt(-1).putInt(1);
        batch.put(packed.toByteArray());
        CRC32C crc = new CRC32C();
        crc.update(batch.array(), crcAt + 4, batch.position() - crcAt - 4);
        batch.putInt(crcAt, (int) crc.getValue());
        return batch.array();
    }

    private static void varint(OutputStream out, long value) throws IOException {
        long zigzag = value << 1 ^ value >> 63;
        while ((zigzag & ~0x7FL) != 0) {
            out.write((int) (zigzag & 0x7F | 0x80));
            zigzag >>>= 7;
        }
        out.write((int) zigzag);
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeShort(bytes.length);
        out.write(bytes);
    }
}
