package dev.muster.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ValuesTest {
    private static final Key<String> CLUSTER = Key.required("cluster", Kind.dnsLabel(), "a cluster");
    private static final Key<Integer> SIZE = Key.of("page.size", Kind.integer(1, 500), "250", "a size");
    private static final Key<Duration> LEAST =
            Key.of("retry.shortest", Kind.duration(Duration.ofMillis(1), Duration.ofHours(1)), "50ms", "a pause");
    private static final Key<Duration> MOST =
            Key.of("retry.longest", Kind.duration(Duration.ofMillis(1), Duration.ofHours(1)), "2s", "a pause");
    private static final Key<String> PASSWORD = Key.secret("registry.password", "a password");
    private static final Key<String> KAFKA = Key.optional("kafka.*", Kind.text(), "any");
    private static final Key<List<String>> QUEUES =
            Key.of("tenant.*.queues", Kind.listOf(Kind.dnsLabel()), "default", "queues");
    private static final List<Key<?>> KEYS = List.of(CLUSTER, SIZE, LEAST, MOST, PASSWORD, KAFKA, QUEUES);

    static Stream<Arguments> wrong() {
        return Stream.of(
                Arguments.of(Map.of("clustre", "a"), Map.of(), "clustre is not a setting; did you mean cluster?"),
                Arguments.of(
                        Map.of("nothing.like.it.at.all", "a"), Map.of(), "nothing.like.it.at.all is not a setting"),
                Arguments.of(
                        Map.of("page.size", "many"), Map.of(), "page.size is 'many', expected a number from 1 to 500"),
                Arguments.of(Map.of("page.size", "0"), Map.of(), "page.size is '0', expected a number from 1 to 500"),
                Arguments.of(
                        Map.of("page.size", "99999999999"), Map.of(), "page.size is '99999999999', expected a number"),
                Arguments.of(Map.of("cluster", "A_b"), Map.of(), "cluster is 'A_b', expected a DNS label"),
                Arguments.of(Map.of("retry.longest", "soon"), Map.of(), "retry.longest is 'soon', expected a duration"),
                Arguments.of(Map.of("retry.longest", "90m"), Map.of(), "expected a duration from 1ms to 1h"),
                Arguments.of(
                        Map.of(),
                        Map.of("MUSTER_PAGE_SIZE", "x"),
                        "environment, MUSTER_PAGE_SIZE: page.size is 'x', expected a number"),
                Arguments.of(
                        Map.of(),
                        Map.of("MUSTER_CLUSTRE", "x"),
                        "environment: MUSTER_CLUSTRE is not a setting; did you mean MUSTER_CLUSTER?"),
                Arguments.of(
                        Map.of("retry.shortest", "3s"),
                        Map.of(),
                        "retry.longest is PT2S, retry.shortest is PT3S: longest"),
                Arguments.of(Map.of(), Map.of(), "cluster is missing, expected a DNS label"));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void whatIsWrongIsSaidInALineWithWhereAndWhatWasExpected(
            Map<String, String> file, Map<String, String> environment, String expected) {
        assertThatThrownBy(() -> readAll(values(file, environment)))
                .asInstanceOf(InstanceOfAssertFactories.type(ConfigException.class))
                .satisfies(e -> assertThat(e.problems()).anyMatch(line -> line.contains(expected)));
    }

    @Test
    void everythingThatIsWrongIsSaidAtOnce() {
        Values values = values(
                Map.of("clustre", "a", "page.size", "many", "retry.longest", "1ms"),
                Map.of("MUSTER_RETRY_SHORTST", "1s", "MUSTER_TENANT_A_QUEUES", "B!"));
        assertThatThrownBy(() -> readAll(values))
                .asInstanceOf(InstanceOfAssertFactories.type(ConfigException.class))
                .satisfies(e -> assertThat(e.problems())
                        .hasSize(6)
                        .doesNotHaveDuplicates()
                        .allMatch(line -> !line.contains("\n")));
    }

    @Test
    void theEnvironmentGoesBeforeTheFileAndBothBeforeDefaults() {
        Values values = values(Map.of("cluster", "file", "page.size", "7"), Map.of("MUSTER_CLUSTER", "environment"));
        readAll(values);
        assertThat(values.get(CLUSTER)).isEqualTo("environment");
        assertThat(values.get(SIZE)).isEqualTo(7);
        assertThat(values.get(LEAST)).isEqualTo(Duration.ofMillis(50));
    }

    @Test
    void aBlankVariableTakesASettingBack() {
        Values values = values(Map.of("cluster", "a", "page.size", "7"), Map.of("MUSTER_PAGE_SIZE", ""));
        assertThat(values.get(SIZE)).isEqualTo(250);
    }

    @Test
    void variablesOfFamiliesMeanTheirMembers() {
        Values values = values(
                Map.of("cluster", "a", "kafka.ssl.protocol", "TLSv1.2"),
                Map.of("MUSTER_KAFKA_SECURITY_PROTOCOL", "SSL", "MUSTER_TENANT_TEAM_A_QUEUES", "x,y"));
        assertThat(values.members(KAFKA))
                .containsExactly(Map.entry("security.protocol", "SSL"), Map.entry("ssl.protocol", "TLSv1.2"));
        assertThat(values.member(QUEUES, "team-a")).containsExactly("x", "y");
        assertThat(values.member(QUEUES, "team-b")).containsExactly("default");
    }

    @ParameterizedTest
    @CsvSource({
        "MUSTER_INGEST_SERVICE_HOST, 10.0.0.11",
        "MUSTER_INGEST_SERVICE_PORT, 9401",
        "MUSTER_INGEST_SERVICE_PORT_HTTP, 9401",
        "MUSTER_INGEST_PORT, tcp://10.0.0.11:9401",
        "MUSTER_INGEST_PORT_9401_TCP_ADDR, 10.0.0.11",
        "MUSTER_PORT, tcp://10.0.0.11:9401",
        "MUSTER_LOG, DEBUG",
        "MUSTER_SCHEMA_REGISTRY, http://127.0.0.1:8081",
        "MUSTER_JAVA_OPTS, -Xmx1g",
        "MUSTER_HOME, /opt/muster",
        "PATH, /bin"
    })
    void variablesThatOthersSetAreNoSettings(String variable, String value) {
        Values values = values(Map.of("cluster", "a"), Map.of(variable, value));
        readAll(values);
    }

    @Test
    void effectiveValuesHideSecretsAndCanBeReadAgain() {
        Values values = values(
                Map.of("cluster", "a", "registry.password", "hunter2", "kafka.sasl.jaas.config", "has hunter2 in it"),
                Map.of());
        List<String> lines = values.effective("kafka.sasl.jaas.config"::equals);
        assertThat(lines)
                .containsExactly(
                        "cluster=a",
                        "page.size=250",
                        "retry.shortest=50ms",
                        "retry.longest=2s",
                        "registry.password=********",
                        "kafka.sasl.jaas.config=********");
    }

    @Test
    void aSecretIsNotInAMessageEither() {
        Key<Integer> pin = new Key<>("pin", Kind.integer(0, 9), java.util.Optional.empty(), false, true, "a pin");
        Values values = Values.of(List.of(pin), Path.of("f"), Map.of("pin", "hunter2"), Map.of());
        values.get(pin);
        assertThatThrownBy(values::check)
                .hasMessageContaining("pin is ********")
                .hasMessageNotContaining("hunter2");
    }

    private static Values values(Map<String, String> file, Map<String, String> environment) {
        return Values.of(KEYS, Path.of("service.properties"), file, environment);
    }

    private static void readAll(Values values) {
        KEYS.stream().filter(key -> !key.isFamily()).forEach(values::get);
        values.members(QUEUES);
        values.require(MOST, LEAST, (most, least) -> most.compareTo(least) >= 0, "longest is shorter");
        values.check();
    }
}
