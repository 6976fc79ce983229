package dev.muster.service;

import dev.muster.schemas.serde.RegistryConfig;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.TopicSpec;
import dev.muster.schemas.topic.Topics;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What every service is told.
 *
 * @param kafka settings of every Kafka client: addresses and security
 * @param registry how to reach the schema registry
 * @param domains the domains, in the order of their partitions
 * @param topics names of the topics
 * @param createTopics whether missing topics are created; otherwise they must be there
 * @param replication replicas of topics that are created, {@link TopicSpec#BROKER_DEFAULT} for the brokers' default
 * @param startTimeout how long Kafka and the registry may take to answer when the service starts
 * @param http where health and metrics are served
 * @param logs how logs look
 */
public record CommonConfig(
        Map<String, Object> kafka,
        RegistryConfig registry,
        Domains domains,
        Topics topics,
        boolean createTopics,
        short replication,
        Duration startTimeout,
        Http http,
        Logs logs) {

    /** Where health and metrics are served. */
    public record Http(String host, int port) {}

    /** How logs look: {@code plain} or {@code json}, and what is logged of Muster. */
    public record Logs(String format, String level) {}

    static final Key<List<URI>> REGISTRY_URL = Key.required(
            "schema.registry.url",
            Kind.listOf(Kind.httpUri()),
            "addresses of a schema registry with Confluent's REST interface, tried in turn");
    static final Key<String> REGISTRY_USER =
            Key.optional("schema.registry.user", Kind.text(), "user for HTTP basic authentication");
    static final Key<Duration> REGISTRY_TIMEOUT = Key.of(
            "schema.registry.timeout",
            Kind.duration(Duration.ofMillis(100), Duration.ofMinutes(5)),
            "10s",
            "how long one call to the registry may take, retries included");

    /** The domains; also of those that concern no single one of them. */
    public static final Key<List<String>> DOMAINS = Key.of(
            "domains",
            Kind.listOf(Kind.dnsLabel()),
            "default",
            "all scheduling domains of the installation, in the order of their partitions; the same in every service; new"
                    + " ones are added at the end, none is ever taken out");

    static final Key<String> PREFIX = Key.of(
            "topic.prefix",
            new Kind<>("at most 100 letters, digits, '.' and '-'", text -> new Topics(text).prefix()),
            Topics.DEFAULT.prefix(),
            "what the names of all topics begin with");
    static final Key<Boolean> CREATE = Key.of(
            "topics.create",
            Kind.bool(),
            "true",
            "whether topics that are missing are created; with false they must be there, with the right partitions and"
                    + " cleanup policy");
    static final Key<Integer> REPLICATION = Key.optional(
            "topics.replication",
            Kind.integer(1, 16),
            "replicas of topics that are created; the brokers' default.replication.factor unless set");
    static final Key<Duration> START_TIMEOUT = Key.of(
            "start.timeout",
            Kind.duration(Duration.ofSeconds(1), Duration.ofMinutes(10)),
            "30s",
            "how long Kafka and the registry may take to answer at the start, each; then the process ends with 3");
    static final Key<String> HTTP_HOST = Key.of(
            "http.host",
            Kind.text(),
            "127.0.0.1",
            "address on which health and metrics are served; images set 0.0.0.0");
    static final Key<String> LOG_FORMAT =
            Key.of("log.format", Kind.oneOf("plain", "json"), "plain", "plain lines, or one JSON object a line");
    static final Key<String> LOG_LEVEL = Key.of(
            "log.level",
            Kind.oneOf("ERROR", "WARN", "INFO", "DEBUG"),
            "INFO",
            "what is logged of Muster itself; of libraries WARN and above");

    /** The port of health and metrics; each service has a default of its own. */
    static Key<Integer> httpPort(int fallback) {
        return Key.of(
                "http.port", Kind.integer(0, 65_535), Integer.toString(fallback), "port of health and metrics; 0: any");
    }

    /** All keys, in the order of the documentation. */
    static List<Key<?>> keys(Key<Integer> httpPort) {
        return List.of(
                KafkaClients.SERVERS,
                KafkaClients.CLIENT_PROPERTIES,
                KafkaClients.ANY,
                REGISTRY_URL,
                REGISTRY_USER,
                Secrets.REGISTRY_PASSWORD,
                Secrets.REGISTRY_PASSWORD_FILE,
                RegistryTls.TRUSTSTORE,
                RegistryTls.TRUSTSTORE_PASSWORD,
                RegistryTls.KEYSTORE,
                RegistryTls.KEYSTORE_PASSWORD,
                REGISTRY_TIMEOUT,
                DOMAINS,
                PREFIX,
                CREATE,
                REPLICATION,
                START_TIMEOUT,
                HTTP_HOST,
                httpPort,
                LOG_FORMAT,
                LOG_LEVEL);
    }

    /** Reads it; null where something is wrong, which {@link Values#check} then says. */
    static CommonConfig read(Values values, Key<Integer> httpPort) {
        Map<String, Object> kafka = KafkaClients.read(values);
        List<URI> urls = values.get(REGISTRY_URL);
        Duration timeout = values.get(REGISTRY_TIMEOUT);
        Optional<String> user = values.find(REGISTRY_USER);
        Optional<String> password = Secrets.registryPassword(values);
        if (user.isPresent() != password.isPresent()) {
            values.refuse(REGISTRY_USER.name() + " and " + Secrets.REGISTRY_PASSWORD.name() + ": one is missing");
        }
        if (user.isPresent() && user.get().contains(":")) {
            values.refuse(REGISTRY_USER.name() + ": a colon is not allowed in it");
        }
        var tls = RegistryTls.read(values);
        List<String> domains = values.get(DOMAINS);
        String prefix = values.get(PREFIX);
        Boolean create = values.get(CREATE);
        Optional<Integer> replication = values.find(REPLICATION);
        Duration start = values.get(START_TIMEOUT);
        String host = values.get(HTTP_HOST);
        Integer port = values.get(httpPort);
        String format = values.get(LOG_FORMAT);
        String level = values.get(LOG_LEVEL);
        if (values.hasProblems()) {
            return null;
        }
        return new CommonConfig(
                kafka,
                new RegistryConfig(
                        urls, user.map(u -> new RegistryConfig.BasicAuth(u, password.orElseThrow())), tls, timeout),
                new Domains(domains),
                new Topics(prefix),
                create,
                replication.map(Integer::shortValue).orElse(TopicSpec.BROKER_DEFAULT),
                start,
                new Http(host, port),
                new Logs(format, level));
    }

    /** The specs with the replicas that were asked for. */
    List<TopicSpec> sized(List<TopicSpec> specs) {
        return specs.stream()
                .map(spec -> new TopicSpec(spec.name(), spec.partitions(), replication, spec.config()))
                .toList();
    }
}
