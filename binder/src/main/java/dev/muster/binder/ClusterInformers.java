package dev.muster.binder;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Keeps a {@link ClusterView} up to date with one informer for pods and one for nodes. */
final class ClusterInformers implements AutoCloseable {

    private static final long PAGE = 500;

    private final SharedIndexInformer<Pod> pods;
    private final SharedIndexInformer<Node> nodes;

    ClusterInformers(KubernetesClient client, ClusterView view) {
        this.pods = prepared(
                client.pods().inAnyNamespace().withLimit(PAGE).runnableInformer(0),
                Pod::new,
                pod -> view.podSeen(Projection.of(pod)),
                (key, uid) -> view.podGone(key, uid));
        this.nodes = prepared(
                client.nodes().withLimit(PAGE).runnableInformer(0),
                Node::new,
                node -> view.nodeSeen(Projection.of(node)),
                (key, uid) -> view.nodeGone(key.name(), uid));
    }

    /**
     * Lists both kinds and begins to watch.
     *
     * @throws TimeoutException when the lists were not there in time
     */
    void start(Duration timeout) throws InterruptedException, TimeoutException {
        var listed = CompletableFuture.allOf(
                nodes.start().toCompletableFuture(), pods.start().toCompletableFuture());
        try {
            listed.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new ClusterUnlistedException(
                    "pods and nodes can't be listed: " + e.getCause().getMessage(), e.getCause());
        }
    }

    boolean running() {
        return pods.isRunning() && nodes.isRunning();
    }

    boolean watching() {
        return pods.isWatching() && nodes.isWatching();
    }

    @Override
    public void close() {
        pods.close();
        nodes.close();
    }

    private static <T extends HasMetadata> SharedIndexInformer<T> prepared(
            SharedIndexInformer<T> informer, Supplier<T> empty, Consumer<T> seen, BiConsumer<PodKey, String> gone) {
        // What a watch can't read or reach now it can later: always list again.
        return informer.itemStore(new SkeletonStore<>(empty))
                .exceptionHandler((started, problem) -> true)
                .addEventHandler(new ResourceEventHandler<>() {
                    @Override
                    public void onAdd(T object) {
                        seen.accept(object);
                    }

                    @Override
                    public void onUpdate(T before, T object) {
                        if (!before.getMetadata()
                                .getUid()
                                .equals(object.getMetadata().getUid())) {
                            onDelete(before, false);
                        }
                        seen.accept(object);
                    }

                    @Override
                    public void onDelete(T object, boolean finalStateUnknown) {
                        var meta = object.getMetadata();
                        gone.accept(new PodKey(meta.getNamespace(), meta.getName()), meta.getUid());
                    }
                });
    }

    /** The informer's own memory: name, uid and version of each object. The rest is in the view, projected. */
    private static final class SkeletonStore<T extends HasMetadata> implements ItemStore<T> {

        private final Map<String, T> items = new ConcurrentHashMap<>();
        private final Supplier<T> empty;

        SkeletonStore(Supplier<T> empty) {
            this.empty = empty;
        }

        @Override
        public String getKey(T object) {
            var meta = object.getMetadata();
            return meta.getNamespace() == null ? meta.getName() : meta.getNamespace() + "/" + meta.getName();
        }

        @Override
        public T put(String key, T object) {
            var meta = object.getMetadata();
            T skeleton = empty.get();
            skeleton.setMetadata(new ObjectMetaBuilder()
                    .withNamespace(meta.getNamespace())
                    .withName(meta.getName())
                    .withUid(meta.getUid())
                    .withResourceVersion(meta.getResourceVersion())
                    .build());
            return items.put(key, skeleton);
        }

        @Override
        public T remove(String key) {
            return items.remove(key);
        }

        @Override
        public Stream<String> keySet() {
            return items.keySet().stream();
        }

        @Override
        public Stream<T> values() {
            return items.values().stream();
        }

        @Override
        public int size() {
            return items.size();
        }

        @Override
        public T get(String key) {
            return items.get(key);
        }

        @Override
        public boolean isFullState() {
            return false;
        }
    }
}
