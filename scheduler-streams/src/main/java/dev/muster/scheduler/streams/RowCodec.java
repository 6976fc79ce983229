package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.event.Origin;
import dev.muster.scheduler.core.model.Amount;
import dev.muster.scheduler.core.model.DecisionId;
import dev.muster.scheduler.core.model.FlavorAmount;
import dev.muster.scheduler.core.model.NodeId;
import dev.muster.scheduler.core.model.NumaPlacement;
import dev.muster.scheduler.core.model.WorkloadId;
import dev.muster.scheduler.core.state.PlacedRanks;
import dev.muster.scheduler.core.state.Row;
import dev.muster.schemas.common.FlavorQuantity;
import dev.muster.schemas.common.Quantity;
import dev.muster.schemas.state.DecisionRef;
import dev.muster.schemas.state.DomainRow;
import dev.muster.schemas.state.EndedSlotRow;
import dev.muster.schemas.state.EvictionsRow;
import dev.muster.schemas.state.GroupRow;
import dev.muster.schemas.state.HeldMemberRow;
import dev.muster.schemas.state.HoldRow;
import dev.muster.schemas.state.NodeRow;
import dev.muster.schemas.state.ObjectVersion;
import dev.muster.schemas.state.PlacedRanksRow;
import dev.muster.schemas.state.PodRow;
import dev.muster.schemas.state.PodSetFlavorsRow;
import dev.muster.schemas.state.PolicyRow;
import dev.muster.schemas.state.QuotaRow;
import dev.muster.schemas.state.SyncRow;
import dev.muster.schemas.state.WorkloadRow;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;

/** Rows of the state, as values of the changelogs. Lossless: what is read equals what was written. */
final class RowCodec {
    private RowCodec() {}

    /** The class of a table's values. */
    static Class<? extends SpecificRecord> typeOf(Row.Table table) {
        return switch (table) {
            case DOMAIN -> DomainRow.class;
            case NODES -> NodeRow.class;
            case PODS -> PodRow.class;
            case GROUPS -> GroupRow.class;
            case WORKLOADS -> WorkloadRow.class;
            case QUEUES, POLICIES -> PolicyRow.class;
            case QUOTAS -> QuotaRow.class;
            case HOLDS -> HoldRow.class;
        };
    }

    static SpecificRecord write(Row row) {
        return switch (row) {
            case Row.Domain domain -> writeDomain(domain);
            case Row.Node node -> writeNode(node);
            case Row.Pod pod ->
                new PodRow(
                        version(pod.origin()),
                        PodCodec.write(pod.facts()),
                        pod.devices(),
                        pod.stranger(),
                        RequirementCodec.writeNuma(pod.numa().shares()),
                        pod.boundMillis(),
                        pod.leavingMillis());
            case Row.Group group ->
                new GroupRow(version(group.origin()), group.kind(), PodCodec.writeGroup(group.facts()), group.gone());
            case Row.PolicyObject object ->
                new PolicyRow(version(object.origin()), object.kind(), PolicyCodec.write(object.policy()));
            case Row.Workload workload -> writeWorkload(workload);
            case Row.Quota quota -> writeQuota(quota);
            case Row.LocalUsage usage ->
                new QuotaRow(
                        usage.key(),
                        List.of(),
                        List.of(),
                        usage.sampledMillis(),
                        RequirementCodec.writeAmounts(usage.average()));
            case Row.Hold hold -> writeHold(hold);
        };
    }

    /** @throws IllegalArgumentException when it is no row, or not one that {@link #write} wrote */
    static Row read(SpecificRecord row) {
        try {
            return switch (row) {
                case DomainRow domain -> readDomain(domain);
                case NodeRow node -> readNode(node);
                case PodRow pod ->
                    new Row.Pod(
                            origin(pod.getOrigin()),
                            Checks.part("spec", pod.getSpec(), PodCodec::read),
                            pod.getDevices(),
                            pod.getStranger(),
                            RequirementCodec.numa("numa", pod.getNuma()),
                            pod.getBoundMillis(),
                            pod.getLeavingMillis());
                case GroupRow group ->
                    new Row.Group(
                            origin(group.getOrigin()),
                            group.getKind(),
                            Checks.part("spec", group.getSpec(), PodCodec::readGroup),
                            group.getGone());
                case PolicyRow policy ->
                    new Row.PolicyObject(
                            origin(policy.getOrigin()),
                            policy.getKind(),
                            PolicyCodec.read(policy.getKind(), policy.getSpec()));
                case WorkloadRow workload -> readWorkload(workload);
                case QuotaRow usage when usage.getQueue().startsWith(Row.LocalUsage.PREFIX) -> readLocalUsage(usage);
                case QuotaRow quota -> readQuota(quota);
                case HoldRow hold -> readHold(hold);
                default -> throw new IllegalArgumentException(row.getSchema().getName() + " is no row");
            };
        } catch (InvalidFieldException e) {
            throw new IllegalArgumentException(
                    row.getSchema().getName() + " " + e.refusal().line(), e);
        }
    }

    private static DomainRow writeDomain(Row.Domain from) {
        return new DomainRow(
                from.nextSequence(),
                from.timeMillis(),
                from.engineVersion(),
                from.roomFreed(),
                Checks.map(
                        from.syncs(),
                        sync -> new SyncRow(sync.cluster(), sync.kind(), sync.beganEpoch(), sync.endedEpoch())),
                from.lookAgainMillis(),
                Checks.map(
                        from.evictions(),
                        spent -> new EvictionsRow(spent.queue(), spent.spentMilli(), spent.sinceMillis())));
    }

    private static Row.Domain readDomain(DomainRow from) {
        return new Row.Domain(
                from.getNextSequence(),
                from.getTimeMillis(),
                from.getEngineVersion(),
                from.getRoomFreed(),
                Checks.map(
                        from.getSyncs(),
                        sync -> new Row.Sync(
                                sync.getCluster(), sync.getKind(), sync.getBeganEpoch(), sync.getEndedEpoch())),
                from.getLookAgainMillis(),
                Checks.map(
                        from.getEvictions(),
                        spent -> new Row.Evictions(spent.getQueue(), spent.getSpentMilli(), spent.getSinceMillis())));
    }

    private static NodeRow writeNode(Row.Node from) {
        return new NodeRow(
                from.id().cluster(),
                from.id().name(),
                from.ordinal(),
                version(from.origin()),
                from.facts() == null ? null : NodeCodec.write(from.facts()),
                version(from.healthOrigin()),
                List.of(),
                version(from.numaOrigin()),
                from.numa() == null ? null : NodeCodec.writeNuma(from.numa()),
                RequirementCodec.writeNuma(from.numaUnknown()),
                Checks.map(from.unaligned(), RequirementCodec::write),
                NodeCodec.writeEpisodes(from.health()),
                from.awayMillis());
    }

    private static Row.Node readNode(NodeRow from) {
        return new Row.Node(
                new NodeId(from.getCluster(), from.getName()),
                from.getOrdinal(),
                origin(from.getOrigin()),
                from.getSpec() == null ? null : Checks.part("spec", from.getSpec(), NodeCodec::read),
                origin(from.getHealthOrigin()),
                NodeCodec.readEpisodes(from.getHealth(), from.getSignals()),
                origin(from.getNumaOrigin()),
                from.getNuma() == null ? null : Checks.part("numa", from.getNuma(), NodeCodec::readNuma),
                RequirementCodec.numa("numaUnknown", from.getNumaUnknown()).shares(),
                Checks.each("unaligned", from.getUnaligned(), Checks.ENTRIES, RequirementCodec::read),
                from.getAwayMillis());
    }

    private static WorkloadRow writeWorkload(Row.Workload from) {
        return new WorkloadRow(
                from.id().value(),
                from.kind().label(),
                from.cluster(),
                from.namespace(),
                from.object(),
                from.tenant(),
                from.groupUid(),
                from.arrivedSequence(),
                from.arrivedMillis(),
                from.job() == null ? null : JobCodec.writeJob(from.job()),
                Checks.map(from.endedSlots(), slot -> new EndedSlotRow(slot.podSet(), slot.index(), slot.succeeded())),
                from.cancelled(),
                from.attempt(),
                ref(from.decision()),
                StatusCodec.writeState(from.state()),
                StatusCodec.writeReason(from.reason()),
                from.sinceMillis(),
                from.backoffUntilMillis(),
                from.failures(),
                from.marked(),
                from.untold(),
                from.onceStarted(),
                Checks.map(
                        from.lastPlaces(),
                        ranks -> new PlacedRanksRow(ranks.podSet(), ranks.first(), ranks.count(), ranks.node())),
                from.ownerJob(),
                from.cascade(),
                from.evictedFor() == null ? "" : from.evictedFor().value(),
                from.evictedMillis(),
                from.flavors().entrySet().stream()
                        .map(podSet ->
                                new PodSetFlavorsRow(podSet.getKey(), RequirementCodec.writeByKey(podSet.getValue())))
                        .toList(),
                from.entitled(),
                from.drainMillis(),
                from.evictedReason(),
                from.suspended());
    }

    private static Row.Workload readWorkload(WorkloadRow from) {
        return new Row.Workload(
                new WorkloadId(from.getId()),
                StatusCodec.readKind(from.getKind()),
                from.getCluster(),
                from.getNamespace(),
                from.getObject(),
                from.getTenant(),
                from.getGroupUid(),
                from.getArrivedSequence(),
                from.getArrivedMillis(),
                from.getJob() == null ? null : Checks.part("job", from.getJob(), JobCodec::readJob),
                Checks.map(
                        from.getEndedSlots(),
                        slot -> new Row.EndedSlot(slot.getPodSet(), slot.getIndex(), slot.getSucceeded())),
                from.getCancelled(),
                from.getAttempt(),
                decision(from.getDecision()),
                StatusCodec.readState(from.getState()),
                StatusCodec.readReason(from.getReason()),
                from.getSinceMillis(),
                from.getBackoffUntilMillis(),
                from.getFailures(),
                from.getMarked(),
                from.getUntold(),
                from.getOnceStarted(),
                Checks.map(
                        from.getLastPlaces(),
                        ranks -> new PlacedRanks(
                                ranks.getPodSet(), ranks.getFirst(), ranks.getCount(), ranks.getNode())),
                from.getOwnerJob(),
                from.getCascade(),
                from.getEvictedFor().isEmpty() ? null : new WorkloadId(from.getEvictedFor()),
                from.getEvictedMillis(),
                flavors(from.getFlavors()),
                from.getEntitled(),
                from.getDrainMillis(),
                from.getEvictedReason(),
                from.getSuspended());
    }

    private static SortedMap<String, SortedMap<String, String>> flavors(List<PodSetFlavorsRow> from) {
        SortedMap<String, SortedMap<String, String>> flavors = new TreeMap<>();
        from.forEach(podSet -> flavors.put(podSet.getPodSet(), RequirementCodec.byKey("flavors", podSet.getFlavors())));
        return flavors;
    }

    private static QuotaRow writeQuota(Row.Quota from) {
        List<Quantity> plain = new ArrayList<>();
        List<FlavorQuantity> flavors = new ArrayList<>();
        for (FlavorAmount used : from.used()) {
            Amount amount = used.amount();
            if (used.flavor().isEmpty()) {
                plain.add(new Quantity(amount.resource(), amount.amount()));
            } else {
                flavors.add(new FlavorQuantity(used.flavor(), amount.resource(), amount.amount()));
            }
        }
        return new QuotaRow(from.queue(), plain, flavors, 0L, List.of());
    }

    /** Sums: not bounded as single amounts are. What has no flavor sorts first. */
    private static Row.LocalUsage readLocalUsage(QuotaRow from) {
        return new Row.LocalUsage(
                from.getQueue().substring(Row.LocalUsage.PREFIX.length()),
                from.getSampledMillis(),
                RequirementCodec.amounts("average", from.getAverage()));
    }

    private static Row.Quota readQuota(QuotaRow from) {
        List<FlavorAmount> used = new ArrayList<>();
        from.getUsed()
                .forEach(each -> used.add(new FlavorAmount("", new Amount(each.getResource(), each.getAmount()))));
        from.getFlavors().forEach(each -> used.add(StatusCodec.flavorAmount(each)));
        return new Row.Quota(from.getQueue(), used);
    }

    private static HoldRow writeHold(Row.Hold from) {
        NumaPlacements numa = new NumaPlacements();
        ClaimPlacements claims = new ClaimPlacements();
        from.members().forEach(member -> claims.next(member.claims()));
        return new HoldRow(
                ref(from.decision()),
                from.workload().value(),
                from.attempt(),
                from.cluster(),
                from.namespace(),
                from.gang(),
                from.deadlineMillis(),
                from.revoking(),
                Checks.map(from.requirements(), RequirementCodec::write),
                Checks.map(
                        from.members(),
                        member -> new HeldMemberRow(
                                member.podSet(),
                                member.index(),
                                member.name(),
                                member.uid(),
                                member.node(),
                                member.requirement(),
                                member.devices(),
                                member.confirmed(),
                                member.seenVersion(),
                                numa.indexOf(member.numa()),
                                member.leftUid())),
                numa.written(),
                claims.written(),
                from.kept(),
                from.asked(),
                from.victims(),
                from.brokenMillis());
    }

    private static Row.Hold readHold(HoldRow from) {
        List<NumaPlacement> numa = NumaPlacements.read(from.getNumaPlacements());
        ClaimPlacements.Reader claims = ClaimPlacements.read(from.getClaims());
        return new Row.Hold(
                decision(from.getDecision()),
                new WorkloadId(from.getWorkload()),
                from.getAttempt(),
                from.getCluster(),
                from.getNamespace(),
                from.getGang(),
                from.getDeadlineMillis(),
                from.getRevoking(),
                Checks.each("requirements", from.getRequirements(), Checks.PODS, RequirementCodec::read),
                Checks.map(
                        from.getMembers(),
                        member -> new Row.HeldMember(
                                member.getPodSet(),
                                member.getIndex(),
                                member.getName(),
                                member.getUid(),
                                member.getNode(),
                                member.getRequirement(),
                                member.getDevices(),
                                member.getConfirmed(),
                                member.getSeenVersion(),
                                NumaPlacements.at(numa, member.getNuma()),
                                member.getLeftUid(),
                                claims.next())),
                from.getKept(),
                from.getAsked(),
                from.getVictims(),
                from.getBrokenMillis());
    }

    private static ObjectVersion version(Origin from) {
        return from == null
                ? null
                : new ObjectVersion(
                        from.cluster(),
                        from.epoch(),
                        from.namespace(),
                        from.name(),
                        from.uid(),
                        from.resourceVersion());
    }

    private static Origin origin(ObjectVersion from) {
        return from == null
                ? null
                : new Origin(
                        from.getCluster(),
                        from.getEpoch(),
                        from.getNamespace(),
                        from.getName(),
                        from.getUid(),
                        from.getResourceVersion());
    }

    private static DecisionRef ref(DecisionId from) {
        return from == null ? null : new DecisionRef(from.sequence(), from.ordinal());
    }

    private static DecisionId decision(DecisionRef from) {
        return from == null ? null : new DecisionId(from.getSequence(), from.getOrdinal());
    }
}
