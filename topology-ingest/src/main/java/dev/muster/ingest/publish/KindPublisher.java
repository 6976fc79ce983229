package dev.muster.ingest.publish;

import dev.muster.ingest.map.Refusal;
import dev.muster.schemas.common.Change;
import dev.muster.schemas.common.Origin;
import dev.muster.schemas.decision.DeadLetter;
import dev.muster.schemas.topic.Keys;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Publishes one kind of one cluster: to one topic, or to several where a kind feeds more than one (nodes tell their GPU
 * health too). Each topic has its own memory of what was published. Not thread-safe: one thread owns a kind.
 *
 * @param <T> the kind's class
 */
public final class KindPublisher<T extends HasMetadata> {

    private static final int LONGEST_MESSAGE = 1_000;

    /**
     * Where records come from, and how they go out.
     *
     * @param json an object as JSON, for size and hash of what was refused
     * @param clock dates dead letters; nothing else
     */
    public record Context(
            String domain,
            String cluster,
            EventPublisher publisher,
            Function<HasMetadata, String> json,
            MeterRegistry meters,
            InstantSource clock) {}

    /**
     * What was seen of one object: facts instead of the object, which may be large.
     *
     * @param facts by topic, in the order of the projections
     * @param letter size and hash of the object; null when nothing was refused
     */
    public record Sighting(ObjectId id, List<Projection.Facts> facts, Evidence letter) {}

    /** Size and hash of a refused object. */
    public record Evidence(int sizeBytes, String sha256) {}

    private record Track<T extends HasMetadata>(Projection<T, ?> projection, ChangeFilter filter) {}

    private final String kind;
    private final Context context;
    private final List<Track<T>> tracks;
    private long epoch;

    /** A publisher of {@code kind} to the topics of {@code projections}. */
    public KindPublisher(String kind, List<? extends Projection<T, ?>> projections, Context context) {
        this.kind = kind;
        this.context = context;
        List<Track<T>> list = new ArrayList<>();
        projections.forEach(projection -> list.add(new Track<>(projection, new ChangeFilter())));
        this.tracks = List.copyOf(list);
    }

    /** The facts of an object. Pure, and safe on any thread. */
    public Sighting project(T object) {
        List<Projection.Facts> facts = new ArrayList<>(tracks.size());
        boolean refused = false;
        for (Track<T> track : tracks) {
            Projection.Facts one = track.projection.project(object);
            refused |= !one.refusals().isEmpty();
            facts.add(one);
        }
        return new Sighting(idOf(object), facts, refused ? evidence(object) : null);
    }

    /** Identity and version of an object. */
    public ObjectId idOf(T object) {
        ObjectMeta meta = object.getMetadata();
        return new ObjectId(
                meta.getNamespace() == null ? "" : meta.getNamespace(),
                meta.getName() == null ? "" : meta.getName(),
                meta.getUid() == null ? "" : meta.getUid(),
                ObjectId.versionOf(meta.getResourceVersion()));
    }

    private Evidence evidence(T object) {
        try {
            byte[] bytes = context.json.apply(object).getBytes(StandardCharsets.UTF_8);
            return new Evidence(bytes.length, Fingerprint.hex(bytes));
        } catch (RuntimeException | StackOverflowError e) {
            return new Evidence(0, "");
        }
    }

    /** Begins a fresh list: forgets what was published, and says so. */
    public void begin(long newEpoch) {
        epoch = newEpoch;
        for (Track<T> track : tracks) {
            track.filter.clear();
            bracket(track, Change.RESYNC_BEGIN, 0);
        }
    }

    /**
     * Ends a fresh list; returns when the brokers have all of it.
     *
     * @param listVersion the list's resource version; 0 where unknown
     */
    public void end(long listVersion) {
        tracks.forEach(track -> bracket(track, Change.RESYNC_END, listVersion));
        context.publisher.flush();
    }

    private void bracket(Track<T> track, Change change, long version) {
        Origin origin = new Origin(context.domain, context.cluster, epoch, change, "", "", "", version);
        String key = Keys.resync(context.domain, context.cluster, track.projection.kind());
        context.publisher.send(track.projection.topic(), key, track.projection.withoutFacts(origin));
    }

    /** Publishes what a sighting changed; true when it changed anything. */
    public boolean seen(Sighting sighting) {
        boolean changed = false;
        for (int i = 0; i < tracks.size(); i++) {
            Track<T> track = tracks.get(i);
            Projection.Facts facts = sighting.facts().get(i);
            ChangeFilter.Verdict verdict = track.filter.seen(sighting.id(), facts);
            verdict.delete().ifPresent(gone -> delete(track, gone));
            if (verdict.upsert()) {
                Origin origin = origin(sighting.id(), Change.UPSERT);
                context.publisher.send(
                        track.projection.topic(),
                        track.projection.key().apply(sighting.id()),
                        facts.record().apply(origin));
                count(track, "upsert");
            }
            if (verdict.refused()) {
                context.publisher.sendDeadLetter(letter(track, sighting, facts.refusals()));
                count(track, "refused");
            }
            changed |= verdict.changes();
        }
        return changed;
    }

    /** True when {@link #seen} would publish something. */
    public boolean wouldChange(Sighting sighting) {
        boolean changes = false;
        for (int i = 0; i < tracks.size(); i++) {
            changes |= tracks.get(i)
                    .filter
                    .judge(sighting.id(), sighting.facts().get(i))
                    .changes();
        }
        return changes;
    }

    /** Publishes that an object is gone; true when it had been published. */
    public boolean deleted(ObjectId id) {
        boolean changed = false;
        for (Track<T> track : tracks) {
            Optional<ObjectId> gone = track.filter.deleted(id);
            gone.ifPresent(published -> delete(track, published));
            changed |= gone.isPresent();
        }
        return changed;
    }

    /** The objects that a full list no longer has; see {@link ChangeFilter#missing}. */
    public List<ObjectId> missing(Set<String> present, long listVersion) {
        // All tracks see the same objects.
        return tracks.get(0).filter.missing(present, listVersion);
    }

    /** How many objects of the kind are known. */
    public int size() {
        return tracks.get(0).filter.size();
    }

    private void delete(Track<T> track, ObjectId id) {
        String key = track.projection.key().apply(id);
        context.publisher.send(track.projection.topic(), key, track.projection.withoutFacts(origin(id, Change.DELETE)));
        context.publisher.send(track.projection.topic(), key, null);
        count(track, "delete");
    }

    private Origin origin(ObjectId id, Change change) {
        return new Origin(
                context.domain,
                context.cluster,
                epoch,
                change,
                id.namespace(),
                id.name(),
                id.uid(),
                id.resourceVersion());
    }

    private DeadLetter letter(Track<T> track, Sighting sighting, List<Refusal> refusals) {
        StringBuilder message = new StringBuilder();
        refusals.forEach(
                refusal -> message.append(message.isEmpty() ? "" : "; ").append(refusal));
        if (message.length() > LONGEST_MESSAGE) {
            message.setLength(LONGEST_MESSAGE);
        }
        return DeadLetter.newBuilder()
                .setBy("ingest")
                .setSource(context.cluster + "/" + track.projection.kind() + "/"
                        + sighting.id().path())
                .setReason(refusals.get(0).reason())
                .setMessage(message.toString())
                .setSizeBytes(sighting.letter().sizeBytes())
                .setSha256(sighting.letter().sha256())
                .setTimeMillis(context.clock.millis())
                .build();
    }

    private void count(Track<T> track, String what) {
        context.meters
                .counter(
                        "muster.ingest.records",
                        "cluster",
                        context.cluster,
                        "kind",
                        track.projection.kind(),
                        "what",
                        what)
                .increment();
    }

    @Override
    public String toString() {
        return context.cluster + "/" + kind;
    }
}
