package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.event.ClusterEvent;
import dev.muster.scheduler.core.event.ClusterEvent.EngineStarted;
import dev.muster.scheduler.core.event.ClusterEvent.GroupChanged;
import dev.muster.scheduler.core.event.ClusterEvent.GroupGone;
import dev.muster.scheduler.core.event.ClusterEvent.HealthChanged;
import dev.muster.scheduler.core.event.ClusterEvent.JobCancelled;
import dev.muster.scheduler.core.event.ClusterEvent.JobResumed;
import dev.muster.scheduler.core.event.ClusterEvent.JobSubmitted;
import dev.muster.scheduler.core.event.ClusterEvent.JobSuspended;
import dev.muster.scheduler.core.event.ClusterEvent.NodeChanged;
import dev.muster.scheduler.core.event.ClusterEvent.NodeGone;
import dev.muster.scheduler.core.event.ClusterEvent.NumaChanged;
import dev.muster.scheduler.core.event.ClusterEvent.OutcomeReported;
import dev.muster.scheduler.core.event.ClusterEvent.PodChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PodGone;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyGone;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncBegan;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncEnded;
import dev.muster.scheduler.core.event.ClusterEvent.Tick;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.schemas.common.Change;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.event.GroupEvent;
import dev.muster.schemas.event.HealthEvent;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.event.NumaEvent;
import dev.muster.schemas.event.PodEvent;
import dev.muster.schemas.event.PolicyEvent;
import dev.muster.schemas.job.Submission;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/**
 * Events of one domain, as records of the trusted topics and back. Reading is total: every record is an event or a
 * {@link Refusal} that names the field. Writing an event and reading it again gives an equal event: this is what the
 * journal relies on.
 */
public final class EventCodec {
    private static final List<String> GROUP_KINDS =
            List.of(Kinds.VOLCANO_POD_GROUP, Kinds.POD_GROUP, Kinds.VOLCANO_JOB, Kinds.BATCH_JOB, Kinds.KAI_POD_GROUP);

    private final String domain;
    private final Origins origins;
    private final DecisionCodec decisions;

    /** A codec for one domain's events. */
    public EventCodec(String domain) {
        this.domain = domain;
        this.origins = new Origins(domain);
        this.decisions = new DecisionCodec(domain);
    }

    /** The event that a record of an input topic states, or why it states none. */
    public Decoded read(SpecificRecord from) {
        try {
            return new Decoded.Event(
                    switch (from) {
                        case NodeEvent event -> readNode(event);
                        case PodEvent event -> readPod(event);
                        case GroupEvent event -> readGroup(event);
                        case HealthEvent event -> readHealth(event);
                        case NumaEvent event -> readNuma(event);
                        case PolicyEvent event -> readPolicy(event);
                        case Submission submission -> {
                            requireDomain(submission.getDomain());
                            yield JobCodec.read(submission);
                        }
                        case Outcome outcome -> {
                            requireDomain(outcome.getDomain());
                            yield new OutcomeReported(decisions.readOutcome(outcome));
                        }
                        default ->
                            throw InvalidFieldException.of(
                                    "record", from.getSchema().getName(), "a record of an input topic");
                    });
        } catch (InvalidFieldException e) {
            return new Decoded.Refused(e.refusal());
        }
    }

    /** The event as a record: what the journal keeps. */
    public SpecificRecord write(ClusterEvent from) {
        return switch (from) {
            case EngineStarted e -> new dev.muster.schemas.journal.EngineStarted(e.engineVersion());
            case Tick e -> new dev.muster.schemas.journal.Tick(e.cause());
            case ResyncBegan e -> writeResync(e.kind(), origins.begin(e));
            case ResyncEnded e -> writeResync(e.kind(), origins.end(e));
            case NodeChanged e -> new NodeEvent(origins.write(e.origin(), Change.UPSERT), NodeCodec.write(e.facts()));
            case NodeGone e -> new NodeEvent(origins.write(e.origin(), Change.DELETE), null);
            case PodChanged e -> new PodEvent(origins.write(e.origin(), Change.UPSERT), PodCodec.write(e.facts()));
            case PodGone e -> new PodEvent(origins.write(e.origin(), Change.DELETE), null);
            case GroupChanged e ->
                new GroupEvent(origins.write(e.origin(), Change.UPSERT), e.kind(), PodCodec.writeGroup(e.facts()));
            case GroupGone e -> new GroupEvent(origins.write(e.origin(), Change.DELETE), e.kind(), null);
            case HealthChanged e ->
                new HealthEvent(origins.write(e.origin(), Change.UPSERT), NodeCodec.writeSignals(e.signals()));
            case NumaChanged e ->
                e.facts() == null
                        ? new NumaEvent(origins.write(e.origin(), Change.DELETE), null)
                        : new NumaEvent(origins.write(e.origin(), Change.UPSERT), NodeCodec.writeNuma(e.facts()));
            case PolicyChanged e ->
                new PolicyEvent(origins.write(e.origin(), Change.UPSERT), e.kind(), PolicyCodec.write(e.policy()));
            case PolicyGone e -> new PolicyEvent(origins.write(e.origin(), Change.DELETE), e.kind(), null);
            case JobSubmitted e -> JobCodec.write(domain, e);
            case JobCancelled e -> JobCodec.write(domain, e);
            case JobSuspended e -> JobCodec.write(domain, e);
            case JobResumed e -> JobCodec.write(domain, e);
            case OutcomeReported e -> decisions.writeOutcome(e.outcome());
        };
    }

    private ClusterEvent readNode(NodeEvent from) {
        Origins.Read origin = origins.read(from.getOrigin(), Origins.Kind.NODE);
        return switch (origin.change()) {
            case UPSERT -> new NodeChanged(origin.object(), Checks.part("spec", from.getSpec(), NodeCodec::read));
            case DELETE -> new NodeGone(origin.object());
            case RESYNC_BEGIN, RESYNC_END -> origin.bracket(Kinds.NODE);
        };
    }

    private ClusterEvent readPod(PodEvent from) {
        Origins.Read origin = origins.read(from.getOrigin(), Origins.Kind.POD);
        return switch (origin.change()) {
            case UPSERT -> new PodChanged(origin.object(), Checks.part("spec", from.getSpec(), PodCodec::read));
            case DELETE -> new PodGone(origin.object());
            case RESYNC_BEGIN, RESYNC_END -> origin.bracket(Kinds.POD);
        };
    }

    private ClusterEvent readGroup(GroupEvent from) {
        String kind = Checks.oneOf("kind", from.getKind(), GROUP_KINDS);
        Origins.Read origin = origins.read(from.getOrigin(), Origins.Kind.GROUP);
        return switch (origin.change()) {
            case UPSERT ->
                new GroupChanged(origin.object(), kind, Checks.part("spec", from.getSpec(), PodCodec::readGroup));
            case DELETE -> new GroupGone(origin.object(), kind);
            case RESYNC_BEGIN, RESYNC_END -> origin.bracket(kind);
        };
    }

    private ClusterEvent readHealth(HealthEvent from) {
        Origins.Read origin = origins.read(from.getOrigin(), Origins.Kind.REPORT);
        return switch (origin.change()) {
            case UPSERT -> new HealthChanged(origin.object(), NodeCodec.readSignals(from.getSignals()));
            case DELETE -> new HealthChanged(origin.object(), List.of());
            case RESYNC_BEGIN, RESYNC_END -> origin.bracket(Kinds.GPU_HEALTH);
        };
    }

    private ClusterEvent readNuma(NumaEvent from) {
        Origins.Read origin = origins.read(from.getOrigin(), Origins.Kind.REPORT);
        return switch (origin.change()) {
            case UPSERT -> new NumaChanged(origin.object(), Checks.part("spec", from.getSpec(), NodeCodec::readNuma));
            case DELETE -> new NumaChanged(origin.object(), null);
            case RESYNC_BEGIN, RESYNC_END -> origin.bracket(Kinds.NUMA);
        };
    }

    private ClusterEvent readPolicy(PolicyEvent from) {
        String kind = Checks.oneOf("kind", from.getKind(), PolicyCodec.KINDS);
        Origins.Read origin = origins.read(from.getOrigin(), Origins.Kind.POLICY);
        return switch (origin.change()) {
            case UPSERT -> new PolicyChanged(origin.object(), kind, PolicyCodec.read(kind, from.getSpec()));
            case DELETE -> new PolicyGone(origin.object(), kind);
            case RESYNC_BEGIN, RESYNC_END -> origin.bracket(kind);
        };
    }

    private static SpecificRecord writeResync(String kind, dev.muster.schemas.common.Origin origin) {
        return switch (kind) {
            case Kinds.NODE -> new NodeEvent(origin, null);
            case Kinds.POD -> new PodEvent(origin, null);
            case Kinds.VOLCANO_POD_GROUP, Kinds.POD_GROUP, Kinds.VOLCANO_JOB, Kinds.BATCH_JOB, Kinds.KAI_POD_GROUP ->
                new GroupEvent(origin, kind, null);
            case Kinds.GPU_HEALTH -> new HealthEvent(origin, List.of());
            case Kinds.NUMA -> new NumaEvent(origin, null);
            case Kinds.VOLCANO_QUEUE,
                    Kinds.PRIORITY_CLASS,
                    Kinds.DISRUPTION_BUDGET,
                    Kinds.NAMESPACE,
                    Kinds.TOPOLOGY,
                    Kinds.KAI_TOPOLOGY,
                    Kinds.HYPER_NODE,
                    Kinds.CLAIM,
                    Kinds.VOLUME,
                    Kinds.STORAGE_CLASS,
                    Kinds.CSI_NODE,
                    Kinds.CLUSTER_QUEUE,
                    Kinds.COHORT,
                    Kinds.LOCAL_QUEUE,
                    Kinds.RESOURCE_FLAVOR,
                    Kinds.WORKLOAD_PRIORITY_CLASS,
                    Kinds.SCHEDULER_POLICY -> new PolicyEvent(origin, kind, null);
            default -> throw new IllegalArgumentException("no topic holds lists of kind " + kind);
        };
    }

    private void requireDomain(String found) {
        if (!found.equals(domain)) {
            throw InvalidFieldException.wrongDomain("domain", found, domain);
        }
    }
}
