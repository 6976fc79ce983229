package dev.muster.scheduler.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.model.Requirement;
import dev.muster.schemas.common.PodRequirement;
import dev.muster.schemas.common.Quantity;
import dev.muster.schemas.serde.AvroSerde;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a cluster says may be absurd; it must neither hide an object nor overflow the sums it goes into. */
class AbsurdAmountsTest {
    static {
        AvroSerde.trustGeneratedClasses();
    }

    @Test
    void aNodeWithMoreThanAnyNodeHasCountsAsThatMuch() {
        assertThat(RequirementCodec.amounts("allocatable", List.of(new Quantity("memory", Long.MAX_VALUE))))
                .extracting("amount")
                .containsExactly(Checks.AMOUNT);
    }

    @Test
    void aQuarterOfAMillionAbsurdPodsStillAddUp() {
        Requirement requirement = RequirementCodec.read(PodRequirement.newBuilder()
                .setRequests(
                        List.of(new Quantity("memory", Long.MAX_VALUE), new Quantity("nvidia.com/gpu", Long.MAX_VALUE)))
                .build());

        assertThat(Math.multiplyExact(requirement.request("memory"), 250_000L)).isPositive();
        assertThat(Math.multiplyExact(requirement.gpuMilli(), 250_000L)).isPositive();
    }
}
