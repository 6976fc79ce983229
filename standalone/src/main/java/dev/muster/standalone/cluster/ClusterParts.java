package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** All of a simulated cluster but its API server's door: objects, kubelets and controllers, on given timelines. */
final class ClusterParts implements AutoCloseable {

    final ResourceKinds kinds;
    final VersionedStore objects;
    final ObjectReader reader;
    final ObjectStore store;
    final Counters counters = new Counters();
    final SimulatedKubelet kubelet;
    final ApiHandlers handlers;
    private final ControllerLoop controllers;

    /**
     * A cluster with the namespaces and priority classes every cluster has, and without nodes.
     *
     * @param uidHigh first half of all uids, which tells clusters apart
     */
    ClusterParts(SimulatedClusterOptions options, Timeline forKubelets, Timeline forControllers, long uidHigh) {
        kinds = new ResourceKinds(options.moreKinds(), options.groupsOff());
        objects = new VersionedStore(kinds.served(), options.historySize());
        ObjectWriter writer = new ObjectWriter(objects, forKubelets, options.createNamespaces(), uidHigh);
        reader = new ObjectReader(objects);
        DisruptionBudgets budgets = new DisruptionBudgets(objects);
        store = new ObjectStore(kinds, objects, writer);
        PodSubresources pods = new PodSubresources(objects, writer, budgets, counters);
        controllers = new ControllerLoop(objects, controllers(forControllers, budgets, writer, pods), forControllers);
        kubelet = new SimulatedKubelet(objects, writer, counters, options.startDelay(), forKubelets);
        kubelet.start();
        furnish();
        handlers = new ApiHandlers(reader, writer, pods);
    }

    private List<Controller> controllers(
            Timeline timeline, DisruptionBudgets budgets, ObjectWriter writer, PodSubresources subresources) {
        OwnerIndex index = new OwnerIndex(objects);
        NodePods pods = new NodePods(objects);
        List<Controller> running = new ArrayList<>(List.of(
                new GarbageCollector(writer, index),
                new NamespaceController(kinds, objects, writer),
                new NodeController(objects, writer, pods),
                new TaintEvictionController(objects, writer, pods, timeline),
                new DrainController(objects, subresources, timeline)));
        running.add(new EphemeralVolumeController(objects, writer));
        if (kinds.served().containsAll(List.of(ResourceKinds.STORAGE_CLASSES, ResourceKinds.CSI_NODES))) {
            running.add(new VolumeController(objects, writer, timeline));
        }
        if (kinds.served().contains(ResourceKinds.DISRUPTION_BUDGETS)) {
            running.add(new DisruptionController(objects, writer, budgets));
        }
        if (kinds.served().contains(ResourceKinds.JOBS)) {
            running.add(new BatchJobController(objects, writer, index, timeline));
        }
        if (kinds.served().containsAll(List.of(ResourceKinds.VOLCANO_JOBS, ResourceKinds.VOLCANO_POD_GROUPS))) {
            running.add(new VolcanoJobController(objects, writer, index, timeline));
        }
        return running;
    }

    private void furnish() {
        for (String namespace : List.of("default", "kube-system", "kube-public", "kube-node-lease")) {
            store.create(named(ResourceKinds.NAMESPACES, namespace));
        }
        store.create(
                named(ResourceKinds.PRIORITY_CLASSES, "system-cluster-critical").put("value", 2_000_000_000));
        store.create(
                named(ResourceKinds.PRIORITY_CLASSES, "system-node-critical").put("value", 2_000_001_000));
    }

    private static ObjectNode named(ResourceKind kind, String name) {
        ObjectNode object = Json.object();
        object.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
        object.putObject("metadata").put("name", name);
        return object;
    }

    @Override
    public void close() {
        controllers.close();
        kubelet.close();
    }
}
