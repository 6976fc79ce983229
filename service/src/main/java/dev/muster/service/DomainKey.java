package dev.muster.service;

import java.util.List;

/** The one domain that a service of one member cluster works for. */
public final class DomainKey {
    /** The setting. */
    public static final Key<String> DOMAIN = Key.optional(
            "domain", Kind.dnsLabel(), "the domain that the cluster belongs to; not needed where there is only one");

    private DomainKey() {}

    /** The domain, one of those of the installation; null where that is wrong. */
    public static String read(Values values) {
        String domain = values.get(DOMAIN);
        List<String> domains = values.get(CommonConfig.DOMAINS);
        if (domains == null || (domain == null && values.isGiven(DOMAIN))) {
            return null;
        }
        if (domain == null && domains.size() > 1) {
            values.refuse(DOMAIN.name() + " is missing, expected one of " + String.join(", ", domains));
            return null;
        }
        if (domain != null && !domains.contains(domain)) {
            values.refuse(DOMAIN.name() + " is '" + domain + "', expected one of " + String.join(", ", domains));
            return null;
        }
        return domain == null ? domains.get(0) : domain;
    }
}
