package dev.muster.standalone.scenario.observe;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.standalone.cluster.Quantities;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which NUMA nodes bound pods get, worked out as the kubelet's managers do it: per container or for the pod as a whole, as
 * the node's NodeResourceTopology says, from the fewest zones that have enough, the first such in their order. Devices count
 * always, cpus and memory for pods of class Guaranteed. What is reported as available is what was so when the report was
 * applied; pods bound since count against it.
 */
final class NumaLedger {
    private static final int MOST_ZONES = 16;

    private record Zone(String name, Map<String, Long> freeMilli) {}

    private static final class Report {
        final boolean podScope;
        final List<Zone> zones = new ArrayList<>();

        Report(JsonNode topology) {
            podScope = attribute(topology, "topologyManagerScope").equals("pod")
                    || topology.path("topologyPolicies").path(0).asText("").endsWith("PodLevel");
            for (JsonNode zone : topology.path("zones")) {
                if (zone.path("type").asText().equals("Node") && zones.size() < MOST_ZONES) {
                    Map<String, Long> free = new TreeMap<>();
                    zone.path("resources")
                            .forEach(each -> free.put(
                                    each.path("name").asText(),
                                    Quantities.milli(
                                            each.has("available") ? each.get("available") : each.path("allocatable"))));
                    zones.add(new Zone(zone.path("name").asText(), free));
                }
            }
        }

        private static String attribute(JsonNode topology, String name) {
            for (JsonNode attribute : topology.path("attributes")) {
                if (attribute.path("name").asText().equals(name)) {
                    return attribute.path("value").asText();
                }
            }
            return "";
        }
    }

    /** What a pod took from one zone. */
    private record Share(Zone zone, String resource, long milli) {}

    private final Map<String, Report> reports = new HashMap<>();
    private final Map<String, List<Share>> shares = new HashMap<>();
    private final Map<String, Integer> zonesOf = new HashMap<>();

    void object(String cluster, JsonNode object, boolean gone) {
        if (object.path("kind").asText().equals("NodeResourceTopology")) {
            String node = cluster + "/" + object.path("metadata").path("name").asText();
            if (gone) {
                reports.remove(node);
            } else {
                reports.put(node, new Report(object));
            }
        }
    }

    void bound(PodView pod, JsonNode object) {
        Report report = reports.get(pod.where());
        if (report == null || report.zones.isEmpty()) {
            return;
        }
        List<Share> taken = new ArrayList<>();
        for (Map<String, Long> wanted : wanted(report, pod, object)) {
            taken.addAll(take(report, wanted));
        }
        TreeSet<String> zones = new TreeSet<>();
        taken.forEach(share -> zones.add(share.zone().name()));
        shares.put(pod.uid(), taken);
        zonesOf.put(pod.uid(), zones.size());
    }

    private static List<Map<String, Long>> wanted(Report report, PodView pod, JsonNode object) {
        boolean guaranteed = object.path("status").path("qosClass").asText().equals("Guaranteed");
        List<Map<String, Long>> wanted = new ArrayList<>();
        if (report.podScope) {
            wanted.add(aligned(pod.requestsMilli(), guaranteed));
        } else {
            for (JsonNode container : object.path("spec").path("containers")) {
                Map<String, Long> requests = new TreeMap<>();
                container
                        .path("resources")
                        .path("requests")
                        .properties()
                        .forEach(each -> requests.put(each.getKey(), Quantities.milli(each.getValue())));
                wanted.add(aligned(requests, guaranteed));
            }
        }
        return wanted;
    }

    private static Map<String, Long> aligned(Map<String, Long> requests, boolean guaranteed) {
        Map<String, Long> aligned = new TreeMap<>();
        requests.forEach((resource, milli) -> {
            boolean device = resource.contains("/");
            boolean kubelets = resource.equals("cpu") || resource.equals("memory") || resource.startsWith("hugepages-");
            if (milli > 0 && (device || guaranteed && kubelets)) {
                aligned.put(resource, milli);
            }
        });
        return aligned;
    }

    /** From the fewest zones that have enough together; where they have not, all of them are concerned. */
    private static List<Share> take(Report report, Map<String, Long> wanted) {
        int all = (1 << report.zones.size()) - 1;
        int best = all;
        for (int set = 1; set < all; set++) {
            if (Integer.bitCount(set) < Integer.bitCount(best) && suffices(report, set, wanted)) {
                best = set;
            }
        }
        boolean suffices = suffices(report, best, wanted);
        List<Share> shares = new ArrayList<>();
        for (Map.Entry<String, Long> want : wanted.entrySet()) {
            long left = want.getValue();
            for (int i = 0; i < report.zones.size() && left > 0; i++) {
                Zone zone = report.zones.get(i);
                long free = Math.max(0, zone.freeMilli().getOrDefault(want.getKey(), 0L));
                long part = Math.min(free, left);
                if ((best & 1 << i) != 0 && (part > 0 || !suffices)) {
                    zone.freeMilli().merge(want.getKey(), -part, Long::sum);
                    shares.add(new Share(zone, want.getKey(), part));
                    left -= part;
                }
            }
        }
        return shares;
    }

    private static boolean suffices(Report report, int set, Map<String, Long> wanted) {
        return wanted.entrySet().stream().allMatch(want -> {
            long free = 0;
            boolean reported = false;
            for (int i = 0; i < report.zones.size(); i++) {
                Map<String, Long> of = report.zones.get(i).freeMilli();
                reported |= of.containsKey(want.getKey());
                free += (set & 1 << i) == 0 ? 0 : Math.max(0, of.getOrDefault(want.getKey(), 0L));
            }
            return !reported || free >= want.getValue();
        });
    }

    void released(String uid) {
        List<Share> taken = shares.remove(uid);
        if (taken != null) {
            taken.forEach(share -> share.zone().freeMilli().merge(share.resource(), share.milli(), Long::sum));
        }
        zonesOf.remove(uid);
    }

    int nodesOf(String uid) {
        return zonesOf.getOrDefault(uid, 0);
    }
}
