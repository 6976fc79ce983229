package dev.muster.ingest;

import dev.muster.ingest.publish.EventPublisher;
import dev.muster.ingest.publish.KindPublisher;
import dev.muster.ingest.publish.KindPublisher.Sighting;
import dev.muster.ingest.watch.ListWatch;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Topics;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An ingest without Kafka, lease and watches of its own, for a simulation: it is told what the cluster has, and publishes
 * what the production mappers and filters make of it. Used by one thread.
 */
public final class LocalIngest {

    /** What it works with; {@code clock} dates dead letters and nothing else. */
    public record Environment(
            EventPublisher.Sender sender,
            SchemaRegistry registry,
            Topics topics,
            KubernetesSerialization json,
            MeterRegistry meters,
            InstantSource clock) {}

    /** All objects of a kind at one moment, as JSON. */
    public record Listing(List<String> objects, long resourceVersion) {}

    /** Reads a cluster's objects of one kind. */
    @FunctionalInterface
    public interface Lister {
        /** The objects; none of a kind that the server does not have. */
        Listing list(String apiVersion, String kind);
    }

    private record Followed<T extends HasMetadata>(Kinds.Kind<T> kind, Named<T> named, KindPublisher<T> publisher) {

        static <T extends HasMetadata> Followed<T> of(Kinds.Kind<T> kind, KindPublisher.Context context) {
            return new Followed<>(
                    kind, (Named<T>) kind.source(), new KindPublisher<>(kind.name(), kind.projections(), context));
        }

        void seen(HasMetadata object) {
            publisher.seen(publisher.project(named.type.cast(object)));
        }

        void deleted(HasMetadata object) {
            publisher.deleted(publisher.idOf(named.type.cast(object)));
        }

        void list(Listing listing, KubernetesSerialization json) {
            Set<String> present = new HashSet<>();
            for (String each : listing.objects()) {
                Sighting sighting = publisher.project(json.unmarshal(each, named.type));
                present.add(sighting.id().path());
                publisher.seen(sighting);
            }
            publisher.missing(present, listing.resourceVersion()).forEach(publisher::deleted);
        }
    }

    private final List<Kinds.Kind<?>> kinds;
    private final KindPublisher.Context context;
    private final KubernetesSerialization json;
    private final Map<String, Followed<?>> followed = new LinkedHashMap<>();

    /** An ingest that has seen nothing. */
    public LocalIngest(IngestConfig config, Environment environment) {
        this.kinds = Kinds.of(config, environment.topics(), new Names());
        this.json = environment.json();
        this.context = new KindPublisher.Context(
                config.domain(),
                config.cluster(),
                new EventPublisher(
                        environment.sender(),
                        environment.registry(),
                        environment.topics().deadLetters()),
                environment.json()::asJson,
                environment.meters(),
                environment.clock());
    }

    /** Takes the cluster over: lists every kind anew under that epoch, between brackets. */
    public void takeOver(long epoch, Lister lister) {
        followed.clear();
        for (Kinds.Kind<?> kind : kinds) {
            Followed<?> each = Followed.of(kind, context);
            followed.put(each.named().id(), each);
            Listing listing = lister.list(each.named().apiVersion, each.named().kind);
            each.publisher().begin(epoch);
            each.list(listing, json);
            each.publisher().end(0);
        }
    }

    /** Lists a kind again under the same epoch, as after a watch that was lost. */
    public void listAgain(String apiVersion, String kind, Lister lister) {
        Followed<?> known = followed.get(apiVersion + "/" + kind);
        if (known != null) {
            known.list(lister.list(apiVersion, kind), json);
        }
    }

    /** Whether objects of a kind are followed. */
    public boolean follows(String apiVersion, String kind) {
        return followed.containsKey(apiVersion + "/" + kind);
    }

    /** The object with the class that its kind is read as; empty for kinds that are not followed. */
    public Optional<HasMetadata> read(String apiVersion, String kind, String object) {
        return Optional.ofNullable(followed.get(apiVersion + "/" + kind))
                .map(known -> json.unmarshal(object, known.named().type));
    }

    /** The watch tells that an object was added or changed. */
    public void seen(String apiVersion, String kind, HasMetadata object) {
        followed.get(apiVersion + "/" + kind).seen(object);
    }

    /** The watch tells that an object is gone; this is its last state. */
    public void deleted(String apiVersion, String kind, HasMetadata object) {
        followed.get(apiVersion + "/" + kind).deleted(object);
    }

    /** Where a kind's objects would come from: here only its name. */
    private record Named<T extends HasMetadata>(String apiVersion, String kind, Class<T> type) implements ListWatch<T> {
        String id() {
            return apiVersion + "/" + kind;
        }

        @Override
        public Page<T> list(String next) {
            throw new UnsupportedOperationException("lists are handed in");
        }

        @Override
        public Open watch(String resourceVersion, Sink<T> sink) {
            throw new UnsupportedOperationException("changes are handed in");
        }
    }

    private static final class Names implements Sources {
        @Override
        public <T extends HasMetadata> ListWatch<T> core(Class<T> type) {
            return new Named<>(HasMetadata.getApiVersion(type), HasMetadata.getKind(type), type);
        }

        @Override
        public ListWatch<GenericKubernetesResource> custom(ResourceDefinitionContext type) {
            return new Named<>(
                    type.getGroup() + "/" + type.getVersion(), type.getKind(), GenericKubernetesResource.class);
        }
    }
}
