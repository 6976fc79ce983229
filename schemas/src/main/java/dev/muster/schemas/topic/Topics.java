package dev.muster.schemas.topic;

import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_COMPACT;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_DELETE;
import static org.apache.kafka.common.config.TopicConfig.COMPRESSION_TYPE_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.DELETE_RETENTION_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MAX_MESSAGE_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_MS_CONFIG;

import dev.muster.schemas.decision.DeadLetter;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.event.GroupEvent;
import dev.muster.schemas.event.HealthEvent;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.event.NumaEvent;
import dev.muster.schemas.event.PodEvent;
import dev.muster.schemas.event.PolicyEvent;
import dev.muster.schemas.job.JobCommand;
import dev.muster.schemas.job.JobResult;
import dev.muster.schemas.job.PodTemplate;
import dev.muster.schemas.job.Submission;
import dev.muster.schemas.journal.JournalEntry;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;

/**
 * Names and settings of all topics. Trusted topics have one partition per domain and one writer each; a tenant has a
 * pair of topics of its own, which no other tenant reads or writes.
 *
 * @param prefix what every name begins with, such as {@code muster.}; may be empty
 */
public record Topics(String prefix) {
    /** Names with the prefix {@code muster.}. */
    public static final Topics DEFAULT = new Topics("muster.");

    /** Largest batch on a trusted topic, in bytes: the largest value that is decoded, with room for key and headers. */
    public static final int MAX_TRUSTED_BATCH_BYTES = (8 << 20) + (64 << 10);

    /** Largest batch on a tenant's topics, in bytes. */
    public static final int MAX_TENANT_BATCH_BYTES = 1 << 20;

    private static final String JOBS = "jobs.";
    private static final String RESULTS = "results.";

    // A reader that was away for less than this still sees every deletion of a compacted topic.
    private static final Duration TOMBSTONES = Duration.ofDays(7);
    private static final Duration MONTH = Duration.ofDays(30);
    private static final Duration YEAR = Duration.ofDays(365);

    /** @throws IllegalArgumentException when the prefix has characters that topic names cannot have */
    public Topics {
        if (!prefix.matches("[a-zA-Z0-9.-]{0,100}")) {
            throw new IllegalArgumentException(
                    "topic prefix '" + prefix + "': expected at most 100 letters, digits, '.' and '-'");
        }
    }

    /** Nodes of the member clusters: NodeEvent. */
    public String nodes() {
        return prefix + "nodes";
    }

    /** Pods of the member clusters: PodEvent. */
    public String pods() {
        return prefix + "pods";
    }

    /** Gang objects of the member clusters (PodGroups, Volcano Jobs): GroupEvent. */
    public String workloads() {
        return prefix + "workloads";
    }

    /** GPU health by node: HealthEvent. */
    public String gpuHealth() {
        return prefix + "gpu-health";
    }

    /** NUMA zones by node: NumaEvent. */
    public String numa() {
        return prefix + "numa";
    }

    /** Queues, priority classes, disruption budgets, scheduler policy: PolicyEvent. */
    public String policies() {
        return prefix + "policies";
    }

    /** Accepted commands of tenants: Submission. */
    public String submissions() {
        return prefix + "submissions";
    }

    /** Pod templates by hash: PodTemplate. */
    public String templates() {
        return prefix + "templates";
    }

    /** What became of each decision: Outcome. */
    public String outcomes() {
        return prefix + "outcomes";
    }

    /** The recorded total order: JournalEntry. */
    public String journal() {
        return prefix + "journal";
    }

    /** What was decided: Decision. */
    public String decisions() {
        return prefix + "decisions";
    }

    /** Where each workload is and why: WorkloadStatus. */
    public String workloadStatus() {
        return prefix + "workload-status";
    }

    /** What could not be decoded or validated: DeadLetter. */
    public String deadLetters() {
        return prefix + "dead-letters";
    }

    /** What a tenant submits: JobCommand. Untrusted. */
    public String jobs(String tenant) {
        return prefix + JOBS + requireTenant(tenant);
    }

    /** What a tenant is told: JobResult. */
    public String results(String tenant) {
        return prefix + RESULTS + requireTenant(tenant);
    }

    /**
     * The tenant whose job topic this is.
     *
     * @throws IllegalArgumentException when it is no tenant's job topic
     */
    public String tenantOf(String jobsTopic) {
        String start = prefix + JOBS;
        if (!jobsTopic.startsWith(start)) {
            throw new IllegalArgumentException("topic " + jobsTopic + ": expected " + start + "TENANT");
        }
        return requireTenant(jobsTopic.substring(start.length()));
    }

    /** The topics that only our own processes write: one partition per domain. */
    public List<TopicSpec> trusted(Domains domains) {
        int partitions = domains.count();
        return List.of(
                new TopicSpec(nodes(), partitions, compacted()),
                new TopicSpec(pods(), partitions, compacted()),
                new TopicSpec(workloads(), partitions, compacted()),
                new TopicSpec(gpuHealth(), partitions, compacted()),
                new TopicSpec(numa(), partitions, compacted()),
                new TopicSpec(policies(), partitions, compacted()),
                new TopicSpec(submissions(), partitions, deletedAfter(MONTH, "lz4")),
                new TopicSpec(templates(), partitions, compacted()),
                new TopicSpec(outcomes(), partitions, deletedAfter(MONTH, "lz4")),
                new TopicSpec(journal(), partitions, deletedAfter(YEAR, "lz4")),
                new TopicSpec(decisions(), partitions, deletedAfter(YEAR, "lz4")),
                new TopicSpec(workloadStatus(), partitions, compacted()),
                new TopicSpec(deadLetters(), partitions, deletedAfter(MONTH, "lz4")));
    }

    /** The two topics of a tenant. */
    public List<TopicSpec> tenant(String tenant) {
        return List.of(new TopicSpec(jobs(tenant), 1, untrusted()), new TopicSpec(results(tenant), 1, answers()));
    }

    /** The class of each topic's values, by full topic name, in the order of the flow. */
    public Map<String, Class<? extends SpecificRecord>> valueTypes(Collection<String> tenants) {
        Map<String, Class<? extends SpecificRecord>> types = new LinkedHashMap<>();
        types.put(nodes(), NodeEvent.class);
        types.put(pods(), PodEvent.class);
        types.put(workloads(), GroupEvent.class);
        types.put(gpuHealth(), HealthEvent.class);
        types.put(numa(), NumaEvent.class);
        types.put(policies(), PolicyEvent.class);
        for (String tenant : tenants) {
            types.put(jobs(tenant), JobCommand.class);
            types.put(results(tenant), JobResult.class);
        }
        types.put(submissions(), Submission.class);
        types.put(templates(), PodTemplate.class);
        types.put(journal(), JournalEntry.class);
        types.put(decisions(), Decision.class);
        types.put(outcomes(), Outcome.class);
        types.put(workloadStatus(), WorkloadStatus.class);
        types.put(deadLetters(), DeadLetter.class);
        return types;
    }

    /**
     * The class of the values of one of these topics.
     *
     * @throws IllegalArgumentException when it is none of them
     */
    public Class<? extends SpecificRecord> valueType(String topic) {
        if (topic.startsWith(prefix + JOBS)) {
            return JobCommand.class;
        }
        if (topic.startsWith(prefix + RESULTS)) {
            return JobResult.class;
        }
        Class<? extends SpecificRecord> type = valueTypes(List.of()).get(topic);
        if (type == null) {
            throw new IllegalArgumentException("topic " + topic + " is none of Muster's");
        }
        return type;
    }

    private static Map<String, String> compacted() {
        return Map.of(
                CLEANUP_POLICY_CONFIG,
                CLEANUP_POLICY_COMPACT,
                COMPRESSION_TYPE_CONFIG,
                "lz4",
                DELETE_RETENTION_MS_CONFIG,
                millis(TOMBSTONES),
                MAX_MESSAGE_BYTES_CONFIG,
                Integer.toString(MAX_TRUSTED_BATCH_BYTES));
    }

    private static Map<String, String> deletedAfter(Duration retention, String compression) {
        return Map.of(
                CLEANUP_POLICY_CONFIG,
                CLEANUP_POLICY_DELETE,
                COMPRESSION_TYPE_CONFIG,
                compression,
                RETENTION_MS_CONFIG,
                millis(retention),
                RETENTION_BYTES_CONFIG,
                "-1",
                MAX_MESSAGE_BYTES_CONFIG,
                Integer.toString(MAX_TRUSTED_BATCH_BYTES));
    }

    private static Map<String, String> untrusted() {
        return Map.of(
                CLEANUP_POLICY_CONFIG,
                CLEANUP_POLICY_DELETE,
                // The broker unpacks what a tenant packed, so that the size limit counts the unpacked bytes.
                COMPRESSION_TYPE_CONFIG,
                "uncompressed",
                // A tenant's clock decides nothing, not even how long its records are kept.
                MESSAGE_TIMESTAMP_TYPE_CONFIG,
                "LogAppendTime",
                RETENTION_MS_CONFIG,
                millis(Duration.ofDays(7)),
                MAX_MESSAGE_BYTES_CONFIG,
                Integer.toString(MAX_TENANT_BATCH_BYTES));
    }

    private static Map<String, String> answers() {
        Map<String, String> config = new TreeMap<>(compacted());
        config.put(CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_COMPACT + "," + CLEANUP_POLICY_DELETE);
        config.put(RETENTION_MS_CONFIG, millis(MONTH));
        config.put(MAX_MESSAGE_BYTES_CONFIG, Integer.toString(MAX_TENANT_BATCH_BYTES));
        return config;
    }

    private static String requireTenant(String tenant) {
        Domains.requireDnsLabel("tenant", tenant);
        return tenant;
    }

    private static String millis(Duration duration) {
        return Long.toString(duration.toMillis());
    }
}
