package dev.muster.schemas.topic;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The scheduling domains of an installation, in the order of their partitions: domain number n lives in partition n of
 * every trusted topic. Domains may be appended; taking one out or changing the order moves domains to other partitions.
 *
 * @param names names, unique DNS labels; at least one
 */
public record Domains(List<String> names) {
    private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    /** @throws IllegalArgumentException when there is no name, a name twice, or one that is no DNS label */
    public Domains {
        names = List.copyOf(names);
        if (names.isEmpty()) {
            throw new IllegalArgumentException("domains: at least one is needed");
        }
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            requireDnsLabel("domain", name);
            if (!seen.add(name)) {
                throw new IllegalArgumentException("domains: " + name + " is named twice");
            }
        }
    }

    /** An installation with these domains. */
    public static Domains of(String... names) {
        return new Domains(List.of(names));
    }

    /** How many domains there are: the number of partitions of each trusted topic. */
    public int count() {
        return names.size();
    }

    /**
     * The partition of a domain in every trusted topic.
     *
     * @throws IllegalArgumentException when the domain is not one of these
     */
    public int partitionOf(String domain) {
        int partition = names.indexOf(domain);
        if (partition < 0) {
            throw new IllegalArgumentException("domain " + domain + " is not one of " + names);
        }
        return partition;
    }

    static void requireDnsLabel(String what, String name) {
        if (!DNS_LABEL.matcher(name).matches()) {
            throw new IllegalArgumentException(what + " '" + name
                    + "': expected a DNS label (a-z, 0-9, '-', at most 63 characters, no '-' at either end)");
        }
    }
}
