package dev.muster.ingest.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IntakeConfigTest {

    @Test
    void theDefaultsAreValidForTheDefaultTenant() {
        IntakeConfig config = IntakeConfig.of("intake-1", List.of(TenantPolicy.ofDefaultTenant("main")));
        assertThat(config.maxEventBytes()).isEqualTo(256 * 1024);
        TenantPolicy policy = config.tenants().getFirst();
        assertThat(policy.namespaces().allows("default")).isTrue();
        assertThat(policy.namespaces().allows("kube-system")).isFalse();
        assertThat(policy.queues().allows("anything")).isTrue();
    }

    @Test
    void namesEverythingThatIsWrongAtOnce() {
        TenantPolicy bad = new TenantPolicy(
                "Team_A", "", Grant.everything(), Grant.only("../q"), Grant.everything(), 2_000_000_000);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new IntakeConfig("", List.of(bad, bad), 10, 0, 0, Duration.ZERO, Duration.ofDays(1)))
                .withMessageContainingAll(
                        "id ''",
                        "'Team_A': the name is not a DNS label",
                        "domain is missing",
                        "namespaces must be listed by name",
                        "queue '../q' is not a DNS label",
                        "priority ceiling 2000000000",
                        "is listed twice",
                        "maxEventBytes is 10, expected 1024 to 1048576",
                        "maxBatchRecords is 0",
                        "maxRememberedPerTenant is 0",
                        "retryBackoff in milliseconds is 0",
                        "transactionTimeout in milliseconds is 86400000");
    }

    @Test
    void aTenantOfAnUnknownDomainIsRefusedBeforeAnythingStarts() {
        IntakeConfig config = IntakeConfig.of("i", List.of(TenantPolicy.ofDefaultTenant("elsewhere")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Intake(
                        Topics.DEFAULT,
                        Domains.of("main"),
                        Map.of("bootstrap.servers", "127.0.0.1:1"),
                        new FakeKafka().registry,
                        config,
                        new SimpleMeterRegistry()))
                .withMessageContaining("elsewhere");
    }
}
