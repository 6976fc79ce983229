package dev.muster.scheduler.core.quota;

/** What a quota is counted in: a resource of one flavor. Ordered by flavor, then resource. */
public record FlavorResource(String flavor, String resource) implements Comparable<FlavorResource> {
    @Override
    public int compareTo(FlavorResource other) {
        int byFlavor = flavor.compareTo(other.flavor);
        return byFlavor != 0 ? byFlavor : resource.compareTo(other.resource);
    }

    @Override
    public String toString() {
        return flavor + "/" + resource;
    }
}
