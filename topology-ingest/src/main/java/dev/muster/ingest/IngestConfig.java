package dev.muster.ingest;

import dev.muster.ingest.map.HealthMapping;
import dev.muster.ingest.watch.KindInformer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Settings of the ingest of one cluster.
 *
 * @param domain the scheduling domain that the cluster belongs to
 * @param cluster the cluster's name in the domain
 * @param instance name of this ingest among those of the cluster, stable across restarts: what starts under it takes the
 *     lease over from an earlier life of its own without waiting for it to run out
 * @param schedulerNames pods that name one of these as their scheduler are ours
 * @param leaseNamespace namespace of the member cluster that holds the lease; must exist
 * @param leaseDuration an ingest that does not renew for so long is replaced
 * @param minimumEpoch epochs are larger than this, also when the lease was deleted; 0 where nothing is known
 * @param health where GPU health is read from
 * @param silence a watch that says nothing, not even a bookmark, for so long is given up
 * @param audit time between comparisons of a full list with what was published
 * @param missingRecheck time between looks for kinds that the server does not have
 * @param retryShortest shortest wait after a failure
 * @param retryLongest longest wait after a failure
 * @param pageSize objects per page of a list
 * @param queueCapacity changes of a kind that may wait for the publisher
 */
public record IngestConfig(
        String domain,
        String cluster,
        String instance,
        Set<String> schedulerNames,
        String leaseNamespace,
        Duration leaseDuration,
        long minimumEpoch,
        HealthMapping health,
        Duration silence,
        Duration audit,
        Duration missingRecheck,
        Duration retryShortest,
        Duration retryLongest,
        int pageSize,
        int queueCapacity) {

    private static final String DNS_LABEL = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";

    /** @throws IllegalArgumentException naming everything that is wrong */
    public IngestConfig {
        schedulerNames = Set.copyOf(schedulerNames);
        List<String> errors = new ArrayList<>();
        require(errors, domain.matches(DNS_LABEL), "domain", domain, "a DNS label");
        require(errors, cluster.matches(DNS_LABEL), "cluster", cluster, "a DNS label");
        require(errors, instance.matches(DNS_LABEL), "instance", instance, "a DNS label");
        require(errors, leaseNamespace.matches(DNS_LABEL), "leaseNamespace", leaseNamespace, "a DNS label");
        require(
                errors,
                !schedulerNames.isEmpty() && schedulerNames.stream().noneMatch(String::isBlank),
                "schedulerNames",
                schedulerNames,
                "at least one name");
        require(errors, leaseDuration.toSeconds() >= 3, "leaseDuration", leaseDuration, "at least 3 s");
        require(errors, minimumEpoch >= 0, "minimumEpoch", minimumEpoch, "0 or more");
        for (var entry : List.of(
                Map.entry("silence", silence),
                Map.entry("audit", audit),
                Map.entry("missingRecheck", missingRecheck),
                Map.entry("retryShortest", retryShortest))) {
            Duration value = entry.getValue();
            require(errors, value.toMillis() > 0, entry.getKey(), value, "more than 0");
        }
        require(
                errors,
                retryLongest.compareTo(retryShortest) >= 0,
                "retryLongest",
                retryLongest,
                "at least retryShortest");
        require(errors, health.eccThreshold() >= 0, "health.eccThreshold", health.eccThreshold(), "0 or more");
        require(errors, pageSize >= 1 && pageSize <= 5_000, "pageSize", pageSize, "1 to 5000");
        require(errors, queueCapacity >= 1 && queueCapacity <= 100_000, "queueCapacity", queueCapacity, "1 to 100000");
        if (!errors.isEmpty()) {
            throw new IllegalArgumentException("ingest: " + String.join("; ", errors));
        }
    }

    private static void require(List<String> errors, boolean holds, String name, Object value, String expected) {
        if (!holds) {
            errors.add(name + " is '" + value + "', expected " + expected);
        }
    }

    /** The defaults for a cluster of a domain. */
    public static IngestConfig of(String domain, String cluster) {
        return new IngestConfig(
                domain,
                cluster,
                "ingest-0",
                Set.of("muster", "volcano"),
                "kube-system",
                Duration.ofSeconds(15),
                0,
                HealthMapping.defaults(),
                Duration.ofSeconds(90),
                Duration.ofMinutes(10),
                Duration.ofMinutes(3),
                Duration.ofMillis(500),
                Duration.ofSeconds(30),
                250,
                2_000);
    }

    /** The same under another name: of several ingests of a cluster each has its own. */
    public IngestConfig withInstance(String name) {
        return new IngestConfig(
                domain,
                cluster,
                name,
                schedulerNames,
                leaseNamespace,
                leaseDuration,
                minimumEpoch,
                health,
                silence,
                audit,
                missingRecheck,
                retryShortest,
                retryLongest,
                pageSize,
                queueCapacity);
    }

    /** The same with other scheduler names. */
    public IngestConfig withSchedulerNames(Set<String> names) {
        return new IngestConfig(
                domain,
                cluster,
                instance,
                names,
                leaseNamespace,
                leaseDuration,
                minimumEpoch,
                health,
                silence,
                audit,
                missingRecheck,
                retryShortest,
                retryLongest,
                pageSize,
                queueCapacity);
    }

    /** The same with the lease in another namespace, kept for another time. */
    public IngestConfig withLease(String namespace, Duration duration) {
        return new IngestConfig(
                domain,
                cluster,
                instance,
                schedulerNames,
                namespace,
                duration,
                minimumEpoch,
                health,
                silence,
                audit,
                missingRecheck,
                retryShortest,
                retryLongest,
                pageSize,
                queueCapacity);
    }

    /** The same with epochs above {@code epoch}. */
    public IngestConfig withMinimumEpoch(long epoch) {
        return new IngestConfig(
                domain,
                cluster,
                instance,
                schedulerNames,
                leaseNamespace,
                leaseDuration,
                epoch,
                health,
                silence,
                audit,
                missingRecheck,
                retryShortest,
                retryLongest,
                pageSize,
                queueCapacity);
    }

    /** The same with another health mapping. */
    public IngestConfig withHealth(HealthMapping mapping) {
        return new IngestConfig(
                domain,
                cluster,
                instance,
                schedulerNames,
                leaseNamespace,
                leaseDuration,
                minimumEpoch,
                mapping,
                silence,
                audit,
                missingRecheck,
                retryShortest,
                retryLongest,
                pageSize,
                queueCapacity);
    }

    /** The same with other times for watches: when one is given up, when lists are compared, when kinds are looked for. */
    public IngestConfig withTimes(Duration newSilence, Duration newAudit, Duration newMissingRecheck) {
        return new IngestConfig(
                domain,
                cluster,
                instance,
                schedulerNames,
                leaseNamespace,
                leaseDuration,
                minimumEpoch,
                health,
                newSilence,
                newAudit,
                newMissingRecheck,
                retryShortest,
                retryLongest,
                pageSize,
                queueCapacity);
    }

    KindInformer.Settings informerSettings() {
        return new KindInformer.Settings(silence, audit, missingRecheck, queueCapacity);
    }
}
