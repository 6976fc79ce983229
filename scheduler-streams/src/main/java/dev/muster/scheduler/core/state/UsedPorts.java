package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.model.HostPort;
import java.util.List;
import java.util.TreeMap;

/** Host ports that pods and holds take on a node, each as often as it is taken: pods that others place may collide. */
final class UsedPorts {
    private final TreeMap<HostPort, Integer> taken = new TreeMap<>();

    void count(List<HostPort> ports, int sign) {
        for (HostPort port : ports) {
            taken.merge(port, sign, (a, b) -> a + b == 0 ? null : a + b);
        }
    }

    /** The first of these that cannot be had any more; null when all can. */
    HostPort conflict(List<HostPort> wanted) {
        for (HostPort port : wanted) {
            HostPort first = new HostPort(port.port(), "", "");
            for (HostPort used : taken.tailMap(first).keySet()) {
                if (used.port() != port.port()) {
                    break;
                }
                if (used.conflicts(port)) {
                    return port;
                }
            }
        }
        return null;
    }

    boolean sameAs(UsedPorts other) {
        return taken.equals(other.taken);
    }

    @Override
    public String toString() {
        return taken.toString();
    }
}
