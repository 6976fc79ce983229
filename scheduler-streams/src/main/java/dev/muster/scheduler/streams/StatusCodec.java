package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.decision.Eviction;
import dev.muster.scheduler.core.decision.Reason;
import dev.muster.scheduler.core.decision.WorkloadStatus;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.FlavorAmount;
import dev.muster.scheduler.core.model.WorkloadId;
import dev.muster.scheduler.core.model.WorkloadKind;
import dev.muster.scheduler.core.model.WorkloadState;
import dev.muster.schemas.common.FlavorQuantity;
import dev.muster.schemas.decision.ReasonDetail;
import java.util.List;
import java.util.stream.Stream;

/** Where the workloads of one domain are and why, as records of topic workload-status. */
public final class StatusCodec {
    private static final List<String> KINDS =
            Stream.of(WorkloadKind.values()).map(WorkloadKind::label).toList();

    private final String domain;

    /** A codec for one domain's workloads. */
    public StatusCodec(String domain) {
        this.domain = domain;
    }

    /** The status as it goes out. */
    public dev.muster.schemas.decision.WorkloadStatus write(WorkloadStatus from) {
        return new dev.muster.schemas.decision.WorkloadStatus(
                domain,
                from.id().value(),
                from.kind().label(),
                from.cluster(),
                from.namespace(),
                from.name(),
                from.object(),
                from.tenant(),
                from.queue(),
                from.priority(),
                writeState(from.state()),
                writeReason(from.reason()),
                from.minMember(),
                from.pods(),
                from.bound(),
                from.gpuMilli(),
                from.waitingPods(),
                from.attempt(),
                from.arrivedMillis(),
                from.sinceMillis(),
                from.decision() == null ? "" : DecisionIds.write(domain, from.decision()),
                from.localQueue(),
                Checks.map(
                        from.used(),
                        used -> new FlavorQuantity(
                                used.flavor(),
                                used.amount().resource(),
                                used.amount().amount())),
                from.eviction() == null ? "" : from.eviction().evictedFor().value(),
                from.eviction() == null ? "" : from.eviction().reason(),
                from.eviction() == null ? 0 : from.eviction().millis(),
                from.endsByMillis());
    }

    /**
     * The status that a record states.
     *
     * @throws IllegalArgumentException when it is none of this domain's
     */
    public WorkloadStatus read(dev.muster.schemas.decision.WorkloadStatus from) {
        try {
            return new WorkloadStatus(
                    new WorkloadId(Checks.id("workload", from.getWorkload())),
                    readKind(from.getKind()),
                    from.getCluster(),
                    from.getNamespace(),
                    from.getName(),
                    from.getObject(),
                    from.getTenant(),
                    from.getQueue(),
                    from.getPriority(),
                    readState(from.getState()),
                    readReason(from.getReason()),
                    from.getMinMember(),
                    from.getPods(),
                    from.getBound(),
                    from.getGpuMilli(),
                    from.getWaitingPods(),
                    from.getAttempt(),
                    from.getArrivedMillis(),
                    from.getSinceMillis(),
                    from.getDecisionId().isEmpty()
                            ? null
                            : DecisionIds.read("decisionId", domain, from.getDecisionId()),
                    from.getLocalQueue(),
                    Checks.map(from.getUsed(), StatusCodec::flavorAmount),
                    from.getEvictedFor().isEmpty()
                            ? null
                            : new Eviction(
                                    new WorkloadId(Checks.id("evictedFor", from.getEvictedFor())),
                                    from.getEvictedReason(),
                                    from.getEvictedMillis()),
                    from.getEndsByMillis());
        } catch (InvalidFieldException e) {
            throw new IllegalArgumentException(e.refusal().line(), e);
        }
    }

    static FlavorAmount flavorAmount(FlavorQuantity from) {
        return new FlavorAmount(from.getFlavor(), new Amount(from.getResource(), from.getAmount()));
    }

    static WorkloadKind readKind(String label) {
        return WorkloadKind.ofLabel(Checks.oneOf("kind", label, KINDS));
    }

    static WorkloadState readState(dev.muster.schemas.decision.WorkloadState from) {
        return WorkloadState.valueOf(from.name());
    }

    static dev.muster.schemas.decision.WorkloadState writeState(WorkloadState from) {
        return dev.muster.schemas.decision.WorkloadState.valueOf(from.name());
    }

    static Reason readReason(dev.muster.schemas.decision.Reason from) {
        return new Reason(
                from.getCode(),
                from.getMessage(),
                Checks.map(
                        from.getDetails(),
                        detail -> new Reason.Detail(
                                detail.getRule(),
                                detail.getNodes(),
                                detail.getSubject(),
                                detail.getAsked(),
                                detail.getLargestFree(),
                                detail.getWorkloads())));
    }

    static dev.muster.schemas.decision.Reason writeReason(Reason from) {
        return new dev.muster.schemas.decision.Reason(
                from.code(),
                from.message(),
                Checks.map(
                        from.details(),
                        detail -> new ReasonDetail(
                                detail.rule(),
                                detail.nodes(),
                                detail.subject(),
                                detail.asked(),
                                detail.largestFree(),
                                detail.workloads())));
    }
}
