package dev.muster.scheduler.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.event.ClusterEvent;
import dev.muster.scheduler.core.event.JournalEntry;
import dev.muster.scheduler.core.round.Engine;
import dev.muster.scheduler.core.state.Row;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.LocalRegistry;
import dev.muster.schemas.topic.Topics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Mutated records of every input topic, each drawn from the seed that a failure names: an event or a refusal comes of each,
 * what is an event comes back from the journal as it was, and no event, however odd, breaks a law of the engine.
 */
class InputsFuzzTest {
    private static final Topics TOPICS = Topics.DEFAULT;
    private static final int MUTATIONS = Integer.getInteger("muster.fuzz", 8_000);
    private static final long SEED = Long.getLong("muster.fuzz.seed", 20_261_130L);
    private static final int TICK_EVERY = 50;

    private final LocalRegistry registry = new LocalRegistry();
    private final EventCodec codec = new EventCodec("prod");

    @Test
    void whateverAnInputTopicHoldsIsAnEventOrARefusalAndBreaksNothing() {
        Inputs inputs = new Inputs(registry, TOPICS, "prod");
        Engine engine = Engine.empty();
        long time = 1_000;
        engine.apply(new JournalEntry(engine.nextSequence(), time, new ClusterEvent.EngineStarted(Engine.VERSION)));
        Map<String, List<byte[]>> corpus = corpus();
        List<String> topics = List.copyOf(corpus.keySet());
        int events = 0;
        int refusals = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            Random random = new Random(SEED + i);
            String topic = topics.get(random.nextInt(topics.size()));
            byte[] mutated = mutated(corpus.get(topic), random);
            String what = "seed " + (SEED + i) + ", topic " + topic + ": "
                    + HexFormat.of().formatHex(mutated);
            try {
                switch (inputs.read(topic, mutated)) {
                    case Decoded.Refused refused -> {
                        refusals++;
                        assertThat(refused.refusal().message())
                                .as(what)
                                .isNotBlank()
                                .doesNotContain("\n");
                    }
                    case Decoded.Event event -> {
                        events++;
                        assertThat(codec.read(codec.write(event.event())))
                                .as(what)
                                .isEqualTo(new Decoded.Event(event.event()));
                        time += random.nextInt(1_000);
                        engine.apply(new JournalEntry(engine.nextSequence(), time, event.event()));
                    }
                }
                if (i % TICK_EVERY == 0) {
                    engine.apply(new JournalEntry(engine.nextSequence(), time, new ClusterEvent.Tick("marked")));
                }
            } catch (RuntimeException | StackOverflowError e) {
                throw new AssertionError(what, e);
            }
        }
        assertThat(events).isGreaterThan(MUTATIONS / 20);
        assertThat(refusals).isGreaterThan(MUTATIONS / 20);
    }

    static Stream<Class<?>> rows() {
        return CodecRoundTripTest.kindsOfRows();
    }

    /** Rows come from the scheduler's own changelogs; what is wrong with one is said, and never half read. */
    @ParameterizedTest
    @MethodSource("rows")
    void mutatedRowsAreReadOrRefusedByType(Class<?> kind) {
        SpecificRecord record = RowCodec.write((Row) new Samples(7).of(kind));
        byte[] good = Bytes.of(registry, "rows", record);
        for (int i = 0; i < MUTATIONS / 10; i++) {
            Random random = new Random(SEED + i);
            byte[] mutated = mutated(List.of(good), random);
            try {
                RowCodec.read(decode(record, mutated));
            } catch (IllegalArgumentException | org.apache.kafka.common.KafkaException e) {
                assertThat(e.getMessage()).isNotBlank();
            } catch (RuntimeException | StackOverflowError e) {
                throw new AssertionError(
                        "seed " + (SEED + i) + ": " + HexFormat.of().formatHex(mutated), e);
            }
        }
    }

    private <T extends SpecificRecord> SpecificRecord decode(T record, byte[] bytes) {
        try (AvroSerde<? extends SpecificRecord> serde = new AvroSerde<>(registry, record.getClass())) {
            return serde.deserializer().deserialize("rows", bytes);
        }
    }

    /** Records of every kind of event, by the topic that it comes on. */
    private Map<String, List<byte[]>> corpus() {
        Map<String, List<byte[]>> corpus = new TreeMap<>();
        CodecRoundTripTest.kindsOfEvents().forEach(kind -> {
            for (long seed = 0; seed < 20; seed++) {
                SpecificRecord record = codec.write((ClusterEvent) new Samples(seed).of(kind));
                topicOf(record)
                        .ifPresent(topic -> corpus.computeIfAbsent(topic, t -> new ArrayList<>())
                                .add(Bytes.of(registry, topic, record)));
            }
        });
        assertThat(corpus.keySet()).containsExactlyInAnyOrderElementsOf(Inputs.namesOf(TOPICS));
        return corpus;
    }

    private static Optional<String> topicOf(SpecificRecord record) {
        return Inputs.namesOf(TOPICS).stream()
                .filter(topic -> TOPICS.valueTypes(List.of()).get(topic).isInstance(record))
                .findFirst();
    }

    private static byte[] mutated(List<byte[]> samples, Random random) {
        byte[] bytes = samples.get(random.nextInt(samples.size())).clone();
        for (int n = random.nextInt(3); n >= 0; n--) {
            int at = 5 + random.nextInt(Math.max(1, bytes.length - 5));
            switch (random.nextInt(6)) {
                case 0 -> bytes[Math.min(at, bytes.length - 1)] = (byte) random.nextInt(256);
                case 1 -> bytes[Math.min(at, bytes.length - 1)] ^= (byte) (1 << random.nextInt(8));
                case 2 -> bytes[Math.min(at, bytes.length - 1)] = 1; // -1, where a number stands
                case 3 -> {
                    // The largest long, where a number stands.
                    byte[] huge = HexFormat.of().parseHex("feffffffffffffffff01");
                    byte[] longer = Arrays.copyOf(bytes, bytes.length + huge.length - 1);
                    int from = Math.min(at, bytes.length - 1);
                    System.arraycopy(bytes, from + 1, longer, from + huge.length, bytes.length - from - 1);
                    System.arraycopy(huge, 0, longer, from, huge.length);
                    bytes = longer;
                }
                case 4 -> bytes = random.nextInt(8) == 0 ? Arrays.copyOf(bytes, Math.max(6, at)) : bytes;
                default -> {
                    byte[] other = samples.get(random.nextInt(samples.size()));
                    int length = Math.min(other.length, bytes.length) - 5;
                    int from = random.nextInt(Math.max(1, length));
                    System.arraycopy(other, 5 + from, bytes, 5 + from, random.nextInt(Math.max(1, length - from)));
                }
            }
        }
        return bytes;
    }
}
