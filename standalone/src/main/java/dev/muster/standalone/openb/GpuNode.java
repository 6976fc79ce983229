package dev.muster.standalone.openb;

import dev.muster.standalone.trace.TraceNode;
import java.util.Arrays;

/** A node and what is free on it. */
final class GpuNode {
    /** Pods on a node at most, as in the paper's program. */
    private static final int MAX_PODS = 1001;

    /** Kinds of GPU pods: shared, then by number of devices. */
    private static final int SHARED = 0;

    private final TraceNode facts;
    private final int index;
    private long cpuLeft;
    private long memoryLeft;
    private int podsLeft = MAX_PODS;
    private long gpuLeft;
    private int wholeFree;
    private final int[] free;
    private final int[] podsOfKind = new int[65];
    private int kinds;

    /** An empty node; {@code index} is its place in the order that breaks ties between equal scores. */
    GpuNode(TraceNode facts, int index) {
        this.facts = facts;
        this.index = index;
        this.cpuLeft = facts.cpuMillis();
        this.memoryLeft = facts.memoryMib();
        this.gpuLeft = (long) facts.gpus() * Shape.WHOLE;
        this.wholeFree = facts.gpus();
        this.free = new int[facts.gpus()];
        Arrays.fill(free, Shape.WHOLE);
    }

    TraceNode facts() {
        return facts;
    }

    int index() {
        return index;
    }

    long cpuLeft() {
        return cpuLeft;
    }

    /** Free thousandths of all devices together. */
    long gpuLeft() {
        return gpuLeft;
    }

    /** Devices that nothing uses. */
    int wholeFree() {
        return wholeFree;
    }

    int devices() {
        return free.length;
    }

    /** Free thousandths of a device. */
    int free(int device) {
        return free[device];
    }

    /** Free thousandths of each device; the caller's own. */
    int[] free() {
        return free.clone();
    }

    /** Whether a pod of that shape fits. */
    boolean fits(Shape shape) {
        if (cpuLeft < shape.cpuMillis() || memoryLeft < shape.memoryMib() || podsLeft == 0) {
            return false;
        }
        if (gpuLeft < shape.totalGpuMilli() || !shape.allows(facts.model())) {
            return false;
        }
        return shape.shared() ? tightest(shape.gpuMilli()) >= 0 : wholeFree >= shape.gpus();
    }

    /** The device with the least free that still has so much, the lowest of equals; -1 when there is none. */
    int tightest(int milli) {
        int best = -1;
        for (int device = 0; device < free.length; device++) {
            if (free[device] >= milli && (best < 0 || free[device] < free[best])) {
                best = device;
            }
        }
        return best;
    }

    /** The devices with the lowest numbers that nothing uses. */
    int[] wholeDevices(int count) {
        int[] devices = new int[count];
        int found = 0;
        for (int device = 0; found < count; device++) {
            if (free[device] == Shape.WHOLE) {
                devices[found++] = device;
            }
        }
        return devices;
    }

    /** Places a pod on those devices. */
    void take(Shape shape, int[] devices) {
        if (!fits(shape) || devices.length != shape.gpus()) {
            throw new IllegalStateException(shape + " does not fit on " + facts.name());
        }
        cpuLeft -= shape.cpuMillis();
        memoryLeft -= shape.memoryMib();
        podsLeft--;
        for (int device : devices) {
            if (free[device] < shape.gpuMilli()) {
                throw new IllegalStateException(shape + " does not fit on device " + device + " of " + facts.name());
            }
            wholeFree -= free[device] == Shape.WHOLE ? 1 : 0;
            free[device] -= shape.gpuMilli();
            gpuLeft -= shape.gpuMilli();
        }
        if (shape.gpus() > 0 && podsOfKind[kind(shape)]++ == 0) {
            kinds++;
        }
    }

    /** Kinds of GPU pods that run here. */
    int kinds() {
        return kinds;
    }

    /** Whether a GPU pod of the same kind runs here. */
    boolean hasKindOf(Shape shape) {
        return podsOfKind[kind(shape)] > 0;
    }

    private static int kind(Shape shape) {
        return shape.shared() ? SHARED : shape.gpus();
    }
}
