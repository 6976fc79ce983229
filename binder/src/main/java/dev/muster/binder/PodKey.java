package dev.muster.binder;

/** Where a pod is found: its name may be used again by another pod. */
record PodKey(String namespace, String name) {
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
