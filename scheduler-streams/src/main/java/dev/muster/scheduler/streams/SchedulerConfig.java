package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.state.Row;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * How the scheduler runs.
 *
 * @param client Kafka client settings: {@code bootstrap.servers} and security; what the scheduler sets itself wins
 * @param topics topic names
 * @param domains the domains, in the order of their partitions
 * @param applicationId consumer group, transactional id and prefix of the changelogs
 * @param instanceId this process among those with the same application id; stable across restarts, so that a restart is
 *     not taken for a departure
 * @param stateDir directory for Kafka Streams' lock and task files; state itself lives in memory and on changelogs
 * @param threads stream threads; domains are spread over them
 * @param commitIntervalMillis how often a transaction is committed under load, milliseconds
 * @param transactionTimeoutMillis after which the brokers abort the transaction of a process that died, milliseconds
 */
public record SchedulerConfig(
        Map<String, Object> client,
        Topics topics,
        Domains domains,
        String applicationId,
        String instanceId,
        Path stateDir,
        int threads,
        long commitIntervalMillis,
        int transactionTimeoutMillis) {
    /** Commit interval unless said otherwise, milliseconds: an exactly-once hop costs about that much latency. */
    public static final long DEFAULT_COMMIT_INTERVAL_MILLIS = 100;

    /** Transaction timeout unless said otherwise, milliseconds: the next process waits that long for what a dead one left open. */
    public static final int DEFAULT_TRANSACTION_TIMEOUT_MILLIS = 3_000;

    private static final Pattern ID = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}");

    /** @throws IllegalArgumentException naming everything that is wrong */
    public SchedulerConfig {
        client = Collections.unmodifiableMap(new TreeMap<>(client));
        List<String> problems = new ArrayList<>();
        Object servers = client.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG);
        if (servers == null || servers.toString().isBlank()) {
            problems.add("client: bootstrap.servers is missing");
        }
        requireId(problems, "applicationId", applicationId);
        requireId(problems, "instanceId", instanceId);
        require(problems, threads >= 1 && threads <= 64, "threads is " + threads + ", expected 1 to 64");
        require(
                problems,
                commitIntervalMillis >= 1 && commitIntervalMillis <= 1_000,
                "commitIntervalMillis is " + commitIntervalMillis + ", expected 1 to 1000");
        require(
                problems,
                transactionTimeoutMillis >= 3_000 && transactionTimeoutMillis <= 60_000,
                "transactionTimeoutMillis is " + transactionTimeoutMillis + ", expected 3000 to 60000");
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
    }

    /** The application id unless said otherwise: all that Kafka knows of an installation begins with its topics' prefix. */
    public static String defaultApplicationId(Topics topics) {
        return topics.prefix() + "scheduler";
    }

    /** The changelog of the holds of an installation that keeps the default application id; values are HoldRows. */
    public static String holdsChangelog(Topics topics) {
        return Store.changelogOf(defaultApplicationId(topics), Row.Table.HOLDS);
    }

    /** Defaults for everything that has one; one thread. */
    public static SchedulerConfig of(
            Map<String, Object> client, Topics topics, Domains domains, String instanceId, Path stateDir) {
        return new SchedulerConfig(
                client,
                topics,
                domains,
                defaultApplicationId(topics),
                instanceId,
                stateDir,
                1,
                DEFAULT_COMMIT_INTERVAL_MILLIS,
                DEFAULT_TRANSACTION_TIMEOUT_MILLIS);
    }

    private static void requireId(List<String> problems, String name, String value) {
        require(
                problems,
                ID.matcher(value).matches(),
                name + " is " + Checks.printable(value) + ", expected 1 to 100 letters, digits, '.', '_' and '-'");
    }

    private static void require(List<String> problems, boolean holds, String otherwise) {
        if (!holds) {
            problems.add(otherwise);
        }
    }
}
