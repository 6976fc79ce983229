package dev.muster.scheduler.core.state;

import dev.muster.scheduler.core.decision.Reason;
import dev.muster.scheduler.core.decision.ReasonCodes;
import dev.muster.scheduler.core.model.MatchPolicy;
import dev.muster.scheduler.core.model.SubGroupPolicy;
import dev.muster.scheduler.core.model.WorkloadState;
import java.util.List;

/** What state a workload is in, and why, as far as that follows from its members. */
final class WorkloadStates {
    private WorkloadStates() {}

    static WorkloadState of(Workload workload) {
        if (workload.cancelled) {
            return WorkloadState.CANCELLED;
        }
        int succeeded = workload.count(Member.Phase.SUCCEEDED);
        int ended = succeeded + workload.count(Member.Phase.FAILED);
        // Volcano's controller deletes the PodGroup of a job that ended; its pods stay.
        boolean enough = !workload.specKnown() || ended >= workload.minMember;
        if (workload.size > 0 && ended == workload.size && enough) {
            boolean well = succeeded == ended || (succeeded >= workload.minMember && workload.job != null);
            return well ? WorkloadState.COMPLETED : WorkloadState.FAILED;
        }
        if (workload.job != null && beyondHope(workload)) {
            return WorkloadState.FAILED;
        }
        if (workload.suspended) {
            return WorkloadState.SUSPENDED;
        }
        boolean running = workload.count(Member.Phase.BOUND) > 0
                && workload.count(Member.Phase.BOUND) + succeeded >= workload.minMember;
        if (running) {
            return WorkloadState.RUNNING;
        }
        if (workload.count(Member.Phase.HELD) > 0) {
            return WorkloadState.PLACED;
        }
        return workload.specKnown() && workload.complete() ? WorkloadState.WAITING : WorkloadState.INCOMPLETE;
    }

    /** A submitted job's place that ended badly is not filled again: too few are left for the minimum, and none runs. */
    private static boolean beyondHope(Workload workload) {
        int failed = workload.count(Member.Phase.FAILED);
        int atWork = workload.count(Member.Phase.BOUND)
                + workload.count(Member.Phase.HELD)
                + workload.count(Member.Phase.LEAVING);
        return failed > 0 && atWork == 0 && workload.size - failed < workload.minMember;
    }

    /** The reason that goes with the state: what a round said stands while members wait. */
    static Reason reason(Workload workload, WorkloadState state, Reason said) {
        if (!state.ended() && state != WorkloadState.SUSPENDED && isBroken(workload, said)) {
            return said;
        }
        return switch (state) {
            case CANCELLED, COMPLETED, FAILED -> Reason.NONE;
            case SUSPENDED -> suspended(workload);
            case INCOMPLETE -> failedToBind(workload, said) ? said : incomplete(workload);
            case WAITING -> followsFromMembers(said) ? Reason.NONE : said;
            case PLACED, RUNNING -> {
                if (workload.count(Member.Phase.WAITING) == 0) {
                    yield Reason.NONE;
                }
                if (workload.matchPolicy() == MatchPolicy.ONLY_WAITING && !workload.complete()) {
                    yield incomplete(workload);
                }
                yield followsFromMembers(said) ? Reason.NONE : said;
            }
        };
    }

    /**
     * Whether it waits because its last placement did not come about. Taking that one back deletes pods, and their controller
     * makes them anew: that members are missing meanwhile is not what keeps it.
     */
    private static boolean failedToBind(Workload workload, Reason said) {
        boolean failed =
                said.code().equals(ReasonCodes.BIND_FAILED) || said.code().equals(ReasonCodes.BIND_REFUSED);
        return failed && workload.specKnown() && workload.backoffUntilMillis > 0;
    }

    /** Whether it lost members: what is said of that stands while its slots are held, or their eviction is to be tried again. */
    private static boolean isBroken(Workload workload, Reason said) {
        boolean held = workload.kept != null && workload.kept.kept.slots();
        return held && said.code().equals(ReasonCodes.MEMBERS_LOST)
                || workload.backoffUntilMillis > 0
                        && said.code().equals(ReasonCodes.EVICTION_REFUSED)
                        && workload.count(Member.Phase.BOUND) > 0;
    }

    /** The reason as a row keeps it: without what can be worked out again from the members, and changes with each of them. */
    static Reason kept(Reason reason) {
        return followsFromMembers(reason) ? new Reason(reason.code(), "", List.of()) : reason;
    }

    /** The whole of a reason that was kept. */
    static Reason restored(Workload workload, Reason kept) {
        return followsFromMembers(kept) ? reason(workload, workload.state, kept) : kept;
    }

    private static boolean followsFromMembers(Reason reason) {
        return reason.code().equals(ReasonCodes.PODS_MISSING)
                || reason.code().equals(ReasonCodes.GROUP_MISSING)
                || reason.code().equals(ReasonCodes.SUSPENDED);
    }

    private static Reason suspended(Workload workload) {
        int left = workload.count(Member.Phase.BOUND)
                + workload.count(Member.Phase.HELD)
                + workload.count(Member.Phase.LEAVING);
        String still = left == 0 ? "" : "; " + left + " of its pods have room until they are gone";
        return new Reason(ReasonCodes.SUSPENDED, "its tenant suspended it" + still, List.of());
    }

    private static Reason incomplete(Workload workload) {
        if (!workload.specKnown() && workload.size == 0) {
            return new Reason(
                    ReasonCodes.GROUP_MISSING,
                    "job " + workload.ownerJob + " has yet to make its PodGroup anew",
                    List.of());
        }
        if (!workload.specKnown()) {
            String kind = switch (workload.kind()) {
                case VOLCANO_POD_GROUP -> "Volcano PodGroup";
                case BATCH_JOB -> "Job";
                case KAI_POD_GROUP -> "KAI PodGroup";
                case POD_GROUP, JOB, POD -> "PodGroup";
            };
            return new Reason(
                    ReasonCodes.GROUP_MISSING,
                    workload.size + " pods name a " + kind + " that does not exist in namespace "
                            + workload.namespace(),
                    List.of());
        }
        int gated = workload.count(Member.Phase.GATED);
        int there = workload.ready() + workload.count(Member.Phase.WAITING);
        String role = workload.roleShortage(true);
        SubGroupPolicy policy = workload.subGroupShortage(true);
        if (there >= workload.minMember && role == null && policy != null) {
            return new Reason(
                    ReasonCodes.PODS_MISSING,
                    "fewer than " + policy.minSubGroups() + " subgroups of policy " + policy.name() + " have the "
                            + policy.size() + " pods that must run together",
                    List.of());
        }
        String missing = there < workload.minMember || role == null
                ? tooFew(workload, there)
                : "task " + role + " has fewer pods than the " + workload.taskMinimums.get(role) + " it needs";
        return new Reason(
                ReasonCodes.PODS_MISSING,
                missing + (gated > 0 ? "; " + gated + " more have scheduling gates" : ""),
                List.of());
    }

    private static String tooFew(Workload workload, int there) {
        if (workload.tree() != null && !workload.tree().isMet(workload, true)) {
            return workload.tree().shortage(workload);
        }
        if (workload.matchPolicy() == MatchPolicy.ONLY_WAITING) {
            return there + " of the " + workload.minMember
                    + " pods that must start together wait; those that run do not count (match policy only-waiting)";
        }
        return there + " of the " + workload.minMember + " pods that must run together are there";
    }
}
