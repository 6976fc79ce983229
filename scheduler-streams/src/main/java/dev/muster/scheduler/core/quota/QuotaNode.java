package dev.muster.scheduler.core.quota;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A node of the quota tree as its object describes it: a queue (a leaf that workloads are charged to) or a cohort.
 *
 * @param parent cohort it belongs to; empty for none
 * @param weightMilli weight in fair sharing, in thousandths; 0 for one that has no claim on what others own
 */
public record QuotaNode(Id id, String parent, int weightMilli, SortedMap<FlavorResource, Limits> limits) {
    /** Weight where none is given. */
    public static final int DEFAULT_WEIGHT_MILLI = 1000;

    public QuotaNode {
        limits = Collections.unmodifiableSortedMap(new TreeMap<>(limits));
    }

    /** Queues and cohorts have names of their own. */
    public enum Kind {
        COHORT,
        QUEUE
    }

    /** Which node. */
    public record Id(Kind kind, String name) implements Comparable<Id> {
        public static Id queue(String name) {
            return new Id(Kind.QUEUE, name);
        }

        public static Id cohort(String name) {
            return new Id(Kind.COHORT, name);
        }

        @Override
        public int compareTo(Id other) {
            int byKind = kind.compareTo(other.kind);
            return byKind != 0 ? byKind : name.compareTo(other.name);
        }
    }
}
