package dev.muster.scheduler.core.model;

import java.util.Comparator;

/**
 * A port that a pod takes on its node's network (core/v1 ContainerPort with a hostPort).
 *
 * @param port 1 to 65535
 * @param protocol TCP, UDP or SCTP
 * @param ip address it is bound to; {@link #ANY} for all of the node's
 */
public record HostPort(int port, String protocol, String ip) implements Comparable<HostPort> {
    /** All addresses of the node. */
    public static final String ANY = "0.0.0.0";

    private static final Comparator<HostPort> ORDER = Comparator.comparingInt(HostPort::port)
            .thenComparing(HostPort::protocol)
            .thenComparing(HostPort::ip);

    /** Whether both can't be had on one node (kube-scheduler NodePorts, HostPortInfo.CheckConflict). */
    public boolean conflicts(HostPort other) {
        boolean sameAddress = ip.equals(ANY) || other.ip.equals(ANY) || ip.equals(other.ip);
        return port == other.port && protocol.equals(other.protocol) && sameAddress;
    }

    @Override
    public int compareTo(HostPort other) {
        return ORDER.compare(this, other);
    }
}
