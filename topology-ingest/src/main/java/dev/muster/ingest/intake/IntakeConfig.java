package dev.muster.ingest.intake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Settings of an intake.
 *
 * @param id names this intake: its transactional id and its consumer group derive from it, so that of two intakes
 *     with one id only the one that started last works; a DNS label
 * @param tenants the tenants it serves, each once
 * @param maxEventBytes largest command that is decoded, 1 KiB to 1 MiB
 * @param maxBatchRecords most commands of one tenant that are answered before the next tenant has its turn, 1 to 1,000
 * @param maxRememberedPerTenant most jobs, and most commands, of a tenant that repetitions are recognised of, 1 to
 *     10,000,000; about 300 bytes each
 * @param retryBackoff how long the intake waits after a failure that may pass, and a tenant after its first in a row;
 *     1 ms to 1 min
 * @param transactionTimeout longest time one batch may take; the broker gives up the transaction of a dead intake
 *     after it; 1 s to 1 min
 */
public record IntakeConfig(
        String id,
        List<TenantPolicy> tenants,
        int maxEventBytes,
        int maxBatchRecords,
        int maxRememberedPerTenant,
        Duration retryBackoff,
        Duration transactionTimeout) {

    /** Largest command unless said otherwise: 256 KiB. */
    public static final int DEFAULT_MAX_EVENT_BYTES = 256 * 1024;

    /** @throws IllegalArgumentException naming everything that is wrong */
    public IntakeConfig {
        tenants = List.copyOf(tenants);
        List<String> problems = new ArrayList<>();
        if (!Names.isDnsLabel(id)) {
            problems.add("id " + Names.quote(id) + " is not a DNS label");
        }
        if (tenants.isEmpty()) {
            problems.add("tenants: at least one is needed");
        }
        Set<String> seen = new HashSet<>();
        for (TenantPolicy policy : tenants) {
            problems.addAll(policy.problems());
            if (!seen.add(policy.tenant())) {
                problems.add("tenant " + Names.quote(policy.tenant()) + " is listed twice");
            }
        }
        range(problems, "maxEventBytes", maxEventBytes, 1024, 1024 * 1024);
        range(problems, "maxBatchRecords", maxBatchRecords, 1, 1_000);
        range(problems, "maxRememberedPerTenant", maxRememberedPerTenant, 1, 10_000_000);
        range(problems, "retryBackoff in milliseconds", retryBackoff.toMillis(), 1, 60_000);
        range(problems, "transactionTimeout in milliseconds", transactionTimeout.toMillis(), 1_000, 60_000);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("intake configuration: " + String.join("; ", problems));
        }
    }

    /** The defaults: 256 KiB, 100 records, 200,000 remembered, one second, ten seconds. */
    public static IntakeConfig of(String id, List<TenantPolicy> tenants) {
        return new IntakeConfig(
                id, tenants, DEFAULT_MAX_EVENT_BYTES, 100, 200_000, Duration.ofSeconds(1), Duration.ofSeconds(10));
    }

    private static void range(List<String> problems, String name, long value, long min, long max) {
        if (value < min || value > max) {
            problems.add(name + " is " + value + ", expected " + min + " to " + max);
        }
    }
}
