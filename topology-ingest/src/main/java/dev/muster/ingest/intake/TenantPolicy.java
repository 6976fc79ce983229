package dev.muster.ingest.intake;

import java.util.ArrayList;
import java.util.List;

/**
 * What one tenant may ask for. Set by the operator; nothing a tenant sends can widen it.
 *
 * @param tenant the tenant, as in {@code jobs.TENANT}; a DNS label
 * @param domain the scheduling domain that the tenant's jobs go to
 * @param namespaces namespaces that its pods may live in; always listed by name, at least one
 * @param queues queues that it may use
 * @param clusters member clusters that it may name; a job that names none goes where there is room
 * @param priorityCeiling the highest priority a job may have, at most 1,000,000,000 as for Kubernetes' own users
 */
public record TenantPolicy(
        String tenant, String domain, Grant namespaces, Grant queues, Grant clusters, int priorityCeiling) {

    /** The tenant of an installation that needs no more than one. */
    public static final String DEFAULT_TENANT = "default";

    /** Highest and, negated, lowest priority that Kubernetes leaves to users (HighestUserDefinablePriority). */
    static final int PRIORITY_MAX = 1_000_000_000;

    private static final int DEFAULT_CEILING = 1_000_000;

    /**
     * The policy of the tenant {@code default}: namespace {@code default} only, since a namespace is where rights
     * end; any queue and any cluster, since where there is one tenant all of them are its own; priorities up to
     * 1,000,000.
     */
    public static TenantPolicy ofDefaultTenant(String domain) {
        return new TenantPolicy(
                DEFAULT_TENANT, domain, Grant.only("default"), Grant.everything(), Grant.everything(), DEFAULT_CEILING);
    }

    /** What is wrong with this policy; empty when nothing is. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        String who = "tenant " + Names.quote(tenant);
        if (!Names.isDnsLabel(tenant)) {
            problems.add(who + ": the name is not a DNS label");
        }
        if (domain.isEmpty()) {
            problems.add(who + ": domain is missing");
        }
        if (namespaces.any() || namespaces.names().isEmpty()) {
            problems.add(who + ": namespaces must be listed by name, at least one");
        }
        List<Grant> grants = List.of(namespaces, queues, clusters);
        List<String> kinds = List.of("namespace", "queue", "cluster");
        for (int i = 0; i < grants.size(); i++) {
            for (String name : grants.get(i).names()) {
                if (!Names.isDnsLabel(name)) {
                    problems.add(who + ": " + kinds.get(i) + " " + Names.quote(name) + " is not a DNS label");
                }
            }
        }
        if (priorityCeiling < -PRIORITY_MAX || priorityCeiling > PRIORITY_MAX) {
            problems.add(who + ": priority ceiling " + priorityCeiling + " is not in -" + PRIORITY_MAX + ".."
                    + PRIORITY_MAX);
        }
        return problems;
    }
}
