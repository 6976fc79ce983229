package dev.muster.scheduler.core.state;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/**
 * The GPUs of one node, each 1000 thousandths. Whole GPUs go to the lowest indices, or, where it is known which are close to
 * each other, as {@link DeviceGroups} has it; a share goes to the device it leaves the least free on, and opens a new device
 * only when no opened one has room. A device that is closed by its health gets nothing new, a degraded one only where no
 * other is left.
 *
 * <p>Pods of others may use more than there is: a device can then be below zero, and whole GPUs that no device is left for
 * are counted as unassigned, and so are shares. Muster's own placements never get there.
 */
public final class Devices {
    /** One whole GPU. */
    public static final int WHOLE = 1000;

    @SuppressWarnings({"unchecked", "rawtypes"}) // no array of a generic type can be made otherwise
    private static final List<Integer>[] SINGLE = new List[64];

    /** The same as arrays, which nobody writes to. */
    private static final int[][] SINGLES = new int[64][];

    private static final BitSet NONE = new BitSet(0);

    static {
        for (int device = 0; device < SINGLE.length; device++) {
            SINGLE[device] = List.of(device);
            SINGLES[device] = new int[] {device};
        }
    }

    private int[] freeMilli = new int[0];
    private int allocatable;
    private int present;
    private int opened;
    private int untouched;
    private long unassigned;
    private long unassignedMilli;
    /** Some are closed or degraded; on most nodes none is. */
    private boolean anySick;

    private BitSet closed = NONE;
    private BitSet degraded = NONE;
    private BitSet unlinked = NONE;
    /** Null where nothing is known of what connects them. */
    private DeviceGroups groups;

    /** GPUs the node offers, and GPUs it has. A device plugin offers fewer than there are when some do not work. */
    void allocatable(int count, int capacity) {
        allocatable = count;
        present = Math.max(count, capacity);
        ensure(present);
    }

    /** GPUs the node offers. */
    public int allocatable() {
        return allocatable;
    }

    /** What signals say of devices: kept, not copied. */
    void health(GpuHealth health) {
        closed = health == null ? NONE : health.closed();
        degraded = health == null ? NONE : health.degraded();
        unlinked = health == null ? NONE : health.unlinked();
        anySick = !closed.isEmpty() || !degraded.isEmpty();
    }

    /** What connects them; null where nothing is known. */
    void groups(DeviceGroups known) {
        groups = known;
    }

    /** Whole GPUs that can still be handed out. */
    public int wholeFree() {
        int whole = wholeFreeWhenHealthy();
        return anySick ? Math.min(whole, free(device -> true).length) : whole;
    }

    /** Whole GPUs that could be handed out if none were closed by its health. */
    public int wholeFreeWhenHealthy() {
        long shared = (unassignedMilli + WHOLE - 1) / WHOLE;
        return (int) Math.max(0, Math.min(allocatable - opened - unassigned - shared, untouched));
    }

    /** Whole GPUs that can still be handed out and are in good health. */
    public int wholeFreeHealthy() {
        int whole = wholeFree();
        return degraded.isEmpty() ? whole : Math.min(whole, free(device -> !degraded.get(device)).length);
    }

    /** Devices that are there, untouched and open, and that a condition holds for; rising. */
    private int[] free(IntPredicate condition) {
        int[] found = new int[freeMilli.length];
        int count = 0;
        for (int device = 0; device < present; device++) {
            if (freeMilli[device] == WHOLE && !closed.get(device) && condition.test(device)) {
                found[count++] = device;
            }
        }
        return Arrays.copyOf(found, count);
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
        for (int device = 0; device < Math.min(present, freeMilli.length); device++) {
            if (freeMilli[device] != WHOLE && freeMilli[device] >= milli && !closed.get(device)) {
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
        for (int device = 0; device < Math.min(present, freeMilli.length); device++) {
            if (freeMilli[device] != WHOLE && !closed.get(device)) {
                largest = Math.max(largest, freeMilli[device]);
            }
        }
        return largest;
    }

    /** Devices that are there, whether they can be used or not. */
    public int present() {
        return present;
    }

    /** Free thousandths of a device. */
    public int freeMilli(int device) {
        return device < freeMilli.length ? freeMilli[device] : 0;
    }

    /** Whether any device is closed by its health. */
    public boolean anyClosed() {
        return anySick && !closed.isEmpty();
    }

    /** Whether any device is degraded. */
    public boolean anyDegraded() {
        return anySick && !degraded.isEmpty();
    }

    /** Whether a device is closed by its health. */
    public boolean isClosed(int device) {
        return closed.get(device);
    }

    /** Free thousandths of the device that such a share would get now; 0 when there is none. */
    public int tightest(int milli) {
        int device = chooseShared(milli);
        return device < 0 ? 0 : freeMilli[device];
    }

    /** The device that such a share would get now; null when there is none. */
    int[] chooseShare(int milli) {
        int shared = chooseShared(milli);
        return shared < 0 ? null : single(shared);
    }

    /** The whole GPUs that a pod would get now, rising; null when they are not there. */
    int[] choose(int gpus) {
        if (gpus > wholeFree()) {
            return null;
        }
        if (groups == null && !anySick) {
            if (gpus == 1) {
                return single(firstWhole());
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
        return choose(gpus, device -> true);
    }

    private int firstWhole() {
        int device = 0;
        while (freeMilli[device] != WHOLE) {
            device++;
        }
        return device;
    }

    private int[] choose(int gpus, IntPredicate among) {
        int[] healthy = free(device -> among.test(device) && !degraded.get(device));
        if (healthy.length >= gpus) {
            return pick(gpus, healthy);
        }
        int[] rest = pick(gpus - healthy.length, free(device -> among.test(device) && degraded.get(device)));
        int[] chosen = Arrays.copyOf(healthy, gpus);
        System.arraycopy(rest, 0, chosen, healthy.length, rest.length);
        Arrays.sort(chosen);
        return chosen;
    }

    private int[] pick(int gpus, int[] free) {
        return groups == null ? Arrays.copyOf(free, gpus) : groups.choose(gpus, free, unlinked);
    }

    /** Whole GPUs, so many of each zone as are wanted of it; what a zone lacks comes from the others. */
    int[] choose(int gpus, IntUnaryOperator zoneOf, int[] wantedOfZone) {
        if (gpus > wholeFree()) {
            return null;
        }
        BitSet chosen = new BitSet();
        for (int zone = 0; zone < wantedOfZone.length; zone++) {
            int inZone = zone;
            int there = free(device -> zoneOf.applyAsInt(device) == inZone).length;
            int part = Math.min(Math.min(wantedOfZone[zone], there), gpus - chosen.cardinality());
            for (int device : choose(part, device -> zoneOf.applyAsInt(device) == inZone)) {
                chosen.set(device);
            }
        }
        for (int device : choose(gpus - chosen.cardinality(), device -> !chosen.get(device))) {
            chosen.set(device);
        }
        return chosen.stream().toArray();
    }

    private int chooseShared(int milli) {
        int best = -1;
        int fresh = -1;
        for (int device = 0; device < Math.min(present, freeMilli.length); device++) {
            int free = freeMilli[device];
            if (closed.get(device)) {
                continue;
            }
            if (free == WHOLE) {
                fresh = fresh < 0 ? device : fresh;
            } else if (free >= milli && (best < 0 || free < freeMilli[best])) {
                best = device;
            }
        }
        if (best >= 0 || wholeFree() == 0) {
            return best;
        }
        return groups == null && degraded.isEmpty() ? fresh : choose(1, device -> true)[0];
    }

    // ---- islands

    /** Whether anything is known of what connects them. */
    public boolean connected() {
        return groups != null;
    }

    /** Whether devices are of one island. */
    boolean together(int[] devices) {
        int island = groups == null || devices.length == 0 ? -1 : groups.island(devices[0], unlinked);
        for (int device : devices) {
            if (island < 0 || groups.island(device, unlinked) != island) {
                return false;
            }
        }
        return true;
    }

    /** The whole GPUs of one island that a pod would get now, rising; null when no island has as many. */
    int[] chooseTogether(int gpus) {
        int best = bestIsland(gpus);
        return best < 0 ? null : choose(gpus, device -> groups.island(device, unlinked) == best);
    }

    /** How many pods with so many GPUs of one island each still fit. */
    public int countTogether(int gpus) {
        int count = 0;
        for (int island = 0; groups != null && island < groups.islands(); island++) {
            count += freeIn(island) / gpus;
        }
        return Math.min(count, wholeFree() / gpus);
    }

    /** How many would fit if nothing ran here. */
    public int countTogetherEmpty(int gpus) {
        int count = 0;
        for (int island = 0; groups != null && island < groups.islands(); island++) {
            count += groups.size(island, present) / gpus;
        }
        return Math.min(count, allocatable / gpus);
    }

    /** The most whole GPUs that are free in one island. */
    public int largestIsland() {
        int most = 0;
        for (int island = 0; groups != null && island < groups.islands(); island++) {
            most = Math.max(most, freeIn(island));
        }
        return Math.min(most, wholeFree());
    }

    /** Free GPUs of the island that so many would come from; 0 where no island has as many. */
    public int freeInBestIsland(int gpus) {
        int best = bestIsland(gpus);
        return best < 0 ? 0 : freeIn(best);
    }

    /** All GPUs of that island. */
    public int sizeOfBestIsland(int gpus) {
        int best = bestIsland(gpus);
        return best < 0 ? 0 : groups.size(best, present);
    }

    /** The island with the fewest free GPUs that has as many; -1 where none has. */
    private int bestIsland(int gpus) {
        int best = -1;
        int fewest = Integer.MAX_VALUE;
        for (int island = 0; groups != null && gpus <= wholeFree() && island < groups.islands(); island++) {
            int free = freeIn(island);
            if (free >= gpus && free < fewest) {
                best = island;
                fewest = free;
            }
        }
        return best;
    }

    private int freeIn(int island) {
        int free = 0;
        for (int device = 0; device < present; device++) {
            boolean counts = freeMilli[device] == WHOLE && !closed.get(device);
            free += counts && groups.island(device, unlinked) == island ? 1 : 0;
        }
        return free;
    }

    private static int[] single(int device) {
        return device < SINGLES.length ? SINGLES[device] : new int[] {device};
    }

    /** Listed devices as an array, which nobody may write to. */
    static int[] array(List<Integer> devices) {
        if (devices.size() == 1) {
            return single(devices.getFirst());
        }
        int[] array = new int[devices.size()];
        for (int i = 0; i < array.length; i++) {
            array[i] = devices.get(i);
        }
        return array;
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
