package dev.muster.ingest;

import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;

/**
 * The properties file of {@link IngestMain}. Keys that begin with {@code kafka.} go to the Kafka clients without that
 * prefix (security settings, for example); any other key that is not listed here is refused.
 *
 * @param kubeconfig file; absent for the pod's own service account or the user's default
 */
record IngestSettings(
        Map<String, Object> kafka,
        URI registry,
        Domains domains,
        Topics topics,
        Optional<String> kubeconfig,
        IngestConfig config) {

    private static final Set<String> REQUIRED =
            Set.of("bootstrap.servers", "schema.registry.url", "domains", "domain", "cluster");
    private static final Set<String> OPTIONAL =
            Set.of("topic.prefix", "kubeconfig", "scheduler.names", "lease.namespace");
    private static final String KAFKA = "kafka.";

    /** @throws IllegalArgumentException naming everything that is wrong */
    static IngestSettings parse(Properties properties) {
        List<String> errors = new ArrayList<>();
        Map<String, Object> kafka = new TreeMap<>();
        new TreeMap<>(properties).forEach((key, value) -> {
            String name = String.valueOf(key);
            if (name.startsWith(KAFKA)) {
                kafka.put(name.substring(KAFKA.length()), String.valueOf(value));
            } else if (!REQUIRED.contains(name) && !OPTIONAL.contains(name)) {
                errors.add(name + " is not a setting of ingest");
            }
        });
        REQUIRED.stream()
                .sorted()
                .filter(name -> properties.getProperty(name, "").isBlank())
                .forEach(name -> errors.add(name + " is missing"));
        if (!errors.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", errors));
        }
        kafka.put("bootstrap.servers", properties.getProperty("bootstrap.servers"));
        Domains domains = new Domains(list(properties.getProperty("domains")));
        IngestConfig config = IngestConfig.of(properties.getProperty("domain"), properties.getProperty("cluster"));
        domains.partitionOf(config.domain());
        String schedulers = properties.getProperty("scheduler.names");
        String lease = properties.getProperty("lease.namespace", config.leaseNamespace());
        return new IngestSettings(
                kafka,
                URI.create(properties.getProperty("schema.registry.url")),
                domains,
                new Topics(properties.getProperty("topic.prefix", Topics.DEFAULT.prefix())),
                Optional.ofNullable(properties.getProperty("kubeconfig")),
                (schedulers == null ? config : config.withSchedulerNames(Set.copyOf(list(schedulers))))
                        .withLease(lease, config.leaseDuration()));
    }

    private static List<String> list(String text) {
        return Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toList();
    }
}
