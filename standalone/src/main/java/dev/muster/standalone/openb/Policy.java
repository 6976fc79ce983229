package dev.muster.standalone.openb;

/** Says how good a node is for a pod that fits there, by nothing but the pod's shape and what is free on the node. */
interface Policy {
    /** 0 to 100, more is better. */
    int score(Shape shape, GpuNode node);

    /** The device for a pod that shares one. */
    default int device(Shape shape, GpuNode node) {
        return node.tightest(shape.gpuMilli());
    }
}
