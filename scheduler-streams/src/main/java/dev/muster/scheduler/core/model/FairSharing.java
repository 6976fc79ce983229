package dev.muster.scheduler.core.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How queues share what they do not own.
 *
 * @param enabled Kueue's fair sharing: who may start next, and who may be evicted for whom, goes by the share of what is
 *     borrowed; otherwise by priority and arrival, and by the queues' policies
 * @param strategies by which a workload may have workloads of other queues evicted, the one to try first first; where none is
 *     given, all (Kueue, Configuration: the default of preemptionStrategies)
 * @param hysteresisMilli by so many thousandths of what a cohort can lend another's share must be larger, before a workload
 *     is evicted whose queue has less than the preemptor's in the end
 * @param volcano how Volcano Queues share
 * @param usageHalfLifeMillis after so long what was used counts half; 0: nothing but what is in use counts
 * @param usageSamplingMillis how often it is looked at what LocalQueues use
 * @param resourceWeightsMilli how much a unit of a resource counts in that, in thousandths; 1000 where nothing is said
 * @param drf jobs of a Volcano Queue grow beyond their minimum in the order of their dominant share (plugin drf, job order)
 */
public record FairSharing(
        boolean enabled,
        List<Strategy> strategies,
        int hysteresisMilli,
        VolcanoShare volcano,
        long usageHalfLifeMillis,
        long usageSamplingMillis,
        SortedMap<String, Integer> resourceWeightsMilli,
        boolean drf) {

    /** When the share of a queue lets its workload evict one of another queue (Kueue, preemption strategies). */
    public enum Strategy {
        /** Its share with the workload is no larger than the other's without the victim. */
        LESS_THAN_OR_EQUAL_TO_FINAL_SHARE("LessThanOrEqualToFinalShare"),
        /** Its share with the workload is smaller than the other's with the victim. */
        LESS_THAN_INITIAL_SHARE("LessThanInitialShare");

        private final String label;

        Strategy(String label) {
            this.label = label;
        }

        /** The word of Kueue's configuration. */
        public String label() {
            return label;
        }
    }

    /** How Volcano Queues share. */
    public enum VolcanoShare {
        /** They do not: priority and arrival decide, nothing is reclaimed. */
        NONE("None"),
        /** By what they use of what they deserve; what is beyond that may be reclaimed (plugin capacity). */
        DESERVED("Deserved"),
        /** By their dominant share of all nodes, by weight (plugin drf); reclaimed as above. */
        DOMINANT("Dominant"),
        /** As by what they deserve, which for a queue that states nothing follows from its weight (plugin proportion). */
        PROPORTION("Proportion");

        private final String label;

        VolcanoShare(String label) {
            this.label = label;
        }

        /** The word of the configuration. */
        public String label() {
            return label;
        }
    }

    /** In force until the operator says otherwise; half-life and sampling as in Kueue's documentation. */
    public static final FairSharing DEFAULT = new FairSharing(
            false,
            List.of(Strategy.values()),
            20,
            VolcanoShare.DESERVED,
            7 * 86_400_000L,
            300_000,
            Collections.emptySortedMap(),
            false);

    public FairSharing {
        strategies = strategies.isEmpty() ? List.of(Strategy.values()) : List.copyOf(strategies);
        resourceWeightsMilli = Collections.unmodifiableSortedMap(new TreeMap<>(resourceWeightsMilli));
    }
}
