package dev.muster.standalone.openb;

/**
 * The paper's own policy, FGD: a pod goes to the node, and a share of a GPU to the device, where fragmentation grows least.
 */
final class FragmentationGradient implements Policy {
    private final Fragmentation fragmentation;

    FragmentationGradient(Fragmentation fragmentation) {
        this.fragmentation = fragmentation;
    }

    @Override
    public int score(Shape shape, GpuNode node) {
        int[] free = node.free();
        double before = fragmentation.of(node.facts().model(), node.cpuLeft(), free);
        if (!shape.shared()) {
            for (int device : node.wholeDevices(shape.gpus())) {
                free[device] = 0;
            }
            return score(shape, node, before, free);
        }
        return shared(shape, node, before, free).score();
    }

    @Override
    public int device(Shape shape, GpuNode node) {
        int[] free = node.free();
        double before = fragmentation.of(node.facts().model(), node.cpuLeft(), free);
        return shared(shape, node, before, free).device();
    }

    private record Best(int score, int device) {}

    /** The best device, the first of equals. */
    private Best shared(Shape shape, GpuNode node, double before, int[] free) {
        Best best = null;
        for (int device = 0; device < free.length; device++) {
            if (free[device] >= shape.gpuMilli()) {
                free[device] -= shape.gpuMilli();
                int score = score(shape, node, before, free);
                free[device] += shape.gpuMilli();
                if (best == null || score > best.score()) {
                    best = new Best(score, device);
                }
            }
        }
        return best;
    }

    private int score(Shape shape, GpuNode node, double before, int[] freeAfter) {
        double after = fragmentation.of(node.facts().model(), node.cpuLeft() - shape.cpuMillis(), freeAfter);
        return (int) (100 * sigmoid((before - after) / 1000));
    }

    private static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }
}
