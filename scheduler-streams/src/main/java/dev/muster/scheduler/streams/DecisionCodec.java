package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Action.MemberPlacement;
import dev.muster.scheduler.core.decision.Action.NodePlacement;
import dev.muster.scheduler.core.decision.Action.PlacedPodSet;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.decision.DecisionOutcome;
import dev.muster.scheduler.core.decision.DecisionOutcome.MemberOutcome;
import dev.muster.scheduler.core.model.DecisionId;
import dev.muster.scheduler.core.model.Label;
import dev.muster.scheduler.core.model.NumaPlacement;
import dev.muster.scheduler.core.model.WorkloadId;
import dev.muster.schemas.common.KeyValue;
import dev.muster.schemas.decision.DeletePods;
import dev.muster.schemas.decision.Evict;
import dev.muster.schemas.decision.MemberStatus;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.OutcomeStatus;
import dev.muster.schemas.decision.PlaceGang;
import dev.muster.schemas.decision.Revoke;
import dev.muster.schemas.decision.RevokeReason;
import java.util.List;

/**
 * Decisions of one domain and what became of them, as records of topics decisions and outcomes. The same decision gives
 * the same bytes, always: a replay compares them.
 */
public final class DecisionCodec {
    private final String domain;

    /** A codec for one domain's decisions. */
    public DecisionCodec(String domain) {
        this.domain = domain;
    }

    /** The decision as it goes out. */
    public dev.muster.schemas.decision.Decision write(Decision from) {
        return new dev.muster.schemas.decision.Decision(
                DecisionIds.write(domain, from.id()),
                domain,
                from.id().sequence(),
                from.id().ordinal(),
                from.timeMillis(),
                from.workload().value(),
                from.attempt(),
                writeAction(from.action()));
    }

    /**
     * The decision that a record states.
     *
     * @throws IllegalArgumentException when it is none of this domain's
     */
    public Decision read(dev.muster.schemas.decision.Decision from) {
        try {
            return new Decision(
                    DecisionIds.read("id", domain, from.getId()),
                    from.getTimeMillis(),
                    new WorkloadId(Checks.id("workload", from.getWorkload())),
                    from.getAttempt(),
                    readAction(from.getAction()));
        } catch (InvalidFieldException e) {
            throw new IllegalArgumentException(e.refusal().line(), e);
        }
    }

    /** The id of a decision as the outside knows it. */
    public String idOf(DecisionId id) {
        return DecisionIds.write(domain, id);
    }

    DecisionOutcome readOutcome(Outcome from) {
        return new DecisionOutcome(
                DecisionIds.read("decisionId", domain, from.getDecisionId()),
                Checks.name("cluster", from.getCluster()),
                new WorkloadId(Checks.id("workload", from.getWorkload())),
                DecisionOutcome.Status.valueOf(from.getStatus().name()),
                from.getRefused(),
                Checks.each("members", from.getMembers(), Checks.PODS, DecisionCodec::readMember),
                Checks.millis("timeMillis", from.getTimeMillis()));
    }

    Outcome writeOutcome(DecisionOutcome from) {
        return new Outcome(
                domain,
                from.cluster(),
                DecisionIds.write(domain, from.decision()),
                from.workload().value(),
                OutcomeStatus.valueOf(from.status().name()),
                from.refused(),
                Checks.map(from.members(), DecisionCodec::writeMember),
                from.timeMillis());
    }

    private Object writeAction(Action action) {
        return switch (action) {
            case Action.PlaceGang place -> writePlacement(place);
            case Action.Revoke revoke ->
                new Revoke(
                        DecisionIds.write(domain, revoke.revoked()),
                        revoke.cluster(),
                        revoke.namespace(),
                        RevokeReason.valueOf(revoke.reason().name()),
                        writePlacements(revoke.members(), new NumaPlacements()));
            case Action.DeletePods delete ->
                new DeletePods(
                        delete.cluster(),
                        delete.namespace(),
                        writePlacements(delete.members(), new NumaPlacements()),
                        delete.reason());
            case Action.Evict evict ->
                new Evict(
                        evict.cluster(),
                        evict.namespace(),
                        Checks.map(evict.victims(), DecisionCodec::writeVictim),
                        evict.reason(),
                        evict.deadlineMillis());
        };
    }

    private static dev.muster.schemas.decision.Victim writeVictim(Action.Victim from) {
        return new dev.muster.schemas.decision.Victim(
                from.workload().value(),
                from.whole(),
                from.namespace(),
                from.name(),
                from.uid(),
                from.node(),
                from.budget());
    }

    private static Action.Victim readVictim(dev.muster.schemas.decision.Victim from) {
        return new Action.Victim(
                new WorkloadId(from.getWorkload()),
                from.getWhole(),
                from.getNamespace(),
                from.getName(),
                from.getUid(),
                from.getNode(),
                from.getBudget());
    }

    private static PlaceGang writePlacement(Action.PlaceGang place) {
        NumaPlacements numa = new NumaPlacements();
        ClaimPlacements claims = new ClaimPlacements();
        place.nodes().forEach(node -> node.members().forEach(member -> claims.next(member.claims())));
        return new PlaceGang(
                place.cluster(),
                place.namespace(),
                place.gang(),
                place.create(),
                Checks.map(place.podSets(), DecisionCodec::writePodSet),
                Checks.map(
                        place.nodes(),
                        node -> new dev.muster.schemas.decision.NodePlacement(
                                node.node(), node.nodeUid(), writePlacements(node.members(), numa))),
                place.deadlineMillis(),
                numa.written(),
                claims.written());
    }

    private static dev.muster.schemas.decision.PlacedPodSet writePodSet(PlacedPodSet from) {
        return new dev.muster.schemas.decision.PlacedPodSet(
                from.name(),
                from.templateHash(),
                Checks.map(from.nodeLabels(), label -> new KeyValue(label.key(), label.value())),
                RequirementCodec.writeTolerations(from.tolerations()));
    }

    private static PlacedPodSet readPodSet(dev.muster.schemas.decision.PlacedPodSet from) {
        return new PlacedPodSet(
                from.getName(),
                from.getTemplateHash(),
                Checks.map(from.getNodeLabels(), label -> new Label(label.getKey(), label.getValue())),
                Checks.map(from.getTolerations(), RequirementCodec::toleration));
    }

    private Action readAction(Object action) {
        return switch (action) {
            case PlaceGang place -> readPlacement(place);
            case Revoke revoke ->
                new Action.Revoke(
                        revoke.getCluster(),
                        revoke.getNamespace(),
                        DecisionIds.read("action.revokedDecisionId", domain, revoke.getRevokedDecisionId()),
                        Action.RevokeReason.valueOf(revoke.getReason().name()),
                        readPlacements(revoke.getMembers(), List.of(), ClaimPlacements.none()));
            case DeletePods delete ->
                new Action.DeletePods(
                        delete.getCluster(),
                        delete.getNamespace(),
                        readPlacements(delete.getMembers(), List.of(), ClaimPlacements.none()),
                        delete.getReason());
            case Evict evict ->
                new Action.Evict(
                        evict.getCluster(),
                        evict.getNamespace(),
                        Checks.map(evict.getVictims(), DecisionCodec::readVictim),
                        evict.getReason(),
                        evict.getDeadlineMillis());
            default -> throw InvalidFieldException.of("action", action, "PlaceGang, Revoke, DeletePods or Evict");
        };
    }

    private static Action.PlaceGang readPlacement(PlaceGang place) {
        List<NumaPlacement> numa = NumaPlacements.read(place.getNumaPlacements());
        ClaimPlacements.Reader claims = ClaimPlacements.read(place.getClaims());
        return new Action.PlaceGang(
                place.getCluster(),
                place.getNamespace(),
                place.getGang(),
                place.getCreate(),
                Checks.map(place.getPodSets(), DecisionCodec::readPodSet),
                Checks.map(
                        place.getNodes(),
                        node -> new NodePlacement(
                                node.getNode(), node.getNodeUid(), readPlacements(node.getMembers(), numa, claims))),
                place.getDeadlineMillis());
    }

    private static List<dev.muster.schemas.decision.MemberPlacement> writePlacements(
            List<MemberPlacement> members, NumaPlacements numa) {
        return Checks.map(
                members,
                member -> new dev.muster.schemas.decision.MemberPlacement(
                        member.podSet(),
                        member.index(),
                        member.name(),
                        member.uid(),
                        member.devices(),
                        numa.indexOf(member.numa())));
    }

    private static List<MemberPlacement> readPlacements(
            List<dev.muster.schemas.decision.MemberPlacement> members,
            List<NumaPlacement> numa,
            ClaimPlacements.Reader claims) {
        return Checks.map(
                members,
                member -> new MemberPlacement(
                        member.getPodSet(),
                        member.getIndex(),
                        member.getName(),
                        member.getUid(),
                        member.getDevices(),
                        NumaPlacements.at(numa, member.getNuma()),
                        claims.next()));
    }

    private static MemberOutcome readMember(dev.muster.schemas.decision.MemberOutcome from) {
        return new MemberOutcome(
                Checks.between("podSet", from.getPodSet(), 0, Checks.PODS),
                Checks.between("index", from.getIndex(), -1, Integer.MAX_VALUE),
                Checks.nameOrEmpty("name", from.getName()),
                Checks.nameOrEmpty("uid", from.getUid()),
                DecisionOutcome.MemberStatus.valueOf(from.getStatus().name()),
                Checks.text("reason", from.getReason()),
                Checks.text("message", from.getMessage()),
                Checks.between("resourceVersion", from.getResourceVersion(), 0, Long.MAX_VALUE));
    }

    private static dev.muster.schemas.decision.MemberOutcome writeMember(MemberOutcome from) {
        return new dev.muster.schemas.decision.MemberOutcome(
                from.podSet(),
                from.index(),
                from.name(),
                from.uid(),
                MemberStatus.valueOf(from.status().name()),
                from.reason(),
                from.message(),
                from.resourceVersion());
    }
}
