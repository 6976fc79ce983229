package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The NUMA nodes of one machine as its kubelet's managers hand them out, from its NodeResourceTopology. Nothing of it is the
 * scheduler's: it tries all combinations of hints, as the kubelet does (kubernetes/kubernetes pkg/kubelet/cm), so that it can
 * judge what the scheduler foresaw.
 *
 * <p>What the report calls in use is taken for what the pods here have, as far as it goes, and for somebody unknown's beyond
 * that. A pod that nobody placed here by a decision may be that somebody.
 */
public final class NumaMachine {
    /** Combinations of hints are tried on machines that are not larger; on larger ones only preferred hints. */
    private static final int MOST_TRIED = 4;

    private record Hint(int zones, boolean preferred) {
        private static final int ANY = -1;
    }

    /** Resource by zone name, in thousandths. */
    private static final class Amounts extends TreeMap<String, Map<String, Long>> {
        private static final long serialVersionUID = 1L;

        long of(String resource, String zone) {
            return getOrDefault(resource, Map.of()).getOrDefault(zone, 0L);
        }

        void add(String resource, String zone, long milli) {
            computeIfAbsent(resource, name -> new TreeMap<>()).merge(zone, milli, Long::sum);
        }
    }

    private record Asked(boolean init, boolean sidecar, Map<String, Long> milli) {}

    private String policy = "none";
    private boolean podScope;
    private final List<String> zones = new ArrayList<>();
    private Amounts capacity = new Amounts();
    private Amounts allocatable = new Amounts();
    private Amounts unknown = new Amounts();
    private final Map<String, Amounts> held = new TreeMap<>();

    /** Takes a report. */
    public void report(JsonNode topology) {
        String old = topology.path("topologyPolicies").path(0).asText("");
        policy = attribute(
                topology,
                "topologyManagerPolicy",
                old.startsWith("SingleNUMANode")
                        ? "single-numa-node"
                        : old.startsWith("Restricted")
                                ? "restricted"
                                : old.startsWith("BestEffort") ? "best-effort" : "none");
        podScope = attribute(topology, "topologyManagerScope", old.endsWith("PodLevel") ? "pod" : "container")
                .equals("pod");
        zones.clear();
        capacity = new Amounts();
        allocatable = new Amounts();
        unknown = new Amounts();
        for (JsonNode zone : topology.path("zones")) {
            if (zone.path("type").asText().equals("Node")) {
                String name = zone.path("name").asText();
                zones.add(name);
                for (JsonNode resource : zone.path("resources")) {
                    String of = resource.path("name").asText();
                    long can = milli(resource, "allocatable", 0);
                    allocatable.add(of, name, can);
                    capacity.add(of, name, Math.max(can, milli(resource, "capacity", can)));
                    long inUse = Math.max(0, can - milli(resource, "available", can));
                    unknown.add(of, name, Math.max(0, inUse - heldOf(of, name)));
                }
            }
        }
        zones.sort((a, b) -> a.length() != b.length() ? Integer.compare(a.length(), b.length()) : a.compareTo(b));
    }

    private static String attribute(JsonNode topology, String name, String otherwise) {
        for (JsonNode attribute : topology.path("attributes")) {
            if (attribute.path("name").asText().equals(name)) {
                return attribute.path("value").asText();
            }
        }
        return otherwise;
    }

    private static long milli(JsonNode amounts, String field, long otherwise) {
        return amounts.has(field) ? Quantities.milli(amounts.get(field)) : otherwise;
    }

    private long heldOf(String resource, String zone) {
        return held.values().stream().mapToLong(part -> part.of(resource, zone)).sum();
    }

    /** Takes a pod in; false where a kubelet turns it away with TopologyAffinityError, or has too little of something. */
    public boolean admit(String uid, JsonNode pod) {
        if (held.containsKey(uid) || zones.isEmpty()) {
            return true;
        }
        boolean placed = !Json.annotation(pod, "muster.dev/decision").isEmpty();
        Amounts part = placed ? null : give(pod, unknown);
        if (part != null) {
            part.forEach((resource, byZone) -> byZone.forEach((zone, milli) -> unknown.add(resource, zone, -milli)));
        } else {
            part = give(pod, free());
        }
        held.put(uid, part == null ? new Amounts() : part);
        return part != null;
    }

    public void release(String uid) {
        held.remove(uid);
    }

    /** How many NUMA nodes there are. */
    public int zones() {
        return zones.size();
    }

    /** How many NUMA nodes a pod has anything of. */
    public int zonesOf(String uid) {
        TreeSet<String> of = new TreeSet<>();
        held.getOrDefault(uid, new Amounts()).values().forEach(byZone -> of.addAll(byZone.keySet()));
        return of.size();
    }

    /** What a pod has, as its annotation would say it; empty for nothing. */
    public String written(String uid) {
        Map<String, StringBuilder> byZone = new TreeMap<>();
        held.getOrDefault(uid, new Amounts())
                .forEach((resource, amounts) ->
                        amounts.forEach((zone, milli) -> byZone.computeIfAbsent(zone, name -> new StringBuilder(name))
                                .append(' ')
                                .append(resource)
                                .append('=')
                                .append(resource.equals("cpu") ? milli : milli / 1000)));
        return String.join("; ", byZone.values());
    }

    private Amounts free() {
        Amounts free = new Amounts();
        allocatable.forEach((resource, byZone) -> byZone.forEach((zone, milli) ->
                free.add(resource, zone, Math.max(0, milli - unknown.of(resource, zone) - heldOf(resource, zone)))));
        return free;
    }

    /** What a pod gets of so much; null where it is turned away. */
    private Amounts give(JsonNode pod, Amounts from) {
        Amounts left = new Amounts();
        from.forEach((resource, byZone) -> left.put(resource, new TreeMap<>(byZone)));
        Amounts again = new Amounts();
        Amounts got = new Amounts();
        List<Asked> containers = asked(pod);
        int ofPod = podScope ? settle(total(containers), left, again) : 0;
        for (Asked container : containers) {
            int set = podScope ? ofPod : settle(container.milli(), left, again);
            if (set == 0 || !allocate(container, set, left, again, got)) {
                return null;
            }
        }
        return got;
    }

    private boolean allocate(Asked container, int set, Amounts left, Amounts again, Amounts got) {
        for (Map.Entry<String, Long> want : container.milli().entrySet()) {
            String resource = want.getKey();
            long missing = want.getValue();
            boolean anywhere = policy.equals("none") && set == (1 << zones.size()) - 1;
            int from = anywhere ? fewest(Map.of(resource, missing), left, again, set) : set;
            for (int outside = 0; outside < 2; outside++) {
                for (Amounts source : List.of(again, left)) {
                    for (int zone = 0; zone < zones.size(); zone++) {
                        long part = Math.min(missing, source.of(resource, zones.get(zone)));
                        if ((from >> zone & 1) == 1 - outside && part > 0) {
                            missing -= part;
                            if (source == left) {
                                got.add(resource, zones.get(zone), part);
                            }
                            source.add(resource, zones.get(zone), -part);
                            if (container.init()) {
                                again.add(resource, zones.get(zone), part);
                            }
                        }
                    }
                }
            }
            if (missing > 0) {
                return false;
            }
        }
        return true;
    }

    private Map<String, Long> total(List<Asked> containers) {
        Map<String, Long> running = new TreeMap<>();
        Map<String, Long> sidecars = new TreeMap<>();
        Map<String, Long> peak = new TreeMap<>();
        for (Asked container : containers) {
            container.milli().forEach((resource, milli) -> {
                if (container.init()) {
                    peak.merge(resource, sidecars.getOrDefault(resource, 0L) + milli, Math::max);
                } else {
                    (container.sidecar() ? sidecars : running).merge(resource, milli, Long::sum);
                }
            });
        }
        sidecars.forEach((resource, milli) -> running.merge(resource, milli, Long::sum));
        peak.forEach((resource, milli) -> running.merge(resource, milli, Math::max));
        return running;
    }

    private List<Asked> asked(JsonNode pod) {
        JsonNode spec = pod.path("spec");
        boolean pinned = PodResources.qosClass(pod).equals("Guaranteed")
                && spec.path("resources").path("requests").isEmpty()
                && spec.path("resources").path("limits").isEmpty();
        List<Asked> containers = new ArrayList<>();
        for (JsonNode container : spec.path("initContainers")) {
            boolean sidecar = container.path("restartPolicy").asText().equals("Always");
            containers.add(new Asked(!sidecar, sidecar, aligned(container, pinned)));
        }
        spec.path("containers")
                .forEach(container -> containers.add(new Asked(false, false, aligned(container, pinned))));
        containers.removeIf(container -> container.milli().isEmpty());
        return containers;
    }

    private Map<String, Long> aligned(JsonNode container, boolean pinned) {
        Map<String, Long> requests = new HashMap<>();
        for (String list : List.of("limits", "requests")) {
            container
                    .path("resources")
                    .path(list)
                    .properties()
                    .forEach(each -> requests.put(each.getKey(), Quantities.milli(each.getValue())));
        }
        Map<String, Long> aligned = new TreeMap<>();
        requests.forEach((resource, milli) -> {
            boolean ofKubelet = resource.equals("cpu") ? milli % 1000 == 0 : memory(resource);
            if (milli > 0 && allocatable.containsKey(resource) && (resource.contains("/") || pinned && ofKubelet)) {
                aligned.put(resource, milli);
            }
        });
        return aligned;
    }

    private static boolean memory(String resource) {
        return resource.equals("memory") || resource.startsWith("hugepages-");
    }

    /** The zones that the Topology Manager settles on, as a set of bits; 0 where it does not admit. */
    private int settle(Map<String, Long> asked, Amounts left, Amounts again) {
        int all = (1 << zones.size()) - 1;
        if (policy.equals("none")) {
            return fewest(asked, left, again, all);
        }
        List<List<Hint>> hints = new ArrayList<>();
        Map<String, Long> ofMemory = new TreeMap<>();
        asked.forEach((resource, milli) -> {
            if (memory(resource)) {
                ofMemory.put(resource, milli);
            } else {
                hints.add(hints(Map.of(resource, milli), left, again, false));
            }
        });
        if (!ofMemory.isEmpty()) {
            List<Hint> memory = hints(ofMemory, left, again, true);
            hints.add(memory.isEmpty() ? List.of(new Hint(Hint.ANY, true)) : memory);
        }
        hints.replaceAll(list -> list.isEmpty() ? List.of(new Hint(Hint.ANY, false)) : list);
        if (policy.equals("single-numa-node")) {
            hints.replaceAll(list -> list.stream()
                    .filter(hint ->
                            hint.preferred() && (hint.zones() == Hint.ANY || Integer.bitCount(hint.zones()) == 1))
                    .toList());
        } else if (zones.size() > MOST_TRIED) {
            hints.replaceAll(list -> list.stream().anyMatch(Hint::preferred)
                    ? list.stream().filter(Hint::preferred).toList()
                    : list);
        }
        int widestNeed = hints.stream()
                .mapToInt(list -> list.stream()
                        .filter(hint -> hint.zones() != Hint.ANY)
                        .mapToInt(hint -> Integer.bitCount(hint.zones()))
                        .min()
                        .orElse(0))
                .max()
                .orElse(0);
        Hint best = combine(hints, 0, new ArrayList<>(), null, widestNeed, all);
        boolean admitted = policy.equals("best-effort") || best != null && best.preferred();
        return !admitted ? 0 : best == null ? all : best.zones();
    }

    private Hint combine(List<List<Hint>> hints, int next, List<Hint> chosen, Hint best, int widestNeed, int all) {
        if (next == hints.size()) {
            int common = all;
            int first = Hint.ANY;
            boolean preferred = true;
            for (Hint hint : chosen) {
                preferred &= hint.preferred();
                if (hint.zones() != Hint.ANY) {
                    first = first == Hint.ANY ? hint.zones() : first;
                    preferred &= hint.zones() == first;
                    common &= hint.zones();
                }
            }
            return better(best, new Hint(common, preferred), widestNeed);
        }
        Hint found = best;
        for (Hint hint : hints.get(next)) {
            chosen.add(hint);
            found = combine(hints, next + 1, chosen, found, widestNeed, all);
            chosen.removeLast();
        }
        return found;
    }

    /** As the kubelet compares the best combination so far with the next. */
    private static Hint better(Hint current, Hint candidate, int widestNeed) {
        if (candidate.zones() == 0) {
            return current;
        }
        if (current == null || candidate.preferred() && !current.preferred()) {
            return candidate;
        }
        int now = Integer.bitCount(current.zones());
        int then = Integer.bitCount(candidate.zones());
        Hint narrowest = then < now || then == now && candidate.zones() < current.zones() ? candidate : current;
        if (current.preferred()) {
            return candidate.preferred() ? narrowest : current;
        }
        if (now > widestNeed || now == widestNeed && then == widestNeed || now < widestNeed && then == now) {
            return narrowest;
        }
        return now < widestNeed && then <= widestNeed && then > now ? candidate : current;
    }

    private List<Hint> hints(Map<String, Long> asked, Amounts left, Amounts again, boolean memory) {
        int narrowest = zones.size();
        List<Integer> sets = new ArrayList<>();
        for (int set = 1; set < 1 << zones.size(); set++) {
            boolean could = true;
            boolean can = true;
            for (Map.Entry<String, Long> want : asked.entrySet()) {
                long there = 0;
                long free = 0;
                long reusable = 0;
                int reused = 0;
                for (int zone = 0; zone < zones.size(); zone++) {
                    long had = again.of(want.getKey(), zones.get(zone));
                    reused |= had > 0 ? 1 << zone : 0;
                    reusable += had;
                    if ((set >> zone & 1) == 1) {
                        there += (memory ? allocatable : capacity).of(want.getKey(), zones.get(zone));
                        free += left.of(want.getKey(), zones.get(zone));
                    }
                }
                could &= there >= want.getValue();
                boolean ofOthers = memory ? set != reused : (reused & ~set) != 0;
                can &= memory
                        ? free + (ofOthers ? 0 : reusable) >= want.getValue()
                        : !ofOthers && free + reusable >= want.getValue();
            }
            narrowest = could ? Math.min(narrowest, Integer.bitCount(set)) : narrowest;
            if (can && (could || !memory)) {
                sets.add(set);
            }
        }
        int preferred = narrowest;
        return sets.stream()
                .map(set -> new Hint(set, Integer.bitCount(set) == preferred))
                .toList();
    }

    /** Without a policy: the fewest zones that have enough, of as few those with the fewest devices left. */
    private int fewest(Map<String, Long> asked, Amounts left, Amounts again, int all) {
        int best = all;
        long leastLeft = Long.MAX_VALUE;
        for (int set = 1; set <= all; set++) {
            long over = 0;
            boolean suffices = true;
            for (Map.Entry<String, Long> want : asked.entrySet()) {
                long sum = 0;
                for (int zone = 0; zone < zones.size(); zone++) {
                    sum += (set >> zone & 1) == 1
                            ? left.of(want.getKey(), zones.get(zone)) + again.of(want.getKey(), zones.get(zone))
                            : 0;
                }
                suffices &= sum >= want.getValue();
                over += want.getKey().contains("/") ? sum - want.getValue() : 0;
            }
            int width = Integer.bitCount(set);
            int bestWidth = Integer.bitCount(best);
            if (suffices && (width < bestWidth || width == bestWidth && over < leastLeft)) {
                best = set;
                leastLeft = over;
            }
        }
        return best;
    }
}
