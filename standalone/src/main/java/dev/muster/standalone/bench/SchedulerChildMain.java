package dev.muster.standalone.bench;

import dev.muster.scheduler.streams.SchedulerApp;
import dev.muster.scheduler.streams.SchedulerConfig;
import dev.muster.schemas.serde.RegistryClient;
import dev.muster.schemas.serde.RegistryConfig;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.stack.StackConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** The process that {@link SchedulerChild} starts. Says on stdout how far it is. */
final class SchedulerChildMain {
    private SchedulerChildMain() {}

    public static void main(String[] args) throws InterruptedException {
        System.out.println("JVM is up");
        SchedulerApp scheduler = new SchedulerApp(
                SchedulerConfig.of(
                        Map.of("bootstrap.servers", args[0]),
                        Topics.DEFAULT,
                        Domains.of(StackConfig.DEFAULT_DOMAIN),
                        "bench",
                        Path.of(args[2])),
                new RegistryClient(RegistryConfig.of(URI.create(args[1]))),
                new SimpleMeterRegistry());
        scheduler.start();
        System.out.println("brokers are checked, Streams starts");
        if (scheduler.awaitRunning(Duration.ofMinutes(5))) {
            System.out.println("state is restored");
        }
        Thread.sleep(Duration.ofDays(1));
    }
}
