package dev.muster.standalone.scenario;

/** Something that a file makes happen to a cluster. */
public sealed interface Step {
    /** When, in milliseconds of simulated time from the beginning. */
    long atMillis();

    Manifest manifest();

    /** The object is created, or replaced where it is there. */
    record Apply(long atMillis, Manifest manifest) implements Step {}

    /** The object is deleted, as kubectl would. */
    record Delete(long atMillis, Manifest manifest) implements Step {}

    /**
     * Somebody else evicts the pod, or the pods made from templates of this object that ask for it.
     *
     * @param asWritten value of the annotation, by which pods of templates are known
     */
    record Evict(long atMillis, Manifest manifest, String asWritten) implements Step {}
}
