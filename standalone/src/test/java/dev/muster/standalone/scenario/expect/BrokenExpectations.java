package dev.muster.standalone.scenario.expect;

import dev.muster.standalone.scenario.expect.PodCondition.Rule;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Expectations that say the opposite: where one of these holds, the original could not fail. */
public final class BrokenExpectations {
    private BrokenExpectations() {}

    public static List<Expectation> of(List<Expectation> expectations) {
        return expectations.stream().map(BrokenExpectations::of).toList();
    }

    private static Expectation of(Expectation expectation) {
        return switch (expectation) {
            case Expectation.Single single ->
                new Expectation.Single(single.field(), single.when(), of(single.condition()));
            case Expectation.OneOf oneOf -> new Expectation.OneOf(oneOf.field(), of(oneOf.alternatives()));
        };
    }

    private static Condition of(Condition condition) {
        return switch (condition) {
            case Condition.All all ->
                new Condition.All(
                        all.conditions().stream().map(BrokenExpectations::of).toList());
            case Condition.Any any ->
                new Condition.All(
                        any.conditions().stream().map(BrokenExpectations::of).toList());
            case PodCondition pods -> new PodCondition(pods.pods(), of(pods.rule()));
            case WorkloadCondition workload ->
                new WorkloadCondition(
                        workload.path(),
                        workload.state().isEmpty() ? "" : workload.state() + "Not",
                        workload.reason().isEmpty() ? "" : workload.reason() + "Not");
            case UsageCondition usage -> {
                Map<String, Long> more = new TreeMap<>();
                usage.wantMilli().forEach((resource, milli) -> more.put(resource, milli + 1));
                yield new UsageCondition(usage.queue(), usage.nodes(), more);
            }
        };
    }

    private static Rule of(Rule rule) {
        return switch (rule) {
            case Rule.Bound bound -> new Rule.Bound(of(bound.count()));
            case Rule.Terminating terminating -> new Rule.Terminating(of(terminating.count()));
            case Rule.BoundIn in -> new Rule.BoundIn(List.of(1_000_000));
            case Rule.Nodes nodes -> new Rule.Nodes(List.of(Glob.of("no-such-node")));
            case Rule.DistinctNodes distinct -> new Rule.DistinctNodes(of(distinct.count()));
            case Rule.PerNode perNode -> new Rule.PerNode(of(perNode.count()));
            case Rule.SameNodeLabel label -> new Rule.SameNodeLabel("no-such-label");
            case Rule.MaxSkew skew -> new Rule.MaxSkew(skew.label(), -1);
            case Rule.NumaNodes numa -> new Rule.NumaNodes(-1);
            case Rule.InCluster cluster -> new Rule.InCluster("no-such-cluster");
            case Rule.Evictions evictions -> new Rule.Evictions(of(evictions.count()));
        };
    }

    /** What the bounds leave out. */
    private static Bounds of(Bounds bounds) {
        return bounds.max() == Integer.MAX_VALUE
                ? new Bounds(0, bounds.min() - 1)
                : new Bounds(bounds.max() + 1, Integer.MAX_VALUE);
    }
}
