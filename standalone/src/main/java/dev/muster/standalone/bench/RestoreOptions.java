package dev.muster.standalone.bench;

/**
 * What {@code muster bench restore} measures.
 *
 * @param entries journal entries that are replayed; 0 leaves the replays out
 * @param nodes nodes that the restarted scheduler knows; 0 leaves the restart out
 * @param pods pods that run on them
 */
public record RestoreOptions(int entries, int nodes, int pods) {
    /** Whether the gangs that are submitted in the course of a restart, none of which ever ends, fit beside those pods. */
    public boolean leavesRoom() {
        return nodes - ClusterNews.gpuGangs(nodes, pods) >= RestartBench.GANGS;
    }
}
