package dev.muster.ingest.intake;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which names a tenant may use: any, or those listed.
 *
 * @param any whether every name is granted
 * @param names the names that are granted where not every one is; sorted
 */
public record Grant(boolean any, SortedSet<String> names) {

    /** Copies the names. */
    public Grant {
        names = Collections.unmodifiableSortedSet(new TreeSet<>(names));
    }

    /** Grants every name. */
    public static Grant everything() {
        return new Grant(true, new TreeSet<>());
    }

    /** Grants these names and no other. */
    public static Grant only(Collection<String> names) {
        return new Grant(false, new TreeSet<>(names));
    }

    /** Grants these names and no other. */
    public static Grant only(String... names) {
        return only(List.of(names));
    }

    boolean allows(String name) {
        return any || names.contains(name);
    }
}
