package dev.muster.standalone.stack;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.NodePlacement;
import dev.muster.schemas.decision.PlaceGang;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.job.JobResult;
import dev.muster.schemas.topic.Topics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Everything that was said on the topics decisions, workload-status and results.default, for the thread that made it. */
final class TopicHistory implements AutoCloseable {
    private final TopicReader reader;
    private final Map<String, Decision> decisions = new LinkedHashMap<>();
    private final List<WorkloadStatus> statuses = new ArrayList<>();
    private final List<JobResult> results = new ArrayList<>();

    TopicHistory(Connection connection) {
        reader = new TopicReader(connection)
                .topic(Topics.DEFAULT.decisions(), Decision.class, (key, decision) -> {
                    if (decision != null) {
                        decisions.put(decision.getId(), decision);
                    }
                })
                .topic(Topics.DEFAULT.workloadStatus(), WorkloadStatus.class, (key, status) -> {
                    if (status != null) {
                        statuses.add(status);
                    }
                })
                .topic(Topics.DEFAULT.results("default"), JobResult.class, (key, result) -> {
                    if (result != null) {
                        results.add(result);
                    }
                });
    }

    /** Statuses of workloads of this name (of the job that owns the group where there is one), oldest first. */
    List<WorkloadStatus> statuses(String name) {
        reader.readToEnd();
        return statuses.stream().filter(status -> status.getName().equals(name)).toList();
    }

    /** Codes of the reasons in those statuses, oldest first. */
    List<String> reasonCodes(String name) {
        return statuses(name).stream()
                .map(status -> status.getReason().getCode())
                .toList();
    }

    /** What the tenant was told about a job, oldest first. */
    List<String> told(String job) {
        reader.readToEnd();
        return results.stream()
                .filter(result -> result.getJobId().equals(job))
                .map(JobResult::getStatus)
                .toList();
    }

    /**
     * Whether the decision that a pod was bound by names that very pod and that node. Of a pod that the binder made, the
     * decision knows only the name.
     */
    boolean decided(TestCluster.Bound bound) {
        reader.readToEnd();
        Decision decision = decisions.get(bound.decisionId());
        if (decision == null || !(decision.getAction() instanceof PlaceGang place)) {
            return false;
        }
        return place.getNodes().stream()
                .filter(node -> node.getNode().equals(bound.node()))
                .map(NodePlacement::getMembers)
                .flatMap(List::stream)
                .anyMatch(member -> member.getName().equals(bound.pod())
                        && member.getUid().equals(place.getCreate() ? member.getUid() : bound.uid()));
    }

    @Override
    public void close() {
        reader.close();
    }
}
