package dev.muster.standalone.virtual;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.binder.ApiTransport;
import dev.muster.binder.LocalBinder;
import dev.muster.ingest.IngestConfig;
import dev.muster.ingest.LocalIngest;
import dev.muster.ingest.publish.EventPublisher;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.job.PodTemplate;
import dev.muster.standalone.cluster.ObjectStore;
import dev.muster.standalone.cluster.ResourceKind;
import dev.muster.standalone.cluster.ResourceKinds;
import dev.muster.standalone.cluster.VirtualCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;

/** One member cluster of a virtual stack with its ingest and its binder. */
final class VirtualMember {

    private final VirtualStack.Options options;
    private final VirtualCluster cluster;
    private final Fibers fibers;
    private final FiberClock clock;
    private final Consumer<Outcome> outcomes;
    private final LocalIngest ingest;
    private final Queue<ObjectStore.Event> news = new ArrayDeque<>();
    private final Map<String, Decision> unanswered = new LinkedHashMap<>();
    private final Map<String, WorkloadStatus> statuses = new LinkedHashMap<>();
    private final Map<String, PodTemplate> templates = new LinkedHashMap<>();
    private Fibers.Group group;
    private LocalBinder binder;
    private long epoch;

    VirtualMember(
            VirtualStack.Options options,
            VirtualCluster cluster,
            Fibers fibers,
            EventPublisher.Sender sender,
            Consumer<Outcome> outcomes) {
        this.options = options;
        this.cluster = cluster;
        this.fibers = fibers;
        this.clock = new FiberClock(cluster.time(), fibers);
        this.outcomes = outcomes;
        this.ingest = new LocalIngest(
                IngestConfig.of(options.domain(), cluster.name()),
                new LocalIngest.Environment(
                        sender,
                        options.registry(),
                        options.topics(),
                        options.json(),
                        options.meters(),
                        cluster.time()));
        cluster.store().subscribe(event -> options.interceptor().watch(cluster.name(), event, news::add));
    }

    VirtualCluster cluster() {
        return cluster;
    }

    FiberClock clock() {
        return clock;
    }

    /** Begins: lists everything under a new epoch, and starts a binder. */
    void start() {
        takeOver();
        startBinder();
    }

    /** An ingest takes the cluster over: everything is listed anew under the next epoch. */
    void takeOver() {
        ingest.takeOver(++epoch, this::list);
    }

    /** The watch of one kind was lost: it is listed again. */
    void listAgain(ResourceKind kind) {
        ingest.listAgain(kind.apiVersion(), kind.kind(), this::list);
    }

    private LocalIngest.Listing list(String apiVersion, String kind) {
        List<String> objects = cluster.store().kinds().stream()
                .filter(each ->
                        each.apiVersion().equals(apiVersion) && each.kind().equals(kind))
                .findFirst()
                .map(found -> cluster.store().list(found).stream()
                        .map(JsonNode::toString)
                        .toList())
                .orElse(List.of());
        return new LocalIngest.Listing(objects, cluster.store().resourceVersion());
    }

    /** The binder is killed wherever it is, and another one starts: it lists, and does again what has no outcome. */
    void restartBinder() {
        group.kill();
        startBinder();
    }

    void killBinder() {
        group.kill();
    }

    boolean binderAlive() {
        return group.alive();
    }

    private void startBinder() {
        group = fibers.group("binder-" + cluster.name());
        Fibers.Group mine = group;
        ApiTransport server = request -> {
            VirtualCluster.Answer answer =
                    cluster.request(request.method(), request.path(), request.contentType(), request.body());
            return new ApiTransport.Answer(
                    answer.code(),
                    answer.body(),
                    answer.retryAfterSeconds() == 0 ? "" : Integer.toString(answer.retryAfterSeconds()));
        };
        binder = new LocalBinder(
                new LocalBinder.Place(
                        cluster.name(),
                        request -> {
                            fibers.throwIfKilled();
                            return options.interceptor().call(cluster.name(), request, server);
                        },
                        options.json(),
                        clock,
                        work -> mine.start("work", work),
                        () -> mine.executor("step"),
                        bound -> bound / 2,
                        outcome -> {
                            fibers.throwIfKilled();
                            unanswered.remove(outcome.getDecisionId());
                            outcomes.accept(outcome);
                        },
                        options.meters()),
                options.binder());
        cluster.store().list(ResourceKinds.PODS).forEach(pod -> tellBinder(read(ResourceKinds.PODS, pod)));
        cluster.store().list(ResourceKinds.NODES).forEach(node -> tellBinder(read(ResourceKinds.NODES, node)));
        templates.forEach(binder::template);
        statuses.forEach(this::write);
        List.copyOf(unanswered.values()).forEach(binder::carryOut);
    }

    private HasMetadata read(ResourceKind kind, JsonNode tree) {
        return ingest.read(kind.apiVersion(), kind.kind(), tree.toString()).orElseThrow();
    }

    /** Tells ingest and binder what the watches have brought; false when that was nothing. */
    boolean deliver() {
        if (news.isEmpty()) {
            return false;
        }
        for (ObjectStore.Event event = news.poll(); event != null; event = news.poll()) {
            deliver(event);
        }
        return true;
    }

    private void deliver(ObjectStore.Event event) {
        ResourceKind kind = event.kind();
        if (!ingest.follows(kind.apiVersion(), kind.kind())) {
            return;
        }
        HasMetadata object = read(kind, event.object());
        if (event.type().equals("DELETED")) {
            ingest.deleted(kind.apiVersion(), kind.kind(), object);
            tellBinderGone(object);
        } else {
            ingest.seen(kind.apiVersion(), kind.kind(), object);
            tellBinder(object);
        }
    }

    private void tellBinder(HasMetadata object) {
        switch (object) {
            case Pod pod -> binder.podSeen(pod);
            case Node node -> binder.nodeSeen(node);
            default -> {
                // Binders watch pods and nodes.
            }
        }
    }

    private void tellBinderGone(HasMetadata object) {
        var meta = object.getMetadata();
        switch (object) {
            case Pod pod -> binder.podGone(meta.getNamespace(), meta.getName(), meta.getUid());
            case Node node -> binder.nodeGone(meta.getName(), meta.getUid());
            default -> {
                // Binders watch pods and nodes.
            }
        }
    }

    boolean hasNews() {
        return !news.isEmpty();
    }

    /** Hands a decision to the binder if it is for this cluster. */
    boolean carryOut(Decision decision) {
        if (!binder.concerns(decision)) {
            return false;
        }
        unanswered.put(decision.getId(), decision);
        if (group.alive()) {
            binder.carryOut(decision);
        }
        return true;
    }

    /** Takes a record of topic workload-status; null is a tombstone. */
    void status(String key, WorkloadStatus status) {
        if (status == null) {
            statuses.remove(key);
        } else {
            statuses.put(key, status);
        }
        write(key, status);
    }

    private void write(String key, WorkloadStatus status) {
        if (!group.alive()) {
            return;
        }
        try {
            binder.status(key, status);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("a virtual stack is not interrupted", e);
        }
    }

    void template(String key, PodTemplate template) {
        templates.put(key, template);
        binder.template(key, template);
    }

    /** Decisions without an outcome, in the order in which they were made. */
    List<Decision> unanswered() {
        return List.copyOf(unanswered.values());
    }
}
