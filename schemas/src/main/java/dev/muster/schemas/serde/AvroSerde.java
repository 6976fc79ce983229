package dev.muster.schemas.serde;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.FastReaderBuilder;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Records of one generated class as bytes in the Confluent wire format: a zero byte, the schema's id in four bytes
 * (big-endian), Avro's binary encoding. The subject is {@code <topic>-value} (Confluent's TopicNameStrategy). Equal
 * records give equal bytes. Null is null.
 *
 * <p>Reading takes the writer's schema from the registry and resolves it to the class's own. It may be fed anything:
 * what cannot be decoded is an {@link UndecodableException}, errors of the JVM on the way (stack, heap, linkage)
 * included, because Kafka Streams' handlers see exceptions only. A registry that cannot be asked is a
 * {@link RegistryException} instead: the record may be good.
 *
 * <p>May be used by several threads.
 *
 * @param <T> the generated class
 */
public final class AvroSerde<T extends SpecificRecord> implements Serde<T> {
    /** Largest value that is written or read unless said otherwise, header included: 8 MiB. */
    public static final int DEFAULT_MAX_VALUE_BYTES = 8 << 20;

    /** Most items of all arrays and maps of a value together: a gang of 10,000 pods with 8 devices each has 90,000. */
    public static final int MAX_ITEMS = 1 << 18;

    static final int HEADER_BYTES = 5;

    private static final int MAX_CACHED_SCHEMAS = 1_000;

    private final SchemaRegistry registry;
    private final SpecificData model;
    private final Schema schema;
    private final Schema portable;
    private final int maxValueBytes;
    private final Map<String, Integer> idsByTopic = new ConcurrentHashMap<>();
    private final Map<Integer, DatumReader<T>> readersById = new ConcurrentHashMap<>();
    private final ThreadLocal<RecordWriter<T>> writers;
    private final ThreadLocal<BoundedDecoder> decoders = ThreadLocal.withInitial(() -> new BoundedDecoder(MAX_ITEMS));

    /** A serde for values of at most {@link #DEFAULT_MAX_VALUE_BYTES}. */
    public AvroSerde(SchemaRegistry registry, Class<T> type) {
        this(registry, type, DEFAULT_MAX_VALUE_BYTES);
    }

    /** A serde for values of at most so many bytes, header included. */
    public AvroSerde(SchemaRegistry registry, Class<T> type, int maxValueBytes) {
        GeneratedClasses.trust();
        this.registry = registry;
        this.model = SpecificData.getForClass(type);
        // The code that Avro generates for a class gives the same bytes as its interpreter, in a third of the time.
        model.setCustomCoders(true);
        this.schema = model.getSchema(type);
        this.portable = schemaOf(type);
        this.maxValueBytes = maxValueBytes;
        this.writers = ThreadLocal.withInitial(() -> new RecordWriter<>(schema, model));
    }

    /** Lets Avro create objects of the generated classes. Needed only where they are copied or built before any serde exists. */
    public static void trustGeneratedClasses() {
        GeneratedClasses.trust();
    }

    /** The schema that is registered for a class: its own, without what concerns only our classes. */
    public static Schema schemaOf(Class<? extends SpecificRecord> type) {
        return PortableSchema.of(SpecificData.getForClass(type).getSchema(type));
    }

    /** The subject of a topic's values. */
    public static String subjectOf(String topic) {
        return topic + "-value";
    }

    /**
     * The Avro encoding of a value, without magic byte and schema id.
     *
     * @throws UndecodableException when the value is too short or does not begin with the magic byte
     */
    public static byte[] bodyOf(byte[] value) {
        requireHeader(value);
        return Arrays.copyOfRange(value, HEADER_BYTES, value.length);
    }

    @Override
    public Serializer<T> serializer() {
        return this::encode;
    }

    @Override
    public Deserializer<T> deserializer() {
        return this::decode;
    }

    private byte[] encode(String topic, T record) {
        if (record == null) {
            return null;
        }
        int id = idOf(topic);
        byte[] value;
        try {
            value = writers.get().write(id, record);
        } catch (Exception | StackOverflowError | OutOfMemoryError e) {
            // The encoder still holds what it was given so far.
            writers.remove();
            throw new SerializationException(
                    "topic " + topic + ": cannot encode a " + schema.getName() + ": " + describe(e), e);
        }
        if (value.length > maxValueBytes) {
            throw new SerializationException("topic " + topic + ": a " + schema.getName() + " of " + value.length
                    + " bytes, at most " + maxValueBytes + " can be read");
        }
        return value;
    }

    // Not computeIfAbsent: it would hold a lock of the map while the registry is asked.
    private int idOf(String topic) {
        Integer id = idsByTopic.get(topic);
        if (id == null) {
            id = registry.register(subjectOf(topic), portable);
            idsByTopic.put(topic, id);
        }
        return id;
    }

    private T decode(String topic, byte[] value) {
        if (value == null) {
            return null;
        }
        if (value.length > maxValueBytes) {
            throw new UndecodableException(
                    UndecodableException.TOO_LARGE,
                    "value of " + value.length + " bytes, at most " + maxValueBytes + " are decoded",
                    null);
        }
        int id = requireHeader(value);
        try {
            BoundedDecoder in = decoders.get().over(value, HEADER_BYTES);
            T record = readerOf(id).read(null, in);
            if (in.remainingBytes() > 0) {
                throw undecodable(in.remainingBytes() + " bytes left over after a " + schema.getName(), null);
            }
            return record;
        } catch (UndecodableException | RegistryException e) {
            throw e;
        } catch (BoundedDecoder.TooManyItemsException e) {
            throw new UndecodableException(UndecodableException.TOO_LARGE, e.getMessage(), e);
        } catch (Exception | StackOverflowError | OutOfMemoryError | LinkageError e) {
            throw undecodable("not a " + schema.getName() + " of schema " + id + ": " + describe(e), e);
        }
    }

    private DatumReader<T> readerOf(int id) {
        DatumReader<T> reader = readersById.get(id);
        if (reader == null) {
            reader = newReader(id);
            if (readersById.size() < MAX_CACHED_SCHEMAS) {
                readersById.put(id, reader);
            }
        }
        return reader;
    }

    private DatumReader<T> newReader(int id) {
        try {
            Schema writer = registry.byId(id);
            String objection = SchemaGuard.objection(writer);
            return objection == null
                    ? new FastReaderBuilder(model).createDatumReader(writer, schema)
                    : new Refusal<>("schema " + id + " is not decoded: " + objection);
        } catch (SchemaNotFoundException e) {
            throw new UndecodableException(UndecodableException.UNKNOWN_SCHEMA, e.getMessage(), e);
        } catch (RegistryException e) {
            throw e;
        } catch (Exception | StackOverflowError | LinkageError e) {
            return new Refusal<>("schema " + id + " cannot be read as " + schema.getName() + ": " + describe(e));
        }
    }

    private static int requireHeader(byte[] value) {
        if (value.length < HEADER_BYTES) {
            throw undecodable("value of " + value.length + " bytes, expected at least " + HEADER_BYTES, null);
        }
        if (value[0] != 0) {
            throw undecodable("first byte is " + (value[0] & 0xFF) + ", expected 0 (Confluent wire format)", null);
        }
        return (value[1] & 0xFF) << 24 | (value[2] & 0xFF) << 16 | (value[3] & 0xFF) << 8 | (value[4] & 0xFF);
    }

    private static String describe(Throwable problem) {
        String message = problem.getMessage();
        String name = problem.getClass().getSimpleName();
        return message == null
                ? name
                : name + ": " + message.lines().findFirst().orElse("");
    }

    private static UndecodableException undecodable(String message, Throwable cause) {
        return new UndecodableException(UndecodableException.UNDECODABLE, message, cause);
    }

    /** Stands for a writer's schema that cannot be read: the same answer for every record that names it. */
    private record Refusal<T>(String message) implements DatumReader<T> {
        @Override
        public void setSchema(Schema schema) {
            throw new UnsupportedOperationException();
        }

        @Override
        public T read(T reuse, Decoder in) {
            throw undecodable(message, null);
        }
    }
}
