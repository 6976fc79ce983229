package dev.muster.scheduler.core.event;

/**
 * An event in its place in the domain's order.
 *
 * @param sequence position, from 0 without gaps
 * @param timeMillis domain time, epoch milliseconds; never runs backwards
 */
public record JournalEntry(long sequence, long timeMillis, ClusterEvent event) {}
