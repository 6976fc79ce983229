package dev.muster.scheduler.core.event;

import dev.muster.scheduler.core.decision.DecisionOutcome;
import dev.muster.scheduler.core.model.GroupFacts;
import dev.muster.scheduler.core.model.HealthSignal;
import dev.muster.scheduler.core.model.NodeFacts;
import dev.muster.scheduler.core.model.NumaFacts;
import dev.muster.scheduler.core.model.PodFacts;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.SubmittedJob;
import java.util.List;

/** What happened. Everything that can change a decision is one of these, the passing of time included. */
public sealed interface ClusterEvent {
    /** The engine with this version decides from here on. The first event of every journal. */
    record EngineStarted(String engineVersion) implements ClusterEvent {}

    /** Time passed: a scheduling round runs and deadlines are looked at. */
    record Tick(String cause) implements ClusterEvent {}

    /** A fresh list of one kind of a member cluster's objects begins. */
    record ResyncBegan(String cluster, String kind, long epoch) implements ClusterEvent {}

    /**
     * The fresh list is complete: objects of that cluster and kind with an older epoch no longer exist, nor what existed at
     * the list's resource version or before and was not told of.
     */
    record ResyncEnded(String cluster, String kind, long epoch, long listVersion) implements ClusterEvent {}

    /** A node is as described. */
    record NodeChanged(Origin origin, NodeFacts facts) implements ClusterEvent {}

    /** A node is gone. */
    record NodeGone(Origin origin) implements ClusterEvent {}

    /** A pod is as described. */
    record PodChanged(Origin origin, PodFacts facts) implements ClusterEvent {}

    /** A pod is gone. */
    record PodGone(Origin origin) implements ClusterEvent {}

    /** A gang object, or a Volcano Job (kind VolcanoJob), is as described. */
    record GroupChanged(Origin origin, String kind, GroupFacts facts) implements ClusterEvent {}

    /** A gang object or Volcano Job is gone. */
    record GroupGone(Origin origin, String kind) implements ClusterEvent {}

    /** All GPU health signals of a node that are on; none means healthy. */
    record HealthChanged(Origin origin, List<HealthSignal> signals) implements ClusterEvent {
        public HealthChanged {
            signals = List.copyOf(signals);
        }
    }

    /** A node's NUMA layout; null when its report is gone. */
    record NumaChanged(Origin origin, NumaFacts facts) implements ClusterEvent {}

    /** A policy object is as described. */
    record PolicyChanged(Origin origin, String kind, Policy policy) implements ClusterEvent {}

    /** A policy object is gone. */
    record PolicyGone(Origin origin, String kind) implements ClusterEvent {}

    /** A tenant's job was accepted. */
    record JobSubmitted(String tenant, String commandId, String jobId, SubmittedJob job, long acceptedMillis)
            implements ClusterEvent {}

    /** A tenant cancelled its job. */
    record JobCancelled(String tenant, String commandId, String jobId, long acceptedMillis) implements ClusterEvent {}

    /** A tenant suspended its job. */
    record JobSuspended(String tenant, String commandId, String jobId, long acceptedMillis) implements ClusterEvent {}

    /** A tenant lets a suspended job go on. */
    record JobResumed(String tenant, String commandId, String jobId, long acceptedMillis) implements ClusterEvent {}

    /** A binder said what became of a decision. */
    record OutcomeReported(DecisionOutcome outcome) implements ClusterEvent {}
}
