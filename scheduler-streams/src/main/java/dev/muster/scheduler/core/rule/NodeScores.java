package dev.muster.scheduler.core.rule;

import dev.muster.scheduler.core.model.HealthSignal;
import dev.muster.scheduler.core.model.PreferredTerm;
import dev.muster.scheduler.core.model.Taint;
import dev.muster.scheduler.core.state.Devices;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.NodeState;

/** The built-in scores. */
final class NodeScores {
    /** A GPU weighs as much as this many other resources: it is what runs out first. */
    private static final long GPU_WEIGHT = 10;

    private NodeScores() {}

    /**
     * The fuller the better: the weighted mean over the requested resources of (used + requested) / allocatable, as
     * Volcano's binpack plugin has it.
     */
    record Binpack() implements ScoreRule {
        @Override
        public String name() {
            return "Binpack";
        }

        @Override
        public long score(InternedRequirement requirement, NodeState node, DomainState state) {
            return fullness(requirement, node, 1);
        }
    }

    /** The emptier the better: Binpack turned round. */
    record Spread() implements ScoreRule {
        @Override
        public String name() {
            return "Spread";
        }

        @Override
        public long score(InternedRequirement requirement, NodeState node, DomainState state) {
            return BEST - fullness(requirement, node, 1);
        }
    }

    /** Share of the preferred terms' weight that the node matches. */
    record PreferredAffinity() implements ScoreRule {
        @Override
        public String name() {
            return "PreferredAffinity";
        }

        @Override
        public long score(InternedRequirement requirement, NodeState node, DomainState state) {
            long matched = 0;
            long all = 0;
            for (PreferredTerm preferred : requirement.requirement().preferredTerms()) {
                all += preferred.weight();
                if (preferred.term().matches(node.facts().labels(), node.id().name())) {
                    matched += preferred.weight();
                }
            }
            return all == 0 ? BEST : matched * BEST / all;
        }
    }

    /** Nodes with PreferNoSchedule taints that are not tolerated come last. */
    record PreferredTaints() implements ScoreRule {
        @Override
        public String name() {
            return "PreferredTaints";
        }

        @Override
        public long score(InternedRequirement requirement, NodeState node, DomainState state) {
            for (Taint taint : node.facts().taints()) {
                if (taint.effect().equals(Taint.PREFER_NO_SCHEDULE) && !NodeFilters.tolerates(requirement, taint)) {
                    return 0;
                }
            }
            return BEST;
        }
    }

    /** Nodes whose GPUs are degraded come last. */
    record HealthyGpus() implements ScoreRule {
        @Override
        public String name() {
            return "HealthyGpus";
        }

        @Override
        public long score(InternedRequirement requirement, NodeState node, DomainState state) {
            return node.worstSignal() == HealthSignal.Severity.DEGRADED ? 0 : BEST;
        }
    }

    /** How full the node would be with so many such pods more, 0 to 10,000. */
    static long fullness(InternedRequirement requirement, NodeState node, int pods) {
        long sum = 0;
        long weights = 0;
        for (int i = 0; i < requirement.resourceCount(); i++) {
            long allocatable = node.allocatable(requirement.resource(i));
            if (allocatable > 0) {
                sum += share(node.used(requirement.resource(i)) + pods * requirement.amount(i), allocatable);
                weights++;
            }
        }
        long gpuMilli = requirement.requirement().gpuMilli();
        if (gpuMilli > 0) {
            long allocatable = (long) node.devices().allocatable() * Devices.WHOLE;
            sum += GPU_WEIGHT * share(node.devices().usedMilli() + pods * gpuMilli, allocatable);
            weights += GPU_WEIGHT;
        }
        return weights == 0 ? 0 : sum / weights;
    }

    private static long share(long part, long whole) {
        // Bytes of memory times 10,000 stay below 2^63 up to some 400 TiB; beyond that, coarser units do.
        int coarser = whole > Long.MAX_VALUE / (2 * ScoreRule.BEST) ? 16 : 0;
        long scaled = (Math.max(0, part) >> coarser) * ScoreRule.BEST / Math.max(1, whole >> coarser);
        return Math.min(ScoreRule.BEST, scaled);
    }
}
