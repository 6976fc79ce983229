package dev.muster.scheduler.core.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gives each resource name a small number, so that amounts can live in arrays. Numbers never decide anything. */
public final class ResourceIndex {
    private final Map<String, Integer> byName = new HashMap<>();
    private final List<String> names = new ArrayList<>();

    /** The number of a resource, given out at first sight. */
    public int of(String resource) {
        Integer known = byName.get(resource);
        if (known != null) {
            return known;
        }
        byName.put(resource, names.size());
        names.add(resource);
        return names.size() - 1;
    }

    /** The resource with that number. */
    public String name(int index) {
        return names.get(index);
    }

    /** How many resources have a number. */
    int size() {
        return names.size();
    }
}
