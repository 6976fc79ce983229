package dev.muster.ingest.map;

import java.util.List;

/**
 * The GPU that something is said of. Where nobody knows which one it is, that is said of the node: of all its GPUs.
 *
 * @param device its index; -1 for all of the node
 * @param unknown how it was named, and a blank, where it is not known; empty otherwise
 */
record GpuRef(int device, String unknown) {
    /** All of the node. */
    static final GpuRef NONE = new GpuRef(-1, "");

    /** By index or UUID; empty text is the node. */
    static GpuRef of(String text, List<String> uuids) {
        if (text.isEmpty()) {
            return NONE;
        }
        if (text.matches("[0-9]{1,3}") && Integer.parseInt(text) < Limits.DEVICES) {
            return new GpuRef(Integer.parseInt(text), "");
        }
        int index = uuids.indexOf(text);
        return index >= 0 ? new GpuRef(index, "") : new GpuRef(-1, text + " ");
    }
}
