package dev.muster.scheduler.core.rule;

import dev.muster.scheduler.core.model.HealthSignal;
import dev.muster.scheduler.core.model.PreferredTerm;
import dev.muster.scheduler.core.model.Taint;
import dev.muster.scheduler.core.model.Toleration;
import dev.muster.scheduler.core.state.Devices;
import dev.muster.scheduler.core.state.DomainState;
import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.NodeState;
import java.util.List;

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
            if (requirement.requirement().preferredTerms().isEmpty()) {
                return BEST;
            }
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
            List<Taint> taints = node.facts().taints();
            for (int i = 0;
                    i < taints.size();
                    i++) { // most nodes have none: an iterator for each would be most of what this makes
                Taint taint = taints.get(i);
                if (taint.effect().equals(Taint.PREFER_NO_SCHEDULE) && !NodeFilters.tolerates(requirement, taint)) {
                    return 0;
                }
            }
            return BEST;
        }
    }

    /** Nodes whose GPUs are degraded come last, and those that have too few others left. */
    record HealthyGpus() implements ScoreRule {
        @Override
        public String name() {
            return "HealthyGpus";
        }

        @Override
        public long score(InternedRequirement requirement, NodeState node, DomainState state) {
            boolean degraded = node.worstSignal() == HealthSignal.Severity.DEGRADED
                    || requirement.gpus() > 0
                            && node.devices().anyDegraded()
                            && node.devices().wholeFreeHealthy() < requirement.gpus();
            return degraded ? 0 : BEST;
        }
    }

    /**
     * Islands stay whole: best where the GPUs that are free in an island are just as many as are asked for, or where nothing
     * is known of islands; worse where an island that is broken already is broken further; worse still where a whole one is
     * broken; worst where no island has as many, the more islands the worse.
     */
    record GpuIslands() implements ScoreRule {
        private static final long BROKEN = 8_000;
        private static final long BREAKS = 6_000;
        private static final long APART = 4_000;

        @Override
        public String name() {
            return "GpuIslands";
        }

        @Override
        public boolean concerns(InternedRequirement requirement) {
            return requirement.gpus() > 0;
        }

        @Override
        public long score(InternedRequirement requirement, NodeState node, DomainState state) {
            if (!node.devices().connected()) {
                return BEST;
            }
            int free = node.devices().freeInBestIsland(requirement.gpus());
            if (free == requirement.gpus()) {
                return BEST;
            }
            if (free == 0) {
                int largest = node.devices().largestIsland();
                return largest == 0 ? BEST : APART * largest / requirement.gpus();
            }
            return free < node.devices().sizeOfBestIsland(requirement.gpus()) ? BROKEN : BREAKS;
        }
    }

    /**
     * Nodes with data that a pod knows of come first: it names the taint of the data in a toleration, which only permits
     * (kube-scheduler TaintToleration), so that nodes without the data would do as well otherwise.
     */
    record CachedData() implements ScoreRule {
        private static final String TAINT = "nvme.local.data";

        @Override
        public String name() {
            return "CachedData";
        }

        @Override
        public boolean concerns(InternedRequirement requirement) {
            for (Toleration toleration : requirement.requirement().tolerations()) {
                if (toleration.key().equals(TAINT)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public long score(InternedRequirement requirement, NodeState node, DomainState state) {
            for (Taint taint : node.facts().taints()) {
                if (taint.key().equals(TAINT) && NodeFilters.tolerates(requirement, taint)) {
                    return BEST;
                }
            }
            return 0;
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
        long gpuMilli = requirement.gpuMilli(node);
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
