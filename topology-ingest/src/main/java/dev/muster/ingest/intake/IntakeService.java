package dev.muster.ingest.intake;

import dev.muster.schemas.topic.TopicSpec;
import dev.muster.service.CommonConfig;
import dev.muster.service.Key;
import dev.muster.service.Kind;
import dev.muster.service.Platform;
import dev.muster.service.Service;
import dev.muster.service.Values;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The intake, for its main. */
public final class IntakeService implements Service<IntakeConfig> {
    private static final Key<String> INSTANCE = Key.of(
            "instance.id",
            Kind.dnsLabel(),
            "default",
            "names this intake; its consumer group and transactional id are <topic.prefix>intake-<instance.id>, so of two"
                    + " with one name only the one that started last works");
    private static final Key<Integer> EVENT_BYTES = Key.of(
            "event.max.bytes",
            Kind.integer(1024, 1024 * 1024),
            Integer.toString(IntakeConfig.DEFAULT_MAX_EVENT_BYTES),
            "largest command that is decoded, bytes");
    private static final Key<Integer> BATCH = Key.of(
            "batch.max.records",
            Kind.integer(1, 1_000),
            "100",
            "most commands of one tenant that are answered before the next tenant has its turn");
    private static final Key<Integer> REMEMBERED = Key.of(
            "remembered.max.per.tenant",
            Kind.integer(1, 10_000_000),
            "200000",
            "most jobs, and most commands, of a tenant that repetitions are recognised of; some 300 bytes each");
    private static final Key<Duration> BACKOFF = Key.of(
            "retry.backoff",
            Kind.duration(Duration.ofMillis(1), Duration.ofMinutes(1)),
            "1s",
            "pause after a failure that may pass");
    private static final Key<Duration> TRANSACTION = Key.of(
            "transaction.timeout",
            Kind.duration(Duration.ofSeconds(1), Duration.ofMinutes(1)),
            "10s",
            "longest time one batch may take; after it the brokers give up the transaction of a dead intake");

    @Override
    public String name() {
        return "muster-intake";
    }

    @Override
    public String about() {
        return "Reads the jobs that tenants send, validates and answers them, and tells tenants what becomes of them.";
    }

    @Override
    public int defaultHttpPort() {
        return 9402;
    }

    @Override
    public List<Key<?>> keys() {
        List<Key<?>> keys = new ArrayList<>(TenantKeys.KEYS);
        keys.addAll(List.of(INSTANCE, EVENT_BYTES, BATCH, REMEMBERED, BACKOFF, TRANSACTION));
        return List.copyOf(keys);
    }

    @Override
    public IntakeConfig read(Values values) {
        List<TenantPolicy> tenants = TenantKeys.read(values);
        String instance = values.get(INSTANCE);
        Integer bytes = values.get(EVENT_BYTES);
        Integer batch = values.get(BATCH);
        Integer remembered = values.get(REMEMBERED);
        Duration backoff = values.get(BACKOFF);
        Duration transaction = values.get(TRANSACTION);
        if (values.hasProblems()) {
            return null;
        }
        return new IntakeConfig(instance, tenants, bytes, batch, remembered, backoff, transaction);
    }

    @Override
    public List<TopicSpec> topics(IntakeConfig config, CommonConfig common) {
        List<TopicSpec> topics = new ArrayList<>(common.topics().trusted(common.domains()));
        config.tenants().forEach(policy -> topics.addAll(common.topics().tenant(policy.tenant())));
        return topics;
    }

    @Override
    public Set<String> written(IntakeConfig config, CommonConfig common) {
        Set<String> written = new HashSet<>(Set.of(
                common.topics().submissions(),
                common.topics().templates(),
                common.topics().deadLetters()));
        config.tenants().stream().map(TenantPolicy::tenant).forEach(tenant -> {
            // The intake writes no commands. It registers their schema so that a registry can be closed to tenants.
            written.add(common.topics().jobs(tenant));
            written.add(common.topics().results(tenant));
        });
        return written;
    }

    @Override
    public Running start(IntakeConfig config, Platform platform) {
        CommonConfig common = platform.common();
        Intake intake = new Intake(
                common.topics(), common.domains(), common.kafka(), platform.registry(), config, platform.meters());
        intake.start();
        return new AtWork(intake);
    }

    private record AtWork(Intake intake) implements Running {
        @Override
        public List<String> stuck() {
            return intake.comesRound() ? List.of() : List.of("the loop of the intake has not come round for minutes");
        }

        @Override
        public List<String> notReady() {
            return intake.isHealthy() ? List.of() : List.of("commands are not answered: it starts, or starts over");
        }

        @Override
        public List<String> ended() {
            if (intake.isReplaced()) {
                return List.of("another intake with this " + INSTANCE.name() + " took over");
            }
            return intake.isRunning() ? List.of() : List.of("the intake broke, see the log");
        }

        @Override
        public void close() {
            intake.close();
        }
    }
}
