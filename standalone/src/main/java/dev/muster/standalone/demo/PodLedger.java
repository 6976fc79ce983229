package dev.muster.standalone.demo;

import dev.muster.schemas.common.Change;
import dev.muster.schemas.common.PodRequirement;
import dev.muster.schemas.common.Quantity;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.event.NodeSpec;
import dev.muster.schemas.event.PodEvent;
import dev.muster.schemas.event.PodSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An independent account of who holds what, kept from topics {@code nodes} and {@code pods} alone: it shares no code with
 * the scheduler, so that it can catch it promising a node or a GPU twice.
 *
 * <p>A pod holds its room from the event that shows it bound until the event that shows it finished or gone.
 */
final class PodLedger {
    private static final String GPU = Manifests.GPU;
    private static final int WHOLE_GPU_MILLI = 1000;
    private static final int MAX_LISTED = 20;

    /** A pod as last seen. */
    private static final class Pod {
        String name;
        boolean ours;
        String node = "";
        String phase = "Pending";
        PodRequirement requirement;
        List<Integer> devices = List.of();
        boolean holds;
        boolean wasBound;
    }

    private static final class Node {
        final Map<String, Long> allocatable = new HashMap<>();
        final Map<String, Long> used = new HashMap<>();
        final Map<Integer, Integer> deviceMilli = new HashMap<>();
        long gpuMilli;
        boolean schedulable = true;
    }

    /** A node's GPUs: total pieces and thousandths in use. */
    record NodeUse(String name, long gpus, long usedMilli, boolean schedulable) {}

    /** Counts of our pods. */
    record PodCounts(int known, int everBound, int holding, int finished, int unbound) {}

    private final Map<String, Pod> pods = new HashMap<>();
    private final Map<String, Node> nodes = new TreeMap<>();
    private final List<String> violations = new ArrayList<>();
    private int violationCount;
    private int known;
    private int everBound;
    private int holding;
    private int finished;
    private int unbound;
    private long gpuMilliUsed;
    private long gpuMilliPeak;
    private double gpuMilliSeconds;
    private long firstMillis = -1;
    private long lastMillis;

    void apply(NodeEvent event) {
        if (event.getOrigin().getChange() == Change.DELETE) {
            Node node = nodes.get(event.getOrigin().getName());
            if (node != null) {
                node.schedulable = false;
            }
            return;
        }
        NodeSpec spec = event.getSpec();
        if (spec == null) {
            return;
        }
        Node node = nodes.computeIfAbsent(event.getOrigin().getName(), name -> new Node());
        node.allocatable.clear();
        spec.getAllocatable().forEach(q -> node.allocatable.put(q.getResource(), q.getAmount()));
        node.schedulable = !spec.getCordoned() && spec.getReady();
    }

    /** Applies a pod event; returns whether it shows the pod bound for the first time. */
    boolean apply(PodEvent event, long timeMillis) {
        String uid = event.getOrigin().getUid();
        PodSpec spec = event.getSpec();
        if (event.getOrigin().getChange() == Change.DELETE) {
            Pod pod = pods.remove(uid);
            if (pod != null) {
                release(pod, timeMillis);
                if (pod.ours && !terminal(pod) && pod.node.isEmpty()) {
                    unbound--;
                }
            }
            return false;
        }
        if (spec == null) {
            return false;
        }
        Pod pod = pods.get(uid);
        if (pod == null) {
            pod = new Pod();
            pods.put(uid, pod);
            pod.ours = spec.getOurs();
            pod.name =
                    event.getOrigin().getNamespace() + "/" + event.getOrigin().getName();
            if (pod.ours) {
                known++;
                unbound++;
            }
        }
        boolean wasOpen = pod.node.isEmpty() && !terminal(pod);
        boolean wasTerminal = terminal(pod);
        pod.node = spec.getNode();
        pod.phase = spec.getPhase();
        pod.requirement = spec.getRequirement();
        pod.devices = spec.getDevices();
        if (pod.ours && wasOpen && !(pod.node.isEmpty() && !terminal(pod))) {
            unbound--;
        }
        if (pod.ours && !wasTerminal && terminal(pod)) {
            finished++;
        }
        boolean bound = !pod.node.isEmpty() && !pod.wasBound;
        if (bound) {
            pod.wasBound = true;
            everBound += pod.ours ? 1 : 0;
        }
        if (terminal(pod)) {
            release(pod, timeMillis);
        } else if (!pod.node.isEmpty() && !pod.holds) {
            hold(pod, timeMillis);
        }
        return bound && pod.ours;
    }

    PodCounts counts() {
        return new PodCounts(known, everBound, holding, finished, unbound);
    }

    List<NodeUse> nodes() {
        List<NodeUse> uses = new ArrayList<>(nodes.size());
        nodes.forEach((name, node) ->
                uses.add(new NodeUse(name, node.allocatable.getOrDefault(GPU, 0L), node.gpuMilli, node.schedulable)));
        return uses;
    }

    int nodeCount() {
        return nodes.size();
    }

    long gpuMilliUsed() {
        return gpuMilliUsed;
    }

    long gpuMilliPeak() {
        return gpuMilliPeak;
    }

    /** Thousandths of a GPU in use, averaged over the time from the first binding to the last change. */
    double gpuMilliAverage() {
        return lastMillis > firstMillis ? gpuMilliSeconds / (lastMillis - firstMillis) : 0;
    }

    /** How often a node or GPU was found over-committed. */
    int violationCount() {
        return violationCount;
    }

    /** The first of them, in words. */
    List<String> violations() {
        return List.copyOf(violations);
    }

    private static boolean terminal(Pod pod) {
        return pod.phase.equals("Succeeded") || pod.phase.equals("Failed");
    }

    private void hold(Pod pod, long timeMillis) {
        pod.holds = true;
        holding += pod.ours ? 1 : 0;
        Node node = nodes.computeIfAbsent(pod.node, name -> new Node());
        account(pod, node, 1, timeMillis);
        for (Quantity request : pod.requirement.getRequests()) {
            long used = node.used.getOrDefault(request.getResource(), 0L);
            long allocatable = node.allocatable.getOrDefault(request.getResource(), 0L);
            if (used > allocatable) {
                violated("node " + pod.node + ": " + request.getResource() + " " + used + " of " + allocatable
                        + " after " + pod.name);
            }
        }
        long gpus = node.allocatable.getOrDefault(GPU, 0L);
        if (node.gpuMilli > gpus * WHOLE_GPU_MILLI) {
            violated("node " + pod.node + ": " + node.gpuMilli + "/1000 GPUs of " + gpus + " after " + pod.name);
        }
        for (int device : pod.devices) {
            if (node.deviceMilli.get(device) > WHOLE_GPU_MILLI || device < 0 || device >= gpus) {
                violated("node " + pod.node + ": GPU " + device + " holds " + node.deviceMilli.get(device)
                        + "/1000 after " + pod.name);
            }
        }
    }

    private void release(Pod pod, long timeMillis) {
        if (pod.holds) {
            pod.holds = false;
            holding -= pod.ours ? 1 : 0;
            account(pod, nodes.get(pod.node), -1, timeMillis);
        }
    }

    private void account(Pod pod, Node node, int sign, long timeMillis) {
        elapse(timeMillis);
        for (Quantity request : pod.requirement.getRequests()) {
            node.used.merge(request.getResource(), sign * request.getAmount(), Long::sum);
        }
        int perDevice =
                pod.requirement.getGpuFractionMilli() > 0 ? pod.requirement.getGpuFractionMilli() : WHOLE_GPU_MILLI;
        for (int device : pod.devices) {
            node.deviceMilli.merge(device, sign * perDevice, Integer::sum);
        }
        long milli = sign * gpuMilli(pod.requirement);
        node.gpuMilli += milli;
        gpuMilliUsed += milli;
        gpuMilliPeak = Math.max(gpuMilliPeak, gpuMilliUsed);
    }

    private void elapse(long timeMillis) {
        if (firstMillis < 0) {
            firstMillis = timeMillis;
            lastMillis = timeMillis;
        }
        if (timeMillis > lastMillis) {
            gpuMilliSeconds += (double) gpuMilliUsed * (timeMillis - lastMillis);
            lastMillis = timeMillis;
        }
    }

    private static long gpuMilli(PodRequirement requirement) {
        long whole = 0;
        for (Quantity request : requirement.getRequests()) {
            if (request.getResource().equals(GPU)) {
                whole = request.getAmount() * WHOLE_GPU_MILLI;
            }
        }
        return whole + requirement.getGpuFractionMilli();
    }

    private void violated(String what) {
        violationCount++;
        if (violations.size() < MAX_LISTED) {
            violations.add(what);
        }
    }
}
