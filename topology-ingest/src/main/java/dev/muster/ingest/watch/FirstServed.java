package dev.muster.ingest.watch;

import dev.muster.ingest.watch.SourceException.Kind;
import java.util.List;

/**
 * A kind that servers know by different versions: each list begins with the first version that the server has, and the
 * watch goes on with the one that was listed.
 *
 * @param <T> the kind's class
 */
public final class FirstServed<T> implements ListWatch<T> {

    private final List<ListWatch<T>> versions;
    private volatile ListWatch<T> listed;

    /** The same kind by its versions, the one to be preferred first. */
    public FirstServed(List<ListWatch<T>> versions) {
        this.versions = List.copyOf(versions);
        this.listed = versions.getFirst();
    }

    @Override
    public Page<T> list(String next) {
        if (!next.isEmpty()) {
            return listed.list(next);
        }
        SourceException missing = null;
        for (ListWatch<T> version : versions) {
            try {
                Page<T> page = version.list(next);
                listed = version;
                return page;
            } catch (SourceException e) {
                if (e.kind() != Kind.MISSING) {
                    throw e;
                }
                missing = e;
            }
        }
        throw missing;
    }

    @Override
    public Open watch(String resourceVersion, Sink<T> sink) {
        return listed.watch(resourceVersion, sink);
    }
}
