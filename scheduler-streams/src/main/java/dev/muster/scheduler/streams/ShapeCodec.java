package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.model.GangShape;
import dev.muster.scheduler.core.model.MatchPolicy;
import dev.muster.scheduler.core.model.SubGroup;
import dev.muster.schemas.event.GroupSpec;
import java.util.List;

/** What a gang object says of its shape: subgroups in a tree, gangs that start together, what counts once it ran. */
final class ShapeCodec {
    private ShapeCodec() {}

    static GangShape read(GroupSpec from) {
        List<SubGroup> tree = Checks.each("tree", from.getTree(), Checks.ENTRIES, ShapeCodec::subGroup);
        String fault = SubGroup.fault(tree);
        if (!fault.isEmpty()) {
            throw InvalidFieldException.saying("tree", Checks.printable(fault));
        }
        GangShape shape = new GangShape(
                MatchPolicy.valueOf(from.getMatchPolicy().name()),
                Checks.each("startsWith", from.getStartsWith(), Checks.ENTRIES, gang -> Checks.id("gang", gang)),
                TopologyCodec.readPodSet(from.getPlace()),
                Checks.between("minSubGroups", from.getMinSubGroups(), 0, Checks.PODS),
                tree);
        return shape.equals(GangShape.PLAIN) ? GangShape.PLAIN : shape;
    }

    private static SubGroup subGroup(dev.muster.schemas.event.SubGroup from) {
        return new SubGroup(
                Checks.name("name", from.getName()),
                Checks.nameOrEmpty("parent", from.getParent()),
                Checks.between("minMember", from.getMinMember(), 0, Checks.PODS),
                Checks.between("minSubGroups", from.getMinSubGroups(), 0, Checks.PODS),
                TopologyCodec.readPodSet(from.getPlace()));
    }

    static dev.muster.schemas.event.SubGroup write(SubGroup from) {
        return new dev.muster.schemas.event.SubGroup(
                from.name(),
                from.parent(),
                from.minMember(),
                from.minSubGroups(),
                TopologyCodec.writePodSet(from.place()));
    }

    static dev.muster.schemas.event.MatchPolicy matchPolicy(MatchPolicy from) {
        return dev.muster.schemas.event.MatchPolicy.valueOf(from.name());
    }
}
