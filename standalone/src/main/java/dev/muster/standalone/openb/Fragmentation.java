package dev.muster.standalone.openb;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How much of a node's idle GPUs the popular shapes can't use, in thousandths of a GPU: section 3 of the paper.
 *
 * <p>For each shape its weight times what is idle counts under one case: GPUs and cpu lacking, GPUs lacking, cpu lacking, no GPU
 * wanted (and cpu there, or lacking), model not allowed. Where nothing lacks, only what lies on devices too small for the shape
 * counts, as lacking GPUs. Each case is summed in the order of popularity, and the cases in the order above: scores are
 * truncated, so that the last bit of a sum can decide.
 */
final class Fragmentation {
    private static final int COVERED_PERCENT = 95;

    private final List<Popular> popular;
    /** Shares of a device that popular shapes ask for, each once. */
    private final int[] shares;

    private final int[] shareOf;
    private final int[] gpus;
    private final long[] cpuMillis;
    private final double[] weights;
    private final Map<String, boolean[]> accessByModel = new HashMap<>();

    private final int[] enough;
    private final long[] onSmall;

    /** A shape, memory apart, and its part of all pods of popular shapes. */
    record Popular(long cpuMillis, int gpus, int gpuMilli, List<String> models, double weight) {
        /** Counts of pods to begin with; between equal counts the larger shape. */
        private static final Comparator<Map.Entry<Popular, Integer>> RAREST_FIRST =
                Map.Entry.<Popular, Integer>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.comparingLong(Popular::cpuMillis)
                                .thenComparingInt(Popular::gpuMilli)
                                .thenComparingInt(Popular::gpus)
                                .thenComparing(shape -> String.join("|", shape.models()))));

        private static Popular of(Shape pod) {
            return new Popular(pod.cpuMillis(), pod.gpus(), pod.gpuMilli(), pod.models(), 0);
        }

        private Popular weighing(double part) {
            return new Popular(cpuMillis, gpus, gpuMilli, models, part);
        }

        private boolean allows(String model) {
            return models.isEmpty() || models.contains(model);
        }
    }

    private Fragmentation(List<Popular> popular) {
        this.popular = popular;
        this.shares = popular.stream()
                .mapToInt(Popular::gpuMilli)
                .filter(milli -> milli > 0)
                .distinct()
                .toArray();
        List<Integer> known = Arrays.stream(shares).boxed().toList();
        this.shareOf = popular.stream()
                .mapToInt(shape -> known.indexOf(shape.gpuMilli()))
                .toArray();
        this.gpus = popular.stream().mapToInt(Popular::gpus).toArray();
        this.cpuMillis = popular.stream().mapToLong(Popular::cpuMillis).toArray();
        this.weights = popular.stream().mapToDouble(Popular::weight).toArray();
        this.enough = new int[shares.length];
        this.onSmall = new long[shares.length];
    }

    /** By the most frequent shapes of pods, so many that 95 % of the pods have one of them. */
    static Fragmentation of(List<Shape> pods) {
        Map<Popular, Integer> counts = new LinkedHashMap<>();
        pods.forEach(pod -> counts.merge(Popular.of(pod), 1, Integer::sum));
        List<Map.Entry<Popular, Integer>> sorted = new ArrayList<>(counts.entrySet());
        sorted.sort(Popular.RAREST_FIRST.reversed());
        long covered = 0;
        int taken = 0;
        while (taken < sorted.size() && covered * 100 < (long) COVERED_PERCENT * pods.size()) {
            covered += sorted.get(taken++).getValue();
        }
        double coveredPart = (double) covered / pods.size();
        return new Fragmentation(sorted.subList(0, taken).stream()
                .map(entry -> entry.getKey().weighing((double) entry.getValue() / pods.size() / coveredPart))
                .toList());
    }

    /** The popular shapes, most popular first. */
    List<Popular> popular() {
        return popular;
    }

    /** Of a node as it is. */
    double of(GpuNode node) {
        return of(node.facts().model(), node.cpuLeft(), node.free());
    }

    /** Of a node of that model with so much cpu and such devices free. */
    double of(String model, long cpuLeft, int[] free) {
        boolean[] access = accessByModel.computeIfAbsent(model, this::access);
        long idle = look(free);
        double lacksBoth = 0;
        double lacksGpu = 0;
        double lacksCpu = 0;
        double noGpu = 0;
        double noGpuLacksCpu = 0;
        double noAccess = 0;
        for (int i = 0; i < weights.length; i++) {
            boolean cpu = cpuLeft >= cpuMillis[i];
            int share = shareOf[i];
            if (share < 0) {
                if (cpu) {
                    noGpu += weights[i] * idle;
                } else {
                    noGpuLacksCpu += weights[i] * idle;
                }
            } else if (!access[i]) {
                noAccess += weights[i] * idle;
            } else if (enough[share] >= gpus[i]) {
                if (cpu) {
                    lacksGpu += weights[i] * onSmall[share];
                } else {
                    lacksCpu += weights[i] * idle;
                }
            } else if (cpu) {
                lacksGpu += weights[i] * idle;
            } else {
                lacksBoth += weights[i] * idle;
            }
        }
        return lacksBoth + lacksGpu + lacksCpu + noGpu + noGpuLacksCpu + noAccess;
    }

    /** Counts devices with enough for each share, and what lies on those without; gives what is idle. */
    private long look(int[] free) {
        long idle = 0;
        for (int left : free) {
            idle += left;
        }
        for (int share = 0; share < shares.length; share++) {
            int count = 0;
            long small = 0;
            for (int left : free) {
                if (left >= shares[share]) {
                    count++;
                } else {
                    small += left;
                }
            }
            enough[share] = count;
            onSmall[share] = small;
        }
        return idle;
    }

    private boolean[] access(String model) {
        boolean[] access = new boolean[popular.size()];
        for (int i = 0; i < access.length; i++) {
            access[i] = popular.get(i).allows(model);
        }
        return access;
    }
}
