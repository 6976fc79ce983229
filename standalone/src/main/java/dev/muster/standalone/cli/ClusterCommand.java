package dev.muster.standalone.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.standalone.cluster.SimulatedCluster;
import dev.muster.standalone.cluster.SimulatedClusterOptions;
import dev.muster.standalone.demo.GpuCluster;
import dev.muster.standalone.demo.Interruption;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code muster cluster}. */
@Command(
        name = "cluster",
        header = "A simulated GPU cluster behind a real HTTP API, for trying the separate services.",
        description = {
            "The cluster of muster demo alone: an API server with nodes, kubelets and the controllers of Jobs and Volcano",
            "Jobs, on loopback, for whoever connects; kubectl works on it. Pods run as long as their annotation",
            "muster.dev/runtime says (such as 30s), or until they are deleted. Prints its address, then runs until Ctrl-C."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster cluster --nodes 16 --kubeconfig ./sim.kubeconfig",
            "  kubectl --kubeconfig ./sim.kubeconfig get nodes"
        })
final class ClusterCommand implements Callable<Integer> {
    private static final int MOST_NODES = 5_000;

    @Option(
            names = "--nodes",
            paramLabel = "COUNT",
            defaultValue = "64",
            description = "Nodes of 8 GPUs, 0 to 5000; default: 64.")
    int nodes;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "6443",
            converter = PortConverter.class,
            description = "Port of the API server; 0 picks a free one. Default: 6443.")
    int port;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = SimulatedClusterOptions.LOOPBACK,
            description = "Address to listen on; it asks nobody who they are. Default: 127.0.0.1.")
    String host;

    @Option(names = "--name", paramLabel = "NAME", defaultValue = "sim", description = "Its name; default: sim.")
    String name;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Write a kubeconfig for it here; what is there is replaced.")
    Path kubeconfig;

    @Mixin
    HelpOption help;

    private final Environment environment;

    ClusterCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (nodes < 0 || nodes > MOST_NODES) {
            throw CommandException.unusableInput("--nodes " + nodes + ": expected a number from 0 to " + MOST_NODES);
        }
        if (!name.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
            throw CommandException.unusableInput("--name '" + name + "': expected a DNS label");
        }
        SimulatedClusterOptions options =
                SimulatedClusterOptions.DEFAULT.withName(name).withHost(host).withPort(port);
        try (Interruption interruption = Interruption.ofProcess();
                SimulatedCluster cluster = SimulatedCluster.start(options)) {
            for (ObjectNode object : new GpuCluster(nodes).objects()) {
                cluster.store().apply(object);
            }
            if (kubeconfig != null) {
                Files.writeString(kubeconfig, kubeconfig(cluster.url()), StandardCharsets.UTF_8);
            }
            environment.out().println("API server of cluster " + name + " at " + cluster.url());
            environment.out().flush();
            interruption.await();
            return ExitCode.DONE;
        }
    }

    private String kubeconfig(URI server) {
        return """
                apiVersion: v1
                kind: Config
                current-context: %1$s
                clusters:
                - name: %1$s
                  cluster:
                    server: %2$s
                users:
                - name: %1$s
                  user: {}
                contexts:
                - name: %1$s
                  context:
                    cluster: %1$s
                    user: %1$s
                    namespace: default
                """.formatted(name, server);
    }
}
