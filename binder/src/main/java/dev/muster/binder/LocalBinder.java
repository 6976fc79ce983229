package dev.muster.binder;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.job.PodTemplate;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/**
 * A binder without Kafka and without a watch of its own, for a simulation: what {@link Binder} reads is handed in by calls,
 * and time, threads, jitter and the way to the API server are given. Everything that acts is the binder's own: lanes,
 * steps, retries, taking back, statuses.
 */
public final class LocalBinder {

    /**
     * What it works with.
     *
     * @param cluster name of the member cluster in the domain
     * @param transport reaches the cluster's API server
     * @param clock its time; every wait of the binder is a wait on this clock
     * @param threads runs what it does: a decision, or a status that waits to be written
     * @param steps runs the steps of one decision's members; asked for anew, and closed, for each round of them
     * @param jitter up to how much of half a pause is left out: a number below the one it is given
     * @param outcomes takes each outcome; when it returns the outcome is safe
     */
    public record Place(
            String cluster,
            ApiTransport transport,
            KubernetesSerialization json,
            BinderClock clock,
            Executor threads,
            Supplier<ExecutorService> steps,
            LongUnaryOperator jitter,
            Consumer<Outcome> outcomes,
            MeterRegistry meters) {}

    private final Place place;
    private final ClusterView view = new ClusterView();
    private final TemplateStore templates = new TemplateStore();
    private final DecisionLanes lanes;
    private final StatusWriter statuses;

    /** A binder that knows nothing of its cluster yet. */
    public LocalBinder(Place place, BinderConfig config) {
        this.place = place;
        Patience.Spacing spacing = Patience.Spacing.of(place.clock(), config, place.jitter());
        ClusterApi api = new Fabric8ClusterApi(place.transport(), place.json(), config.leaseNamespace());
        DecisionCarrier carrier = DecisionCarrier.over(
                api,
                view,
                new PodCreator(api, templates, place.json()),
                spacing,
                new Parallel(place.steps()),
                config,
                new ClaimWaits(),
                place.meters());
        this.lanes = new DecisionLanes(
                carrier::carryOut,
                (outcome, halt) -> place.outcomes().accept(outcome),
                place.threads(),
                place.meters());
        this.statuses = new StatusWriter(api, view, place.cluster(), spacing, config.statusBacklog());
    }

    /** Whether a decision is for this binder's cluster. */
    public boolean concerns(Decision decision) {
        return DecisionCarrier.clusterOf(decision).equals(place.cluster());
    }

    /** Begins a decision; completes when its outcome is safe, exceptionally when it can't be carried out now. */
    public CompletableFuture<Void> carryOut(Decision decision) {
        return lanes.submit(decision);
    }

    /** Takes a record of topic templates in. */
    public void template(String key, PodTemplate template) {
        templates.take(key, template);
    }

    /**
     * Takes a record of topic workload-status in and begins to write it.
     *
     * @param status null for a tombstone
     */
    public void status(String key, WorkloadStatus status) throws InterruptedException {
        statuses.take(key, status);
        if (statuses.backlog() > 0) {
            place.threads().execute(statuses::writeWaiting);
        }
    }

    /** The watch tells of a pod. */
    public void podSeen(Pod pod) {
        view.podSeen(Projection.of(pod));
    }

    /** The watch tells that a pod is gone. */
    public void podGone(String namespace, String name, String uid) {
        view.podGone(new PodKey(namespace, name), uid);
    }

    /** The watch tells of a node. */
    public void nodeSeen(Node node) {
        view.nodeSeen(Projection.of(node));
    }

    /** The watch tells that a node is gone. */
    public void nodeGone(String name, String uid) {
        view.nodeGone(name, uid);
    }
}
