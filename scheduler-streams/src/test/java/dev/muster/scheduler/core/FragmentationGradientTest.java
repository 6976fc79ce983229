package dev.muster.scheduler.core;

import static dev.muster.scheduler.core.TestDomain.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action.PlaceGang;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Strategy fgd: what a pod strands of a node's GPUs decides, then how full the node is. */
class FragmentationGradientTest {
    private final TestDomain domain = TestDomain.synced();

    @BeforeEach
    void useIt() {
        domain.apply(new PolicyChanged(
                domain.origin("", "default"),
                Kinds.SCHEDULER_POLICY,
                Policy.SchedulerPolicy.DEFAULT.withStrategy("fgd")));
    }

    @Test
    void aPodThatNeedsMuchCpuGoesWhereCpuIsPlenty() {
        node("poor", 16, 8);
        node("rich", 128, 8);

        // 12 cores: poor keeps 4 of 16, for 2 of its GPUs and a quarter more, and strands 4.5 of 7. rich keeps 116 of
        // 128.
        assertThat(placed("hungry", pod(12, 1, 0))).isEqualTo("rich");
    }

    @Test
    void aPodThatNeedsLittleCpuTakesGpusThatOthersCannotUse() {
        node("rich", 128, 8);
        node("poor", 16, 8);
        runs("hog", "poor", pod(12, 0, 0), List.of());

        // poor has 4 of 16 cores left, for 2.5 of its 8 GPUs: one of the other 5.5 is used, at the price of 1 core,
        // 0.625 GPUs.
        assertThat(placed("modest", pod(1, 1, 0))).isEqualTo("poor");
    }

    @Test
    void aShareGoesToTheDeviceThatItFillsMostNearly() {
        node("n1", 64, 1);
        node("n2", 64, 1);
        assertThat(placed("a", pod(1, 0, 500))).isEqualTo("n1");
        // On n1 400 more leave 100: 500 x 500 / 1000 = 250 were lost, 90 are. A new device would lose 400 x 600 / 1000
        // = 240.
        assertThat(placed("b", pod(1, 0, 400))).isEqualTo("n1");
        assertThat(placed("c", pod(1, 0, 700))).isEqualTo("n2");
        // 100 are left on n1, 300 on n2.
        assertThat(placed("d", pod(1, 0, 100))).isEqualTo("n1");
    }

    @Test
    void nodesThatAreAlikeAreFilledUp() {
        node("n1", 64, 8);
        node("n2", 64, 8);
        runs("there", "n2", pod(1, 1, 0), List.of(0));

        assertThat(placed("a", pod(1, 1, 0))).isEqualTo("n2");
    }

    private void runs(String name, String node, Requirement requirement, List<Integer> devices) {
        domain.lonePod(name, 0, requirement);
        domain.bound(name, node, "Running", "", devices);
    }

    private String placed(String name, Requirement requirement) {
        domain.lonePod(name, 0, requirement);
        Decision decision = domain.tick().getFirst();
        assertThat(members(decision)).hasSize(1);
        domain.carryOut(decision);
        return nodeOf(decision);
    }

    private static String nodeOf(Decision decision) {
        return ((PlaceGang) decision.action()).nodes().getFirst().node();
    }

    private void node(String name, int cores, int gpus) {
        TreeMap<String, String> labels = new TreeMap<>();
        labels.put("kubernetes.io/hostname", name);
        List<Amount> allocatable =
                List.of(new Amount("cpu", cores * 1000L), new Amount("nvidia.com/gpu", gpus), new Amount("pods", 110));
        domain.apply(
                new NodeChanged(domain.origin("", name), new NodeFacts(labels, List.of(), false, true, allocatable)));
    }

    private static Requirement pod(int cores, int gpus, int share) {
        List<Amount> requests = new ArrayList<>();
        requests.add(new Amount("cpu", cores * 1000L));
        if (gpus > 0) {
            requests.add(new Amount("nvidia.com/gpu", gpus));
        }
        requests.add(new Amount("pods", 1));
        return new Requirement(requests, share, List.of(), List.of(), List.of(), List.of(), "");
    }
}
