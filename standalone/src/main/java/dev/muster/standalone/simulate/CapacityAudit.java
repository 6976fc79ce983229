package dev.muster.standalone.simulate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks placements against what nodes have, with nothing but maps and sums: it shares no code with the scheduler, so that
 * neither can hide the other's mistake.
 */
final class CapacityAudit {
    private static final int MILLI_PER_GPU = 1000;
    private static final int MAX_KEPT = 10;

    private final Map<String, Room> rooms = new HashMap<>();
    private final Map<String, Placed> placed = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private long violationCount;
    private long gpuMilliInUse;
    private long checks;

    private static final class Room {
        private final long cpuMillis;
        private final long memoryMib;
        private final long[] gpuMilliUsed;
        private long cpuMillisUsed;
        private long memoryMibUsed;

        private Room(long cpuMillis, long memoryMib, int gpus) {
            this.cpuMillis = cpuMillis;
            this.memoryMib = memoryMib;
            this.gpuMilliUsed = new long[gpus];
        }
    }

    /** What a pod takes on a node: thousandths of each of these devices. */
    record Taken(long cpuMillis, long memoryMib, int gpuMilliEach, List<Integer> devices) {}

    private record Placed(String node, Taken taken) {}

    void node(String name, long cpuMillis, long memoryMib, int gpus) {
        rooms.put(name, new Room(cpuMillis, memoryMib, gpus));
    }

    /** A pod was placed; what does not add up becomes a violation. */
    void place(String pod, String node, Taken taken, int devicesWanted) {
        checks++;
        Room room = rooms.get(node);
        if (room == null) {
            violation(pod + " was placed on " + node + ", which does not exist");
            return;
        }
        if (placed.putIfAbsent(pod, new Placed(node, taken)) != null) {
            violation(pod + " was placed twice, the second time on " + node);
            return;
        }
        if (taken.devices().stream().distinct().count() != devicesWanted) {
            violation(pod + " wants " + devicesWanted + " GPUs and got devices " + taken.devices() + " of " + node);
        }
        add(room, taken, 1);
        if (room.cpuMillisUsed > room.cpuMillis) {
            violation(node + " gives " + room.cpuMillisUsed + " of " + room.cpuMillis + " cpu millis");
        }
        if (room.memoryMibUsed > room.memoryMib) {
            violation(node + " gives " + room.memoryMibUsed + " of " + room.memoryMib + " MiB");
        }
        for (int device : taken.devices()) {
            if (device >= room.gpuMilliUsed.length || room.gpuMilliUsed[device] > MILLI_PER_GPU) {
                violation(node + " gives more than it has of GPU " + device);
            }
        }
    }

    /** A pod ended: what it took is free. */
    void end(String pod) {
        Placed was = placed.remove(pod);
        if (was == null) {
            violation(pod + " ended without having been placed");
            return;
        }
        add(rooms.get(was.node()), was.taken(), -1);
    }

    private void add(Room room, Taken taken, int sign) {
        room.cpuMillisUsed += sign * taken.cpuMillis();
        room.memoryMibUsed += sign * taken.memoryMib();
        for (int device : taken.devices()) {
            gpuMilliInUse += (long) sign * taken.gpuMilliEach();
            if (device < room.gpuMilliUsed.length) {
                room.gpuMilliUsed[device] += (long) sign * taken.gpuMilliEach();
            }
        }
    }

    private void violation(String what) {
        violationCount++;
        if (violations.size() < MAX_KEPT) {
            violations.add(what);
        }
    }

    long gpuMilliInUse() {
        return gpuMilliInUse;
    }

    int running() {
        return placed.size();
    }

    long checks() {
        return checks;
    }

    long violationCount() {
        return violationCount;
    }

    /** The first violations. */
    List<String> violations() {
        return List.copyOf(violations);
    }
}
