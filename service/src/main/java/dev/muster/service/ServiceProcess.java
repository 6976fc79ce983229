package dev.muster.service;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process of one service, from its arguments to its end: reads the configuration, serves health, waits for Kafka and the
 * schema registry, runs the service until it is told to end (SIGTERM, SIGINT) or ends by itself.
 *
 * @param <C> the service's configuration
 */
public final class ServiceProcess<C> {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceProcess.class);
    private static final long LOOK_MILLIS = 250;
    /** Below the 30 s that Kubernetes grants by default. */
    private static final long CLOSE_SECONDS = 25;

    private final Service<C> service;
    private final Key<Integer> httpPort;
    private final PrintStream out;
    private final PrintStream err;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Health health = new Health.Starting("reads its configuration");

    private ServiceProcess(Service<C> service, PrintStream out, PrintStream err) {
        this.service = service;
        this.httpPort = CommonConfig.httpPort(service.defaultHttpPort());
        this.out = out;
        this.err = err;
    }

    /**
     * Runs a service until it ends.
     *
     * @param environment environment variables
     * @return the exit code
     */
    public static <C> int run(Service<C> service, String[] args, Map<String, String> environment) {
        return run(service, args, environment, System.out, System.err);
    }

    static <C> int run(
            Service<C> service, String[] args, Map<String, String> environment, PrintStream out, PrintStream err) {
        return new ServiceProcess<>(service, out, err).run(args, environment);
    }

    /** Every key that a service knows, in the order of the documentation. */
    public static List<Key<?>> keysOf(Service<?> service) {
        List<Key<?>> keys = new ArrayList<>(CommonConfig.keys(CommonConfig.httpPort(service.defaultHttpPort())));
        keys.addAll(service.keys());
        return List.copyOf(keys);
    }

    /** Everything that is wrong with a service's configuration, a line each, without starting anything. */
    public static <C> List<String> problems(Service<C> service, Path file, Map<String, String> environment) {
        try {
            Values values =
                    new Arguments(Optional.empty(), Optional.of(file), true).values(keysOf(service), environment);
            service.read(values);
            CommonConfig.read(values, CommonConfig.httpPort(service.defaultHttpPort()));
            values.check();
            return values.passedOver();
        } catch (ConfigException e) {
            return e.problems();
        }
    }

    private int run(String[] args, Map<String, String> environment) {
        ServiceLogs.configure(ServiceLogs.UNTIL_CONFIGURED);
        try {
            Arguments arguments = Arguments.parse(service, args);
            if (arguments.answer().isPresent()) {
                out.print(arguments.answer().get());
                return ExitCodes.DONE;
            }
            Values values = arguments.values(keysOf(service), environment);
            C own = service.read(values);
            CommonConfig common = CommonConfig.read(values, httpPort);
            values.check();
            List<String> effective = values.effective(ServiceProcess::isSecret);
            if (arguments.check()) {
                effective.forEach(out::println);
                return ExitCodes.DONE;
            }
            ServiceLogs.configure(common.logs());
            LOG.info("{} {} starts", service.name(), Arguments.version(service));
            effective.forEach(line -> LOG.info("{}", line));
            values.passedOver().forEach(variable -> LOG.warn("{} is not a setting and is passed over", variable));
            return serveUntilTold(own, common);
        } catch (ConfigException e) {
            return say(ExitCodes.UNUSABLE, e.problems());
        }
    }

    private static boolean isSecret(String name) {
        return name.startsWith("kafka.") && KafkaClients.isSecret(name.substring("kafka.".length()));
    }

    private int serveUntilTold(C own, CommonConfig common) {
        Thread main = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(main), "end"));
        try {
            return serve(own, common);
        } catch (InterruptedException e) {
            return ExitCodes.DONE;
        } catch (RuntimeException e) {
            return stop.getCount() == 0 ? ExitCodes.DONE : failed(e);
        } finally {
            closed.countDown();
        }
    }

    private int serve(C own, CommonConfig common) throws InterruptedException {
        try (Parts parts = new Parts()) {
            PrometheusMeterRegistry meters = Meters.create(service.name());
            parts.add(meters::close);
            KafkaLink kafka = parts.add(KafkaLink.open(common));
            HealthServer http = parts.add(HealthServer.start(
                    common.http(), meters, () -> health.stuck(), () -> health.notReady(kafka::problem)));
            Gauge.builder("muster.ready", this, process -> process.isReady(kafka) ? 1 : 0)
                    .description("Whether the service does its work")
                    .register(meters);
            LOG.info("health and metrics at http://{}:{}", common.http().host(), http.port());

            health = new Health.Starting("waits for Kafka");
            kafka.awaitBrokers();
            ServiceLogs.tellOfConnections();
            kafka.ensureTopics(service.topics(own, common));
            health = new Health.Starting("waits for the schema registry");
            RegistryLink registry = parts.add(RegistryLink.open(common));
            registry.register(service.written(own, common));
            health = new Health.Starting("starts");
            Service.Running running = parts.add(service.start(own, new Platform(common, registry.client(), meters)));
            health = new Health.Working(running);
            LOG.info("{} is at work", service.name());
            return follow(running);
        }
    }

    private boolean isReady(KafkaLink kafka) {
        return health.notReady(kafka::problem).isEmpty();
    }

    private int follow(Service.Running running) throws InterruptedException {
        while (!stop.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            List<String> ended = running.ended();
            if (!ended.isEmpty()) {
                return say(ExitCodes.ENDED, ended);
            }
        }
        LOG.info("{} ends; what is under way is taken up by the next start", service.name());
        beginToClose();
        return ExitCodes.DONE;
    }

    /** From here on nothing interrupts: what is closed may wait for its own threads. */
    private synchronized void beginToClose() {
        health = new Health.Ending();
        Thread.interrupted();
    }

    private synchronized void tell(Thread main) {
        stop.countDown();
        if (health instanceof Health.Starting) {
            // It may wait for a service that does not answer.
            main.interrupt();
        }
    }

    /** Told to end: the process goes when this returns. */
    private void end(Thread main) {
        tell(main);
        try {
            if (!closed.await(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("{} did not close within {} s: what is left ends as by a kill", service.name(), CLOSE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int failed(RuntimeException problem) {
        StartFailure failure = StartFailure.of(problem);
        if (failure.exitCode() == ExitCodes.INTERNAL) {
            LOG.error("{} fails", service.name(), problem);
        }
        return say(failure.exitCode(), failure.lines());
    }

    private int say(int exitCode, Collection<String> lines) {
        lines.forEach(line -> err.println(service.name() + ": " + line));
        err.flush();
        return exitCode;
    }
}
