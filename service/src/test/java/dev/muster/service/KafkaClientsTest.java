package dev.muster.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaClientsTest {
    private static final List<Key<?>> KEYS =
            List.of(KafkaClients.SERVERS, KafkaClients.CLIENT_PROPERTIES, KafkaClients.ANY);

    @TempDir
    Path directory;

    @Test
    void settingsOfTheServiceGoBeforeTheFile() throws IOException {
        Path file = Files.writeString(
                directory.resolve("client.properties"),
                "bootstrap.servers=old:1\nsecurity.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nplugin.setting=x\n");
        assertThat(read(Map.of(
                        "client.properties", file.toString(),
                        "bootstrap.servers", "new:1",
                        "kafka.sasl.mechanism", "SCRAM-SHA-512")))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "bootstrap.servers", "new:1",
                        "security.protocol", "SASL_SSL",
                        "sasl.mechanism", "SCRAM-SHA-512",
                        "plugin.setting", "x"));
    }

    @Test
    void addressesMayBeInTheFile() throws IOException {
        Path file = Files.writeString(directory.resolve("c.properties"), "bootstrap.servers=kafka:9092\n");
        assertThat(read(Map.of("client.properties", file.toString()))).containsEntry("bootstrap.servers", "kafka:9092");
    }

    @Test
    void whatOnlySomeClientsKnowIsTakenFromNoFile() throws IOException {
        Path file = Files.writeString(
                directory.resolve("c.properties"), "bootstrap.servers=k:1\nacks=0\nisolation.level=read_uncommitted\n");
        assertThat(read(Map.of("client.properties", file.toString()))).containsOnlyKeys("bootstrap.servers");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            kafka.acks                | 0        | kafka.acks concerns only some clients and is Muster's own
            kafka.enable.auto.commit  | true     | kafka.enable.auto.commit concerns only some clients and is Muster's own
            kafka.bootstrap.servers   | k:1      | kafka.bootstrap.servers: say bootstrap.servers instead
            kafka.sasl.mechanisms     | PLAIN    | did you mean kafka.sasl.mechanism?
            kafka.request.timeout.ms  | soon     | kafka.request.timeout.ms: Invalid value soon
            kafka.security.protocol   | TLS      | kafka.security.protocol: Invalid value TLS
            bootstrap.servers         | kafka    | bootstrap.servers is 'kafka', expected a list with commas, of each HOST:PORT
            client.properties         | none     | client.properties: none: no such file
            """)
    void whatCannotBeUsedIsRefused(String name, String value, String expected) {
        Map<String, String> settings = new TreeMap<>(Map.of("bootstrap.servers", "k:1"));
        settings.put(name, value);
        assertThat(problems(settings)).anyMatch(line -> line.contains(expected));
    }

    @ParameterizedTest
    @CsvSource({
        "sasl.jaas.config, true",
        "ssl.keystore.password, true",
        "ssl.keystore.key, true",
        "ssl.key.password, true",
        "oauth.client.secret, true",
        "ssl.keystore.location, false",
        "security.protocol, false"
    })
    void whatKafkaTakesForAPasswordIsSecret(String name, boolean secret) {
        assertThat(KafkaClients.isSecret(name)).isEqualTo(secret);
    }

    private static Map<String, Object> read(Map<String, String> settings) {
        Values values = Values.of(KEYS, Path.of("f"), settings, Map.of());
        Map<String, Object> kafka = KafkaClients.read(values);
        values.check();
        return kafka;
    }

    private static List<String> problems(Map<String, String> settings) {
        return org.assertj.core.api.Assertions.catchThrowable(() -> read(settings)) instanceof ConfigException e
                ? e.problems()
                : List.of();
    }
}
