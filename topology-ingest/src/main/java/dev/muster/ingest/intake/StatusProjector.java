package dev.muster.ingest.intake;

import dev.muster.schemas.decision.WorkloadState;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.job.JobResult;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The life of a job as its tenant may see it: news when the state or the reason code of one of its own jobs changed,
 * without nodes, details or anything about others. Fed with topic workload-status; remembers what was told last,
 * bounded.
 */
final class StatusProjector {

    /** The kind of workloads that came as events. */
    static final String JOB_KIND = "Job";

    /** News for one tenant. */
    record News(String tenant, JobResult result) {}

    private record Told(String status, String reason) {}

    private final Map<String, String> domainByTenant = new TreeMap<>();
    private final Map<String, Told> toldByWorkload;

    /** @param maxRemembered most workloads of which the last news is remembered */
    @SuppressWarnings("serial")
    StatusProjector(Collection<TenantPolicy> tenants, int maxRemembered) {
        tenants.forEach(policy -> domainByTenant.put(policy.tenant(), policy.domain()));
        this.toldByWorkload = new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Told> eldest) {
                return size() > maxRemembered;
            }
        };
    }

    /**
     * The news in a status, if it is any. {@code key} is the record's key, {@code status} null where the workload is
     * forgotten.
     */
    Optional<News> project(String key, WorkloadStatus status) {
        if (status == null) {
            toldByWorkload.remove(key);
            return Optional.empty();
        }
        if (!status.getKind().equals(JOB_KIND) || !status.getDomain().equals(domainByTenant.get(status.getTenant()))) {
            return Optional.empty();
        }
        Told now = new Told(wordFor(status.getState()), status.getReason().getCode());
        if (now.equals(toldByWorkload.put(key, now))) {
            return Optional.empty();
        }
        JobResult result = new JobResult(
                "",
                status.getObject(),
                now.status,
                now.reason,
                "",
                status.getReason().getMessage(),
                status.getSinceMillis());
        return Optional.of(new News(status.getTenant(), result));
    }

    private static String wordFor(WorkloadState state) {
        return switch (state) {
            case INCOMPLETE, WAITING -> "Pending";
            case PLACED -> "Placed";
            case RUNNING -> "Running";
            case COMPLETED -> "Completed";
            case FAILED -> "Failed";
            case CANCELLED -> "Cancelled";
            case SUSPENDED -> "Suspended";
        };
    }
}
