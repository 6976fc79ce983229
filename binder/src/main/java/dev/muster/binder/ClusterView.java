package dev.muster.binder;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

/**
 * The pods and nodes of the member cluster as the watch last told of them: a little behind the truth. Good news is
 * used as it is, since every call carries preconditions; bad news is checked by reading before anything is refused
 * because of it.
 */
final class ClusterView {

    private record Waiter(Predicate<PodState> wanted, CountDownLatch latch) {}

    private final Map<PodKey, PodState> pods = new ConcurrentHashMap<>();
    private final Map<String, NodeState> nodes = new ConcurrentHashMap<>();
    private final Map<PodKey, List<Waiter>> waiters = new ConcurrentHashMap<>();

    Optional<PodState> pod(PodKey key) {
        return Optional.ofNullable(pods.get(key));
    }

    Optional<NodeState> node(String name) {
        return Optional.ofNullable(nodes.get(name));
    }

    void podSeen(PodState pod) {
        pods.put(pod.key(), pod);
        for (Waiter waiter : waiters.getOrDefault(pod.key(), List.of())) {
            if (waiter.wanted.test(pod)) {
                waiter.latch.countDown();
            }
        }
    }

    /** The pod with that uid is gone; another one under its name stays. */
    void podGone(PodKey key, String uid) {
        pods.computeIfPresent(key, (k, known) -> known.uid().equals(uid) ? null : known);
    }

    void nodeSeen(NodeState node) {
        nodes.put(node.name(), node);
    }

    void nodeGone(String name, String uid) {
        nodes.computeIfPresent(name, (k, known) -> known.uid().equals(uid) ? null : known);
    }

    /** Waits until the watch tells what is wanted of the pod; false when it did not in time. */
    boolean await(PodKey key, Predicate<PodState> wanted, BinderClock clock, long millis) throws InterruptedException {
        Waiter waiter = new Waiter(wanted, new CountDownLatch(1));
        waiters.compute(key, (k, present) -> {
            List<Waiter> list = present == null ? new CopyOnWriteArrayList<>() : present;
            list.add(waiter);
            return list;
        });
        try {
            // Registered first, looked at second: what arrives in between opens the latch.
            if (pod(key).filter(wanted).isPresent()) {
                return true;
            }
            clock.await(waiter.latch, millis);
            return waiter.latch.getCount() == 0;
        } finally {
            waiters.computeIfPresent(key, (k, list) -> {
                list.remove(waiter);
                return list.isEmpty() ? null : list;
            });
        }
    }
}
