package dev.muster.scheduler.core;

import static dev.muster.scheduler.core.TestDomain.gpus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.HostPort;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.WorkloadKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Host ports, as kube-scheduler's NodePorts judges them. */
class HostPortsTest {
    private final TestDomain domain = TestDomain.synced();

    private static Requirement port(int port, String protocol, String ip) {
        return gpus(1).withHostPorts(List.of(new HostPort(port, protocol, ip)));
    }

    @ParameterizedTest
    @CsvSource({
        "80, TCP, 0.0.0.0, true",
        "80, TCP, 127.0.0.1, true",
        "80, UDP, 127.0.0.1, false",
        "81, TCP, 127.0.0.1, false",
        "80, TCP, 10.0.0.1, false"
    })
    void aPortIsTakenOnItsAddressAndByWhoeverWantsAllAddresses(int port, String protocol, String ip, boolean taken) {
        HostPort there = new HostPort(80, "TCP", "127.0.0.1");
        HostPort wanted = new HostPort(port, protocol, ip);
        assertThat(there.conflicts(wanted)).isEqualTo(taken);
        assertThat(wanted.conflicts(there)).isEqualTo(taken);

        domain.node("n1", 8);
        domain.lonePod("first", 0, port(80, "TCP", "127.0.0.1"));
        domain.tick().forEach(domain::carryOut);
        domain.restart();
        domain.lonePod("second", 0, gpus(1).withHostPorts(List.of(new HostPort(7, "TCP", HostPort.ANY), wanted)));
        assertThat(domain.tick()).hasSize(taken ? 0 : 1);
    }

    @Test
    void membersOfAGangTakePortsFromEachOtherAndRoomHeldKeepsThem() {
        domain.node("n1", 8);
        domain.node("n2", 8);
        domain.podGroup("web", 3);
        Requirement wanted = port(8080, "TCP", HostPort.ANY);
        for (int i = 0; i < 3; i++) {
            GroupRef ref = new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, "web");
            domain.pod("web-" + i, ref, "", i, 0, wanted);
        }
        assertThat(domain.tick()).isEmpty();
        assertThat(domain.status("web").reason().message()).contains("could hold 2 even if it were empty");

        domain.node("n3", 8);
        assertThat(domain.tick()).hasSize(1);
        domain.lonePod("late", 0, wanted);
        assertThat(domain.tick()).as("room is held on all three nodes").isEmpty();
        assertThat(domain.statuses.get("c1/ml/Pod/late/uid-late").reason().message())
                .endsWith("3 of 3 nodes have host port TCP 8080 taken");

        domain.carryOut(domain.decisions.getLast());
        domain.phase("web-1", "Succeeded");
        assertThat(domain.tick()).hasSize(1);
    }
}
