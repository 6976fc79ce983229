package dev.muster.schemas.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicsTest {
    private final Topics topics = Topics.DEFAULT;

    @Test
    void everyTrustedTopicHasOnePartitionPerDomain() {
        assertThat(topics.trusted(Domains.of("a", "b", "c")))
                .extracting(TopicSpec::name, TopicSpec::partitions)
                .hasSize(13)
                .allSatisfy(t -> assertThat(t.toList().get(1)).isEqualTo(3));
    }

    @Test
    void everyTopicHasAClassAndEveryClassATopic() {
        List<String> specified = Stream.concat(
                        topics.trusted(Domains.of("a")).stream(), topics.tenant("default").stream())
                .map(TopicSpec::name)
                .toList();
        assertThat(topics.valueTypes(List.of("default")).keySet()).containsExactlyInAnyOrderElementsOf(specified);
    }

    @Test
    void whatIsStateIsCompactedAndWhatIsHistoryIsKeptForAYear() {
        assertThat(config("muster.nodes", "cleanup.policy")).isEqualTo("compact");
        assertThat(config("muster.templates", "cleanup.policy")).isEqualTo("compact");
        assertThat(config("muster.journal", "cleanup.policy")).isEqualTo("delete");
        assertThat(config("muster.journal", "retention.ms")).isEqualTo("31536000000");
        assertThat(config("muster.decisions", "compression.type")).isEqualTo("lz4");
        assertThat(config("muster.results.default", "cleanup.policy")).isEqualTo("compact,delete");
        assertThat(config("muster.jobs.default", "compression.type")).isEqualTo("uncompressed");
    }

    @Test
    void theTenantIsInTheTopicsName() {
        assertThat(topics.jobs("team-a")).isEqualTo("muster.jobs.team-a");
        assertThat(topics.tenantOf("muster.jobs.team-a")).isEqualTo("team-a");
        assertThat(new Topics("").tenantOf("jobs.x")).isEqualTo("x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "muster.results.a",
                "muster.jobs.",
                "jobs.a",
                "muster.jobs.A",
                "muster.jobs.a.b",
                "muster.jobs.a_b"
            })
    void anotherTopicIsNoTenants(String name) {
        assertThatThrownBy(() -> topics.tenantOf(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aDomainIsThePartitionOfItsPlace() {
        Domains domains = Domains.of("east", "west");
        assertThat(domains.count()).isEqualTo(2);
        assertThat(domains.partitionOf("west")).isEqualTo(1);
        assertThatThrownBy(() -> domains.partitionOf("north"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("domain north is not one of [east, west]");
        assertThatThrownBy(() -> Domains.of("a", "b", "a")).hasMessage("domains: a is named twice");
        assertThatThrownBy(Domains::of).hasMessage("domains: at least one is needed");
        assertThatThrownBy(() -> Domains.of("A")).hasMessageStartingWith("domain 'A': expected a DNS label");
    }

    @Test
    void keysAreTheTablesPartsJoined() {
        assertThat(Keys.node("d", "c", "n")).isEqualTo("d/c/n");
        assertThat(Keys.pod("d", "c", "u")).isEqualTo("d/c/u");
        assertThat(Keys.group("d", "c", "PodGroup", "ns", "g")).isEqualTo("d/c/PodGroup/ns/g");
        assertThat(Keys.policy("d", "PriorityClass", "c", "", "high")).isEqualTo("d/PriorityClass/c//high");
        assertThat(Keys.template("d", "h")).isEqualTo("d/h");
        assertThat(Keys.workload("d", "c/ns/PodGroup/g")).isEqualTo("d/c/ns/PodGroup/g");
        assertThat(Keys.resync("d", "c", "Node")).isEqualTo("d/c/Node");
    }

    @Test
    void replicationIsTheBrokersUnlessSaid() {
        TopicSpec spec = new TopicSpec("t", 1, Map.of());
        assertThat(spec.replication()).isEqualTo(TopicSpec.BROKER_DEFAULT);
        assertThat(spec.withReplication(3).replication()).isEqualTo((short) 3);
        assertThatThrownBy(() -> spec.withReplication(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TopicSpec("t", 0, Map.of())).isInstanceOf(IllegalArgumentException.class);
    }

    private String config(String topic, String name) {
        return Stream.concat(topics.trusted(Domains.of("a")).stream(), topics.tenant("default").stream())
                .filter(spec -> spec.name().equals(topic))
                .findFirst()
                .orElseThrow()
                .config()
                .get(name);
    }

    @Test
    void aTopicsNameTellsItsRecords() {
        Topics topics = Topics.DEFAULT;
        topics.valueTypes(List.of("team-a"))
                .forEach((topic, type) -> assertThat(topics.valueType(topic)).isEqualTo(type));
        assertThatThrownBy(() -> topics.valueType("muster.other")).hasMessage("topic muster.other is none of Muster's");
    }
}
