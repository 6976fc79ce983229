package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kubelets of all nodes: they run bound pods, once their claims are bound, for as long as their annotations say, turn away what does not fit, and
 * confirm deletions when the grace period is over. One piece of work at a time, on the cluster's time.
 *
 * <p>A pod that does not fit is a mistake of whoever bound it: it fails as on a real node, and {@link
 * Counters#violations()} counts it.
 */
public final class SimulatedKubelet implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SimulatedKubelet.class);
    private static final String RUNTIME = "muster.dev/runtime";
    private static final String FAIL_AFTER = "muster.dev/fail-after";
    private static final String DECISION = "muster.dev/decision";
    private static final String EXIT_CODE = "muster.dev/exit-code";
    private static final int KILLED = 143;

    private static final class Run {
        final ObjectKey key;
        final String uid;
        final String node;
        /** Its claims are not bound yet to volumes that can be used here. */
        boolean waitsForVolumes;

        Timeline.Scheduled start;
        Timeline.Scheduled end;
        Timeline.Scheduled termination;
        long graceSeconds = Long.MAX_VALUE;

        Run(StoredObject pod, String node) {
            this.key = pod.key();
            this.uid = pod.uid();
            this.node = node;
        }
    }

    private final VersionedStore store;
    private final ObjectWriter writer;
    private final Counters counters;
    private final Duration startDelay;
    private final Timeline timeline;
    private final Map<String, Run> runs = new TreeMap<>();
    private final Map<String, NodeLedger> ledgers = new TreeMap<>();
    private final Map<String, NumaMachine> machines = new TreeMap<>();

    SimulatedKubelet(
            VersionedStore store, ObjectWriter writer, Counters counters, Duration startDelay, Timeline timeline) {
        this.store = store;
        this.writer = writer;
        this.counters = counters;
        this.startDelay = startDelay;
        this.timeline = timeline;
    }

    void start() {
        store.subscribe(change -> {
            if (change.kind().equals(ResourceKinds.PODS)) {
                timeline.execute(() -> observePod(change));
            } else if (change.kind().equals(ResourceKinds.CLAIMS)) {
                timeline.execute(() -> observeClaims(change.key().namespace()));
            } else if (change.kind().equals(ResourceKinds.VOLUMES)) {
                timeline.execute(() -> observeClaims(Json.text(change.object(), "spec", "claimRef", "namespace")));
            } else if (change.kind().equals(ResourceKinds.NODES)) {
                timeline.execute(() -> observeNode(change));
            } else if (change.kind().equals(ResourceKinds.NODE_TOPOLOGIES)) {
                timeline.execute(() -> observeTopology(change));
            }
        });
    }

    /** Lets a running or starting pod succeed at once. */
    public void endPod(String namespace, String name) {
        endPod(namespace, name, 0);
    }

    /** Lets a running or starting pod end at once with an exit code: it fails where that is not 0. */
    public void endPod(String namespace, String name, int exitCode) {
        timeline.execute(() -> Optional.ofNullable(store.get(ResourceKinds.PODS, new ObjectKey(namespace, name)))
                .map(pod -> runs.get(pod.uid()))
                .ifPresent(run -> finish(run, exitCode)));
    }

    /** Lets a node report that it is ready, or that it is not. */
    public void setReady(String node, boolean ready) {
        writer.edit(ResourceKinds.NODES, new ObjectKey("", node), before -> withReady(before, ready));
    }

    @Override
    public void close() {
        timeline.close();
    }

    private void observeNode(Change change) {
        if (change.type() == Change.Type.DELETED) {
            ledgers.remove(change.key().name());
            runs.values().removeIf(run -> {
                boolean here = run.node.equals(change.key().name());
                if (here) {
                    cancel(run);
                    Optional.ofNullable(machines.get(run.node)).ifPresent(machine -> machine.release(run.uid));
                }
                return here;
            });
            return;
        }
        if (!hasReady(change.object())) {
            quietly(ResourceKinds.NODES, change.key(), before -> hasReady(before) ? before : withReady(before, true));
        }
        if (change.type() == Change.Type.ADDED) {
            store.list(ResourceKinds.PODS, "").objects().stream()
                    .filter(pod -> nodeOf(pod).equals(change.key().name()))
                    .forEach(this::observe);
        }
    }

    private void observeClaims(String namespace) {
        for (Run run : List.copyOf(runs.values())) {
            StoredObject pod = run.waitsForVolumes && run.key.namespace().equals(namespace)
                    ? store.get(ResourceKinds.PODS, run.key)
                    : null;
            StoredObject node = store.get(ResourceKinds.NODES, new ObjectKey("", run.node));
            if (pod != null && pod.uid().equals(run.uid) && node != null) {
                begin(run, pod, node);
            }
        }
    }

    /** What the simulated exporter says is how the machine is: nobody else knows. */
    private void observeTopology(Change change) {
        String node = change.key().name();
        if (change.type() == Change.Type.DELETED) {
            machines.remove(node);
        } else {
            machines.computeIfAbsent(node, name -> new NumaMachine()).report(change.object());
        }
    }

    private void observePod(Change change) {
        if (change.type() == Change.Type.DELETED) {
            release(change.after().uid());
            return;
        }
        // Judged by the version the change brought, so that room is given out in the order of the changes; but a pod
        // that has come further meanwhile is not judged again.
        StoredObject current = store.get(ResourceKinds.PODS, change.key());
        if (current != null && current.uid().equals(change.after().uid()) && !terminal(current.json())) {
            observe(change.after());
        } else if (current != null && terminal(current.json())) {
            release(change.after().uid());
        }
    }

    private void observe(StoredObject pod) {
        if (terminal(pod.json())) {
            release(pod.uid());
            return;
        }
        String node = nodeOf(pod);
        if (node.isEmpty()) {
            return;
        }
        Run run = runs.get(pod.uid());
        if (run == null) {
            StoredObject found = store.get(ResourceKinds.NODES, new ObjectKey("", node));
            // Nobody runs a pod on a node that is not there: it waits until the node comes.
            run = found == null ? null : admit(pod, found);
        }
        if (run != null && pod.deleting()) {
            terminate(
                    run,
                    Json.at(pod.json(), "metadata", "deletionGracePeriodSeconds")
                            .asLong());
        }
    }

    private Run admit(StoredObject pod, StoredObject node) {
        Optional<NodeLedger.Refusal> refusal = refusal(pod, node);
        if (refusal.isPresent()) {
            counters.violated();
            LOG.warn("{} on {}: {}", pod.key(), node.key(), refusal.get().message());
            onPod(pod.key(), pod.uid(), before -> PodStatuses.rejected(before, refusal.get(), writer.now()));
            return null;
        }
        Run run = new Run(pod, node.key().name());
        runs.put(run.uid, run);
        begin(run, pod, node);
        return run;
    }

    /** Runs a pod whose volumes are there; otherwise it is looked at again when a claim changes. */
    private void begin(Run run, StoredObject pod, StoredObject node) {
        run.waitsForVolumes = !PodClaims.usable(store, pod, node);
        if (run.waitsForVolumes) {
            return;
        }
        run.start = timeline.after(
                startDelay,
                () -> onPod(
                        run.key,
                        run.uid,
                        before -> terminal(before) ? before : PodStatuses.running(before, writer.now())));
        scheduleEnd(run, pod.json());
    }

    private Optional<NodeLedger.Refusal> refusal(StoredObject pod, StoredObject node) {
        if (!NodeSelection.matches(pod.json(), node.json())) {
            return Optional.of(new NodeLedger.Refusal(
                    "NodeAffinity",
                    "Pod was rejected: Predicate NodeAffinity failed: node(s) didn't match Pod's"
                            + " node affinity/selector"));
        }
        NodeLedger ledger = ledgers.computeIfAbsent(node.key().name(), unused -> new NodeLedger());
        Optional<NodeLedger.Refusal> noRoom = ledger.admit(pod.uid(), pod.json(), node.json());
        if (noRoom.isEmpty() && !aligns(pod, node.key().name())) {
            ledger.release(pod.uid());
            return Optional.of(new NodeLedger.Refusal(
                    "TopologyAffinityError", "Pod was rejected: Resources cannot be allocated with Topology locality"));
        }
        return noRoom;
    }

    /** Whether the node's Topology Manager takes the pod; a pod that somebody else put there runs in any case. */
    private boolean aligns(StoredObject pod, String node) {
        NumaMachine machine = machines.get(node);
        return machine == null
                || machine.admit(pod.uid(), pod.json())
                || Json.annotation(pod.json(), DECISION).isEmpty();
    }

    private void scheduleEnd(Run run, JsonNode pod) {
        Optional<Duration> runtime = duration(pod, RUNTIME);
        Optional<Duration> failure = duration(pod, FAIL_AFTER);
        boolean fails =
                failure.isPresent() && (runtime.isEmpty() || failure.get().compareTo(runtime.get()) < 0);
        if (fails) {
            String exitCode = Json.annotation(pod, EXIT_CODE);
            int code = exitCode.matches("\\d{1,3}") ? Integer.parseInt(exitCode) : 1;
            run.end = timeline.after(failure.get(), () -> finish(run, code));
        } else {
            runtime.ifPresent(length -> run.end = timeline.after(length, () -> finish(run, 0)));
        }
    }

    private static Optional<Duration> duration(JsonNode pod, String annotation) {
        String text = Json.annotation(pod, annotation);
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(SimulatedDurations.parse(text));
        } catch (IllegalArgumentException e) {
            LOG.warn("{}: {} is ignored: {}", Json.text(pod, "metadata", "name"), annotation, e.getMessage());
            return Optional.empty();
        }
    }

    private void finish(Run run, int exitCode) {
        if (runs.get(run.uid) == run) {
            onPod(run.key, run.uid, before -> PodStatuses.finished(before, exitCode, writer.now()));
        }
    }

    /** A later request may only shorten the grace period. */
    private void terminate(Run run, long graceSeconds) {
        if (graceSeconds >= run.graceSeconds) {
            return;
        }
        run.graceSeconds = graceSeconds;
        if (run.termination != null) {
            run.termination.cancel();
        }
        run.termination = timeline.after(Duration.ofSeconds(graceSeconds), () -> {
            onPod(run.key, run.uid, before -> PodStatuses.finished(before, KILLED, writer.now()));
            confirmDeletion(run);
        });
    }

    private void confirmDeletion(Run run) {
        try {
            writer.delete(ResourceKinds.PODS, run.key, DeleteOptions.NOW.withUid(run.uid));
        } catch (ApiException e) {
            LOG.debug("{} was gone before its kubelet said so: {}", run.key, e.getMessage());
        }
    }

    private void release(String uid) {
        Run run = runs.get(uid);
        if (run == null) {
            return;
        }
        Optional.ofNullable(ledgers.get(run.node)).ifPresent(ledger -> ledger.release(uid));
        Optional.ofNullable(machines.get(run.node)).ifPresent(machine -> machine.release(uid));
        if (run.start != null) {
            run.start.cancel();
        }
        if (run.end != null) {
            run.end.cancel();
        }
        runs.remove(uid);
    }

    private static void cancel(Run run) {
        for (Timeline.Scheduled work : new Timeline.Scheduled[] {run.start, run.end, run.termination}) {
            if (work != null) {
                work.cancel();
            }
        }
    }

    private void onPod(ObjectKey key, String uid, UnaryOperator<ObjectNode> change) {
        quietly(
                ResourceKinds.PODS,
                key,
                before -> Json.text(before, "metadata", "uid").equals(uid) ? change.apply(before) : before);
    }

    private void quietly(ResourceKind kind, ObjectKey key, UnaryOperator<ObjectNode> change) {
        try {
            writer.edit(kind, key, change);
        } catch (ApiException e) {
            LOG.debug("{} {} is gone: {}", kind, key, e.getMessage());
        }
    }

    private static String nodeOf(StoredObject pod) {
        return Json.text(pod.json(), "spec", "nodeName");
    }

    static boolean terminal(JsonNode pod) {
        String phase = Json.text(pod, "status", "phase");
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    private static boolean hasReady(JsonNode node) {
        for (JsonNode condition : Json.at(node, "status", "conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                return true;
            }
        }
        return false;
    }

    private ObjectNode withReady(ObjectNode node, boolean ready) {
        ObjectNode after = Json.thaw(node);
        ObjectNode status = Json.thawChild(after, "status");
        String reason = ready ? "KubeletReady" : "KubeletNotReady";
        PodStatuses.setCondition(status, "Ready", ready ? "True" : "False", reason, writer.now());
        return after;
    }
}
