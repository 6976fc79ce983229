package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.scheduler.core.rule.Profile;
import dev.muster.scheduler.core.rule.RuleCatalogue;
import dev.muster.scheduler.core.state.Workload;
import java.util.HashMap;
import java.util.Map;

/**
 * Which profile places a workload: the one that its pods ask for, else that of its queue, else the domain's. Of the mix,
 * small pods that serve are spread, so that no node becomes hot, and all others are packed, so that whole GPUs and nodes
 * stay free for gangs. Pods that serve are known by the label that Deployments put on theirs.
 */
final class Profiles {
    private static final String OF_DEPLOYMENTS = "pod-template-hash";
    private static final long SMALL_GPU_MILLI = 1000;

    private final Map<String, Profile> known = new HashMap<>();
    private SchedulerPolicy policy;

    /** What the policy that is in force says of workloads that nothing else is said of; filters are the same in all profiles. */
    Profile usual(SchedulerPolicy inForce) {
        if (!inForce.equals(policy)) {
            policy = inForce;
            known.clear();
        }
        return named(policy.strategy().equals(RuleCatalogue.MIXED) ? "fgd" : policy.strategy());
    }

    /** The profile of a workload, by the same policy. */
    Profile of(Workload workload) {
        String asked = workload.askedStrategy();
        String strategy =
                asked.isEmpty() ? policy.queueStrategies().getOrDefault(workload.queue(), policy.strategy()) : asked;
        if (!strategy.equals(RuleCatalogue.MIXED)) {
            return named(strategy);
        }
        return named(workload.isLonePodWith(OF_DEPLOYMENTS, SMALL_GPU_MILLI) ? "spread" : "fgd");
    }

    private Profile named(String name) {
        return known.computeIfAbsent(name, asked -> RuleCatalogue.profile(asked, policy.weights()));
    }
}
