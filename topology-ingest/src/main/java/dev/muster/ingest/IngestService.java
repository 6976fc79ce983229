package dev.muster.ingest;

import dev.muster.ingest.map.HealthMapping;
import dev.muster.ingest.publish.EventPublisher;
import dev.muster.ingest.publish.LastEpoch;
import dev.muster.service.CommonConfig;
import dev.muster.service.DomainKey;
import dev.muster.service.Key;
import dev.muster.service.Kind;
import dev.muster.service.Kubeconfig;
import dev.muster.service.Parts;
import dev.muster.service.Platform;
import dev.muster.service.Service;
import dev.muster.service.Values;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.producer.KafkaProducer;

/** The ingest of one member cluster, for its main. */
public final class IngestService implements Service<IngestService.Settings> {
    private static final Key<String> CLUSTER =
            Key.required("cluster", Kind.dnsLabel(), "name of the member cluster in its domain");
    private static final Key<String> INSTANCE = Key.of(
            "instance.id",
            Kind.dnsLabel(),
            "ingest-0",
            "this ingest among those of the cluster, stable across restarts and different for each: started again, it takes"
                    + " its own Lease over at once");
    private static final Key<List<String>> SCHEDULERS = Key.of(
            "scheduler.names",
            Kind.listOf(Kind.text()),
            "muster,volcano",
            "pods whose schedulerName is one of these are scheduled by Muster; the others only take room");
    private static final Key<String> LEASE_NAMESPACE = Key.of(
            "lease.namespace",
            Kind.dnsLabel(),
            "kube-system",
            "namespace of the member cluster with the Lease that says which of several ingests publishes; must exist");
    private static final Key<Duration> LEASE = Key.of(
            "lease.duration",
            Kind.duration(Duration.ofSeconds(3), Duration.ofSeconds(120)),
            "15s",
            "an ingest that does not renew its Lease for so long is replaced");
    private static final Key<Duration> SILENCE = Key.of(
            "watch.silence",
            Kind.duration(Duration.ofSeconds(1), Duration.ofHours(1)),
            "90s",
            "a watch that says nothing, not even a bookmark, for so long is given up");
    private static final Key<Duration> AUDIT = Key.of(
            "audit.interval",
            Kind.duration(Duration.ofSeconds(1), Duration.ofHours(24)),
            "10m",
            "time between comparisons of a full list with what was published");
    private static final Key<Duration> RECHECK = Key.of(
            "missing.recheck",
            Kind.duration(Duration.ofSeconds(1), Duration.ofHours(1)),
            "3m",
            "time between looks for kinds that the cluster does not have, such as Volcano's");

    /** What it is told: how to reach the cluster, and the limits. */
    public record Settings(Config kubernetes, IngestConfig config) {}

    private final Clock clock;

    /** An ingest by the system's clock. */
    public IngestService() {
        this(Clock.systemUTC());
    }

    /** An ingest by a clock of its own, so that a test can let it lie. */
    public IngestService(Clock clock) {
        this.clock = clock;
    }

    @Override
    public String name() {
        return "muster-ingest";
    }

    @Override
    public String about() {
        return "Watches one member cluster and publishes what scheduling needs to know of it.";
    }

    @Override
    public int defaultHttpPort() {
        return 9401;
    }

    @Override
    public List<Key<?>> keys() {
        List<Key<?>> keys = new ArrayList<>(List.of(
                CLUSTER,
                INSTANCE,
                DomainKey.DOMAIN,
                Kubeconfig.FILE,
                Kubeconfig.CONTEXT,
                SCHEDULERS,
                LEASE_NAMESPACE,
                LEASE,
                SILENCE,
                AUDIT,
                RECHECK));
        keys.addAll(HealthSettings.keys());
        return keys;
    }

    @Override
    public Settings read(Values values) {
        String cluster = values.get(CLUSTER);
        String instance = values.get(INSTANCE);
        String domain = DomainKey.read(values);
        List<String> schedulers = values.get(SCHEDULERS);
        String namespace = values.get(LEASE_NAMESPACE);
        Duration lease = values.get(LEASE);
        Duration silence = values.get(SILENCE);
        Duration audit = values.get(AUDIT);
        Duration recheck = values.get(RECHECK);
        HealthMapping health = HealthSettings.read(values);
        Config kubernetes = Kubeconfig.read(values);
        if (values.hasProblems()) {
            return null;
        }
        return new Settings(
                kubernetes,
                IngestConfig.of(domain, cluster)
                        .withInstance(instance)
                        .withSchedulerNames(Set.copyOf(schedulers))
                        .withLease(namespace, lease)
                        .withHealth(health)
                        .withTimes(silence, audit, recheck));
    }

    @Override
    public Set<String> written(Settings settings, CommonConfig common) {
        return Set.of(
                common.topics().nodes(),
                common.topics().pods(),
                common.topics().workloads(),
                common.topics().gpuHealth(),
                common.topics().numa(),
                common.topics().policies(),
                common.topics().deadLetters());
    }

    @Override
    public Running start(Settings settings, Platform platform) {
        Parts parts = new Parts();
        boolean started = false;
        try {
            ClusterIngest ingest = start(settings, platform, parts, clock);
            started = true;
            return new AtWork(ingest, parts);
        } finally {
            if (!started) {
                parts.close();
            }
        }
    }

    private static ClusterIngest start(Settings settings, Platform platform, Parts parts, Clock clock) {
        CommonConfig common = platform.common();
        IngestConfig config = settings.config();
        KubernetesClient client = parts.add(
                new KubernetesClientBuilder().withConfig(settings.kubernetes()).build());
        KafkaProducer<String, byte[]> producer =
                parts.add(new KafkaProducer<>(EventPublisher.producerConfig(common.kafka())));
        long epoch = LastEpoch.read(
                common.kafka(),
                platform.registry(),
                common.topics(),
                common.domains(),
                config.domain(),
                config.cluster());
        ClusterIngest ingest = parts.add(new ClusterIngest(
                config.withMinimumEpoch(epoch),
                new ClusterIngest.Environment(
                        client,
                        producer,
                        platform.registry(),
                        common.topics(),
                        common.domains(),
                        platform.meters(),
                        clock)));
        ingest.start();
        return ingest;
    }

    /** One that stands by while another holds the Lease is ready: it would be at work at once. */
    private record AtWork(ClusterIngest ingest, Parts parts) implements Running {
        @Override
        public List<String> stuck() {
            return ingest.isHealthy() ? List.of() : List.of("a loop of the ingest has not come round for minutes");
        }

        @Override
        public List<String> notReady() {
            List<String> why = new ArrayList<>();
            if (!ingest.isLeaseReached()) {
                why.add("the Lease cannot be read or written: the API server does not answer, or refuses");
            } else if (ingest.epoch() > 0 && !ingest.synced().isDone()) {
                why.add("not every kind was listed yet");
            }
            ingest.blindKinds().forEach(kind -> why.add("cannot see " + kind));
            return why;
        }

        @Override
        public List<String> ended() {
            return List.of();
        }

        @Override
        public void close() {
            parts.close();
        }
    }
}
