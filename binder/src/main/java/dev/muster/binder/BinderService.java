package dev.muster.binder;

import dev.muster.service.CommonConfig;
import dev.muster.service.DomainKey;
import dev.muster.service.Durations;
import dev.muster.service.Key;
import dev.muster.service.Kind;
import dev.muster.service.Kubeconfig;
import dev.muster.service.Parts;
import dev.muster.service.Platform;
import dev.muster.service.Service;
import dev.muster.service.UnreachableException;
import dev.muster.service.Values;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/** The binder of one member cluster, for its main. */
public final class BinderService implements Service<BinderService.Settings> {
    private static final BinderConfig DEFAULTS = BinderConfig.defaults();
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private static final Key<String> CLUSTER = Key.required(
            "cluster",
            Kind.dnsLabel(),
            "name of the member cluster in its domain; the consumer group is <topic.prefix>binder-<cluster>");
    private static final Key<Integer> CONCURRENCY = number(
            "concurrency", 1024, DEFAULTS.concurrency(), "API calls for decisions that may be under way at once");
    private static final Key<Integer> IN_FLIGHT = number(
            "max.in.flight",
            100_000,
            DEFAULTS.maxInFlight(),
            "decisions that may be under way at once; consumption pauses above");
    private static final Key<Integer> STATUS_CONCURRENCY = number(
            "status.concurrency",
            64,
            DEFAULTS.statusConcurrency(),
            "API calls for conditions, events and phases that may be under way at once");
    private static final Key<Integer> STATUS_BACKLOG = number(
            "status.backlog",
            1_000_000,
            DEFAULTS.statusBacklog(),
            "workloads whose status may wait to be written; consumption of statuses pauses above");
    private static final Key<Duration> REQUEST =
            time("request.timeout", DEFAULTS.requestTimeout(), "how long one API call may take");
    private static final Key<Duration> CONFIRM = time(
            "confirm.timeout",
            DEFAULTS.confirmTimeout(),
            "how long a binding may take to show up on the watch before it is read instead");
    private static final Key<Duration> EVICTION = time(
            "eviction.patience",
            DEFAULTS.evictionPatience(),
            "how long taking a gang back asks for an eviction that a disruption budget refuses before it deletes");
    private static final Key<Duration> FIRST =
            time("retry.shortest", DEFAULTS.firstBackoff(), "pause after the first failed try; doubles each time");
    private static final Key<Duration> LONGEST =
            time("retry.longest", DEFAULTS.maxBackoff(), "longest pause between two tries");

    private static final Key<String> LEASE_NAMESPACE = Key.of(
            "lease.namespace",
            Kind.dnsLabel(),
            DEFAULTS.leaseNamespace(),
            "namespace of the member cluster with the Leases that say how placements of submitted jobs ended; must exist");

    /** What it is told: how to reach the cluster, what it is called, and the limits. */
    public record Settings(Config kubernetes, String cluster, String domain, BinderConfig limits) {}

    private final BinderClock clock;

    /** A binder by the system's clock. */
    public BinderService() {
        this(InstantSource.system());
    }

    /** A binder by a wall clock of its own, so that a test can let it lie. */
    public BinderService(InstantSource clock) {
        this.clock = BinderClock.by(clock);
    }

    @Override
    public String name() {
        return "muster-binder";
    }

    @Override
    public String about() {
        return "Carries decisions to the API server of one member cluster, and reports every outcome.";
    }

    @Override
    public int defaultHttpPort() {
        return 9404;
    }

    @Override
    public List<Key<?>> keys() {
        return List.of(
                CLUSTER,
                DomainKey.DOMAIN,
                Kubeconfig.FILE,
                Kubeconfig.CONTEXT,
                CONCURRENCY,
                IN_FLIGHT,
                STATUS_CONCURRENCY,
                STATUS_BACKLOG,
                REQUEST,
                CONFIRM,
                EVICTION,
                FIRST,
                LONGEST,
                LEASE_NAMESPACE);
    }

    @Override
    public Settings read(Values values) {
        String cluster = values.get(CLUSTER);
        String domain = DomainKey.read(values);
        Config kubernetes = Kubeconfig.read(values);
        Integer concurrency = values.get(CONCURRENCY);
        Integer inFlight = values.get(IN_FLIGHT);
        Integer statusConcurrency = values.get(STATUS_CONCURRENCY);
        Integer statusBacklog = values.get(STATUS_BACKLOG);
        Duration request = values.get(REQUEST);
        Duration confirm = values.get(CONFIRM);
        Duration eviction = values.get(EVICTION);
        Duration first = values.get(FIRST);
        Duration longest = values.get(LONGEST);
        String leases = values.get(LEASE_NAMESPACE);
        values.require(
                LONGEST, FIRST, (most, least) -> most.compareTo(least) >= 0, "the longest pause is the shorter one");
        if (values.hasProblems()) {
            return null;
        }
        return new Settings(
                kubernetes,
                cluster,
                domain,
                new BinderConfig(
                        concurrency,
                        inFlight,
                        statusConcurrency,
                        statusBacklog,
                        request,
                        confirm,
                        eviction,
                        first,
                        longest,
                        leases));
    }

    @Override
    public Set<String> written(Settings settings, CommonConfig common) {
        return Set.of(common.topics().outcomes(), common.topics().deadLetters());
    }

    @Override
    public Running start(Settings settings, Platform platform) {
        CommonConfig common = platform.common();
        Parts parts = new Parts();
        boolean started = false;
        try {
            KubernetesClient client = parts.add(new KubernetesClientBuilder()
                    .withConfig(settings.kubernetes())
                    .build());
            Binder binder = parts.add(new Binder(
                    new Binder.Place(
                            client,
                            settings.cluster(),
                            settings.domain(),
                            common.domains(),
                            common.topics(),
                            common.kafka(),
                            platform.registry(),
                            platform.meters()),
                    settings.limits(),
                    clock));
            binder.start();
            started = true;
            return new AtWork(binder, parts);
        } catch (ClusterUnlistedException e) {
            throw new UnreachableException(
                    "API server " + settings.kubernetes().getMasterUrl() + ": " + e.getMessage(), e);
        } finally {
            if (!started) {
                parts.close();
            }
        }
    }

    private static Key<Integer> number(String name, int most, int fallback, String meaning) {
        return Key.of(name, Kind.integer(1, most), Integer.toString(fallback), meaning);
    }

    private static Key<Duration> time(String name, Duration fallback, String meaning) {
        return Key.of(name, Kind.duration(MOMENT, HOUR), Durations.format(fallback), meaning);
    }

    private record AtWork(Binder binder, Parts parts) implements Running {
        @Override
        public List<String> stuck() {
            return binder.comesRound() ? List.of() : List.of("a loop of the binder has not come round for minutes");
        }

        @Override
        public List<String> notReady() {
            if (!binder.isWatching()) {
                return List.of("pods and nodes are not being watched: the API server does not answer, or refuses");
            }
            return binder.isHealthy() ? List.of() : List.of("a loop of the binder has not come round for 30 s");
        }

        @Override
        public List<String> ended() {
            return binder.failure().map(problem -> "it stops: " + problem).stream()
                    .toList();
        }

        @Override
        public void close() {
            parts.close();
        }
    }
}
