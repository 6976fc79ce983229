package dev.muster.standalone.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.standalone.demo.Manifests.Ask;
import dev.muster.standalone.demo.Manifests.Where;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A GPU training workload made from a seed: equal arguments give equal objects at equal times.
 *
 * <p>Gangs of 2 to 64 pods as Volcano Jobs (some with a master, some that can start with fewer pods than they want) and
 * as scheduler-plugins PodGroups, batch Jobs of independent pods, lone pods, and pods that share a GPU. The first wave asks
 * for more than the cluster holds at once, so that some gangs wait for others; later ones ask for less and let the queues
 * drain. One gang of the first wave asks for more GPUs per pod than any node has and never fits.
 */
final class GpuWorkload {
    /** Name of the gang that no node can hold. */
    static final String NEVER_FITS = "train-too-large";

    private static final String[] MODELS = {"llm-7b", "llm-70b", "vision", "speech", "ranker", "diffusion"};
    private static final double FIRST_WAVE_LOAD = 1.5;
    private static final double LATER_WAVES_LOAD = 0.8;
    private static final long RUSH_MILLIS = 4_000;

    private final GpuCluster cluster;
    private final SplittableRandom random;
    private final String prefix;
    private final long spanMillis;
    private final List<Arrival> arrivals = new ArrayList<>();
    private int number;

    private GpuWorkload(GpuCluster cluster, long seed, int wave, long spanMillis) {
        this.cluster = cluster;
        this.random = new SplittableRandom(seed * 1_000_003 + wave);
        this.prefix = wave == 0 ? "" : "w" + wave + "-";
        this.spanMillis = spanMillis;
    }

    /**
     * One wave of work.
     *
     * @param wave names of different waves are different; the first one holds the gang that never fits
     * @param spanMillis time over which the work arrives
     */
    static List<Arrival> wave(GpuCluster cluster, long seed, int wave, long spanMillis) {
        GpuWorkload workload = new GpuWorkload(cluster, seed, wave, spanMillis);
        workload.fill(wave == 0, wave == 0 ? FIRST_WAVE_LOAD : LATER_WAVES_LOAD);
        return workload.arrivals;
    }

    private void fill(boolean withOneThatNeverFits, double load) {
        int usableGpus = cluster.usable("") * GpuCluster.GPUS_PER_NODE;
        double wantedGpuMillis = load * usableGpus * spanMillis;
        double askedGpuMillis = largest();
        while (askedGpuMillis < wantedGpuMillis) {
            // The first third of the load comes at once, as after a maintenance window.
            double share = askedGpuMillis / wantedGpuMillis;
            // A third comes quickly and fills the cluster; the rest keeps it full.
            long atMillis = (long)
                    (share < 0.33
                            ? share / 0.33 * RUSH_MILLIS
                            : RUSH_MILLIS + (share - 0.33) / 0.67 * (spanMillis - RUSH_MILLIS));
            askedGpuMillis += next(atMillis);
            if (withOneThatNeverFits && share > 0.2) {
                withOneThatNeverFits = false;
                arrivals.add(new Arrival(atMillis, List.of(neverFits())));
            }
        }
    }

    /** The largest gang comes first: 64 pods, or as many as half of the cluster holds. */
    private double largest() {
        int pods = 64;
        while (pods > 2 && pods > cluster.usable("") * GpuCluster.GPUS_PER_NODE / 4) {
            pods /= 2;
        }
        number++;
        Gang gang = new Gang(pods, 2, Where.ANY, runtimeMillis());
        ObjectNode job = Manifests.volcanoJob("research", name("train"), "research", pods);
        arrivals.add(new Arrival(
                0, List.of(Manifests.addTask(job, "worker", pods, Ask.ofGpus(2), Where.ANY, gang.runtimeMillis()))));
        return gang.gpuMillis();
    }

    /** Adds one piece of work; returns its size in GPU milliseconds. */
    private double next(long atMillis) {
        number++;
        int dice = random.nextInt(100);
        if (dice < 35) {
            return plainGang(atMillis);
        }
        if (dice < 50) {
            return gangWithMaster(atMillis);
        }
        if (dice < 65) {
            return podGroup(atMillis);
        }
        if (dice < 75) {
            return batchJob(atMillis);
        }
        return dice < 88 ? lonePod(atMillis) : sharedPod(atMillis);
    }

    private double plainGang(long atMillis) {
        Gang gang = gang(64);
        // One in five starts with three quarters of its pods and grows when there is room.
        int minAvailable = random.nextInt(5) == 0 ? Math.max(1, gang.pods() * 3 / 4) : gang.pods();
        ObjectNode job = Manifests.volcanoJob(namespace(), name("train"), queue(), minAvailable);
        Manifests.addTask(
                job, "worker", gang.pods(), Ask.ofGpus(gang.gpusPerPod()), gang.where(), gang.runtimeMillis());
        arrivals.add(new Arrival(atMillis, List.of(job)));
        return gang.gpuMillis();
    }

    private double gangWithMaster(long atMillis) {
        Gang gang = gang(32);
        ObjectNode job = Manifests.volcanoJob(namespace(), name("finetune"), queue(), gang.pods() + 1);
        Manifests.addTask(job, "master", 1, Ask.ofCpus(4), Where.ANY, gang.runtimeMillis());
        Manifests.addTask(
                job, "worker", gang.pods(), Ask.ofGpus(gang.gpusPerPod()), gang.where(), gang.runtimeMillis());
        arrivals.add(new Arrival(atMillis, List.of(job)));
        return gang.gpuMillis();
    }

    private double podGroup(long atMillis) {
        Gang gang = gang(16);
        String namespace = namespace();
        String name = name("ray");
        String queue = queue();
        List<ObjectNode> objects = new ArrayList<>();
        objects.add(Manifests.podGroup(namespace, name, gang.pods()));
        for (int i = 0; i < gang.pods(); i++) {
            ObjectNode pod = Manifests.pod(
                    namespace, name + "-" + i, Ask.ofGpus(gang.gpusPerPod()), gang.where(), gang.runtimeMillis());
            Manifests.label(pod, "scheduling.x-k8s.io/pod-group", name);
            Manifests.annotate(pod, "volcano.sh/queue-name", queue);
            objects.add(pod);
        }
        arrivals.add(new Arrival(atMillis, objects));
        return gang.gpuMillis();
    }

    private double batchJob(long atMillis) {
        int pods = 2 + random.nextInt(7);
        long runtimeMillis = runtimeMillis();
        arrivals.add(new Arrival(
                atMillis,
                List.of(Manifests.batchJob(
                        namespace(), name("sweep"), pods, Ask.ofGpus(1), Where.ANY, runtimeMillis))));
        return (double) pods * runtimeMillis;
    }

    private double lonePod(long atMillis) {
        int gpus = 1 << random.nextInt(3);
        long runtimeMillis = runtimeMillis();
        ObjectNode pod = Manifests.pod(
                "production",
                name("eval"),
                Ask.ofGpus(gpus),
                new Where(List.of(), GpuCluster.DEDICATED),
                runtimeMillis);
        arrivals.add(new Arrival(atMillis, List.of(pod)));
        return (double) gpus * runtimeMillis;
    }

    private double sharedPod(long atMillis) {
        int gpuMilli = new int[] {125, 250, 500}[random.nextInt(3)];
        long runtimeMillis = runtimeMillis();
        arrivals.add(new Arrival(
                atMillis,
                List.of(Manifests.pod("platform", name("notebook"), Ask.ofShare(gpuMilli), Where.ANY, runtimeMillis))));
        return gpuMilli / 1000.0 * runtimeMillis;
    }

    private ObjectNode neverFits() {
        ObjectNode job = Manifests.volcanoJob("research", prefix + NEVER_FITS, "research", 2);
        Ask ask = new Ask(8_000, 64 * 1024, 2 * GpuCluster.GPUS_PER_NODE, 0);
        return Manifests.addTask(job, "worker", 2, ask, Where.ANY, runtimeMillis());
    }

    private record Gang(int pods, int gpusPerPod, Where where, long runtimeMillis) {
        double gpuMillis() {
            return (double) pods * gpusPerPod * runtimeMillis;
        }
    }

    /** A gang that fits the cluster when it is empty, by construction. */
    private Gang gang(int mostPods) {
        boolean oneModel = random.nextInt(4) == 0 && cluster.usable(GpuCluster.OLD_MODEL) > 0;
        Where where = oneModel ? new Where(List.of(GpuCluster.OLD_MODEL), "") : Where.ANY;
        int nodes = cluster.usable(oneModel ? GpuCluster.OLD_MODEL : "");
        int gpusPerPod = 1 << random.nextInt(4);
        int room = nodes * (GpuCluster.GPUS_PER_NODE / gpusPerPod);
        int pods = 2 << random.nextInt(6);
        while (pods > 2
                && (pods > mostPods || pods > room || pods * gpusPerPod > Math.max(16, room * gpusPerPod / 2))) {
            pods /= 2;
        }
        return new Gang(Math.min(pods, Math.max(1, room)), gpusPerPod, where, runtimeMillis());
    }

    private long runtimeMillis() {
        return 2_000 + random.nextInt(8_000);
    }

    private String namespace() {
        return random.nextInt(3) == 0 ? "production" : "research";
    }

    private String queue() {
        return new String[] {"research", "research", "production", "default"}[random.nextInt(4)];
    }

    private String name(String role) {
        return prefix + role + "-" + MODELS[random.nextInt(MODELS.length)] + "-%03d".formatted(number);
    }
}
