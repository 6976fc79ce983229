package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.PodFacts;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What the pods of a workload say of it as a whole: of its priority, and of the queue and classes that it is to have. As a rule
 * they all say the same, so that only what differs is counted apart.
 */
final class PodWishes {
    /** What one of them says; names are empty where it says nothing. */
    private record Wish(int priority, String queue, String localQueue, String priorityClass)
            implements Comparable<Wish> {
        private static Wish of(PodFacts pod) {
            return new Wish(pod.priority(), pod.queue(), pod.localQueue(), pod.workloadPriorityClass());
        }

        @Override
        public int compareTo(Wish other) {
            int byPriority = Integer.compare(priority, other.priority);
            int byQueue = byPriority != 0 ? byPriority : queue.compareTo(other.queue);
            int byLocalQueue = byQueue != 0 ? byQueue : localQueue.compareTo(other.localQueue);
            return byLocalQueue != 0 ? byLocalQueue : priorityClass.compareTo(other.priorityClass);
        }
    }

    /** What most of them say; null while there are none. */
    private Wish usual;

    private int times;
    /** What others say, each with how many; null while all say the same. */
    private TreeMap<Wish, Integer> others;

    void add(PodFacts pod, Sharing sharing) {
        Wish wish = Wish.of(pod);
        if (usual == null) {
            usual = sharing.one(wish);
            times = 1;
        } else if (usual.equals(wish)) {
            times++;
        } else {
            others = others == null ? new TreeMap<>() : others;
            others.merge(wish, 1, Integer::sum);
        }
    }

    void remove(PodFacts pod) {
        Wish wish = Wish.of(pod);
        if (!usual.equals(wish)) {
            others.computeIfPresent(wish, (same, count) -> count == 1 ? null : count - 1);
        } else {
            times--;
        }
        if (times == 0) {
            var next = others == null ? null : others.pollFirstEntry();
            usual = next == null ? null : next.getKey();
            times = next == null ? 0 : next.getValue();
        }
        others = others == null || others.isEmpty() ? null : others;
    }

    /** The highest priority that one of them has; 0 while there are none. */
    int priority() {
        if (usual == null) {
            return 0;
        }
        return others == null ? usual.priority : Math.max(usual.priority, others.lastKey().priority);
    }

    /** The queue that is named; of several the first by name, empty where none is. */
    String queue() {
        return first(Wish::queue);
    }

    /** The same of LocalQueues. */
    String localQueue() {
        return first(Wish::localQueue);
    }

    /** The same of WorkloadPriorityClasses. */
    String priorityClass() {
        return first(Wish::priorityClass);
    }

    private String first(Function<Wish, String> name) {
        String first = usual == null ? "" : name.apply(usual);
        if (others != null) {
            for (Wish other : others.keySet()) {
                String its = name.apply(other);
                boolean before = first.isEmpty() || its.compareTo(first) < 0;
                first = !its.isEmpty() && before ? its : first;
            }
        }
        return first;
    }
}
