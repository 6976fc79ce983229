package dev.muster.binder;

import dev.muster.schemas.decision.DeadLetter;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.job.PodTemplate;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Topics;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * A binder wired as {@link Binder} wires it, over given clients of Kafka, a given way to the API server and given time: its
 * consumer with the ledger of offsets, the memory of answered decisions, lanes, and everything that acts.
 */
public final class SimulatedBinder {
    /** What it works with; see {@link LocalBinder.Place}. */
    public record Place(
            String cluster,
            String domain,
            Topics topics,
            SchemaRegistry registry,
            ApiTransport transport,
            KubernetesSerialization json,
            BinderClock clock,
            Executor threads,
            Supplier<ExecutorService> steps,
            LongUnaryOperator jitter,
            Producer<String, byte[]> producer,
            Function<String, Consumer<String, byte[]>> consumers,
            MeterRegistry meters) {}

    private final Place place;
    private final ClusterView view = new ClusterView();
    private final TemplateStore templates = new TemplateStore();
    private final StatusWriter statuses;
    private final DecisionConsumer consumer;
    private final Pulse pulse;
    private final Deserializer<WorkloadStatus> statusReader;
    private final Deserializer<PodTemplate> templateReader;

    /** A binder that knows nothing of its cluster yet. */
    public SimulatedBinder(Place place, BinderConfig config) {
        this.place = place;
        this.statusReader = new AvroSerde<>(place.registry(), WorkloadStatus.class).deserializer();
        this.templateReader = new AvroSerde<>(place.registry(), PodTemplate.class).deserializer();
        Patience.Spacing spacing = Patience.Spacing.of(place.clock(), config, place.jitter());
        ClusterApi api = new Fabric8ClusterApi(place.transport(), place.json(), config.leaseNamespace());
        OutcomePublisher publisher = new OutcomePublisher(
                place.producer(),
                new AvroSerde<>(place.registry(), Outcome.class).serializer(),
                new AvroSerde<>(place.registry(), DeadLetter.class).serializer(),
                new OutcomePublisher.Target(
                        place.topics().outcomes(), place.topics().deadLetters(), place.domain(), 0),
                place.clock());
        ClaimWaits waits = new ClaimWaits();
        DecisionCarrier carrier = DecisionCarrier.over(
                api,
                view,
                new PodCreator(api, templates, place.json()),
                spacing,
                new Parallel(place.steps()),
                config,
                waits,
                place.meters());
        this.pulse = new Pulse(place.clock());
        DecisionLanes lanes = new DecisionLanes(
                carrier::carryOut, publisher::publish, place.threads(), place.meters(), () -> new Halt(pulse));
        this.statuses = new StatusWriter(api, view, place.cluster(), spacing, config.statusBacklog());
        this.consumer = new DecisionConsumer(
                place.consumers().apply("muster-binder-" + place.cluster()),
                new DecisionConsumer.Source(
                        new TopicPartition(place.topics().decisions(), 0),
                        place.domain(),
                        place.cluster(),
                        config.maxInFlight()),
                new AvroSerde<>(place.registry(), Decision.class).deserializer(),
                lanes,
                waits,
                publisher);
    }

    /** Goes to the lowest decision without an outcome, and learns which ones have one. */
    public void start() {
        OptionalLong waitsSinceMillis = consumer.start();
        if (waitsSinceMillis.isPresent()) {
            Set<String> answered = AnsweredDecisions.since(
                    waitsSinceMillis.getAsLong(),
                    place.consumers().apply(""),
                    new TopicPartition(place.topics().outcomes(), 0),
                    new AvroSerde<>(place.registry(), Outcome.class).deserializer(),
                    place.cluster());
            consumer.skip(answered);
        }
    }

    /** Once round: reads decisions, begins them, commits what is done. */
    public void turn() {
        long sinceNanos = pulse.nanoTime();
        consumer.turn();
        pulse.beat(sinceNanos, consumer.readToTheEnd());
    }

    /** Decisions under way. */
    public int inFlight() {
        return consumer.inFlight();
    }

    /** Takes a record of topic templates in. */
    public void template(String key, byte[] value) {
        templates.take(key, templateReader.deserialize(place.topics().templates(), value));
    }

    /** Takes a record of topic workload-status in and begins to write it. */
    public void status(String key, byte[] value) {
        try {
            statuses.take(
                    key,
                    value == null
                            ? null
                            : statusReader.deserialize(place.topics().workloadStatus(), value));
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts here", e);
        }
        if (statuses.backlog() > 0) {
            place.threads().execute(statuses::writeWaiting);
        }
    }

    /** The watch tells of a pod. */
    public void seen(Pod pod) {
        view.podSeen(Projection.of(pod));
    }

    /** The watch tells that a pod is gone. */
    public void gone(Pod pod) {
        var meta = pod.getMetadata();
        view.podGone(new PodKey(meta.getNamespace(), meta.getName()), meta.getUid());
    }

    /** The watch tells of a node. */
    public void seen(Node node) {
        view.nodeSeen(Projection.of(node));
    }

    /** The watch tells that a node is gone. */
    public void gone(Node node) {
        view.nodeGone(node.getMetadata().getName(), node.getMetadata().getUid());
    }
}
