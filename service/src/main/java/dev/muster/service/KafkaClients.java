package dev.muster.service;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.SslConfigs;

/**
 * Settings that every Kafka client of a service gets: addresses, TLS, SASL, time limits. Settings that only producers or
 * only consumers know are the services' own: what Muster promises rests on them.
 */
public final class KafkaClients {
    static final Key<List<String>> SERVERS = Key.optional(
            "bootstrap.servers",
            Kind.listOf(new Kind<>("HOST:PORT", KafkaClients::hostAndPort)),
            "Kafka brokers to begin with; must be said here or in client.properties");
    static final Key<Path> CLIENT_PROPERTIES = Key.optional(
            "client.properties",
            Kind.path(),
            "a client properties file as Kafka's own tools take it (TLS, SASL); settings that only producers or consumers"
                    + " know are passed over");
    static final Key<String> ANY = Key.optional(
            "kafka.*",
            Kind.text(),
            "any setting that all Kafka clients know, such as kafka.security.protocol; goes before client.properties");

    private static final ConfigDef COMMON = AdminClientConfig.configDef();

    private KafkaClients() {}

    /** Reads them; what is wrong is reported to the values. */
    static Map<String, Object> read(Values values) {
        Map<String, Object> settings = new TreeMap<>();
        values.find(CLIENT_PROPERTIES).ifPresent(file -> settings.putAll(fromFile(values, file)));
        values.members(ANY).forEach((name, value) -> {
            if (name.equals(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)) {
                values.refuse("kafka." + name + ": say " + SERVERS.name() + " instead");
            } else if (COMMON.names().contains(name)) {
                settings.put(name, value);
            } else {
                values.refuse(refusal(name));
            }
        });
        values.find(SERVERS)
                .ifPresent(servers ->
                        settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, String.join(",", servers)));
        if (!settings.containsKey(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG) && !values.isGiven(SERVERS)) {
            values.refuse(
                    SERVERS.name() + " is missing, expected " + SERVERS.kind().expected());
        }
        checkByKafka(values, settings);
        checkFiles(values, settings);
        return settings;
    }

    /**
     * The settings of a client properties file that concern any client.
     *
     * @throws ConfigException when it cannot be read
     */
    public static Map<String, Object> fromFile(Path file) {
        Map<String, Object> settings = new TreeMap<>(ConfigFile.read(file));
        settings.keySet().removeIf(KafkaClients::isOfSomeClients);
        return settings;
    }

    /** Whether the value of a Kafka setting must not be printed. */
    static boolean isSecret(String name) {
        ConfigDef.ConfigKey key = COMMON.configKeys().get(name);
        // Settings of plug-ins are unknown here; their names tell.
        return key == null
                ? name.matches("(?i).*(password|secret|token|credential|jaas|private).*")
                : key.type() == ConfigDef.Type.PASSWORD;
    }

    private static Map<String, Object> fromFile(Values values, Path file) {
        try {
            return fromFile(file);
        } catch (ConfigException e) {
            e.problems().forEach(problem -> values.refuse(CLIENT_PROPERTIES.name() + ": " + problem));
            return Map.of();
        }
    }

    private static boolean isOfSomeClients(String name) {
        return !COMMON.names().contains(name)
                && (ProducerConfig.configNames().contains(name)
                        || ConsumerConfig.configNames().contains(name));
    }

    private static String refusal(String name) {
        if (isOfSomeClients(name)) {
            return "kafka." + name + " concerns only some clients and is Muster's own";
        }
        Set<String> known = new TreeSet<>(COMMON.names());
        return "kafka." + name + " is not a setting of Kafka clients"
                + Nearest.to(name, known)
                        .map(near -> "; did you mean kafka." + near + "?")
                        .orElse("");
    }

    /** Types, ranges and words, as Kafka itself judges them. */
    private static void checkByKafka(Values values, Map<String, Object> settings) {
        Map<String, String> texts = new TreeMap<>();
        settings.forEach((name, value) -> texts.put(name, value.toString()));
        COMMON.validate(texts).forEach(judged -> {
            if (settings.containsKey(judged.name())) {
                judged.errorMessages()
                        .forEach(message -> values.refuse("kafka." + judged.name() + ": "
                                + (isSecret(judged.name()) ? "cannot be used" : message)));
            }
        });
    }

    /** Kafka itself would tell of them with a stack trace. */
    private static void checkFiles(Values values, Map<String, Object> settings) {
        for (String name :
                List.of(SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG, SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG)) {
            Object file = settings.get(name);
            if (file != null && !Files.isReadable(Path.of(file.toString()))) {
                values.refuse("kafka." + name + ": " + file + " cannot be read");
            }
        }
    }

    private static String hostAndPort(String text) {
        if (!text.matches("(\\[[0-9a-fA-F:.%a-z]+]|[^\\s:,/]+):[0-9]{1,5}")) {
            throw new IllegalArgumentException();
        }
        return text;
    }
}
