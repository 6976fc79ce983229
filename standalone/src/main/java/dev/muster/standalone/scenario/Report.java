package dev.muster.standalone.scenario;

import dev.muster.standalone.scenario.expect.Result;
import dev.muster.standalone.scenario.observe.Clusters;
import java.util.List;

/**
 * What came of a run.
 *
 * @param endedAtMillis simulated time at which it ended
 * @param clusters as they were then, with all that happened
 * @param results one per expectation; empty where none were evaluated
 * @param kept objects whose kinds are not used yet
 * @param notes what a reader of the file should know: steps that never came, deletions of what was not there
 */
public record Report(
        Scenario scenario,
        long endedAtMillis,
        Clusters clusters,
        List<Result> results,
        List<Kept> kept,
        List<String> notes,
        Proof proof) {
    public Report {
        results = List.copyOf(results);
        kept = List.copyOf(kept);
        notes = List.copyOf(notes);
    }

    /**
     * Objects of one kind that were kept and not used.
     *
     * @param names namespace and name of each
     * @param what what they would do
     */
    public record Kept(String apiVersion, String kind, List<String> names, String what) {
        public Kept {
            names = List.copyOf(names);
        }
    }

    /**
     * The run's journal through a fresh core.
     *
     * @param difference the first difference; empty where there is none
     */
    public record Proof(long entries, long decisions, String difference) {
        public boolean same() {
            return difference.isEmpty();
        }
    }

    public long broken() {
        return results.stream().filter(result -> !result.held()).count();
    }

    /** Whether every expectation held and the replay decided the same. */
    public boolean good() {
        return broken() == 0 && proof.same();
    }
}
