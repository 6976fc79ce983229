package dev.muster.binder;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * An API server in memory that judges preconditions as the real one does, with faults on order. Every call and fault
 * is one step.
 */
final class FakeCluster implements ClusterApi {

    /** The process is gone: nothing after this call happens. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    static final String NAMESPACE = "ml";

    /** A fault on calls of one kind and pod. */
    final class Rule {
        private final String call;
        private int times = 1;
        private boolean takesEffect;
        private Runnable before = () -> {};
        private Supplier<RuntimeException> answer = () -> null;

        private Rule(String call) {
            this.call = call;
        }

        Rule times(int count) {
            times = count;
            return this;
        }

        Rule always() {
            return times(Integer.MAX_VALUE);
        }

        /** Something happens just before the call arrives. */
        Rule after(Runnable change) {
            before = change;
            return this;
        }

        Rule answers(int code, String message) {
            answer = () -> new ApiException(code, "", message, 0);
            return this;
        }

        Rule answersTryAgain(long afterMillis) {
            answer = () -> new ApiException(429, "TooManyRequests", "slow down", afterMillis);
            return this;
        }

        /** No answer, and nothing done. */
        Rule getsLost() {
            answer = () -> new ApiException(new java.io.IOException("connection reset"));
            return this;
        }

        /** Done, but the answer never arrives. */
        Rule losesTheReply() {
            takesEffect = true;
            return getsLost();
        }
    }

    final ClusterView view = new ClusterView();
    final FakeStorage storage = new FakeStorage();
    final List<String> calls = new ArrayList<>();
    final List<Event> events = new ArrayList<>();
    final Map<String, PodGroupStatus> podGroups = new TreeMap<>();
    private final Map<PodKey, Pod> pods = new LinkedHashMap<>();
    private final Map<String, NodeState> nodes = new TreeMap<>();
    /** How placements ended, and when they were sealed. */
    final Map<String, Seal> seals = new TreeMap<>();

    final Map<String, Instant> sealed = new TreeMap<>();
    /** The API server's time. */
    Instant created = Instant.EPOCH;

    private final List<Rule> rules = new ArrayList<>();
    private final AtomicLong versions = new AtomicLong(100);
    private boolean watching = true;
    private int killAtCall = -1;
    private boolean killAfterEffect;
    private boolean dead;

    /** Faults on a call such as "bind p-0"; "bind *" for any pod. */
    synchronized Rule on(String call) {
        Rule rule = new Rule(call);
        rules.add(rule);
        return rule;
    }

    synchronized void heal() {
        rules.clear();
    }

    /** The process dies in the n-th call from now, counted from 0, before or after it takes effect. */
    synchronized void killAt(int call, boolean afterEffect) {
        killAtCall = calls.size() + call;
        killAfterEffect = afterEffect;
    }

    synchronized void revive() {
        dead = false;
        killAtCall = -1;
    }

    /** The watch tells nothing from now on. */
    synchronized void stopWatch() {
        watching = false;
    }

    synchronized void addNode(String name, String uid, boolean ready) {
        nodes.put(name, new NodeState(name, uid, ready));
        view.nodeSeen(nodes.get(name));
    }

    synchronized void replaceNodeUnseen(String name, String uid) {
        nodes.put(name, new NodeState(name, uid, true));
    }

    synchronized void removeNode(String name) {
        view.nodeGone(name, nodes.remove(name).uid());
    }

    synchronized void addPod(String name, String uid) {
        put(new PodBuilder()
                .withMetadata(new ObjectMetaBuilder()
                        .withNamespace(NAMESPACE)
                        .withName(name)
                        .withUid(uid)
                        .build())
                .withNewSpec()
                .endSpec()
                .build());
    }

    /** Somebody else changes the pod; its version moves. */
    synchronized void edit(String name, java.util.function.UnaryOperator<PodBuilder> change) {
        put(change.apply(new PodBuilder(pods.get(key(name)))).build());
    }

    synchronized void annotateBySomebody(String name, String annotation, String value) {
        edit(name, pod -> pod.editMetadata().addToAnnotations(annotation, value).endMetadata());
    }

    synchronized void bindBySomebody(String name, String node) {
        edit(name, pod -> pod.editSpec().withNodeName(node).endSpec());
    }

    synchronized void beginDeletion(String name) {
        edit(
                name,
                pod -> pod.editMetadata()
                        .withDeletionTimestamp("2026-01-01T00:00:00Z")
                        .endMetadata());
    }

    synchronized void removePod(String name) {
        Pod gone = pods.remove(key(name));
        if (gone != null && watching) {
            view.podGone(key(name), gone.getMetadata().getUid());
        }
    }

    synchronized void replacePod(String name, String uid) {
        removePod(name);
        addPod(name, uid);
    }

    /** As the API server knows it, without a call. */
    synchronized Optional<PodState> now(String name) {
        return Optional.ofNullable(pods.get(key(name))).map(Projection::of);
    }

    synchronized Pod object(String name) {
        return pods.get(key(name));
    }

    synchronized long callsOf(String kind) {
        return calls.stream().filter(call -> call.startsWith(kind + " ")).count();
    }

    /** What a binder that starts now lists. */
    synchronized ClusterView freshView() {
        ClusterView fresh = new ClusterView();
        nodes.values().forEach(fresh::nodeSeen);
        pods.values().forEach(pod -> fresh.podSeen(Projection.of(pod)));
        return fresh;
    }

    static PodKey key(String name) {
        return new PodKey(NAMESPACE, name);
    }

    @Override
    public Optional<PodState> pod(PodKey key) {
        return call(
                "get " + key.name(), () -> Optional.ofNullable(pods.get(key)).map(Projection::of));
    }

    @Override
    public Optional<NodeState> node(String name) {
        return call("node " + name, () -> Optional.ofNullable(nodes.get(name)));
    }

    @Override
    public void bind(PodState seen, String node, Map<String, String> annotations) {
        call("bind " + seen.key().name(), () -> {
            Pod pod = matching(seen);
            if (pod.getMetadata().getDeletionTimestamp() != null) {
                throw refusal(409, "pod is being deleted, cannot be assigned to a host");
            }
            if (pod.getSpec().getNodeName() != null) {
                throw refusal(
                        409, "pod is already assigned to node " + pod.getSpec().getNodeName());
            }
            return put(new PodBuilder(pod)
                    .editMetadata()
                    .addToAnnotations(annotations)
                    .endMetadata()
                    .editSpec()
                    .withNodeName(node)
                    .endSpec()
                    .build());
        });
    }

    @Override
    public PodState create(Pod pod) {
        return call("create " + pod.getMetadata().getName(), () -> {
            PodKey key = new PodKey(
                    pod.getMetadata().getNamespace(), pod.getMetadata().getName());
            if (pods.containsKey(key)) {
                throw refusal(409, "pods \"" + key.name() + "\" already exists");
            }
            return put(new PodBuilder(pod)
                    .editMetadata()
                    .withUid("made-" + versions.incrementAndGet())
                    .endMetadata()
                    .build());
        });
    }

    @Override
    public void annotate(PodState seen, Map<String, String> annotations) {
        call(
                "annotate " + seen.key().name(),
                () -> put(new PodBuilder(matching(seen))
                        .editMetadata()
                        .addToAnnotations(annotations)
                        .endMetadata()
                        .build()));
    }

    @Override
    public void evict(PodKey key, String uid) {
        call("evict " + key.name(), () -> remove(key, uid));
    }

    @Override
    public void delete(PodKey key, String uid) {
        call("delete " + key.name(), () -> remove(key, uid));
    }

    @Override
    public Optional<ClaimState> claim(String namespace, String name) {
        return call("claim " + name, () -> storage.claim(name));
    }

    @Override
    public Optional<VolumeState> volume(String name) {
        return call("volume " + name, () -> storage.volume(name));
    }

    @Override
    public Optional<Map<String, String>> nodeLabels(String name) {
        return call(
                "labels " + name,
                () -> Optional.ofNullable(nodes.get(name)).map(node -> FakeStorage.labels(node.name())));
    }

    @Override
    public void selectNode(ClaimState seen, String node) {
        call("select " + seen.name(), () -> {
            storage.selectNode(seen, node);
            return node;
        });
    }

    @Override
    public void giveVolume(VolumeState seen, ClaimState claim) {
        call("give " + seen.name(), () -> {
            storage.giveVolume(seen, claim);
            return claim;
        });
    }

    @Override
    public Optional<Seal> seal(String decisionId) {
        return call("sealed " + decisionId, () -> Optional.ofNullable(seals.get(decisionId)));
    }

    @Override
    public void seal(String decisionId, Seal seal) {
        call("seal " + decisionId, () -> {
            if (seals.containsKey(decisionId)) {
                throw refusal(409, "leases \"" + decisionId + "\" already exists");
            }
            sealed.put(decisionId, created);
            return seals.put(decisionId, seal);
        });
    }

    @Override
    public List<SealSweeper.Lying> seals() {
        return call(
                "seals all",
                () -> sealed.entrySet().stream()
                        .map(seal -> new SealSweeper.Lying(seal.getKey(), seal.getValue()))
                        .toList());
    }

    @Override
    public void deleteSeal(String name) {
        call("unseal " + name, () -> {
            sealed.remove(name);
            return seals.remove(name);
        });
    }

    @Override
    public void markUnschedulable(PodKey key, String uid, String message, String time) {
        call("condition " + key.name(), () -> {
            Pod pod = withUid(key, uid);
            return put(new PodBuilder(pod)
                    .withNewStatus()
                    .addNewCondition()
                    .withType("PodScheduled")
                    .withStatus("False")
                    .withReason("Unschedulable")
                    .withMessage(message)
                    .withLastTransitionTime(time)
                    .endCondition()
                    .endStatus()
                    .build());
        });
    }

    @Override
    public void createEvent(Event event) {
        call("event " + event.getInvolvedObject().getName(), () -> {
            if (events.stream()
                    .anyMatch(e ->
                            e.getMetadata().getName().equals(event.getMetadata().getName()))) {
                throw refusal(409, "events already exists");
            }
            return events.add(event);
        });
    }

    @Override
    public Optional<PodGroupStatus> podGroupStatus(String namespace, String name) {
        return call("group " + name, () -> Optional.ofNullable(podGroups.get(name)));
    }

    @Override
    public void setPodGroupStatus(String namespace, String name, PodGroupStatus status) {
        call("set-group " + name, () -> podGroups.put(name, status));
    }

    /** A PodGroup in a phase, without conditions. */
    void podGroup(String name, String phase) {
        podGroups.put(name, new PodGroupStatus(phase, List.of()));
    }

    private synchronized <T> T call(String call, Supplier<T> effect) {
        if (dead) {
            throw new Killed();
        }
        int number = calls.size();
        calls.add(call);
        if (number == killAtCall && !killAfterEffect) {
            dead = true;
            throw new Killed();
        }
        Optional<Rule> rule = rules.stream()
                .filter(r -> r.times > 0)
                .filter(r -> r.call.equals(call) || r.call.equals(call.substring(0, call.indexOf(' ')) + " *"))
                .findFirst();
        rule.ifPresent(r -> {
            r.times--;
            r.before.run();
        });
        RuntimeException answer = rule.map(r -> r.answer.get()).orElse(null);
        if (answer != null && !rule.get().takesEffect) {
            throw answer;
        }
        T result = effect.get();
        if (number == killAtCall) {
            dead = true;
            throw new Killed();
        }
        if (answer != null) {
            throw answer;
        }
        return result;
    }

    private PodState put(Pod pod) {
        pod.getMetadata().setResourceVersion(Long.toString(versions.incrementAndGet()));
        PodState state = Projection.of(pod);
        pods.put(state.key(), pod);
        if (watching) {
            view.podSeen(state);
        }
        return state;
    }

    private Object remove(PodKey key, String uid) {
        withUid(key, uid);
        removePod(key.name());
        return key;
    }

    private Pod withUid(PodKey key, String uid) {
        Pod pod = pods.get(key);
        if (pod == null) {
            throw refusal(404, "pods \"" + key.name() + "\" not found");
        }
        if (!pod.getMetadata().getUid().equals(uid)) {
            throw refusal(409, "Precondition failed: UID in precondition: " + uid);
        }
        return pod;
    }

    private Pod matching(PodState seen) {
        Pod pod = withUid(seen.key(), seen.uid());
        if (!pod.getMetadata().getResourceVersion().equals(seen.resourceVersion())) {
            throw refusal(409, "the object has been modified");
        }
        return pod;
    }

    private static ApiException refusal(int code, String message) {
        return new ApiException(code, "", message, 0);
    }
}
