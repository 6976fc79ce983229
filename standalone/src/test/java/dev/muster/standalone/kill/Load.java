package dev.muster.standalone.kill;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.ingest.intake.TenantPolicy;
import dev.muster.schemas.job.JobAction;
import dev.muster.schemas.job.JobCommand;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.standalone.cluster.ResourceKinds;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * What users do while things break: a few workloads a second, about two thirds of the GPUs in use, gangs that wait for
 * room now and then. A pod of a gang that was taken away before it ended is made anew, as its owner would.
 */
final class Load implements AutoCloseable {
    static final int NODES = 10;
    static final int GPUS = 8;

    private static final Duration EVERY = Duration.ofMillis(600);

    /** Users wait with more while so many of their workloads have not run, so that what piled up while things were broken can be worked off. */
    private static final int MOST_WAITING = 20;

    private final Installation installation;
    private final Oracle oracle;
    private final Random random;
    private final KafkaProducer<String, JobCommand> producer;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("load").factory());
    private final AtomicInteger count = new AtomicInteger();
    private final List<Workload> submitted = new CopyOnWriteArrayList<>();
    private final Map<String, String> commands = new ConcurrentHashMap<>();
    private final List<Throwable> problems = new CopyOnWriteArrayList<>();
    private volatile boolean flowing;

    Load(Installation installation, Oracle oracle, long seed) {
        this.installation = installation;
        this.oracle = oracle;
        this.random = new Random(seed);
        Map<String, Object> config = new HashMap<>(installation.kafka());
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        Serializer<JobCommand> values = new AvroSerde<>(installation.registry(), JobCommand.class).serializer();
        this.producer = new KafkaProducer<>(config, new StringSerializer(), values);
        for (int i = 0; i < NODES; i++) {
            installation.cluster().store().create(Workload.node("node-" + i, GPUS));
        }
        installation.cluster().store().subscribe(ResourceKinds.PODS, (type, pod) -> {
            if (type.equals("DELETED")
                    && !succeeded(pod)
                    && !pod.at("/metadata/labels").has("muster.dev/job")) {
                timer.execute(() -> remake(pod));
            }
        });
        timer.scheduleWithFixedDelay(this::flow, 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    void begin() {
        flowing = true;
    }

    void end() {
        flowing = false;
    }

    /** Submits one at once, from any thread. */
    Workload submit(Workload.Kind kind, int pods, int gpus, long runtimeMillis) {
        Workload workload = new Workload(
                kind.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-') + "-" + count.incrementAndGet(),
                kind,
                pods,
                gpus,
                runtimeMillis);
        submitted.add(workload);
        switch (kind) {
            case JOB -> send(workload);
            case GANG -> {
                create(workload.group());
                for (int i = 0; i < pods; i++) {
                    create(workload.pod(i));
                }
            }
            case LONE_POD -> create(workload.pod(0));
        }
        return workload;
    }

    List<Workload> submitted() {
        return List.copyOf(submitted);
    }

    /** Ids of all commands sent. */
    Set<String> commands() {
        return Set.copyOf(commands.keySet());
    }

    /** What went wrong while submitting: the harness's own faults, or commands that Kafka did not take. */
    List<Throwable> problems() {
        producer.flush();
        return List.copyOf(problems);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        producer.close(Duration.ZERO);
    }

    private void flow() {
        if (!flowing || oracle.waiting(submitted) >= MOST_WAITING) {
            return;
        }
        try {
            int gpus = 1 << random.nextInt(3);
            long runtimeMillis = 1_500 + random.nextInt(4_000);
            switch (random.nextInt(5)) {
                case 0, 1 -> submit(Workload.Kind.GANG, 2 + random.nextInt(7), gpus, runtimeMillis);
                case 2, 3 -> submit(Workload.Kind.JOB, 2 + random.nextInt(5), gpus, runtimeMillis);
                default -> submit(Workload.Kind.LONE_POD, 1, random.nextInt(3), runtimeMillis);
            }
        } catch (RuntimeException e) {
            problems.add(e);
        }
    }

    private void send(Workload workload) {
        JobCommand command = JobCommand.newBuilder()
                .setCommandId("command-" + workload.name())
                .setJobId(workload.name())
                .setAction(JobAction.SUBMIT)
                .setJob(workload.job())
                .build();
        commands.put(command.getCommandId(), workload.name());
        producer.send(
                new ProducerRecord<>(PartMain.TOPICS.jobs(TenantPolicy.DEFAULT_TENANT), workload.name(), command),
                (metadata, problem) -> {
                    if (problem != null) {
                        problems.add(problem);
                    }
                });
    }

    private void remake(JsonNode pod) {
        try {
            ObjectNode anew = pod.deepCopy();
            ObjectNode metadata = (ObjectNode) anew.get("metadata");
            metadata.retain("name", "namespace", "labels", "annotations");
            ((ObjectNode) metadata.get("annotations")).retain("muster.dev/runtime");
            ((ObjectNode) anew.get("spec")).remove("nodeName");
            anew.remove("status");
            create(anew);
        } catch (RuntimeException e) {
            problems.add(e);
        }
    }

    private void create(ObjectNode object) {
        installation.cluster().store().create(object);
    }

    private static boolean succeeded(JsonNode pod) {
        return pod.at("/status/phase").asText().equals("Succeeded");
    }
}
