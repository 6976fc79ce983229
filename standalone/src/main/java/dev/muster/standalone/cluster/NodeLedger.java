package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What the pods on one node hold, and whether one more fits, as its kubelet judges it. Used by one thread. */
final class NodeLedger {

    /** Why a pod is turned away, in the words of the kubelet. */
    record Refusal(String reason, String message) {}

    private record Holding(Map<String, Long> requests, GpuClaim gpus) {}

    private final Map<String, Holding> held = new HashMap<>();
    private final Map<String, Long> used = new TreeMap<>();

    /** Takes a pod in, or says why not. */
    Optional<Refusal> admit(String uid, JsonNode pod, JsonNode node) {
        JsonNode allocatable = Json.at(node, "status", "allocatable");
        Map<String, Long> requests;
        GpuClaim gpus;
        try {
            requests = PodResources.requests(pod);
            gpus = GpuClaim.of(pod, requests, node);
        } catch (IllegalArgumentException | ArithmeticException e) {
            return Optional.of(new Refusal("UnexpectedAdmissionError", "Pod was rejected: " + e.getMessage()));
        }
        for (Map.Entry<String, Long> request : requests.entrySet()) {
            Optional<Refusal> refusal = checkRoom(request.getKey(), request.getValue(), allocatable);
            if (refusal.isPresent()) {
                return refusal;
            }
        }
        if (gpus.count() > 0) {
            // Of those that are there, some may not work: their plugin offers fewer, and which they are is not told.
            long there = Math.max(
                    amount(allocatable, PodResources.GPU),
                    amount(Json.at(node, "status", "capacity"), PodResources.GPU));
            int devices = (int) (there / GpuClaim.WHOLE_MILLI);
            Optional<GpuClaim> granted = grant(gpus, devices);
            if (granted.isEmpty()) {
                return Optional.of(new Refusal(
                        "UnexpectedAdmissionError",
                        "Pod was rejected: Allocate failed due to devices over-committed: asked for " + gpus + " of "
                                + devices + ", which is unexpected"));
            }
            gpus = granted.get();
        }
        held.put(uid, new Holding(requests, gpus));
        requests.forEach((name, amount) -> used.merge(name, amount, Math::addExact));
        return Optional.empty();
    }

    void release(String uid) {
        Holding holding = held.remove(uid);
        if (holding != null) {
            holding.requests().forEach((name, amount) -> used.merge(name, -amount, Math::addExact));
        }
    }

    /** Thousandths of a resource that the pods here request. */
    long usedMilli(String resource) {
        return used.getOrDefault(resource, 0L);
    }

    private Optional<Refusal> checkRoom(String resource, long requested, JsonNode allocatable) {
        // A node that does not say how many pods it takes takes the kubelet's default.
        long capacity = resource.equals("pods") && !allocatable.has("pods") ? 110_000 : amount(allocatable, resource);
        long taken = usedMilli(resource);
        if (requested == 0 || requested <= capacity - taken) {
            return Optional.empty();
        }
        boolean milli = resource.equals("cpu");
        long unit = milli ? 1 : 1000;
        return Optional.of(new Refusal(
                "OutOf" + resource,
                "Pod was rejected: Node didn't have enough resource: " + resource + ", requested: " + requested / unit
                        + ", used: " + taken / unit + ", capacity: " + capacity / unit));
    }

    private static long amount(JsonNode amounts, String resource) {
        return amounts.has(resource) ? Quantities.milli(amounts.get(resource)) : 0;
    }

    /**
     * The claim with its devices, where they have room: no device is ever given out more than once over, and pods that
     * left the choice to the node find whole devices free of shares.
     */
    private Optional<GpuClaim> grant(GpuClaim claim, int devices) {
        long[] usedMilli = new long[devices];
        for (Holding holding : held.values()) {
            for (int device : holding.gpus().devices()) {
                if (device < devices) { // others have dropped out under the pods that hold them
                    usedMilli[device] += holding.gpus().shareMilli();
                }
            }
        }
        List<Integer> chosen = claim.devices().isEmpty() ? choose(claim, usedMilli) : claim.devices();
        if (chosen.size() != claim.count()) {
            return Optional.empty();
        }
        for (int device : chosen) {
            if (device < 0 || device >= devices) {
                return Optional.empty();
            }
            usedMilli[device] += claim.shareMilli();
            if (usedMilli[device] > GpuClaim.WHOLE_MILLI) {
                return Optional.empty();
            }
        }
        return Optional.of(new GpuClaim(chosen, claim.shareMilli(), claim.count()));
    }

    /** The fullest devices that still have room, lowest number first. */
    private static List<Integer> choose(GpuClaim claim, long[] usedMilli) {
        return java.util.stream.IntStream.range(0, usedMilli.length)
                .boxed()
                .filter(device -> usedMilli[device] + claim.shareMilli() <= GpuClaim.WHOLE_MILLI)
                .sorted(java.util.Comparator.comparingLong((Integer device) -> -usedMilli[device])
                        .thenComparing(device -> device))
                .limit(claim.count())
                .toList();
    }
}
