package dev.muster.standalone.faults;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.schemas.common.PodRequirement;
import dev.muster.schemas.common.Quantity;
import dev.muster.schemas.job.JobAction;
import dev.muster.schemas.job.PodTemplate;
import dev.muster.schemas.job.Submission;
import dev.muster.schemas.job.SubmittedJob;
import dev.muster.schemas.job.SubmittedTask;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Keys;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.cluster.ObjectStore;
import dev.muster.standalone.cluster.VirtualCluster;
import dev.muster.standalone.cluster.VirtualTime;
import dev.muster.standalone.faults.Objects.PodShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.Serializer;

/** What users of the clusters want to run: gangs in every form, lone pods, jobs that come as events. */
final class Workload {
    static final String TENANT = "team";

    /** A submitted job, for the final judgement. */
    record Job(String cluster, int minimum, Ask ask) {}

    private final List<VirtualCluster> clusters;
    private final Map<String, Boolean> volcanoJobs;
    private final VirtualTime time;
    private final MemoryKafka kafka;
    private final Oracle oracle;
    private final SplittableRandom random;
    private final Serializer<PodTemplate> templateWriter;
    private final Serializer<Submission> submissionWriter;
    private final Topics topics;
    private final String domain;
    private final List<String> submitted = new ArrayList<>();
    private final Map<String, Job> jobs = new TreeMap<>();
    private int names;

    Workload(
            List<VirtualCluster> clusters,
            Map<String, Boolean> volcanoJobs,
            VirtualTime time,
            MemoryKafka kafka,
            Oracle oracle,
            SplittableRandom random,
            SchemaRegistry registry,
            Topics topics,
            String domain) {
        this.clusters = clusters;
        this.volcanoJobs = volcanoJobs;
        this.time = time;
        this.kafka = kafka;
        this.oracle = oracle;
        this.random = random;
        this.templateWriter = new AvroSerde<>(registry, PodTemplate.class).serializer();
        this.submissionWriter = new AvroSerde<>(registry, Submission.class).serializer();
        this.topics = topics;
        this.domain = domain;
    }

    /** Submitted jobs by id. */
    Map<String, Job> jobs() {
        return jobs;
    }

    /** One more thing that somebody wants. */
    void ask() {
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> gang(false);
            case 3, 4 -> gang(true);
            case 5 -> volcanoJob();
            case 6, 7 -> lonePod();
            default -> submit();
        }
    }

    private PodShape shape() {
        Ask ask = switch (random.nextInt(8)) {
            case 0, 1 -> new Ask(500, 1024, 0, 100 * (1 + random.nextInt(9)), 1);
            case 2 -> new Ask(1000L * (1 + random.nextInt(6)), 2048L * (1 + random.nextInt(4)), 0, 0, 1);
            default -> {
                int gpus = new int[] {1, 1, 1, 2, 2, 4, 8}[random.nextInt(7)];
                yield new Ask(1500L * gpus, 4096L * gpus, gpus, 0, 1);
            }
        };
        return new PodShape(ask, 3 + random.nextInt(35), 1 + random.nextInt(20), false);
    }

    private VirtualCluster cluster() {
        return clusters.get(random.nextInt(clusters.size()));
    }

    private int size() {
        return 1 + random.nextInt(random.nextInt(3) == 0 ? 8 : 3);
    }

    /** Group object and pods come in any order, at once or over some seconds. */
    private void gang(boolean volcano) {
        String name = "gang-" + names++;
        ObjectStore store = cluster().store();
        int size = size();
        int minimum = 1 + random.nextInt(size);
        PodShape shape = shape().withScratch(names % 4 == 0);
        List<Runnable> steps = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            ObjectNode pod = Objects.pod(name + "-" + i, shape);
            ObjectNode member = volcano ? Objects.inVolcanoGroup(pod, name) : Objects.inPodGroup(pod, name);
            steps.add(() -> store.create(member));
        }
        ObjectNode group = volcano ? Objects.volcanoGroup(name, minimum) : Objects.podGroup(name, minimum);
        steps.add(random.nextInt(3) == 0 ? random.nextInt(steps.size()) : 0, () -> store.create(group));
        long spread = random.nextInt(3) == 0 ? 1_500 : 3;
        long at = 0;
        for (Runnable step : steps) {
            time.after(Duration.ofMillis(at), step);
            at += random.nextLong(spread);
        }
    }

    private void volcanoJob() {
        int size = size();
        PodShape shape = shape();
        VirtualCluster cluster = cluster();
        if (!volcanoJobs.get(cluster.name())) {
            return;
        }
        cluster.store().create(Objects.volcanoJob("vjob-" + names++, size, 1 + random.nextInt(size), shape));
    }

    private void lonePod() {
        cluster().store().create(Objects.pod("lone-" + names, shape().withScratch(names++ % 4 == 0)));
    }

    /** As the intake would have accepted it. */
    private void submit() {
        String id = "job-" + names++;
        int replicas = size();
        PodShape shape = shape();
        String hash = "hash-" + id;
        String cluster = random.nextInt(3) == 0 ? cluster().name() : "";
        kafka.append(
                topics.templates(),
                Keys.template(domain, hash),
                templateWriter.serialize(
                        topics.templates(),
                        new PodTemplate(domain, hash, Objects.template(shape).toString())));
        int minimum = 1 + random.nextInt(replicas);
        SubmittedTask task = new SubmittedTask("worker", replicas, minimum, requirement(shape.ask()), hash, List.of());
        oracle.jobs.put(TENANT + "/Job/" + id, shape.ask());
        submitted.add(id);
        jobs.put(id, new Job(cluster, minimum, shape.ask()));
        send(
                id,
                JobAction.SUBMIT,
                new SubmittedJob(Objects.NAMESPACE, cluster, "default", 0, minimum, List.of(task), null, false));
    }

    private static PodRequirement requirement(Ask ask) {
        List<Quantity> requests = new ArrayList<>();
        requests.add(new Quantity("cpu", ask.cpuMilli()));
        requests.add(new Quantity("memory", ask.memoryMib() << 20));
        if (ask.gpus() > 0) {
            requests.add(new Quantity(Ask.GPU, (long) ask.gpus()));
        }
        requests.add(new Quantity("pods", 1L));
        return PodRequirement.newBuilder()
                .setRequests(requests)
                .setGpuFractionMilli(ask.gpuMilli())
                .build();
    }

    /** The tenant thinks better of it. */
    void cancelSome() {
        if (!submitted.isEmpty()) {
            send(submitted.get(random.nextInt(submitted.size())), JobAction.CANCEL, null);
        }
    }

    private void send(String id, JobAction action, SubmittedJob job) {
        Submission submission = new Submission(domain, TENANT, "command-" + names++, id, action, job, time.nowMillis());
        kafka.append(topics.submissions(), domain, submissionWriter.serialize(topics.submissions(), submission));
    }
}
