package dev.muster.standalone.openb;

import java.util.List;

/** Decides where pods go as they arrive, one after the other. None ever ends. */
interface Scheduler {
    /** Where a pod was placed; devices rising, none for a pod without GPUs. */
    record Placement(GpuNode node, int[] devices) {}

    /** Places a pod of that shape; null when it fits nowhere, and then it is forgotten. */
    Placement place(Shape shape);

    /** What a scheduler is made of: the nodes in the order of their ranks. */
    @FunctionalInterface
    interface Factory {
        Scheduler on(List<GpuNode> nodes);
    }
}
