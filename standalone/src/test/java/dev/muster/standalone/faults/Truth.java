package dev.muster.standalone.faults;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the API servers' objects are and were: plain maps, kept up with each change as it happens. */
final class Truth {
    /** A node, under its uid for ever. */
    static final class NodeTruth {
        final String cluster;
        final String name;
        final String uid;
        final Ask has;
        boolean gone;

        NodeTruth(String cluster, String name, String uid, Ask has) {
            this.cluster = cluster;
            this.name = name;
            this.uid = uid;
            this.has = has;
        }
    }

    /** A pod, under its uid for ever. */
    static final class PodTruth {
        final String cluster;
        final String namespace;
        final String name;
        final String uid;
        final Ask ask;
        final boolean ours;
        /** Name of its gang object; empty for none. */
        final String group;

        final String groupKind;
        /** Its LocalQueue; empty for none. */
        final String queue;
        /** The binder made it for a submitted job. */
        final boolean ofJob;
        /** Claims of its ephemeral volumes, as cluster/namespace/name. */
        final List<String> claims = new ArrayList<>();

        String node = "";
        String decision = "";
        int[] devices = {};
        String phase = "Pending";
        boolean deleting;
        boolean gone;

        PodTruth(String cluster, JsonNode pod) {
            JsonNode meta = pod.path("metadata");
            this.cluster = cluster;
            this.namespace = meta.path("namespace").asText();
            this.name = meta.path("name").asText();
            this.uid = meta.path("uid").asText();
            this.ask = Ask.ofPod(pod);
            String scheduler = pod.path("spec").path("schedulerName").asText();
            this.ours = scheduler.equals("muster") || scheduler.equals("volcano");
            String volcano = meta.path("annotations")
                    .path("scheduling.k8s.io/group-name")
                    .asText("");
            this.group = volcano.isEmpty()
                    ? meta.path("labels").path("scheduling.x-k8s.io/pod-group").asText("")
                    : volcano;
            this.groupKind = volcano.isEmpty() ? "PodGroup" : "VolcanoPodGroup";
            this.queue = meta.path("labels").path(Objects.QUEUE).asText("");
            this.ofJob = meta.path("labels").has("muster.dev/job");
            for (JsonNode volume : pod.path("spec").path("volumes")) {
                if (volume.has("ephemeral")) {
                    claims.add(cluster + "/" + namespace + "/" + name + "-"
                            + volume.path("name").asText());
                }
            }
        }

        boolean terminal() {
            return phase.equals("Succeeded") || phase.equals("Failed");
        }

        boolean bound() {
            return !node.isEmpty();
        }

        /** Whether it takes room on its node: from the binding until it has ended or is gone, and no less. */
        boolean takesRoom() {
            return bound() && !gone && !terminal();
        }

        @Override
        public String toString() {
            return cluster + "/" + namespace + "/" + name + " (" + uid + ", " + phase + (deleting ? ", deleting" : "")
                    + (gone ? ", gone" : "") + (bound() ? ", on " + node + " by " + decision : "") + ")";
        }
    }

    /** Told of what happened to a pod, after it is noted. */
    interface Watcher {
        void bound(PodTruth pod);

        void moved(PodTruth pod, String from);
    }

    final Map<String, PodTruth> pods = new TreeMap<>();
    final Map<String, NodeTruth> nodes = new TreeMap<>();
    /** Claims that are bound, as cluster/namespace/name. */
    private final Set<String> boundClaims = new TreeSet<>();

    private final Map<String, String> nodeUids = new TreeMap<>();
    private final Map<String, String> podUids = new TreeMap<>();
    private final Map<String, Integer> minimums = new TreeMap<>();
    private final Watcher watcher;

    Truth(Watcher watcher) {
        this.watcher = watcher;
    }

    void node(String cluster, String type, JsonNode node) {
        String name = node.path("metadata").path("name").asText();
        String uid = node.path("metadata").path("uid").asText();
        if (type.equals("DELETED")) {
            nodes.get(uid).gone = true;
            nodeUids.remove(cluster + "/" + name, uid);
        } else {
            nodes.computeIfAbsent(uid, u -> new NodeTruth(cluster, name, uid, Ask.ofNode(node)));
            nodeUids.put(cluster + "/" + name, uid);
        }
    }

    void claim(String cluster, String type, JsonNode claim) {
        JsonNode meta = claim.path("metadata");
        String key = cluster + "/" + meta.path("namespace").asText() + "/"
                + meta.path("name").asText();
        if (!type.equals("DELETED")
                && claim.path("status").path("phase").asText().equals("Bound")) {
            boundClaims.add(key);
        } else {
            boundClaims.remove(key);
        }
    }

    /** Claims of a pod that are not bound now. */
    List<String> unboundClaims(PodTruth pod) {
        return pod.claims.stream().filter(claim -> !boundClaims.contains(claim)).toList();
    }

    void pod(String cluster, String type, JsonNode object) {
        String uid = object.path("metadata").path("uid").asText();
        PodTruth pod = pods.computeIfAbsent(uid, u -> new PodTruth(cluster, object));
        String key = cluster + "/" + pod.namespace + "/" + pod.name;
        if (type.equals("DELETED")) {
            pod.gone = true;
            podUids.remove(key, uid);
            return;
        }
        podUids.put(key, uid);
        JsonNode annotations = object.path("metadata").path("annotations");
        String before = pod.node;
        pod.node = object.path("spec").path("nodeName").asText("");
        pod.phase = object.path("status").path("phase").asText("Pending");
        pod.deleting = object.path("metadata").has("deletionTimestamp");
        pod.decision = annotations.path("muster.dev/decision").asText("");
        pod.devices = devices(annotations.path("muster.dev/gpu-devices").asText(""));
        if (before.isEmpty() && pod.bound()) {
            watcher.bound(pod);
        } else if (!before.equals(pod.node)) {
            watcher.moved(pod, before);
        }
    }

    void group(String cluster, String kind, String type, JsonNode group) {
        String key =
                cluster + "/" + kind + "/" + group.path("metadata").path("name").asText();
        if (type.equals("DELETED")) {
            minimums.remove(key);
        } else {
            minimums.put(key, Math.max(1, group.path("spec").path("minMember").asInt(1)));
        }
    }

    /** What a gang object asks for; 0 where there is none of the name. */
    int minimum(String cluster, String kind, String name) {
        return minimums.getOrDefault(cluster + "/" + kind + "/" + name, 0);
    }

    private static int[] devices(String text) {
        return text.isEmpty()
                ? new int[0]
                : Arrays.stream(text.split(",")).mapToInt(Integer::parseInt).toArray();
    }

    /** The node that has the name now; null when none has. */
    NodeTruth nodeNamed(String cluster, String name) {
        String uid = nodeUids.get(cluster + "/" + name);
        return uid == null ? null : nodes.get(uid);
    }

    /** The pod that has the name now; null when none has. */
    PodTruth podNamed(String cluster, String namespace, String name) {
        String uid = podUids.get(cluster + "/" + namespace + "/" + name);
        return uid == null ? null : pods.get(uid);
    }

    /** Pods that are there now. */
    List<PodTruth> present() {
        List<PodTruth> present = new ArrayList<>();
        for (String uid : podUids.values()) {
            present.add(pods.get(uid));
        }
        return present;
    }

    /** Nodes that are there now. */
    List<NodeTruth> presentNodes() {
        List<NodeTruth> present = new ArrayList<>();
        for (String uid : nodeUids.values()) {
            present.add(nodes.get(uid));
        }
        return present;
    }
}
