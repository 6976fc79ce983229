package dev.muster.scheduler.core.model;

/** A decision: the journal entry that made it and its number among that entry's decisions. Ordered as they were made. */
public record DecisionId(long sequence, int ordinal) implements Comparable<DecisionId> {
    @Override
    public int compareTo(DecisionId other) {
        int bySequence = Long.compare(sequence, other.sequence);
        return bySequence != 0 ? bySequence : Integer.compare(ordinal, other.ordinal);
    }

    @Override
    public String toString() {
        return sequence + ":" + ordinal;
    }
}
