package dev.muster.ingest.publish;

import dev.muster.ingest.map.Mapped;
import dev.muster.ingest.map.Refusal;
import dev.muster.schemas.common.Change;
import dev.muster.schemas.common.Origin;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;

/**
 * What one topic tells about the objects of one kind.
 *
 * @param <T> the kind's class
 * @param <S> facts as the mapper makes them
 * @param kind name of the kind in resync brackets and in metrics
 * @param topic full topic name
 * @param mapper object to facts, total
 * @param event origin and facts to the record; facts are null unless the change is UPSERT
 * @param key key of an object's records
 * @param quiet facts that need no record as long as none was published, such as the health of a healthy node
 */
public record Projection<T extends HasMetadata, S>(
        String kind,
        String topic,
        Function<T, Mapped<S>> mapper,
        BiFunction<Origin, S, SpecificRecord> event,
        Function<ObjectId, String> key,
        Predicate<S> quiet) {

    private static final Origin NOWHERE = new Origin("", "", 0L, Change.UPSERT, "", "", "", 0L);

    public Projection {
        mapper = Mapped.total(mapper);
    }

    /** The facts of one object in the form in which they are compared and published. */
    public Facts project(T object) {
        Mapped<S> mapped = mapper.apply(object);
        return mapped.facts()
                .map(s -> new Facts(
                        origin -> event.apply(origin, s),
                        Fingerprint.of(event.apply(NOWHERE, s)),
                        quiet.test(s),
                        mapped.refusals()))
                .orElseGet(() -> new Facts(null, null, false, mapped.refusals()));
    }

    /** A record without facts: a deletion or a bracket. */
    SpecificRecord withoutFacts(Origin origin) {
        return event.apply(origin, null);
    }

    /**
     * One object's facts for one topic.
     *
     * @param record makes the record; null when there is nothing to publish
     * @param fingerprint of the facts; null when there is nothing to publish
     * @param quiet needs no record as long as none was published
     * @param refusals what could not be read
     */
    public record Facts(
            Function<Origin, SpecificRecord> record, Fingerprint fingerprint, boolean quiet, List<Refusal> refusals) {}
}
