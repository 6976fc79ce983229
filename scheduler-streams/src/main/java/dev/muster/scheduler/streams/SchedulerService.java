package dev.muster.scheduler.streams;

import dev.muster.service.CommonConfig;
import dev.muster.service.ConfigException;
import dev.muster.service.Key;
import dev.muster.service.Kind;
import dev.muster.service.Platform;
import dev.muster.service.Service;
import dev.muster.service.UnreachableException;
import dev.muster.service.Values;
import io.micrometer.core.instrument.Gauge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The scheduler, for its main. */
public final class SchedulerService implements Service<SchedulerService.Settings> {
    private static final Key<String> APPLICATION = Key.optional(
            "application.id",
            Kind.id(),
            "consumer group, beginning of transactional ids and of the names of changelogs; <topic.prefix>scheduler unless"
                    + " set; the same for all schedulers of an installation");
    private static final Key<String> INSTANCE = Key.of(
            "instance.id",
            Kind.id(),
            "scheduler-0",
            "this process among those with the same application.id (static membership); stable across restarts, and"
                    + " different for each");
    private static final Key<Path> STATE = Key.optional(
            "state.dir",
            Kind.path(),
            "directory for Kafka Streams' lock files; nothing in it is needed after a stop; a directory of its own in the"
                    + " JVM's java.io.tmpdir unless set");
    private static final Key<Integer> THREADS =
            Key.of("threads", Kind.integer(1, 64), "1", "threads; domains are spread over them");
    private static final Key<Duration> COMMIT = Key.of(
            "commit.interval",
            Kind.duration(Duration.ofMillis(1), Duration.ofSeconds(1)),
            "100ms",
            "how often a transaction is committed under load");
    private static final Key<Duration> TRANSACTION = Key.of(
            "transaction.timeout",
            Kind.duration(Duration.ofSeconds(3), Duration.ofMinutes(1)),
            "3s",
            "after it the brokers abort the transaction of a scheduler that died, and the next one can go on");

    /** What it is told of its own. */
    public record Settings(
            Optional<String> applicationId,
            String instanceId,
            Optional<Path> stateDir,
            int threads,
            Duration commitInterval,
            Duration transactionTimeout) {

        SchedulerConfig with(CommonConfig common) {
            String application = applicationId.orElseGet(() -> SchedulerConfig.defaultApplicationId(common.topics()));
            return new SchedulerConfig(
                    common.kafka(),
                    common.topics(),
                    common.domains(),
                    application,
                    instanceId,
                    stateDir.orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir"), application)),
                    threads,
                    commitInterval.toMillis(),
                    (int) transactionTimeout.toMillis());
        }
    }

    private final InstantSource clock;

    /** A scheduler by the system's clock. */
    public SchedulerService() {
        this(Clock.systemUTC());
    }

    /** A scheduler by a clock of its own, so that a test can let it lie. */
    public SchedulerService(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public String name() {
        return "muster-scheduler";
    }

    @Override
    public String about() {
        return "Reads the trusted topics of all domains, decides which pods go where, and writes decisions and journal.";
    }

    @Override
    public int defaultHttpPort() {
        return 9403;
    }

    @Override
    public List<Key<?>> keys() {
        return List.of(APPLICATION, INSTANCE, STATE, THREADS, COMMIT, TRANSACTION);
    }

    @Override
    public Settings read(Values values) {
        Optional<String> application = values.find(APPLICATION);
        String instance = values.get(INSTANCE);
        Optional<Path> state = values.find(STATE);
        Integer threads = values.get(THREADS);
        Duration commit = values.get(COMMIT);
        Duration transaction = values.get(TRANSACTION);
        return values.hasProblems() ? null : new Settings(application, instance, state, threads, commit, transaction);
    }

    @Override
    public Set<String> written(Settings settings, CommonConfig common) {
        return Set.of(
                common.topics().journal(),
                common.topics().decisions(),
                common.topics().workloadStatus(),
                common.topics().deadLetters());
    }

    @Override
    public Running start(Settings settings, Platform platform) {
        SchedulerConfig config = settings.with(platform.common());
        try {
            Files.createDirectories(config.stateDir());
        } catch (IOException e) {
            throw new ConfigException(List.of(STATE.name() + ": " + config.stateDir() + " cannot be written"));
        }
        SchedulerApp scheduler = new SchedulerApp(config, platform.registry(), platform.meters(), clock);
        try {
            scheduler.start();
        } catch (StartRefusedException e) {
            scheduler.close();
            throw new UnreachableException(e.getMessage(), e);
        }
        Gauge.builder(
                        "muster.scheduler.halted.domains",
                        scheduler,
                        s -> s.haltedDomains().size())
                .description("Domains that stopped; their input waits")
                .register(platform.meters());
        return new AtWork(scheduler);
    }

    private record AtWork(SchedulerApp scheduler) implements Running {
        @Override
        public List<String> stuck() {
            return scheduler.comesRound() ? List.of() : List.of("a domain's loop has not come round for minutes");
        }

        @Override
        public List<String> notReady() {
            List<String> why = new ArrayList<>();
            scheduler.haltedDomains().forEach((domain, problem) -> why.add("domain " + domain + " halted: " + problem));
            if (scheduler.isRestoring()) {
                why.add("state is being restored, or domains change hands");
            } else if (!scheduler.isHealthy()) {
                why.add("a domain's loop has not come round for ten seconds");
            }
            return why;
        }

        @Override
        public List<String> ended() {
            return scheduler.failure().stream().toList();
        }

        @Override
        public void close() {
            scheduler.close();
        }
    }
}
