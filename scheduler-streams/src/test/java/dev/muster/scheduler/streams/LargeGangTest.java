package dev.muster.scheduler.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.TestDomain;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent.GroupChanged;
import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PodChanged;
import dev.muster.scheduler.core.event.ClusterEvent.Tick;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.GroupFacts;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.PodFacts;
import dev.muster.scheduler.core.model.WorkloadKind;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.LocalRegistry;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** DESIGN.md: a gang is one record, up to 10,000 pods well below a megabyte. */
class LargeGangTest {
    private static final int PODS = 10_000;
    private static final int PODS_PER_NODE = 8;

    @Test
    void aGangOfTenThousandPodsIsOneDecisionBelowAMegabyte() {
        TestDomain domain = TestDomain.unchecked();
        for (int i = 0; i < PODS / PODS_PER_NODE; i++) {
            String name = "gpu-node-" + i;
            domain.apply(new NodeChanged(origin("", name, i), TestDomain.nodeFacts(name, PODS_PER_NODE, Map.of())));
        }
        domain.apply(new GroupChanged(
                origin("research", "pretrain", PODS),
                Kinds.VOLCANO_POD_GROUP,
                new GroupFacts("", "", PODS, List.of(), "", "", 0, 0)));
        for (int i = 0; i < PODS; i++) {
            domain.apply(new PodChanged(origin("research", "pretrain-worker-" + i, PODS + i), pod(i)));
        }

        List<Decision> decisions = domain.apply(new Tick("marked")).decisions();

        assertThat(decisions).hasSize(1);
        assertThat(TestDomain.members(decisions.getFirst())).hasSize(PODS);
        var record = new DecisionCodec("default").write(decisions.getFirst());
        byte[] bytes = new AvroSerde<>(new LocalRegistry(), dev.muster.schemas.decision.Decision.class)
                .serializer()
                .serialize("decisions", record);
        assertThat(bytes).hasSizeLessThan(800_000);
    }

    private static Origin origin(String namespace, String name, long number) {
        return new Origin(TestDomain.CLUSTER, 1, namespace, name, new UUID(name.hashCode(), number).toString(), 1);
    }

    private static PodFacts pod(int index) {
        return new PodFacts(
                "volcano",
                true,
                "Pending",
                "",
                false,
                false,
                0,
                true,
                new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, "pretrain"),
                "worker",
                index,
                "",
                TestDomain.gpus(1),
                List.of(),
                "",
                0);
    }
}
