package dev.muster.standalone.openb;

import java.util.ArrayList;
import java.util.List;

/** Places each pod on the node that a policy scores highest, ties to the smallest rank. */
final class PolicyScheduler implements Scheduler {
    private final Policy policy;
    private final List<GpuNode> nodes;
    private final Ranking.Changes changes;
    /** By number of the shape; null where none has arrived. */
    private final List<Ranking> rankings = new ArrayList<>();

    PolicyScheduler(Policy policy, List<GpuNode> nodes) {
        this.policy = policy;
        this.nodes = nodes;
        this.changes = new Ranking.Changes(nodes.size());
    }

    @Override
    public Placement place(Shape shape) {
        GpuNode node = ranking(shape).best(changes);
        if (node == null) {
            return null;
        }
        int[] devices = shape.shared() ? new int[] {policy.device(shape, node)} : node.wholeDevices(shape.gpus());
        node.take(shape, devices);
        changes.add(node.index());
        return new Placement(node, devices);
    }

    private Ranking ranking(Shape shape) {
        while (rankings.size() <= shape.id()) {
            rankings.add(null);
        }
        Ranking ranking = rankings.get(shape.id());
        if (ranking == null) {
            ranking = new Ranking(policy, shape, nodes);
            rankings.set(shape.id(), ranking);
        }
        return ranking;
    }
}
