package dev.muster.standalone.kill;

import dev.muster.binder.BinderService;
import dev.muster.ingest.IngestService;
import dev.muster.ingest.intake.IntakeService;
import dev.muster.ingest.intake.TenantPolicy;
import dev.muster.scheduler.streams.SchedulerService;
import dev.muster.schemas.serde.EmbeddedRegistry;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.TopicAdmin;
import dev.muster.schemas.topic.TopicSpec;
import dev.muster.schemas.topic.Topics;
import dev.muster.service.Service;
import dev.muster.service.ServiceProcess;
import dev.muster.standalone.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/**
 * One part of Muster as its own main runs it, except that it ends with the process that started it and that its clock may
 * lie: {@code PartMain PART ARGUMENT...}.
 */
final class PartMain {
    static final String DOMAIN = "default";
    static final String CLUSTER = "east";
    static final Topics TOPICS = Topics.DEFAULT;
    static final Domains DOMAINS = Domains.of(DOMAIN);

    /** Property with the milliseconds that the clock is off. */
    static final String CLOCK_OFF = "part.clock.off";

    private static final Duration TOPICS_TIMEOUT = Duration.ofSeconds(60);

    private PartMain() {}

    public static void main(String[] args) throws InterruptedException {
        ChildProcess.endWithParent();
        String[] rest = List.of(args).subList(1, args.length).toArray(String[]::new);
        Clock clock = Clock.offset(Clock.systemUTC(), Duration.ofMillis(Long.getLong(CLOCK_OFF, 0)));
        switch (Part.valueOf(args[0])) {
            case BROKER -> broker(Path.of(rest[0]), Integer.parseInt(rest[1]), Integer.parseInt(rest[2]), rest[3]);
            case SCHEDULER -> run(new SchedulerService(clock), rest);
            case BINDER -> run(new BinderService(clock), rest);
            case INGEST -> run(new IngestService(clock), rest);
            case INTAKE -> run(new IntakeService(), rest);
        }
    }

    private static void run(Service<?> service, String[] args) {
        Runtime.getRuntime().exit(ServiceProcess.run(service, args, Map.of()));
    }

    private static void broker(Path dir, int port, int advertisedPort, String registryPort)
            throws InterruptedException {
        EmbeddedBroker broker = EmbeddedBroker.start(dir, port, advertisedPort);
        Map<String, Object> kafka = Map.of("bootstrap.servers", broker.bootstrapServers());
        List<TopicSpec> specs = new ArrayList<>(TOPICS.trusted(DOMAINS));
        specs.addAll(TOPICS.tenant(TenantPolicy.DEFAULT_TENANT));
        try (Admin admin = Admin.create(kafka)) {
            TopicAdmin.ensure(admin, specs, TOPICS_TIMEOUT);
        }
        EmbeddedRegistry.start(Integer.parseInt(registryPort), kafka, "_schemas");
        Thread.currentThread().join();
    }
}
