package dev.muster.standalone.scenario;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.standalone.scenario.read.KindTable;

/**
 * An object as a file gives it.
 *
 * @param place where it stands: file, line, document, kind and name; for messages
 * @param cluster the member cluster it lives in
 * @param namespace empty for kinds that have none
 * @param tree the manifest; never changed
 * @param use what its kind means to a run
 * @param what for a kind that is not used yet: what it would do; empty otherwise
 */
public record Manifest(
        String place,
        String cluster,
        String apiVersion,
        String kind,
        String namespace,
        String name,
        ObjectNode tree,
        KindTable.Use use,
        String what) {

    /** Where nothing says otherwise, objects live in this cluster. */
    public static final String DEFAULT_CLUSTER = "default";

    /** What identifies it: the same key again replaces the object. */
    public String key() {
        return cluster + "|" + apiVersion + "|" + kind + "|" + namespace + "|" + name;
    }

    /** Kind, namespace and name, for people. */
    public String title() {
        return kind + " " + (namespace.isEmpty() ? name : namespace + "/" + name);
    }
}
