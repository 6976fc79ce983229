package dev.muster.schemas.topic;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A topic as it should be.
 *
 * @param name full name
 * @param partitions number of partitions, at least 1
 * @param replication replicas of each partition; {@link #BROKER_DEFAULT} leaves it to the broker. Used at creation only
 * @param config topic settings that differ from the broker's, by name
 */
public record TopicSpec(String name, int partitions, short replication, Map<String, String> config) {
    /** Replication factor as the broker's default.replication.factor says. */
    public static final short BROKER_DEFAULT = -1;

    /** @throws IllegalArgumentException when a number is out of range */
    public TopicSpec {
        if (partitions < 1) {
            throw new IllegalArgumentException(
                    "topic " + name + ": partitions is " + partitions + ", expected 1 or more");
        }
        if (replication < 1 && replication != BROKER_DEFAULT) {
            throw new IllegalArgumentException("topic " + name + ": replication is " + replication
                    + ", expected 1 or more, or -1 for the broker's");
        }
        config = Collections.unmodifiableMap(new TreeMap<>(config));
    }

    /** A topic with the broker's replication factor. */
    public TopicSpec(String name, int partitions, Map<String, String> config) {
        this(name, partitions, BROKER_DEFAULT, config);
    }

    /** The same topic with another replication factor. */
    public TopicSpec withReplication(int replicas) {
        return new TopicSpec(name, partitions, (short) replicas, config);
    }
}
