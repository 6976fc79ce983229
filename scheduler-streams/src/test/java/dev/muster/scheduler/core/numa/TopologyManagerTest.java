package dev.muster.scheduler.core.numa;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Cases worked out by hand from the kubelet's rules: the policies and scopes of
 * https://kubernetes.io/docs/tasks/administer-cluster/topology-manager/, the hints of cpumanager, devicemanager and
 * memorymanager, the merging of topologymanager. For a pod that is not Guaranteed its cpus and memory are not asked of zones:
 * such rows name devices alone.
 */
class TopologyManagerTest {
    @ParameterizedTest(name = "{1}, {2}: {3} on {4}")
    @CsvSource(delimiter = '!', textBlock = """
        # one container that one zone could serve, and does
        A ! none             ! container ! cpu=4 gpu=2 ! cpu=8 gpu=4 | cpu=8 gpu=4                 ! 0: cpu=4 gpu=2
        A ! best-effort      ! container ! cpu=4 gpu=2 ! cpu=8 gpu=4 | cpu=8 gpu=4                 ! 0: cpu=4 gpu=2
        A ! restricted       ! container ! cpu=4 gpu=2 ! cpu=8 gpu=4 | cpu=8 gpu=4                 ! 0: cpu=4 gpu=2
        A ! single-numa-node ! container ! cpu=4 gpu=2 ! cpu=8 gpu=4 | cpu=8 gpu=4                 ! 0: cpu=4 gpu=2
        A ! single-numa-node ! pod       ! cpu=4 gpu=2 ! cpu=8 gpu=4 | cpu=8 gpu=4                 ! 0: cpu=4 gpu=2
        # the lower zone has too few devices left, the higher one has enough of both
        B ! best-effort      ! container ! cpu=4 gpu=2 ! cpu=8 gpu=1/4 | cpu=8 gpu=4               ! 1: cpu=4 gpu=2
        B ! restricted       ! container ! cpu=4 gpu=2 ! cpu=8 gpu=1/4 | cpu=8 gpu=4               ! 1: cpu=4 gpu=2
        B ! single-numa-node ! pod       ! cpu=4 gpu=2 ! cpu=8 gpu=1/4 | cpu=8 gpu=4               ! 1: cpu=4 gpu=2
        # cpus fit in the one zone and devices in the other alone: no set of one zone that both prefer. Not preferred, and as
        # wide as the resource that needs most (1): {0} of cpu {0} and gpu {0,1}, {1} of cpu {0,1} and gpu {1}. {0} is lower
        C ! best-effort      ! container ! cpu=4 gpu=2 ! cpu=8 gpu=1/4 | cpu=2/8 gpu=4             ! 0: cpu=4 gpu=1; 1: gpu=1
        C ! restricted       ! container ! cpu=4 gpu=2 ! cpu=8 gpu=1/4 | cpu=2/8 gpu=4             ! refused
        C ! single-numa-node ! container ! cpu=4 gpu=2 ! cpu=8 gpu=1/4 | cpu=2/8 gpu=4             ! refused
        C ! none             ! container ! cpu=4 gpu=2 ! cpu=8 gpu=1/4 | cpu=2/8 gpu=4             ! 0: cpu=4; 1: gpu=2
        # one zone never had four: two zones are what is preferred, and restricted admits; a single zone never will do
        D ! restricted       ! container ! gpu=4       ! gpu=2 | gpu=2                             ! 0: gpu=2; 1: gpu=2
        D ! best-effort      ! container ! gpu=4       ! gpu=2 | gpu=2                             ! 0: gpu=2; 1: gpu=2
        D ! single-numa-node ! container ! gpu=4       ! gpu=2 | gpu=2                             ! refused
        # one zone had four, but has not now: two zones would do, but are wider than preferred
        E ! restricted       ! container ! gpu=4       ! gpu=2/4 | gpu=2/4                         ! refused
        E ! best-effort      ! container ! gpu=4       ! gpu=2/4 | gpu=2/4                         ! 0: gpu=2; 1: gpu=2
        E ! single-numa-node ! container ! gpu=4       ! gpu=2/4 | gpu=2/4                         ! refused
        # devices need both zones, cpus one: preferred sets differ, so restricted refuses (kubernetes/kubernetes#84869)
        F ! restricted       ! container ! cpu=4 gpu=4 ! cpu=8 gpu=2 | cpu=8 gpu=2                 ! refused
        F ! best-effort      ! container ! cpu=4 gpu=4 ! cpu=8 gpu=2 | cpu=8 gpu=2                 ! 0: cpu=4 gpu=2; 1: gpu=2
        # both need both zones
        G ! restricted       ! container ! cpu=12 gpu=4 ! cpu=8 gpu=2 | cpu=8 gpu=2                ! 0: cpu=8 gpu=2; 1: cpu=4 gpu=2
        # two containers add up in a zone (kubernetes-sigs/scheduler-plugins#366)
        H ! single-numa-node ! container ! gpu=2 | gpu=2 ! gpu=3 | gpu=1                           ! refused
        H ! single-numa-node ! container ! gpu=2 | gpu=2 ! gpu=2 | gpu=2                           ! 0: gpu=2; 1: gpu=2
        H ! single-numa-node ! pod       ! gpu=2 | gpu=2 ! gpu=2 | gpu=2                           ! refused
        H ! single-numa-node ! pod       ! gpu=2 | gpu=2 ! gpu=4 | gpu=4                           ! 0: gpu=4
        H ! restricted       ! pod       ! gpu=2 | gpu=2 ! gpu=2 | gpu=2                           ! 0: gpu=2; 1: gpu=2
        H ! restricted       ! container ! gpu=2 | gpu=2 ! gpu=3/4 | gpu=1/4                       ! refused
        H ! best-effort      ! container ! gpu=2 | gpu=2 ! gpu=3/4 | gpu=1/4                       ! 0: gpu=3; 1: gpu=1
        # what an init container had is had again
        I ! single-numa-node ! container ! init: gpu=2 | gpu=2 ! gpu=2 | gpu=1/2                   ! 0: gpu=2
        I ! single-numa-node ! container ! init: gpu=1 | gpu=2 ! gpu=1/2 | gpu=2                   ! refused
        I ! best-effort      ! container ! init: gpu=1 | gpu=2 ! gpu=1/2 | gpu=2                   ! 0: gpu=1; 1: gpu=1
        I ! single-numa-node ! pod       ! init: gpu=2 | gpu=1 ! gpu=1/2 | gpu=2                   ! 1: gpu=2
        # a sidecar keeps what it has
        J ! single-numa-node ! container ! sidecar: gpu=1 | gpu=2 ! gpu=2 | gpu=0/2                ! refused
        J ! single-numa-node ! container ! sidecar: gpu=1 | gpu=2 ! gpu=3 | gpu=0/2                ! 0: gpu=3
        J ! single-numa-node ! pod       ! sidecar: gpu=1 | init: gpu=2 | gpu=1 ! gpu=2/4 | gpu=3/4 ! 1: gpu=3
        # a sidecar may have what an init container before it had
        K ! single-numa-node ! container ! init: gpu=2 | sidecar: gpu=1 | gpu=1 ! gpu=2 | gpu=0/2  ! 0: gpu=2
        # huge pages and memory are served by zones that have enough of both
        L ! single-numa-node ! container ! memory=8 hugepages-2Mi=4 ! memory=8 hugepages-2Mi=2 | memory=8 hugepages-2Mi=4 ! 1: hugepages-2Mi=4 memory=8
        L ! restricted       ! container ! memory=8 hugepages-2Mi=4 ! memory=8 hugepages-2Mi=2/4 | memory=4/8 hugepages-2Mi=4 ! refused
        # more than there is: allocation fails, whatever the policy
        M ! none             ! container ! cpu=9 ! cpu=4 | cpu=4                                   ! refused
        M ! best-effort      ! container ! gpu=3 ! gpu=1/2 | gpu=1/2                               ! refused
        # resources that no zone reports are nobody's to align
        N ! single-numa-node ! container ! cpu=4 nic=1 ! cpu=2/4 | cpu=4                           ! 1: cpu=4
        N ! single-numa-node ! container ! nic=1       ! cpu=2/4 | cpu=4                           ! ''
        # four zones: the narrowest set, and of as narrow ones the one with the lower zones
        O ! restricted       ! container ! gpu=4 cpu=4 ! gpu=1/2 cpu=4 | gpu=2 cpu=4 | gpu=2 cpu=4 | gpu=2 cpu=4 ! refused
        O ! restricted       ! container ! gpu=4 cpu=8 ! gpu=1/2 cpu=4 | gpu=2 cpu=4 | gpu=2 cpu=4 | gpu=2 cpu=4 ! 1: cpu=4 gpu=2; 2: cpu=4 gpu=2
        # gpu {0,1,2} and cpu {0,1} make {0,1}, as wide as the devices need (2) and lower than {1,2}: one device is from elsewhere
        O ! best-effort      ! container ! gpu=4 cpu=4 ! gpu=1/2 cpu=4 | gpu=2 cpu=4 | gpu=2 cpu=4 | gpu=2 cpu=4 ! 0: cpu=4 gpu=1; 1: gpu=2; 2: gpu=1
        # without a policy nobody chooses zones; Muster advises the tightest: no more than needed, the fullest first
        P ! none             ! container ! gpu=2       ! gpu=4 | gpu=2/4                           ! 1: gpu=2
        P ! none             ! container ! cpu=4 gpu=2 ! cpu=8 gpu=4 | cpu=4/8 gpu=2/4             ! 1: cpu=4 gpu=2
        P ! none             ! container ! cpu=4 gpu=3 ! cpu=8 gpu=2/4 | cpu=4/8 gpu=2/4           ! 0: cpu=4 gpu=2; 1: gpu=1
        """)
    void aPodIsAdmittedAsTheKubeletWould(
            String kind, String policy, String scope, String pod, String machine, String verdict) {
        assertThat(new Machine(policy, scope, machine).verdict(pod)).isEqualTo(verdict);
    }
}
