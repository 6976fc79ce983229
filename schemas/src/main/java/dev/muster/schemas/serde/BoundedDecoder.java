package dev.muster.schemas.serde;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.apache.avro.AvroTypeException;
import org.apache.avro.io.Decoder;
import org.apache.avro.util.Utf8;

/**
 * Reads Avro's binary encoding (specification 1.12, "Binary Encoding") from bytes that nobody vouches for. Nothing is
 * allocated for a length that the remaining bytes cannot hold, nothing is read twice, and the number of items of all
 * arrays and maps together is limited: an item can take a byte here and a hundred as an object.
 *
 * <p>Avro's own decoder limits items only by settings of the whole JVM, and steps backwards when a skipped block says
 * that its size is negative.
 */
final class BoundedDecoder extends Decoder {
    private final int maxItems;
    private byte[] bytes = new byte[0];
    private int position;
    private int end;
    private int items;

    BoundedDecoder(int maxItems) {
        this.maxItems = maxItems;
    }

    BoundedDecoder over(byte[] source, int from) {
        bytes = source;
        position = from;
        end = source.length;
        items = 0;
        return this;
    }

    @Override
    public int remainingBytes() {
        return end - position;
    }

    @Override
    public void readNull() {
        // Takes no bytes.
    }

    @Override
    public boolean readBoolean() throws IOException {
        byte value = next();
        if (value != 0 && value != 1) {
            throw new AvroTypeException("boolean " + value + " at byte " + (position - 1));
        }
        return value == 1;
    }

    @Override
    public int readInt() throws IOException {
        long value = readLong();
        if (value != (int) value) {
            throw new AvroTypeException("int " + value + " is out of range before byte " + position);
        }
        return (int) value;
    }

    @Override
    public long readLong() throws IOException {
        long zigzag = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            byte value = next();
            zigzag |= (value & 0x7FL) << shift;
            if (value >= 0) {
                return (zigzag >>> 1) ^ -(zigzag & 1);
            }
        }
        throw new AvroTypeException("number longer than 10 bytes before byte " + position);
    }

    @Override
    public float readFloat() throws IOException {
        return ByteBuffer.wrap(bytes, take(4), 4).order(ByteOrder.LITTLE_ENDIAN).getFloat();
    }

    @Override
    public double readDouble() throws IOException {
        return ByteBuffer.wrap(bytes, take(8), 8).order(ByteOrder.LITTLE_ENDIAN).getDouble();
    }

    @Override
    public Utf8 readString(Utf8 old) throws IOException {
        return new Utf8(readString());
    }

    @Override
    public String readString() throws IOException {
        int length = readLength();
        return new String(bytes, take(length), length, StandardCharsets.UTF_8);
    }

    @Override
    public void skipString() throws IOException {
        take(readLength());
    }

    @Override
    public ByteBuffer readBytes(ByteBuffer old) throws IOException {
        byte[] value = new byte[readLength()];
        readFixed(value, 0, value.length);
        return ByteBuffer.wrap(value);
    }

    @Override
    public void skipBytes() throws IOException {
        take(readLength());
    }

    @Override
    public void readFixed(byte[] target, int start, int length) throws IOException {
        System.arraycopy(bytes, take(length), target, start, length);
    }

    @Override
    public void skipFixed(int length) throws IOException {
        take(length);
    }

    @Override
    public int readEnum() throws IOException {
        return readInt();
    }

    @Override
    public int readIndex() throws IOException {
        return readInt();
    }

    @Override
    public long readArrayStart() throws IOException {
        return readItemCount();
    }

    @Override
    public long arrayNext() throws IOException {
        return readItemCount();
    }

    @Override
    public long skipArray() throws IOException {
        return readItemCount();
    }

    @Override
    public long readMapStart() throws IOException {
        return readItemCount();
    }

    @Override
    public long mapNext() throws IOException {
        return readItemCount();
    }

    @Override
    public long skipMap() throws IOException {
        return readItemCount();
    }

    // A negative count says that the block's size in bytes follows, for those who skip; items are skipped one by one
    // here, so that a wrong size changes nothing. Every item takes at least a byte (SchemaGuard).
    private long readItemCount() throws IOException {
        long count = readLong();
        if (count < 0) {
            count = -count;
            readLong();
        }
        if (count < 0 || count > remainingBytes()) {
            throw new EOFException(count + " items in " + remainingBytes() + " bytes at byte " + position);
        }
        if (count > maxItems - items) {
            throw new TooManyItemsException("more than " + maxItems + " items");
        }
        items += (int) count;
        return count;
    }

    private int readLength() throws IOException {
        long length = readLong();
        if (length < 0 || length > remainingBytes()) {
            throw new EOFException(
                    "length " + length + " with " + remainingBytes() + " bytes left at byte " + position);
        }
        return (int) length;
    }

    private byte next() throws EOFException {
        return bytes[take(1)];
    }

    private int take(int length) throws EOFException {
        if (length < 0 || length > end - position) {
            throw new EOFException("ends at byte " + end + ", " + length + " more expected at byte " + position);
        }
        int start = position;
        position += length;
        return start;
    }

    /** The value has more items than is allowed. */
    static final class TooManyItemsException extends IOException {
        private static final long serialVersionUID = 1L;

        TooManyItemsException(String message) {
            super(message);
        }
    }
}
