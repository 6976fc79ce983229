package dev.muster.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.decision.ReasonCodes;
import dev.muster.scheduler.core.event.ClusterEvent.GroupGone;
import dev.muster.scheduler.core.event.ClusterEvent.NodeGone;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.FlavorAmount;
import dev.muster.scheduler.core.model.GpuWish;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.WorkloadKind;
import dev.muster.scheduler.core.quota.QuotaUnits;
import dev.muster.scheduler.core.state.Row;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What memory of GPUs counts as in a quota of GPUs. Each step is also taken by an engine restored from the rows. */
class MemoryQuotaTest {
    private static final String MEMORY = "nvidia.com/gpu.memory";

    private final TestDomain domain = TestDomain.synced();
    private final QuotaObjects quota = new QuotaObjects(domain);

    @BeforeEach
    void queue() {
        domain.node("n1", 4, Map.of(MEMORY, "80000"));
        quota.flavor("any", Map.of());
        quota.queue("q", "", QuotaObjects.gpus("any", 1, -1, -1));
        quota.localQueue("ml", "lq", "q");
    }

    @Test
    void itIsChargedAsThatPartOfOneAndGivenBack() {
        job("a", 2, 40_000);
        run();
        job("b", 1, 1);
        assertThat(tick()).isEmpty();
        assertThat(domain.status(WorkloadKind.BATCH_JOB, "b").reason().code()).isEqualTo(ReasonCodes.WAITING_FOR_QUOTA);
        assertThat(domain.status(WorkloadKind.BATCH_JOB, "b").reason().message())
                .contains("0.001 nvidia.com/gpu asked", "1 used");
        assertThat(usedMilli()).isEqualTo(1_000);

        quota.queue("q", "", QuotaObjects.gpus("any", 2, -1, -1));
        run();
        assertThat(usedMilli()).isEqualTo(1_001);
        domain.phase("b-0", "Succeeded");
        domain.restart();
        assertThat(usedMilli()).isEqualTo(1_000);
        domain.phase("a-0", "Failed");
        domain.gone("a-0");
        domain.gone("a-1");
        domain.apply(new GroupGone(domain.origin("ml", "a"), Kinds.BATCH_JOB));
        domain.restart();
        assertThat(usedMilli()).isZero();
    }

    @Test
    void theSmallestGpuThatHasItCountsWhateverTheNode() {
        job("a", 1, 30_000);
        run();
        assertThat(usedMilli()).isEqualTo(375);
        domain.node("small", 1, Map.of(MEMORY, "20000"));
        domain.restart();
        assertThat(usedMilli()).as("too small for it").isEqualTo(375);
        domain.node("middle", 1, Map.of(MEMORY, "40000"));
        domain.restart();
        assertThat(usedMilli()).isEqualTo(750);
        domain.node("middle2", 1, Map.of(MEMORY, "40000"));
        Origin middle = domain.origin("", "middle");
        domain.apply(new NodeGone(middle));
        domain.restart();
        assertThat(usedMilli()).as("there is another").isEqualTo(750);
        domain.node("middle2", 1, Map.of());
        domain.restart();
        assertThat(usedMilli()).isEqualTo(375);
    }

    private long usedMilli() {
        long used = 0;
        for (Row row : domain.rows.values()) {
            if (row instanceof Row.Quota of) {
                for (FlavorAmount each : of.used()) {
                    boolean shares = each.amount().resource().equals(QuotaUnits.GPU_SHARES);
                    used += shares ? each.amount().amount() : 0;
                }
            }
        }
        return used;
    }

    private void job(String name, int pods, int mib) {
        domain.batchJob(name, pods, "lq", 0);
        for (int i = 0; i < pods; i++) {
            GroupRef ref = new GroupRef(WorkloadKind.BATCH_JOB, name);
            domain.pod(
                    "ml",
                    name + "-" + i,
                    ref,
                    "",
                    i,
                    0,
                    TestDomain.gpuShare(0).withGpus(new GpuWish(false, mib)),
                    Map.of());
        }
    }

    private void run() {
        List<Decision> decisions = tick();
        assertThat(decisions).isNotEmpty();
        decisions.forEach(domain::carryOut);
    }

    private List<Decision> tick() {
        domain.restart();
        return domain.tick();
    }
}
