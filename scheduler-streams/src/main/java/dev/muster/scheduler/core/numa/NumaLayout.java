package dev.muster.scheduler.core.numa;

import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.Label;
import dev.muster.scheduler.core.model.NumaFacts;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * A node's NUMA nodes in numbers: zones in the order of their ids, resources by name, amounts in one array each, first all
 * zones of the first resource. A set of zones is a bit mask, as in the kubelet.
 */
public final class NumaLayout {
    /** The kubelet's Topology Manager refuses machines with more NUMA nodes unless it is told otherwise. */
    private static final int MOST_ZONES = 8;

    private static final int LOCAL_DISTANCE = 10;
    private static final int LARGEST_DISTANCE = 255;

    private static final Comparator<NumaFacts.Zone> BY_ID = Comparator.comparingLong(
                    (NumaFacts.Zone zone) -> trailingNumber(zone.name()))
            .thenComparing(NumaFacts.Zone::name);

    /** What a node does with pods that its NUMA nodes cannot serve well. */
    enum Policy {
        NONE,
        BEST_EFFORT,
        RESTRICTED,
        SINGLE_NUMA_NODE
    }

    final Policy policy;
    final boolean podScope;
    private final String[] zones;
    private final String[] resources;
    private final boolean[] memory;
    private final long[] capacity;
    private final long[] allocatable;
    private final int[] distances;

    private NumaLayout(NumaFacts facts) {
        List<NumaFacts.Zone> sorted = facts.zones().stream().sorted(BY_ID).toList();
        this.policy = switch (facts.policy()) {
            case "best-effort" -> Policy.BEST_EFFORT;
            case "restricted" -> Policy.RESTRICTED;
            case "single-numa-node" -> Policy.SINGLE_NUMA_NODE;
            default -> Policy.NONE;
        };
        this.podScope = facts.scope().equals("pod");
        this.zones = sorted.stream().map(NumaFacts.Zone::name).toArray(String[]::new);
        TreeSet<String> names = new TreeSet<>();
        sorted.forEach(zone -> zone.allocatable().forEach(amount -> names.add(amount.resource())));
        this.resources = names.toArray(String[]::new);
        this.memory = new boolean[resources.length];
        this.capacity = new long[resources.length * zones.length];
        this.allocatable = new long[capacity.length];
        for (int resource = 0; resource < resources.length; resource++) {
            String name = resources[resource];
            memory[resource] = name.equals("memory") || name.startsWith("hugepages-");
            for (int zone = 0; zone < zones.length; zone++) {
                NumaFacts.Zone from = sorted.get(zone);
                int cell = cell(resource, zone);
                allocatable[cell] = amount(from.allocatable(), name, 0);
                capacity[cell] = Math.max(allocatable[cell], amount(from.capacity(), name, allocatable[cell]));
            }
        }
        this.distances = new int[zones.length * zones.length];
        for (int from = 0; from < zones.length; from++) {
            for (int to = 0; to < zones.length; to++) {
                distances[from * zones.length + to] = distance(sorted.get(from).costs(), zones[to], from == to);
            }
        }
    }

    /** The layout that a report describes; null where it names no zones, or more than a kubelet aligns by. */
    public static NumaLayout of(NumaFacts facts) {
        return facts.zones().isEmpty() || facts.zones().size() > MOST_ZONES ? null : new NumaLayout(facts);
    }

    private static long trailingNumber(String name) {
        int start = name.length();
        while (start > 0 && name.length() - start < 9 && Character.digit(name.charAt(start - 1), 10) >= 0) {
            start--;
        }
        return start == name.length() ? Long.MAX_VALUE : Long.parseLong(name.substring(start));
    }

    private static long amount(List<Amount> amounts, String resource, long otherwise) {
        for (Amount amount : amounts) {
            if (amount.resource().equals(resource)) {
                return amount.amount();
            }
        }
        return otherwise;
    }

    private static int distance(List<Label> costs, String zone, boolean itself) {
        for (Label cost : costs) {
            if (cost.key().equals(zone) && cost.value().matches("[0-9]{1,3}")) {
                return Math.min(Integer.parseInt(cost.value()), LARGEST_DISTANCE);
            }
        }
        return itself ? LOCAL_DISTANCE : LARGEST_DISTANCE;
    }

    /** Whether kubelets choose the zones that a pod gets things from; otherwise nobody does. */
    public boolean chooses() {
        return policy != Policy.NONE;
    }

    /** How many zones there are. */
    public int zones() {
        return zones.length;
    }

    /** Name of a zone. */
    public String zoneName(int zone) {
        return zones[zone];
    }

    /** How many resources any zone reports. */
    public int resources() {
        return resources.length;
    }

    /** Name of a resource. */
    public String resourceName(int resource) {
        return resources[resource];
    }

    /** The number of a resource; -1 where no zone reports it. */
    public int resource(String name) {
        int found = Arrays.binarySearch(resources, name);
        return Math.max(found, -1);
    }

    /** Where a resource of a zone is in the arrays of amounts; -1 where it is not reported. */
    public int cell(String zone, String resource) {
        int of = resource(resource);
        for (int i = 0; i < zones.length && of >= 0; i++) {
            if (zones[i].equals(zone)) {
                return cell(of, i);
            }
        }
        return -1;
    }

    /** Where a resource of a zone is in the arrays of amounts. */
    public int cell(int resource, int zone) {
        return resource * zones.length + zone;
    }

    /** Length of the arrays of amounts. */
    public int cells() {
        return capacity.length;
    }

    /** The zone of a GPU: drivers number them in the order of their buses, and so of the zones. */
    public int zoneOfDevice(String resource, int device) {
        int of = resource(resource);
        long before = 0;
        for (int zone = 0; zone < zones.length && of >= 0; zone++) {
            before += capacity[cell(of, zone)];
            if (device < before) {
                return zone;
            }
        }
        return zones.length - 1;
    }

    /** What pods can have, by cell. */
    public long allocatable(int cell) {
        return allocatable[cell];
    }

    /** What a report says is in use, by cell; nothing where it does not say what is available. */
    public long[] inUse(NumaFacts report) {
        long[] used = new long[capacity.length];
        for (NumaFacts.Zone zone : report.zones()) {
            for (Amount available : zone.available()) {
                int cell = cell(zone.name(), available.resource());
                if (cell >= 0) {
                    used[cell] = Math.max(0, allocatable[cell] - available.amount());
                }
            }
        }
        return used;
    }

    /** What is there at all, by cell. */
    public long capacity(int cell) {
        return capacity[cell];
    }

    /** Whether the memory manager gives it out: memory and huge pages. */
    boolean memory(int resource) {
        return memory[resource];
    }

    /** Whether the device manager gives it out. */
    boolean device(int resource) {
        return !memory[resource] && !resources[resource].equals("cpu");
    }

    /** Every zone. */
    int everyZone() {
        return (1 << zones.length) - 1;
    }

    /** The mean distance between the zones of a set, in hundredths; as the kubelet's option prefer-closest-numa-nodes has it. */
    int meanDistance(int mask) {
        int sum = 0;
        int pairs = 0;
        for (int from = 0; from < zones.length; from++) {
            for (int to = 0; to < zones.length; to++) {
                if ((mask >> from & 1) == 1 && (mask >> to & 1) == 1) {
                    sum += distances[from * zones.length + to];
                    pairs++;
                }
            }
        }
        return pairs == 0 ? 0 : sum * 100 / pairs;
    }
}
