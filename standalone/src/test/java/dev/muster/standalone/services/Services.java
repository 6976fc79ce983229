package dev.muster.standalone.services;

import dev.muster.binder.BinderService;
import dev.muster.ingest.IngestService;
import dev.muster.ingest.intake.IntakeService;
import dev.muster.scheduler.streams.SchedulerService;
import dev.muster.service.Service;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** All services, by the names of their images, and where the checkout is. */
final class Services {
    private Services() {}

    static Map<String, Service<?>> all() {
        Map<String, Service<?>> services = new LinkedHashMap<>();
        services.put("ingest", new IngestService());
        services.put("intake", new IntakeService());
        services.put("scheduler", new SchedulerService());
        services.put("binder", new BinderService());
        return services;
    }

    /** The root of the checkout, wherever in it tests run. */
    static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("docker-compose.yml"))) {
            directory = directory.getParent();
        }
        return directory;
    }
}
