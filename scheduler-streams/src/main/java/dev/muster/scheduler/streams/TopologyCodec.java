package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.model.HyperNodeMember;
import dev.muster.scheduler.core.model.NetworkTopology;
import dev.muster.scheduler.core.model.PodSetTopology;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.SubGroupPolicy;
import dev.muster.schemas.common.TopologySlice;
import dev.muster.schemas.event.HyperNodeMatch;
import dev.muster.schemas.event.HyperNodeSpec;
import dev.muster.schemas.event.TopologySpec;

/** What clusters say of their topology, and what workloads ask of it. */
final class TopologyCodec {
    /** More levels, or layers of slices, than any tree has. */
    private static final int LEVELS = 64;

    private TopologyCodec() {}

    static PodSetTopology readPodSet(dev.muster.schemas.common.PodSetTopology from) {
        if (from == null) {
            return PodSetTopology.NONE;
        }
        return new PodSetTopology(
                Checks.nameOrEmpty("topology.required", from.getRequired()),
                Checks.nameOrEmpty("topology.preferred", from.getPreferred()),
                from.getUnconstrained(),
                Checks.each("topology.slices", from.getSlices(), LEVELS, TopologyCodec::slice),
                Checks.nameOrEmpty("topology.groupName", from.getGroupName()),
                from.getBalanced());
    }

    private static PodSetTopology.Slice slice(TopologySlice from) {
        return new PodSetTopology.Slice(
                Checks.name("level", from.getLevel()), Checks.between("size", from.getSize(), 1, Checks.PODS));
    }

    static dev.muster.schemas.common.PodSetTopology writePodSet(PodSetTopology from) {
        if (!from.given()) {
            return null;
        }
        return new dev.muster.schemas.common.PodSetTopology(
                from.required(),
                from.preferred(),
                from.unconstrained(),
                Checks.map(from.slices(), slice -> new TopologySlice(slice.level(), slice.size())),
                from.groupName(),
                from.balanced());
    }

    static NetworkTopology readNetwork(dev.muster.schemas.event.NetworkTopology from) {
        return from == null
                ? null
                : new NetworkTopology(
                        from.getHard(),
                        Checks.between("topology.highestTier", from.getHighestTier(), -1, Integer.MAX_VALUE),
                        Checks.nameOrEmpty("topology.highestTierName", from.getHighestTierName()));
    }

    static dev.muster.schemas.event.NetworkTopology writeNetwork(NetworkTopology from) {
        return from == null
                ? null
                : new dev.muster.schemas.event.NetworkTopology(from.hard(), from.highestTier(), from.highestTierName());
    }

    static SubGroupPolicy readSubGroup(dev.muster.schemas.event.SubGroupPolicy from) {
        return new SubGroupPolicy(
                Checks.nameOrEmpty("name", from.getName()),
                Checks.between("size", from.getSize(), 1, Checks.PODS),
                Checks.between("minSubGroups", from.getMinSubGroups(), 0, Checks.PODS),
                RequirementCodec.expressions("selector", from.getSelector()),
                Checks.each("labelKeys", from.getLabelKeys(), Checks.ENTRIES, key -> Checks.name("key", key)),
                readNetwork(from.getTopology()));
    }

    static dev.muster.schemas.event.SubGroupPolicy writeSubGroup(SubGroupPolicy from) {
        return new dev.muster.schemas.event.SubGroupPolicy(
                from.name(),
                from.size(),
                from.minSubGroups(),
                RequirementCodec.writeExpressions(from.selector()),
                from.labelKeys(),
                writeNetwork(from.topology()));
    }

    static Policy.Topology readLevels(TopologySpec from) {
        return new Policy.Topology(
                Checks.each("spec.levels", from.getLevels(), LEVELS, level -> Checks.name("level", level)));
    }

    static TopologySpec writeLevels(Policy.Topology from) {
        return new TopologySpec(from.levels());
    }

    static Policy.HyperNode readHyperNode(HyperNodeSpec from) {
        return new Policy.HyperNode(
                Checks.between("spec.tier", from.getTier(), 0, Integer.MAX_VALUE),
                Checks.nameOrEmpty("spec.tierName", from.getTierName()),
                Checks.each("spec.members", from.getMembers(), Checks.ENTRIES, TopologyCodec::member));
    }

    private static HyperNodeMember member(dev.muster.schemas.event.HyperNodeMember from) {
        return new HyperNodeMember(
                from.getHyperNode(),
                HyperNodeMember.Match.valueOf(from.getMatch().name()),
                Checks.text("name", from.getName()),
                RequirementCodec.expressions("labels", from.getLabels()));
    }

    static HyperNodeSpec writeHyperNode(Policy.HyperNode from) {
        return new HyperNodeSpec(
                from.tier(),
                from.tierName(),
                Checks.map(
                        from.members(),
                        member -> new dev.muster.schemas.event.HyperNodeMember(
                                member.hyperNode(),
                                HyperNodeMatch.valueOf(member.match().name()),
                                member.name(),
                                RequirementCodec.writeExpressions(member.labels()))));
    }
}
