package dev.muster.scheduler.core.state;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * The GPUs of one node, each 1000 thousandths. Whole GPUs go to the lowest indices; a share goes to the device it leaves
 * the least free on, and opens a new device only when no opened one has room.
 *
 * <p>Pods of others may use more than there is: a device can then be below zero, and whole GPUs that no device is left for
 * are counted as unassigned, and so are shares. Muster's own placements never get there.
 */
public final class Devices {
    /** One whole GPU. */
    public static final int WHOLE = 1000;

    @SuppressWarnings({"unchecked", "rawtypes"}) // no array of a generic type can be made otherwise
    private static final List<Integer>[] SINGLE = new List[64];

    static {
        for (int device = 0; device < SINGLE.length; device++) {
            SINGLE[device] = List.of(device);
        }
    }

    private int[] freeMilli = new int[0];
    private int allocatable;
    private int opened;
    private int untouched;
    private long unassigned;
    private long unassignedMilli;

    /** GPUs the node offers. */
    void allocatable(int count) {
        allocatable = count;
        ensure(count);
    }

    /** GPUs the node offers. */
    public int allocatable() {
        return allocatable;
    }

    /** Whole GPUs that can still be handed out. */
    public int wholeFree() {
        long shared = (unassignedMilli + WHOLE - 1) / WHOLE;
        return (int) Math.max(0, Math.min(allocatable - opened - unassigned - shared, untouched));
    }

    /** Thousandths in use, unassigned whole GPUs included. */
    public long usedMilli() {
        long used = unassigned * WHOLE + unassignedMilli;
        for (int free : freeMilli) {
            used += WHOLE - free;
        }
        return used;
    }

    /** How many pods that each share {@code milli} of a GPU still fit. */
    public int shareCount(int milli) {
        long count = (long) wholeFree() * (WHOLE / milli);
        for (int device = 0; device < Math.min(allocatable, freeMilli.length); device++) {
            if (freeMilli[device] != WHOLE && freeMilli[device] >= milli) {
                count += freeMilli[device] / milli;
            }
        }
        return (int) Math.min(Integer.MAX_VALUE, count);
    }

    /** The largest share that still fits on one device, in thousandths. */
    public int largestShare() {
        if (wholeFree() > 0) {
            return WHOLE;
        }
        int largest = 0;
        for (int device = 0; device < Math.min(allocatable, freeMilli.length); device++) {
            if (freeMilli[device] != WHOLE) {
                largest = Math.max(largest, freeMilli[device]);
            }
        }
        return largest;
    }

    /** Free thousandths of a device. */
    public int freeMilli(int device) {
        return device < freeMilli.length ? freeMilli[device] : 0;
    }

    /** Free thousandths of the device that such a share would get now; 0 when there is none. */
    public int tightest(int milli) {
        int device = chooseShared(milli);
        return device < 0 ? 0 : freeMilli[device];
    }

    /** The devices a requirement would get now, rising; null when they are not there. */
    int[] choose(int gpus, int fractionMilli) {
        if (fractionMilli > 0) {
            int shared = chooseShared(fractionMilli);
            return shared < 0 ? null : new int[] {shared};
        }
        if (gpus > wholeFree()) {
            return null;
        }
        int[] chosen = new int[gpus];
        int count = 0;
        for (int device = 0; count < gpus; device++) {
            if (freeMilli[device] == WHOLE) {
                chosen[count++] = device;
            }
        }
        return chosen;
    }

    /** Whole GPUs, so many of each group as are wanted of it, the lowest first; what a group lacks comes from the others. */
    int[] choose(int gpus, IntUnaryOperator groupOf, int[] wantedOfGroup) {
        if (gpus > wholeFree()) {
            return null;
        }
        int[] wanted = wantedOfGroup.clone();
        int[] chosen = new int[gpus];
        int count = 0;
        for (int device = 0; count < gpus && device < freeMilli.length; device++) {
            int group = groupOf.applyAsInt(device);
            if (freeMilli[device] == WHOLE && wanted[group] > 0) {
                wanted[group]--;
                chosen[count++] = device;
            }
        }
        int aligned = count;
        for (int device = 0; count < gpus; device++) {
            if (freeMilli[device] == WHOLE && Arrays.binarySearch(chosen, 0, aligned, device) < 0) {
                chosen[count++] = device;
            }
        }
        Arrays.sort(chosen);
        return chosen;
    }

    private int chooseShared(int milli) {
        int best = -1;
        int untouched = -1;
        for (int device = 0; device < Math.min(allocatable, freeMilli.length); device++) {
            int free = freeMilli[device];
            if (free == WHOLE) {
                untouched = untouched < 0 ? device : untouched;
            } else if (free >= milli && (best < 0 || free < freeMilli[best])) {
                best = device;
            }
        }
        return best >= 0 || wholeFree() == 0 ? best : untouched;
    }

    /** Devices as a list; that of a single device is one and the same, since most pods have just one. */
    public static List<Integer> list(int[] devices) {
        if (devices.length == 1 && devices[0] < SINGLE.length) {
            return SINGLE[devices[0]];
        }
        Integer[] boxed = new Integer[devices.length];
        for (int i = 0; i < devices.length; i++) {
            boxed[i] = devices[i];
        }
        return List.of(boxed);
    }

    /** Takes devices; whole GPUs without a device are counted as unassigned. */
    void take(int[] devices, int gpus, int fractionMilli) {
        change(devices, gpus, fractionMilli, 1);
    }

    /** Gives devices back. */
    void give(int[] devices, int gpus, int fractionMilli) {
        change(devices, gpus, fractionMilli, -1);
    }

    private void change(int[] devices, int gpus, int fractionMilli, int sign) {
        int milli = fractionMilli > 0 ? fractionMilli : WHOLE;
        for (int device : devices) {
            ensure(device + 1);
            boolean wasOpen = freeMilli[device] != WHOLE;
            freeMilli[device] -= sign * milli;
            boolean isOpen = freeMilli[device] != WHOLE;
            int newlyOpen = (isOpen ? 1 : 0) - (wasOpen ? 1 : 0);
            opened += newlyOpen;
            untouched -= newlyOpen;
        }
        if (fractionMilli == 0) {
            unassigned += (long) sign * Math.max(0, gpus - devices.length);
        } else if (devices.length == 0) {
            unassignedMilli += (long) sign * fractionMilli;
        }
    }

    private void ensure(int length) {
        if (length > freeMilli.length) {
            int known = freeMilli.length;
            freeMilli = Arrays.copyOf(freeMilli, length);
            Arrays.fill(freeMilli, known, length, WHOLE);
            untouched += length - known;
        }
    }
}
