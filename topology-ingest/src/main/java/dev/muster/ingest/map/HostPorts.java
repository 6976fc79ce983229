package dev.muster.ingest.map;

import dev.muster.schemas.common.HostPort;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Ports that a pod takes on its node: those of its containers and of init containers that keep running, as kube-scheduler's
 * NodePorts looks at them. A pod on the host's network takes all its container ports there, as the API server's defaults
 * say.
 */
final class HostPorts {

    private static final String FIELD = "spec.containers.ports";
    private static final String ANY = "0.0.0.0";
    private static final Set<String> PROTOCOLS = Set.of("TCP", "UDP", "SCTP");

    private HostPorts() {}

    static List<HostPort> of(PodSpec spec, Problems problems) {
        TreeSet<HostPort> ports = new TreeSet<>();
        boolean hostNetwork = Boolean.TRUE.equals(spec.getHostNetwork());
        List<Container> containers = new ArrayList<>();
        if (spec.getContainers() != null) {
            containers.addAll(spec.getContainers());
        }
        if (spec.getInitContainers() != null) {
            spec.getInitContainers().stream()
                    .filter(container -> "Always".equals(container.getRestartPolicy()))
                    .forEach(containers::add);
        }
        for (Container container : containers) {
            for (ContainerPort port : orEmpty(container.getPorts())) {
                add(ports, port, hostNetwork, problems);
            }
        }
        return problems.within(FIELD, ports.size(), Limits.HOST_PORTS) ? List.copyOf(ports) : List.of();
    }

    private static List<ContainerPort> orEmpty(List<ContainerPort> ports) {
        return ports == null ? List.of() : ports;
    }

    private static void add(Set<HostPort> ports, ContainerPort given, boolean hostNetwork, Problems problems) {
        Integer port = given.getHostPort() == null && hostNetwork ? given.getContainerPort() : given.getHostPort();
        if (port == null || port == 0) {
            return;
        }
        String protocol = given.getProtocol() == null || given.getProtocol().isEmpty() ? "TCP" : given.getProtocol();
        String ip = given.getHostIP() == null || given.getHostIP().isEmpty() ? ANY : given.getHostIP();
        if (port < 1 || port > 65_535) {
            problems.invalid(FIELD + ".hostPort", port, "1 to 65535");
        } else if (!PROTOCOLS.contains(protocol)) {
            problems.invalid(FIELD + ".protocol", protocol, "TCP, UDP or SCTP");
        } else if (problems.within(FIELD + ".hostIP", ip.length(), Limits.NAME)) {
            ports.add(new HostPort(port, protocol, ip));
        }
    }
}
