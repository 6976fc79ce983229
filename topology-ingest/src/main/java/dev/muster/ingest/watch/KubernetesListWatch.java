package dev.muster.ingest.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.Listable;
import io.fabric8.kubernetes.client.dsl.Watchable;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A kind read through fabric8's client. Lists are paged and consistent (no resource version is given, so the server
 * answers from the newest state); the client's own reconnecting is off, because what follows a disconnect is decided by
 * {@link KindInformer}.
 *
 * @param <T> the kind's class
 */
public final class KubernetesListWatch<T extends HasMetadata> implements ListWatch<T> {

    private static final Logger LOG = LoggerFactory.getLogger(KubernetesListWatch.class);
    private static final long SHORTEST_WATCH_SECONDS = 240;
    private static final long LONGEST_WATCH_SECONDS = 480;

    private final Listable<? extends KubernetesResourceList<T>> lists;
    private final Watchable<T> watches;
    private final long pageSize;

    /** A kind read through {@code lists} and {@code watches}, of a client made by {@link #plain}. */
    public <O extends Listable<? extends KubernetesResourceList<T>> & Watchable<T>> KubernetesListWatch(
            O operation, int pageSize) {
        this.lists = operation;
        this.watches = operation;
        this.pageSize = pageSize;
    }

    /** A view of {@code client} that neither retries nor reconnects by itself; it is not to be closed. */
    public static KubernetesClient plain(KubernetesClient client) {
        var config = new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
                .withWatchReconnectLimit(0)
                .withRequestRetryBackoffLimit(0)
                .build();
        return client.newClient(config).adapt(KubernetesClient.class);
    }

    @Override
    public Page<T> list(String next) {
        ListOptions options = new ListOptionsBuilder()
                .withLimit(pageSize)
                .withContinue(next.isEmpty() ? null : next)
                .build();
        KubernetesResourceList<T> list;
        try {
            list = lists.list(options);
        } catch (KubernetesClientException e) {
            throw classify(e);
        }
        if (list == null || list.getMetadata() == null || list.getItems() == null) {
            throw new SourceException(SourceException.Kind.UNAVAILABLE, "the answer to a list is no list");
        }
        String more = list.getMetadata().getContinue();
        return new Page<>(list.getItems(), list.getMetadata().getResourceVersion(), more == null ? "" : more);
    }

    @Override
    public Open watch(String resourceVersion, Sink<T> sink) {
        // Watches that end at different times do not come back together.
        long seconds = ThreadLocalRandom.current().nextLong(SHORTEST_WATCH_SECONDS, LONGEST_WATCH_SECONDS);
        ListOptions options = new ListOptionsBuilder()
                .withResourceVersion(resourceVersion)
                .withAllowWatchBookmarks(true)
                .withTimeoutSeconds(seconds)
                .build();
        try {
            Watch watch = watches.watch(options, new Bridge<>(sink));
            return watch::close;
        } catch (KubernetesClientException e) {
            throw classify(e);
        }
    }

    /** What is to be done about a failure of the client. */
    static SourceException classify(KubernetesClientException e) {
        SourceException.Kind kind = switch (e.getCode()) {
            case 401, 403 -> SourceException.Kind.DENIED;
            case 404 -> SourceException.Kind.MISSING;
            case 410 -> SourceException.Kind.GONE;
            case 429 -> SourceException.Kind.BUSY;
            default -> SourceException.Kind.UNAVAILABLE;
        };
        var details = e.getStatus() == null ? null : e.getStatus().getDetails();
        Integer seconds = details == null ? null : details.getRetryAfterSeconds();
        Duration retryAfter = seconds == null ? Duration.ZERO : Duration.ofSeconds(Math.max(0, Math.min(seconds, 300)));
        String cause = e.getCause() == null ? "" : " (" + e.getCause() + ")";
        return new SourceException(kind, e.getMessage() + cause, retryAfter, e);
    }

    private record Bridge<T extends HasMetadata>(Sink<T> sink) implements Watcher<T> {

        @Override
        public boolean reconnecting() {
            return false;
        }

        @Override
        public void eventReceived(Action action, T object) {
            switch (action) {
                case ADDED, MODIFIED -> sink.changed(object);
                case DELETED -> sink.deleted(object);
                case BOOKMARK -> sink.bookmark(object.getMetadata().getResourceVersion());
                case ERROR -> LOG.debug("Watch of {} reports an error", object.getKind());
            }
        }

        @Override
        public void onClose() {
            sink.ended(null);
        }

        @Override
        public void onClose(WatcherException cause) {
            if (cause.isHttpGone()) {
                sink.ended(new SourceException(SourceException.Kind.GONE, String.valueOf(cause.getMessage())));
            } else if (cause.getCause() instanceof KubernetesClientException e && e.getCode() > 0) {
                sink.ended(classify(e));
            } else {
                // Without a status it is the end of a connection, which every watch comes to.
                sink.ended(null);
            }
        }
    }
}
