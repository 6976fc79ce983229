package dev.muster.schemas.topic;

import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_CONFIG;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Makes sure that a Kafka cluster has the topics that are needed, as they are needed. */
public final class TopicAdmin {
    private static final long PAUSE_MILLIS = 50;

    private final Admin admin;
    private final Map<String, TopicSpec> wanted;
    private final long deadlineNanos;

    private TopicAdmin(Admin admin, Map<String, TopicSpec> wanted, long deadlineNanos) {
        this.admin = admin;
        this.wanted = wanted;
        this.deadlineNanos = deadlineNanos;
    }

    /**
     * Creates the topics that are missing and returns when all of them are visible, with a leader for each partition.
     * Topics that exist are compared by partitions and cleanup policy; they are never altered, and when one differs
     * nothing is created either.
     *
     * @throws TopicMismatchException when topics exist that differ; names every difference
     * @throws TimeoutException when the cluster did not get there in time; retryable
     * @throws KafkaException when the cluster refuses (not authorised, invalid settings)
     */
    public static void ensure(Admin admin, Collection<TopicSpec> specs, Duration timeout) {
        Map<String, TopicSpec> wanted = new TreeMap<>();
        for (TopicSpec spec : specs) {
            wanted.put(spec.name(), spec);
        }
        new TopicAdmin(admin, wanted, System.nanoTime() + timeout.toNanos()).ensure();
    }

    /**
     * Insists that the topics are there as they are needed, and changes nothing.
     *
     * @throws TopicMismatchException when topics are missing or differ; names every one
     * @throws TimeoutException when the cluster did not answer in time; retryable
     * @throws KafkaException when the cluster refuses
     */
    public static void require(Admin admin, Collection<TopicSpec> specs, Duration timeout) {
        Map<String, TopicSpec> wanted = new TreeMap<>();
        for (TopicSpec spec : specs) {
            wanted.put(spec.name(), spec);
        }
        new TopicAdmin(admin, wanted, System.nanoTime() + timeout.toNanos()).require();
    }

    private void require() {
        Map<String, TopicDescription> present = describe();
        List<String> missing = wanted.values().stream()
                .filter(spec -> !present.containsKey(spec.name()))
                .map(spec -> "topic " + spec.name() + " does not exist, expected " + spec.partitions() + " partitions, "
                        + CLEANUP_POLICY_CONFIG + " " + spec.config().get(CLEANUP_POLICY_CONFIG))
                .toList();
        if (!missing.isEmpty()) {
            throw new TopicMismatchException(missing);
        }
        requireNoDifference(present);
    }

    private void ensure() {
        String problem;
        do {
            try {
                Map<String, TopicDescription> present = describe();
                requireNoDifference(present);
                create(present);
                // Brokers learn of new topics one after the other, and any of them may answer: ask as often as there
                // are.
                if (visibleTimes(get(admin.describeCluster().nodes()).size())) {
                    return;
                }
                problem = "not all topics are visible";
            } catch (RetriableException e) {
                problem = e.getMessage();
            }
        } while (pause());
        throw new TimeoutException("topics " + wanted.keySet() + " are not ready in time: " + problem);
    }

    private boolean visibleTimes(int times) {
        int seen = 0;
        do {
            Map<String, TopicDescription> present = describe();
            if (wanted.values().stream().allMatch(spec -> isReady(spec, present.get(spec.name())))) {
                if (++seen >= times) {
                    requireNoDifference(present);
                    return true;
                }
            } else {
                seen = 0;
                if (!pause()) {
                    return false;
                }
            }
        } while (remainingNanos() > 0);
        return false;
    }

    private static boolean isReady(TopicSpec spec, TopicDescription topic) {
        return topic != null
                && topic.partitions().size() >= spec.partitions()
                && topic.partitions().stream()
                        .allMatch(p -> p.leader() != null && !p.leader().isEmpty());
    }

    private Map<String, TopicDescription> describe() {
        Map<String, TopicDescription> present = new TreeMap<>();
        admin.describeTopics(wanted.keySet())
                .topicNameValues()
                .forEach((name, topic) -> getUnlessUnknown(topic).ifPresent(t -> present.put(name, t)));
        return present;
    }

    private void requireNoDifference(Map<String, TopicDescription> present) {
        List<ConfigResource> resources = present.keySet().stream()
                .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                .toList();
        Map<ConfigResource, KafkaFuture<Config>> configs = resources.isEmpty()
                ? Map.of()
                : admin.describeConfigs(resources).values();
        List<String> differences = new ArrayList<>();
        for (ConfigResource resource : resources) {
            TopicSpec spec = wanted.get(resource.name());
            int partitions = present.get(spec.name()).partitions().size();
            if (partitions != spec.partitions()) {
                differences.add(
                        "topic " + spec.name() + " has " + partitions + " partitions, expected " + spec.partitions());
            }
            String expected = spec.config().get(CLEANUP_POLICY_CONFIG);
            String policy = getUnlessUnknown(configs.get(resource))
                    .map(config -> config.get(CLEANUP_POLICY_CONFIG))
                    .map(ConfigEntry::value)
                    .orElse(expected);
            if (expected != null && !asSet(expected).equals(asSet(policy))) {
                differences.add("topic " + spec.name() + " has " + CLEANUP_POLICY_CONFIG + " " + policy + ", expected "
                        + expected);
            }
        }
        if (!differences.isEmpty()) {
            throw new TopicMismatchException(differences);
        }
    }

    private void create(Map<String, TopicDescription> present) {
        List<NewTopic> missing = wanted.values().stream()
                .filter(spec -> !present.containsKey(spec.name()))
                .map(spec -> new NewTopic(
                                spec.name(),
                                Optional.of(spec.partitions()),
                                spec.replication() == TopicSpec.BROKER_DEFAULT
                                        ? Optional.empty()
                                        : Optional.of(spec.replication()))
                        .configs(spec.config()))
                .toList();
        if (missing.isEmpty()) {
            return;
        }
        for (KafkaFuture<Void> created : admin.createTopics(missing).values().values()) {
            try {
                get(created);
            } catch (TopicExistsException e) {
                // Somebody else was faster: what they made is compared when all are visible.
                continue;
            }
        }
    }

    private <R> Optional<R> getUnlessUnknown(KafkaFuture<R> future) {
        try {
            return Optional.of(get(future));
        } catch (UnknownTopicOrPartitionException e) {
            return Optional.empty();
        }
    }

    private <R> R get(KafkaFuture<R> future) {
        try {
            return future.get(Math.max(1, remainingNanos()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new KafkaException(e.getCause());
        } catch (java.util.concurrent.TimeoutException e) {
            throw new TimeoutException("the Kafka cluster did not answer in time");
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private long remainingNanos() {
        return deadlineNanos - System.nanoTime();
    }

    private boolean pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
        return remainingNanos() > 0;
    }

    private static TreeSet<String> asSet(String list) {
        return new TreeSet<>(Arrays.asList(list.trim().split("\\s*,\\s*")));
    }
}
