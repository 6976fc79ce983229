package dev.muster.standalone.cluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.net.URI;
import java.util.UUID;

/**
 * A running simulated cluster. Clients reach it at {@link #url()} as they reach a real API server; callers in the same
 * process fill it through {@link #store()} and break it through {@link #faults()}.
 */
public final class SimulatedCluster implements AutoCloseable {

    private final String name;
    private final ClusterParts parts;
    private final Faults faults;
    private final ApiServer server;

    private SimulatedCluster(ClusterParts parts, SimulatedClusterOptions options) {
        this.name = options.name();
        this.parts = parts;
        this.faults = new Faults(parts.objects, parts.reader);
        this.server = new ApiServer(parts.kinds, parts.objects, parts.handlers, faults, parts.counters, options);
    }

    /** Starts a cluster with the namespaces and priority classes every cluster has, and without nodes. */
    public static SimulatedCluster start(SimulatedClusterOptions options) {
        ClusterParts parts = new ClusterParts(
                options,
                new RealTimeline("kubelet-" + options.name(), options.speed(), options.clock()),
                new RealTimeline("controllers-" + options.name(), options.speed(), options.clock()),
                UUID.randomUUID().getMostSignificantBits());
        return serve(parts, options);
    }

    /** Opens the door to a cluster that is there. */
    static SimulatedCluster serve(ClusterParts parts, SimulatedClusterOptions options) {
        return new SimulatedCluster(parts, options);
    }

    public String name() {
        return name;
    }

    /** Where the API server listens, on the loopback address. */
    public URI url() {
        return server.url();
    }

    public ObjectStore store() {
        return parts.store;
    }

    public SimulatedKubelet kubelet() {
        return parts.kubelet;
    }

    public Faults faults() {
        return faults;
    }

    public Counters counters() {
        return parts.counters;
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
        parts.close();
        server.close();
    }
}
