package dev.muster.standalone.openb;

import java.util.Arrays;

/**
 * The policies that the paper compares with, as its program has them: <a
 * href="https://github.com/hkust-adsl/kubernetes-scheduler-simulator">kubernetes-scheduler-simulator</a>. Scores are truncated.
 */
final class Policies {
    private static final double MOST_CPU = 128_000;
    private static final long MOST_GPU = 8_000;

    private Policies() {}

    /** The less is left the better. */
    record BestFit() implements Policy {
        @Override
        public int score(Shape shape, GpuNode node) {
            double left = (node.cpuLeft() - shape.cpuMillis()) / MOST_CPU * 0.5;
            left += (double) (node.gpuLeft() - shape.totalGpuMilli()) / MOST_GPU * 0.5;
            return (int) ((1 - left) * 100);
        }
    }

    /** What is asked for and what is left point in different directions; Tetris (Grandl et al., SIGCOMM 2014) turned round. */
    record DotProduct() implements Policy {
        @Override
        public int score(Shape shape, GpuNode node) {
            double product = node.cpuLeft() / MOST_CPU * (shape.cpuMillis() / MOST_CPU);
            product += (double) node.gpuLeft() / MOST_GPU * ((double) shape.totalGpuMilli() / MOST_GPU);
            return (int) (100 * (1 - product / 2));
        }
    }

    /** Devices in use before free devices, nodes in use before free nodes; MLaaS in the Wild (Weng et al., NSDI 2022). */
    record GpuPacking() implements Policy {
        @Override
        public int score(Shape shape, GpuNode node) {
            if (shape.gpus() == 0) {
                return 0;
            }
            if (node.wholeFree() == node.devices()) {
                return Math.max(33 - node.wholeFree(), node.wholeFree());
            }
            int opened = 0;
            int leftPercent = 0;
            int wanted = shape.gpus();
            for (int left : tightestFirst(node)) {
                if (wanted > 0 && left >= shape.gpuMilli()) {
                    wanted--;
                    opened += left == Shape.WHOLE ? 1 : 0;
                    leftPercent += left * 100 / Shape.WHOLE;
                }
            }
            return opened > 0 ? Math.max(50 - opened, 33) : Math.max(50, 100 - leftPercent / 10);
        }

        private static int[] tightestFirst(GpuNode node) {
            int[] left = new int[node.devices()];
            for (int device = 0; device < left.length; device++) {
                left[device] = node.free(device);
            }
            Arrays.sort(left);
            return left;
        }
    }

    /** Pods that ask for as many GPUs come together; Gandiva (Xiao et al., OSDI 2018). */
    record GpuClustering() implements Policy {
        @Override
        public int score(Shape shape, GpuNode node) {
            if (shape.gpus() == 0) {
                return 0;
            }
            int fullness = (int) (25 * (MOST_GPU - node.gpuLeft()) / MOST_GPU);
            if (node.hasKindOf(shape)) {
                return fullness + (node.kinds() == 1 ? 75 : 50);
            }
            return fullness + (node.kinds() == 0 ? 25 : 0);
        }
    }

    /** The first node in the order of ranks. */
    record FirstFit() implements Policy {
        @Override
        public int score(Shape shape, GpuNode node) {
            return 0;
        }
    }

    /** The greater the share of the node that is left the better. */
    record Spread() implements Policy {
        @Override
        public int score(Shape shape, GpuNode node) {
            double cpu = (double) (node.cpuLeft() - shape.cpuMillis())
                    / Math.max(1, node.facts().cpuMillis());
            double gpu = (double) (node.gpuLeft() - shape.totalGpuMilli()) / Math.max(1, Shape.WHOLE * node.devices());
            return (int) (100 * (cpu + gpu) / 2);
        }
    }
}
