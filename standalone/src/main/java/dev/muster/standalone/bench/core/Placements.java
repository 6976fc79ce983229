package dev.muster.standalone.bench.core;

import dev.muster.scheduler.core.decision.Action.MemberPlacement;
import dev.muster.scheduler.core.decision.Action.NodePlacement;
import dev.muster.scheduler.core.decision.Action.PlaceGang;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.standalone.bench.core.NaiveScheduler.Placement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Looks at decisions from outside: how fast they were made means nothing unless they are right. */
final class Placements {
    private Placements() {}

    /**
     * The place of each pod, in the order of decisions, nodes and members.
     *
     * @throws IllegalStateException when not exactly so many gangs of so many pods each were placed whole, or a GPU was
     *     given to two pods
     */
    static List<Placement> checked(List<Decision> decisions, int gangs, int podsPerGang) {
        if (decisions.size() != gangs) {
            throw new IllegalStateException("placed " + decisions.size() + " of " + gangs + " gangs");
        }
        List<Placement> placements = new ArrayList<>();
        Set<String> devices = new HashSet<>();
        Set<String> workloads = new HashSet<>();
        for (Decision decision : decisions) {
            int before = placements.size();
            for (NodePlacement node : ((PlaceGang) decision.action()).nodes()) {
                for (MemberPlacement member : node.members()) {
                    placements.add(new Placement(member.name(), node.node(), member.devices()));
                    for (int device : member.devices()) {
                        if (!devices.add(node.node() + "/" + device)) {
                            throw new IllegalStateException("GPU " + device + " of " + node.node() + " twice");
                        }
                    }
                }
            }
            if (placements.size() - before != podsPerGang
                    || !workloads.add(decision.workload().value())) {
                throw new IllegalStateException("not placed whole and once: " + decision);
            }
        }
        return placements;
    }
}
