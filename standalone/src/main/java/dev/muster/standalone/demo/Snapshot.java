package dev.muster.standalone.demo;

import dev.muster.schemas.decision.OutcomeStatus;
import dev.muster.schemas.decision.WorkloadStatus;
import java.util.List;
import java.util.Map;

/**
 * The state of the demo at one moment.
 *
 * @param gpuMilliUsed thousandths of GPUs held by bound pods now; peak and average over the run beside it
 * @param waiting workloads without a place, longest waiting first
 * @param decisionsPerSecond placements per second over the last seconds
 * @param decisionLatency last pod of a placement published, to placement readable, for what found room at once
 * @param boundLatency the same, to the event that shows a pod bound
 * @param waitingLatency the same as {@code decisionLatency}, for what had to wait for room
 * @param violationCount how often a node or GPU was over-committed
 */
record Snapshot(
        List<PodLedger.NodeUse> nodes,
        PodLedger.PodCounts pods,
        long gpuMilliUsed,
        long gpuMilliPeak,
        double gpuMilliAverage,
        List<QueueLine> queues,
        List<WorkloadStatus> waiting,
        Gangs gangs,
        Decisions decisions,
        double decisionsPerSecond,
        int decisionsPerSecondPeak,
        Map<OutcomeStatus, Integer> outcomes,
        Latency decisionLatency,
        Latency boundLatency,
        Latency waitingLatency,
        int violationCount,
        List<String> violations) {

    /** A queue: thousandths of GPUs it holds, workloads that run and that wait. */
    record QueueLine(String name, long gpuMilli, int running, int waiting) {}

    /** Workloads of more than one pod; {@code half} are bound below their minimum and not being placed. */
    record Gangs(int total, int placedWhole, int running, int waiting, int half) {}

    /** Decisions by kind, and pods that were placed. */
    record Decisions(int placements, int podsPlaced, int revokes, int deletions, int evictions) {
        int total() {
            return placements + revokes + deletions + evictions;
        }
    }

    long gpus() {
        return nodes.stream().mapToLong(PodLedger.NodeUse::gpus).sum();
    }
}
