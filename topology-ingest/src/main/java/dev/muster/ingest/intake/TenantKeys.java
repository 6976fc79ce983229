package dev.muster.ingest.intake;

import dev.muster.service.CommonConfig;
import dev.muster.service.Key;
import dev.muster.service.Kind;
import dev.muster.service.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** What the operator says of tenants: which there are, and what each may ask for. */
final class TenantKeys {
    private static final String EVERY = "*";
    private static final Kind<Grant> GRANT = new Kind<>("a list of DNS labels with commas, or * for any", text -> {
        if (text.equals(EVERY)) {
            return Grant.everything();
        }
        return Grant.only(Kind.listOf(Kind.dnsLabel()).parser().apply(text));
    });

    private static final Key<List<String>> TENANTS = Key.of(
            "tenants",
            Kind.listOf(Kind.dnsLabel()),
            TenantPolicy.DEFAULT_TENANT,
            "the tenants; each has the topics <topic.prefix>jobs.<tenant> and <topic.prefix>results.<tenant>");
    private static final Key<String> DOMAIN = Key.optional(
            "tenant.*.domain",
            Kind.dnsLabel(),
            "the domain that the tenant's jobs go to; not needed where there is only one");
    private static final Key<Grant> NAMESPACES = Key.of(
            "tenant.*.namespaces",
            new Kind<>(
                    "a list of DNS labels with commas",
                    text -> Grant.only(Kind.listOf(Kind.dnsLabel()).parser().apply(text))),
            "default",
            "namespaces that its pods may live in; always by name");
    private static final Key<Grant> QUEUES =
            Key.of("tenant.*.queues", GRANT, EVERY, "queues that it may use; * is any");
    private static final Key<Grant> CLUSTERS =
            Key.of("tenant.*.clusters", GRANT, EVERY, "member clusters that it may name; * is any");
    private static final Key<Integer> PRIORITY = Key.of(
            "tenant.*.priority.ceiling",
            Kind.integer(-TenantPolicy.PRIORITY_MAX, TenantPolicy.PRIORITY_MAX),
            "1000000",
            "highest priority that its jobs may have");

    static final List<Key<?>> KEYS = List.of(TENANTS, DOMAIN, NAMESPACES, QUEUES, CLUSTERS, PRIORITY);

    private TenantKeys() {}

    /** What is wrong is reported to the values. */
    static List<TenantPolicy> read(Values values) {
        List<String> tenants = values.get(TENANTS);
        List<String> domains = values.get(CommonConfig.DOMAINS);
        if (tenants == null || domains == null) {
            return List.of();
        }
        for (Key<?> family : List.of(DOMAIN, NAMESPACES, QUEUES, CLUSTERS, PRIORITY)) {
            SortedMap<String, ?> said = values.members(family);
            said.keySet().removeAll(tenants);
            said.keySet()
                    .forEach(tenant -> values.refuse(family.name().replace("*", tenant) + ": '" + tenant
                            + "' is not one of " + TENANTS.name() + " (" + String.join(", ", tenants) + ")"));
        }
        List<TenantPolicy> policies = new ArrayList<>();
        for (String tenant : tenants) {
            policyOf(values, tenant, domains).ifPresent(policies::add);
        }
        return policies;
    }

    private static Optional<TenantPolicy> policyOf(Values values, String tenant, List<String> domains) {
        String domain = values.member(DOMAIN, tenant);
        Grant namespaces = values.member(NAMESPACES, tenant);
        Grant queues = values.member(QUEUES, tenant);
        Grant clusters = values.member(CLUSTERS, tenant);
        Integer priority = values.member(PRIORITY, tenant);
        String name = DOMAIN.name().replace("*", tenant);
        if (domain == null && domains.size() > 1) {
            values.refuse(name + " is missing, expected one of " + String.join(", ", domains));
        } else if (domain != null && !domains.contains(domain)) {
            values.refuse(name + " is '" + domain + "', expected one of " + String.join(", ", domains));
        }
        if (values.hasProblems()) {
            return Optional.empty();
        }
        return Optional.of(new TenantPolicy(
                tenant, domain == null ? domains.get(0) : domain, namespaces, queues, clusters, priority));
    }
}
