package dev.muster.standalone.stack;

import dev.muster.binder.Binder;
import dev.muster.binder.BinderConfig;
import dev.muster.ingest.ClusterIngest;
import dev.muster.ingest.IngestConfig;
import dev.muster.ingest.intake.Intake;
import dev.muster.ingest.intake.IntakeConfig;
import dev.muster.ingest.intake.TenantPolicy;
import dev.muster.ingest.publish.EventPublisher;
import dev.muster.ingest.publish.LastEpoch;
import dev.muster.scheduler.streams.SchedulerApp;
import dev.muster.scheduler.streams.SchedulerConfig;
import dev.muster.schemas.serde.EmbeddedRegistry;
import dev.muster.schemas.serde.RegistryClient;
import dev.muster.schemas.serde.RegistryConfig;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.TopicAdmin;
import dev.muster.schemas.topic.TopicSpec;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.broker.EmbeddedBroker;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;

/**
 * Everything in one process: broker and registry where none are given, intake, scheduler, and for each member cluster an
 * ingest and a binder. What talks to what is the same as in an installation of many processes.
 */
public final class Stack implements AutoCloseable {
    private static final String INSTANCE = "standalone";
    private static final Duration TOPICS_TIMEOUT = Duration.ofSeconds(60);

    private final Closing closing;
    private final String bootstrapServers;
    private final URI registryUri;
    private final SchemaRegistry registry;
    private final Topics topics = Topics.DEFAULT;
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final Map<String, ClusterIngest> ingests = new TreeMap<>();
    private final Map<String, Binder> binders = new TreeMap<>();
    private SchedulerApp scheduler;
    private Intake intake;

    private Stack(Closing closing, String bootstrapServers, URI registryUri, SchemaRegistry registry) {
        this.closing = closing;
        this.bootstrapServers = bootstrapServers;
        this.registryUri = registryUri;
        this.registry = registry;
    }

    /**
     * Starts everything, and returns when all of it is under way; see {@link #healthy}.
     *
     * @throws dev.muster.standalone.broker.BrokerStartException when the embedded broker cannot start
     * @throws dev.muster.schemas.topic.TopicMismatchException when topics exist that differ from what is needed
     */
    public static Stack start(StackConfig config) {
        Closing closing = new Closing();
        boolean started = false;
        try {
            String bootstrapServers = config.bootstrapServers()
                    .orElseGet(() -> closing.add(EmbeddedBroker.start(config.dataDir(), 0))
                            .bootstrapServers());
            Map<String, Object> kafka = Map.of("bootstrap.servers", bootstrapServers);
            URI registryUri = config.schemaRegistry()
                    .orElseGet(() -> closing.add(EmbeddedRegistry.start(0, kafka, EmbeddedKafka.SCHEMAS_TOPIC))
                            .uri());
            SchemaRegistry registry = closing.add(new RegistryClient(RegistryConfig.of(registryUri)));
            if (config.bootstrapServers().isEmpty()) {
                new Endpoints(bootstrapServers, registryUri).write(config.dataDir());
                closing.add(() -> Endpoints.forget(config.dataDir()));
            }
            Stack stack = new Stack(closing, bootstrapServers, registryUri, registry);
            stack.startParts(config, kafka);
            started = true;
            return stack;
        } finally {
            if (!started) {
                closing.close();
            }
        }
    }

    /** {@code host:port} of Kafka. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** Address of the schema registry. */
    public URI registryUri() {
        return registryUri;
    }

    /** The schema registry, cached. */
    public SchemaRegistry registry() {
        return registry;
    }

    /** Names of the topics. */
    public Topics topics() {
        return topics;
    }

    /** Whether every part does its work. */
    public boolean healthy() {
        return unhealthy().isEmpty();
    }

    /** The parts that do not do their work at the moment, by name; "all healthy" where there are none. */
    public String describeHealth() {
        List<String> parts = unhealthy();
        return parts.isEmpty() ? "all healthy" : "not healthy: " + String.join(", ", parts);
    }

    /**
     * Looks for what can't get better by itself.
     *
     * @throws IllegalStateException when the scheduler stopped a domain
     */
    public void check() {
        if (!scheduler.haltedDomains().isEmpty()) {
            throw new IllegalStateException("the scheduler stopped: " + scheduler.haltedDomains());
        }
    }

    /** Stops everything; what is under way is taken up by the next start. */
    @Override
    public void close() {
        closing.close();
    }

    private List<String> unhealthy() {
        List<String> parts = new ArrayList<>();
        if (!scheduler.isHealthy()) {
            parts.add("scheduler");
        }
        if (!intake.isHealthy()) {
            parts.add("intake");
        }
        ingests.forEach((name, ingest) -> {
            if (!ingest.isHealthy() || !ingest.synced().isDone()) {
                parts.add("ingest of " + name);
            }
        });
        binders.forEach((name, binder) -> {
            if (!binder.isHealthy()) {
                parts.add("binder of " + name);
            }
        });
        return parts;
    }

    private void startParts(StackConfig config, Map<String, Object> kafka) {
        Domains domains = Domains.of(config.domain());
        ensureTopics(kafka, domains);

        scheduler = closing.add(new SchedulerApp(
                SchedulerConfig.of(
                        kafka, topics, domains, INSTANCE, config.dataDir().resolve("streams")),
                registry,
                meters));
        scheduler.start();

        intake = closing.add(new Intake(
                topics,
                domains,
                kafka,
                registry,
                IntakeConfig.of(INSTANCE, List.of(TenantPolicy.ofDefaultTenant(config.domain()))),
                meters));
        intake.start();

        for (StackConfig.Member member : config.members()) {
            startMember(config.domain(), member, kafka, domains);
        }
    }

    private void startMember(String domain, StackConfig.Member member, Map<String, Object> kafka, Domains domains) {
        KubernetesClient client = closing.add(
                new KubernetesClientBuilder().withConfig(member.kubernetes()).build());
        KafkaProducer<String, byte[]> producer = closing.add(new KafkaProducer<>(EventPublisher.producerConfig(kafka)));
        ClusterIngest ingest = closing.add(new ClusterIngest(
                IngestConfig.of(domain, member.name())
                        .withMinimumEpoch(LastEpoch.read(kafka, registry, topics, domains, domain, member.name())),
                new ClusterIngest.Environment(client, producer, registry, topics, domains, meters, Clock.systemUTC())));
        ingest.start();
        ingests.put(member.name(), ingest);

        Binder binder = closing.add(new Binder(
                new Binder.Place(client, member.name(), domain, domains, topics, kafka, registry, meters),
                BinderConfig.defaults()));
        binder.start();
        binders.put(member.name(), binder);
    }

    private void ensureTopics(Map<String, Object> kafka, Domains domains) {
        List<TopicSpec> specs = new ArrayList<>(topics.trusted(domains));
        specs.addAll(topics.tenant(TenantPolicy.DEFAULT_TENANT));
        try (Admin admin = Admin.create(kafka)) {
            TopicAdmin.ensure(admin, specs, TOPICS_TIMEOUT);
        }
    }
}
