package dev.muster.standalone.bench;

/**
 * What {@code muster bench restore} measures.
 *
 * @param entries journal entries that are replayed; 0 leaves the replays out
 * @param nodes nodes that the restarted scheduler knows; 0 leaves the restart out
 * @param pods pods that run on them
 */
public record RestoreOptions(int entries, int nodes, int pods) {}
