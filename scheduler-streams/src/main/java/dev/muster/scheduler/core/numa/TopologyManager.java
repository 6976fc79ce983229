package dev.muster.scheduler.core.numa;

import dev.muster.scheduler.core.model.AlignedContainer.Kind;
import dev.muster.scheduler.core.model.NumaFacts;
import dev.muster.scheduler.core.model.NumaPlacement;
import dev.muster.scheduler.core.model.NumaShare;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Says what the kubelets of nodes with one NUMA layout do with a pod: whether they admit it, and which zones its cpus,
 * memory and devices come from (kubernetes/kubernetes pkg/kubelet/cm: topologymanager, cpumanager, memorymanager,
 * devicemanager).
 *
 * <p>Containers are admitted one after the other, init containers first. With scope pod the zones are chosen once, for the
 * request of the whole pod; with scope container for each container by what is left then. What an init container had is had
 * again by later containers; what a sidecar or a main container has stays its own. From the chosen zones resources are taken
 * in the order of the zones' ids, and what these lack from the others. Where not even all zones have enough, allocation
 * fails under every policy.
 *
 * <p>Not known to a report, and so not predicted: which cpus of several zones the CPU manager takes, and that the memory
 * manager keeps zones that serve one pod apart from those that serve a pod together.
 *
 * <p>It works on memory of its own and is used by one thread.
 */
public final class TopologyManager {
    private final NumaLayout layout;
    private final HintMerger merger;
    private final long[] left;
    private final long[] taken;
    private final HintMerger.Reusable reusable;

    private TopologyManager(NumaLayout layout) {
        this.layout = layout;
        this.merger = new HintMerger(layout);
        this.left = new long[layout.cells()];
        this.taken = new long[layout.cells()];
        this.reusable = new HintMerger.Reusable(new long[layout.cells()]);
    }

    /** The manager of nodes with such a report; null where it names no zones, or more than a kubelet aligns by. */
    public static TopologyManager of(NumaFacts facts) {
        NumaLayout layout = NumaLayout.of(facts);
        return layout == null ? null : new TopologyManager(layout);
    }

    /** The layout of its nodes. */
    public NumaLayout layout() {
        return layout;
    }

    /**
     * Whether a node with so much left, by cell, admits such a pod. What the pod would take is kept until the next call, and
     * says nothing where it is not admitted.
     */
    public boolean admits(NumaDemand demand, long[] free) {
        System.arraycopy(free, 0, left, 0, left.length);
        Arrays.fill(taken, 0);
        Arrays.fill(reusable.amounts(), 0);
        int ofPod = layout.podScope ? zonesFor(demand.ofPod()) : 0;
        if (layout.podScope && ofPod == 0) {
            return false;
        }
        for (int container = 0; container < demand.containers(); container++) {
            long[] asked = demand.ofContainer(container);
            int zones = layout.podScope ? ofPod : zonesFor(asked);
            if (zones == 0 || !allocate(asked, zones, demand.kind(container))) {
                return false;
            }
        }
        return true;
    }

    private int zonesFor(long[] asked) {
        if (layout.policy == NumaLayout.Policy.NONE) {
            int together = tightest(asked, 0, layout.resources());
            return together == 0 ? layout.everyZone() : together;
        }
        return merger.merge(asked, left, reusable);
    }

    private int zonesOf(int resource, long asked, int zones) {
        if (layout.policy != NumaLayout.Policy.NONE || zones != layout.everyZone()) {
            return zones;
        }
        long[] alone = new long[layout.resources()];
        alone[resource] = asked;
        int tightest = tightest(alone, resource, resource + 1);
        return tightest == 0 ? zones : tightest;
    }

    /**
     * Without a policy nobody chooses zones, and device plugins choose devices. What is advised then is the fewest zones that
     * have enough, of as few those with the least left, so that zones stay whole; 0 where no set has enough.
     */
    private int tightest(long[] asked, int from, int to) {
        int best = 0;
        long leastLeft = Long.MAX_VALUE;
        for (int mask = 1; mask <= layout.everyZone(); mask++) {
            int width = Integer.bitCount(mask);
            if (best != 0 && width > Integer.bitCount(best)) {
                continue;
            }
            long over = 0;
            boolean suffices = true;
            for (int resource = from; resource < to && suffices; resource++) {
                long sum = 0;
                for (int zone = 0; zone < layout.zones(); zone++) {
                    int cell = layout.cell(resource, zone);
                    sum += (mask >> zone & 1) == 1 ? Math.max(0, left[cell]) + reusable.amounts()[cell] : 0;
                }
                suffices = asked[resource] == 0 || sum >= asked[resource];
                over += layout.device(resource) && asked[resource] > 0 ? sum - asked[resource] : 0;
            }
            if (suffices && (best == 0 || width < Integer.bitCount(best) || over < leastLeft)) {
                best = mask;
                leastLeft = over;
            }
        }
        return best;
    }

    private boolean allocate(long[] asked, int zones, Kind kind) {
        for (int resource = 0; resource < layout.resources(); resource++) {
            long missing = asked[resource];
            missing = missing > 0 ? take(resource, missing, zonesOf(resource, missing, zones), kind) : 0;
            missing = missing > 0 ? take(resource, missing, layout.everyZone() & ~zones, kind) : 0;
            if (missing > 0) {
                return false;
            }
        }
        return true;
    }

    /** Takes what can be had from zones, what may be had again first; returns what is still missing. */
    private long take(int resource, long asked, int zones, Kind kind) {
        long missing = asked;
        long[] again = reusable.amounts();
        for (int zone = 0; zone < layout.zones() && missing > 0; zone++) {
            int cell = layout.cell(resource, zone);
            if ((zones >> zone & 1) == 1 && again[cell] > 0) {
                long part = Math.min(again[cell], missing);
                missing -= part;
                again[cell] -= kind == Kind.INIT ? 0 : part;
            }
        }
        for (int zone = 0; zone < layout.zones() && missing > 0; zone++) {
            int cell = layout.cell(resource, zone);
            if ((zones >> zone & 1) == 1 && left[cell] > 0) {
                long part = Math.min(left[cell], missing);
                missing -= part;
                left[cell] -= part;
                taken[cell] += part;
                again[cell] += kind == Kind.INIT ? part : 0;
            }
        }
        return missing;
    }

    /** What the pod that was asked for last would take, by cell. */
    public long taken(int cell) {
        return taken[cell];
    }

    /** From how many zones. */
    public int span() {
        return Integer.bitCount(takenFrom());
    }

    /** How far these are from each other: the mean distance, in hundredths. */
    public int meanDistance() {
        return layout.meanDistance(takenFrom());
    }

    private int takenFrom() {
        int zones = 0;
        for (int cell = 0; cell < taken.length; cell++) {
            zones |= taken[cell] > 0 ? 1 << cell % layout.zones() : 0;
        }
        return zones;
    }

    /** The same by zone and resource. */
    public NumaPlacement placement() {
        List<NumaShare> shares = new ArrayList<>();
        for (int zone = 0; zone < layout.zones(); zone++) {
            for (int resource = 0; resource < layout.resources(); resource++) {
                long amount = taken[layout.cell(resource, zone)];
                if (amount > 0) {
                    shares.add(new NumaShare(layout.zoneName(zone), layout.resourceName(resource), amount));
                }
            }
        }
        return shares.isEmpty() ? NumaPlacement.NONE : new NumaPlacement(shares);
    }
}
