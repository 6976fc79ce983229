package dev.muster.standalone.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.net.URI;
import java.util.List;

/**
 * A running simulated cluster. Clients reach it at {@link #url()} as they reach a real API server; callers in the same
 * process fill it through {@link #store()} and break it through {@link #faults()}.
 */
public final class SimulatedCluster implements AutoCloseable {

    private final String name;
    private final ObjectStore store;
    private final SimulatedKubelet kubelet;
    private final ControllerLoop controllers;
    private final Faults faults;
    private final Counters counters;
    private final ApiServer server;

    private SimulatedCluster(SimulatedClusterOptions options) {
        name = options.name();
        counters = new Counters();
        ResourceKinds kinds = new ResourceKinds(options.moreKinds(), options.groupsOff());
        VersionedStore objects = new VersionedStore(kinds.served(), options.historySize());
        ObjectWriter writer = new ObjectWriter(objects, options.clock(), options.createNamespaces());
        ObjectReader reader = new ObjectReader(objects);
        DisruptionBudgets budgets = new DisruptionBudgets(objects);
        store = new ObjectStore(kinds, objects, writer);
        faults = new Faults(objects, reader);
        controllers = new ControllerLoop(objects, controllers(kinds, objects, writer, budgets), name);
        kubelet = new SimulatedKubelet(objects, writer, counters, options);
        kubelet.start();
        furnish();
        ApiHandlers handlers = new ApiHandlers(reader, writer, new PodSubresources(objects, writer, budgets, counters));
        server = new ApiServer(kinds, objects, handlers, faults, counters, options);
    }

    /** Starts a cluster with the namespaces and priority classes every cluster has, and without nodes. */
    public static SimulatedCluster start(SimulatedClusterOptions options) {
        return new SimulatedCluster(options);
    }

    private static List<Controller> controllers(
            ResourceKinds kinds, VersionedStore objects, ObjectWriter writer, DisruptionBudgets budgets) {
        OwnerIndex index = new OwnerIndex(objects);
        List<Controller> running = new java.util.ArrayList<>(List.of(
                new GarbageCollector(writer, index),
                new NamespaceController(kinds, objects, writer),
                new NodeController(objects, writer)));
        if (kinds.served().contains(ResourceKinds.DISRUPTION_BUDGETS)) {
            running.add(new DisruptionController(objects, writer, budgets));
        }
        if (kinds.served().contains(ResourceKinds.JOBS)) {
            running.add(new BatchJobController(objects, writer, index));
        }
        if (kinds.served().containsAll(List.of(ResourceKinds.VOLCANO_JOBS, ResourceKinds.VOLCANO_POD_GROUPS))) {
            running.add(new VolcanoJobController(objects, writer, index));
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

    public String name() {
        return name;
    }

    /** Where the API server listens, on the loopback address. */
    public URI url() {
        return server.url();
    }

    public ObjectStore store() {
        return store;
    }

    public SimulatedKubelet kubelet() {
        return kubelet;
    }

    public Faults faults() {
        return faults;
    }

    public Counters counters() {
        return counters;
    }

    /** Settings with which a client reaches this cluster and nothing of the machine's own configuration. */
    public Config clientConfig() {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl(url().toString())
                .withNamespace("default")
                .build();
    }

    /** A client of its own for the caller, who closes it. */
    public KubernetesClient client() {
        return new KubernetesClientBuilder().withConfig(clientConfig()).build();
    }

    @Override
    public void close() {
        controllers.close();
        kubelet.close();
        server.close();
    }
}
