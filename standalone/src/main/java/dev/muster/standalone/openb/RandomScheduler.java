package dev.muster.standalone.openb;

import java.util.List;
import java.util.SplittableRandom;

/** Any node where the pod fits, each as likely, and the tightest device. */
final class RandomScheduler implements Scheduler {
    private final SplittableRandom random;
    private final List<GpuNode> nodes;

    RandomScheduler(long seed, List<GpuNode> nodes) {
        this.random = new SplittableRandom(seed);
        this.nodes = nodes;
    }

    @Override
    public Placement place(Shape shape) {
        GpuNode chosen = null;
        int feasible = 0;
        for (GpuNode node : nodes) {
            if (node.fits(shape) && random.nextInt(++feasible) == 0) {
                chosen = node;
            }
        }
        if (chosen == null) {
            return null;
        }
        int[] devices =
                shape.shared() ? new int[] {chosen.tightest(shape.gpuMilli())} : chosen.wholeDevices(shape.gpus());
        chosen.take(shape, devices);
        return new Placement(chosen, devices);
    }
}
