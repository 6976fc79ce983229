package dev.muster.standalone.bench.core;

import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.ResourceNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The plain meaning of what the core does with the pods of these benchmarks: for every pod it looks at every node, and
 * takes the one with the best score, the first of equals. No index, no sharing, nothing remembered. It shares no code with
 * the core beyond what describes pods and nodes; its placements are the same, which tests hold it to.
 *
 * <p>Known are amounts, whole GPUs and the score of strategy binpack, since nothing speaks for or against a node otherwise: no labels, taints, health, affinity or fractions.
 */
final class NaiveScheduler {
    private static final long GPU_WEIGHT = 10;
    private static final long BEST = 10_000;

    private final List<Node> nodes = new ArrayList<>();

    /** A pod that wants a place. */
    record Pod(String name, Requirement requirement) {}

    /** A pod's place. */
    record Placement(String pod, String node, List<Integer> devices) {}

    private static final class Node {
        private final String name;
        private final Map<String, Long> allocatable = new HashMap<>();
        private final Map<String, Long> used = new HashMap<>();
        private final boolean[] deviceInUse;

        private Node(String name, NodeFacts facts) {
            this.name = name;
            facts.allocatable().forEach(amount -> allocatable.put(amount.resource(), amount.amount()));
            this.deviceInUse = new boolean[(int) allocatable(ResourceNames.GPU)];
        }

        private long allocatable(String resource) {
            return allocatable.getOrDefault(resource, 0L);
        }

        private long used(String resource) {
            return used.getOrDefault(resource, 0L);
        }

        /** How many such pods fit. */
        private long room(Requirement requirement) {
            long room = Long.MAX_VALUE;
            for (Amount asked : requirement.requests()) {
                long free = allocatable(asked.resource()) - used(asked.resource());
                room = Math.min(room, free / asked.amount());
            }
            return room;
        }

        /** The fuller the better, GPUs above all. */
        private long score(Requirement requirement) {
            long sum = 0;
            long weights = 0;
            for (Amount asked : requirement.requests()) {
                long allocatable = allocatable(asked.resource());
                long weight = asked.resource().equals(ResourceNames.GPU) ? GPU_WEIGHT : 1;
                sum += weight * ((used(asked.resource()) + asked.amount()) * BEST / allocatable);
                weights += weight;
            }
            return sum / weights;
        }

        private void use(Requirement requirement, int sign) {
            for (Amount asked : requirement.requests()) {
                used.merge(asked.resource(), sign * asked.amount(), Long::sum);
            }
        }

        private List<Integer> takeDevices(int count) {
            List<Integer> taken = new ArrayList<>();
            for (int device = 0; taken.size() < count; device++) {
                if (!deviceInUse[device]) {
                    deviceInUse[device] = true;
                    taken.add(device);
                }
            }
            return taken;
        }
    }

    /** A pod that was given a place, which may have to be given back. */
    private record Taken(Pod pod, Node node, List<Integer> devices) {}

    void add(String name, NodeFacts facts) {
        nodes.add(new Node(name, facts));
    }

    /**
     * Places a gang whole.
     *
     * @param roles the pods by role, in the order of the roles' names
     * @return the places in the order they were taken; empty when not all pods found one, and nothing is taken then
     */
    List<Placement> place(List<List<Pod>> roles) {
        List<Taken> taken = new ArrayList<>();
        for (List<Pod> role : hardestFirst(roles)) {
            for (Pod pod : role) {
                Node best = best(pod.requirement());
                if (best == null) {
                    taken.forEach(this::giveBack);
                    return List.of();
                }
                best.use(pod.requirement(), 1);
                taken.add(
                        new Taken(pod, best, best.takeDevices(pod.requirement().gpus())));
            }
        }
        return taken.stream()
                .map(each -> new Placement(each.pod().name(), each.node().name, each.devices()))
                .toList();
    }

    private void giveBack(Taken taken) {
        taken.node().use(taken.pod().requirement(), -1);
        taken.devices().forEach(device -> taken.node().deviceInUse[device] = false);
    }

    /** The role with the fewest places to go first, equals in their order. */
    private List<List<Pod>> hardestFirst(List<List<Pod>> roles) {
        Map<List<Pod>, Long> room = new LinkedHashMap<>();
        for (List<Pod> role : roles) {
            Requirement requirement = role.getFirst().requirement();
            room.put(
                    role,
                    nodes.stream().mapToLong(node -> node.room(requirement)).sum());
        }
        List<List<Pod>> sorted = new ArrayList<>(roles);
        sorted.sort(Comparator.comparing(room::get));
        return sorted;
    }

    private Node best(Requirement requirement) {
        Node best = null;
        long bestScore = -1;
        for (Node node : nodes) {
            if (node.room(requirement) > 0) {
                long score = node.score(requirement);
                if (score > bestScore) {
                    best = node;
                    bestScore = score;
                }
            }
        }
        return best;
    }
}
