package dev.muster.standalone.cluster;

/**
 * A kind of object the API server stores.
 *
 * @param group API group, empty for the core group
 * @param version the one version served
 * @param plural resource name as in the path, such as {@code pods}
 * @param kind kind name as in manifests, such as {@code Pod}
 * @param namespaced whether objects live in a namespace
 * @param traits how the server treats objects of this kind
 */
public record ResourceKind(
        String group, String version, String plural, String kind, boolean namespaced, java.util.Set<Trait> traits) {

    /** A property of a kind that changes how writes are treated. */
    public enum Trait {
        /** Status is written through its own subresource only, and dropped at creation. */
        STATUS,
        /** Has a status subresource, but a status given at creation stays (nodes, which register themselves). */
        STATUS_AT_CREATION,
        /** A custom resource: no strategic merge, no unconditional update, metadata untouched by status writes. */
        CUSTOM,
        /** An update must carry a resource version (leases, disruption budgets and every custom resource). */
        VERSIONED_UPDATE,
        /** {@code metadata.generation} counts changes of the spec. */
        GENERATION
    }

    public ResourceKind {
        traits = java.util.Set.copyOf(traits);
    }

    /** The {@code apiVersion} of manifests: {@code v1}, {@code batch/v1}. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** Resource and group as {@code kubectl api-resources} joins them: {@code pods}, {@code jobs.batch}. */
    public String resource() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    boolean is(Trait trait) {
        return traits.contains(trait);
    }

    /** Whether it has a status that is written by itself. */
    public boolean hasStatus() {
        return is(Trait.STATUS) || is(Trait.STATUS_AT_CREATION);
    }

    @Override
    public String toString() {
        return resource();
    }
}
