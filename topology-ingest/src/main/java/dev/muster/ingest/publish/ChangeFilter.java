package dev.muster.ingest.publish;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What was last published of each object of one kind, and so what a new sighting changes.
 *
 * <p>Per object, an older or equal resource version changes nothing; equal facts change nothing; a new uid under a known
 * name is the deletion of the old object and the addition of a new one, whether or not anyone saw the deletion; a uid
 * that was deleted never comes back. Deletions that nobody saw are found by comparing with a full list. It keeps about
 * 200 bytes per object, never the object. Not thread-safe: one thread owns a kind.
 */
public final class ChangeFilter {

    private static final int BURIED = 4_096;

    private record Entry(ObjectId id, Fingerprint published, int refusals) {}

    private final Map<String, Entry> entries = new HashMap<>();
    private final Map<String, Boolean> buried = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > BURIED;
        }
    };

    /**
     * What a sighting asks for, in this order.
     *
     * @param delete the object whose published record must go first; empty for none
     * @param upsert whether the facts must be published
     * @param refused whether the refusals are news
     */
    public record Verdict(Optional<ObjectId> delete, boolean upsert, boolean refused) {

        static final Verdict NOTHING = new Verdict(Optional.empty(), false, false);

        /** True when anything is to be published about the object itself. */
        public boolean changes() {
            return upsert || delete.isPresent();
        }
    }

    /** Takes note that {@code id} was seen with these facts, and says what is to be published. */
    public Verdict seen(ObjectId id, Projection.Facts facts) {
        Verdict verdict = judge(id, facts);
        if (isNews(id)) {
            remember(id, facts);
        }
        return verdict;
    }

    /** What {@link #seen} would say, without taking note. */
    public Verdict judge(ObjectId id, Projection.Facts facts) {
        if (!isNews(id)) {
            return Verdict.NOTHING;
        }
        Entry known = entries.get(id.path());
        boolean same = known != null && known.id.uid().equals(id.uid());
        boolean published = known != null && known.published != null;
        boolean publish = facts.fingerprint() != null && !(facts.quiet() && !published);
        boolean unchanged = same && published && known.published.equals(facts.fingerprint());
        Optional<ObjectId> delete = published && (!same || !publish)
                ? Optional.of(new ObjectId(
                        id.namespace(),
                        id.name(),
                        known.id.uid(),
                        Math.max(id.resourceVersion(), known.id.resourceVersion())))
                : Optional.empty();
        boolean refused = !facts.refusals().isEmpty()
                && (known == null || !same || known.refusals != facts.refusals().hashCode());
        return new Verdict(delete, publish && !unchanged, refused);
    }

    private boolean isNews(ObjectId id) {
        Entry known = entries.get(id.path());
        if (known == null) {
            return !buried.containsKey(id.uid());
        }
        long seen = known.id.resourceVersion();
        return (id.resourceVersion() == 0 || seen == 0 || id.resourceVersion() > seen) && !buried.containsKey(id.uid());
    }

    private void remember(ObjectId id, Projection.Facts facts) {
        Entry known = entries.get(id.path());
        boolean same = known != null && known.id.uid().equals(id.uid());
        if (known != null && !same) {
            buried.put(known.id.uid(), true);
        }
        boolean published = known != null && known.published != null;
        Fingerprint now = facts.quiet() && !published ? null : facts.fingerprint();
        entries.put(id.path(), new Entry(id, now, facts.refusals().hashCode()));
    }

    /** Takes note that {@code id} was deleted; the object whose record must go, empty when none was published. */
    public Optional<ObjectId> deleted(ObjectId id) {
        buried.put(id.uid(), true);
        Entry known = entries.get(id.path());
        if (known == null || !known.id.uid().equals(id.uid())) {
            return Optional.empty();
        }
        entries.remove(id.path());
        long version = Math.max(id.resourceVersion(), known.id.resourceVersion());
        return known.published == null
                ? Optional.empty()
                : Optional.of(new ObjectId(id.namespace(), id.name(), id.uid(), version));
    }

    /**
     * The objects that a full list no longer has. One that was seen at a later version than the list's is not missing:
     * the list is older than it.
     *
     * @param present paths that the list has
     * @param listVersion the list's resource version; 0 where unknown
     */
    public List<ObjectId> missing(Set<String> present, long listVersion) {
        List<ObjectId> missing = new ArrayList<>();
        entries.forEach((path, entry) -> {
            long seen = entry.id.resourceVersion();
            if (!present.contains(path) && (seen == 0 || listVersion == 0 || seen <= listVersion)) {
                missing.add(new ObjectId(
                        entry.id.namespace(), entry.id.name(), entry.id.uid(), Math.max(seen, listVersion)));
            }
        });
        missing.sort((a, b) -> a.path().compareTo(b.path()));
        return missing;
    }

    /** Forgets everything: a fresh list under a new epoch publishes all of it again. */
    public void clear() {
        entries.clear();
        buried.clear();
    }

    /** How many objects are known. */
    public int size() {
        return entries.size();
    }
}
