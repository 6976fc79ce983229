package dev.muster.scheduler.streams;

import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.event.GroupEvent;
import dev.muster.schemas.event.HealthEvent;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.event.NumaEvent;
import dev.muster.schemas.event.PodEvent;
import dev.muster.schemas.event.PolicyEvent;
import dev.muster.schemas.job.Submission;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.serde.UndecodableException;
import dev.muster.schemas.topic.Topics;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;

/** The input topics of a domain: from bytes to events, whatever the bytes are. */
public final class Inputs {
    private final Map<String, Deserializer<? extends SpecificRecord>> deserializers;
    private final EventCodec codec;

    /** The inputs of one domain. */
    public Inputs(SchemaRegistry registry, Topics topics, String domain) {
        deserializers = Map.of(
                topics.nodes(), reader(registry, NodeEvent.class),
                topics.pods(), reader(registry, PodEvent.class),
                topics.workloads(), reader(registry, GroupEvent.class),
                topics.gpuHealth(), reader(registry, HealthEvent.class),
                topics.numa(), reader(registry, NumaEvent.class),
                topics.policies(), reader(registry, PolicyEvent.class),
                topics.submissions(), reader(registry, Submission.class),
                topics.outcomes(), reader(registry, Outcome.class));
        codec = new EventCodec(domain);
    }

    /** Names of the input topics. */
    public static List<String> namesOf(Topics topics) {
        return List.of(
                topics.nodes(),
                topics.pods(),
                topics.workloads(),
                topics.gpuHealth(),
                topics.numa(),
                topics.policies(),
                topics.submissions(),
                topics.outcomes());
    }

    /**
     * The event in a value, or why there is none.
     *
     * <p>Catches errors too: Kafka Streams' handlers see exceptions only, so that an error would stop the task at the
     * same record again and again.
     *
     * @throws RuntimeException when the record is not at fault, such as a registry that cannot be reached
     */
    public Decoded read(String topic, byte[] value) {
        try {
            return codec.read(deserializers.get(topic).deserialize(topic, value));
        } catch (Throwable problem) {
            if (FaultTable.ofDecoding(problem) != FaultTable.Fault.DEAD_LETTER) {
                throw problem;
            }
            return new Decoded.Refused(
                    problem instanceof UndecodableException undecodable
                            ? new Refusal(undecodable.reason(), "", undecodable.getMessage())
                            : new Refusal(Refusal.UNDECODABLE, "", Checks.printable(problem.toString())));
        }
    }

    private static <T extends SpecificRecord> Deserializer<T> reader(SchemaRegistry registry, Class<T> type) {
        return new AvroSerde<>(registry, type).deserializer();
    }
}
