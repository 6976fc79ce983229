package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.decision.Reason;
import dev.muster.scheduler.core.decision.ReasonCodes;
import dev.muster.scheduler.core.model.ResourceNames;
import dev.muster.scheduler.core.quota.FlavorResource;
import dev.muster.scheduler.core.quota.QuotaUnits;
import dev.muster.scheduler.core.quota.Share;
import dev.muster.scheduler.core.round.FlavorSearch.Obstacle;
import dev.muster.scheduler.core.state.Workload;
import java.util.ArrayList;
import java.util.List;

/** Says in numbers why a queue has no quota for a workload. */
final class QuotaReasons {
    private static final String RULE = "Quota";
    private static final int MOST_CLAUSES = 4;

    private QuotaReasons() {}

    /** What a queue uses of a flavor's resource, what it owns of it, and what it has borrowed. */
    interface Usage {
        long[] of(FlavorResource column);
    }

    /** Room was found for pods that ask for more than those that had to be placed at least. */
    static Reason notCovered(String queue) {
        String message = queue + " has too little quota for the pods of it that find room";
        return new Reason(ReasonCodes.WAITING_FOR_QUOTA, message, List.of());
    }

    /** There is quota, but no room. */
    static Reason withQuota(Workload workload, Reason noRoom) {
        String message =
                noRoom.message() + "; ClusterQueue " + workload.queueRef().name() + " has quota for it";
        return new Reason(noRoom.code(), message, noRoom.details());
    }

    /** Queues share fairly: what the share of its queue is, and would be. */
    static Reason withShares(Reason refusal, Share now, Share then) {
        String message = refusal.message() + "; its queue's share of what can be borrowed is " + share(now)
                + (then.compareTo(now) == 0 ? "" : ", with it " + share(then));
        return new Reason(refusal.code(), message, refusal.details());
    }

    private static String share(Share share) {
        if (share.infinite()) {
            return "infinite (weight 0)";
        }
        long milli = share.milli();
        String part = Long.toString(1000 + milli % 1000).substring(1);
        return milli / 1000 + "." + part;
    }

    static Reason misconfigured(String message) {
        return new Reason(ReasonCodes.MISCONFIGURED, message, List.of());
    }

    static Reason behind(String queue, Workload front, boolean byUsage) {
        String message = "ClusterQueue " + queue + " is StrictFIFO: nothing starts before " + front.namespace() + "/"
                + front.object() + ", which waits in front"
                + (byUsage ? "; LocalQueue " + front.localQueue() + " used the least lately" : "");
        return new Reason(ReasonCodes.BEHIND_IN_QUEUE, message, List.of());
    }

    /** What stands in the way of each flavor that was tried. */
    static Reason tooLittle(String queue, List<Obstacle> obstacles, Usage usage) {
        StringBuilder message = new StringBuilder(queue);
        List<Reason.Detail> details = new ArrayList<>();
        String separator = " has too little quota: ";
        for (Obstacle obstacle : obstacles) {
            if (details.size() < MOST_CLAUSES) {
                message.append(separator).append(clause(obstacle, usage));
                separator = "; ";
            }
            details.add(detail(obstacle));
        }
        if (obstacles.isEmpty()) {
            message.append(" has no flavor for it any more");
        }
        return new Reason(code(obstacles), message.toString(), details);
    }

    private static String code(List<Obstacle> obstacles) {
        if (obstacles.stream()
                .allMatch(obstacle -> obstacle.resource().isEmpty()
                        || obstacle.flavor().isEmpty() && !obstacle.why().isEmpty())) {
            return ReasonCodes.NO_MATCHING_FLAVOR;
        }
        return obstacles.stream().allMatch(Obstacle::lasting)
                ? ReasonCodes.EXCEEDS_MAX_QUOTA
                : ReasonCodes.WAITING_FOR_QUOTA;
    }

    private static String clause(Obstacle lack, Usage usage) {
        String resource = lack.resource();
        String flavor = lack.flavor().isEmpty() ? "" : "flavor " + lack.flavor() + ": ";
        if (!lack.why().isEmpty()) {
            return flavor + (resource.isEmpty() ? "" : resource + " ") + lack.why();
        }
        String asked = flavor + QuotaUnits.text(resource, lack.asked()) + " asked, ";
        if (lack.lasting()) {
            return asked + "at most " + QuotaUnits.number(resource, lack.potential()) + " even if nothing were used";
        }
        long[] now = usage.of(new FlavorResource(lack.flavor(), resource));
        String own = lack.flavor().isEmpty() ? "" : " of its own " + QuotaUnits.number(resource, now[1]);
        String borrowed = now[2] > 0 ? ", " + QuotaUnits.number(resource, now[2]) + " of them borrowed" : "";
        return asked + QuotaUnits.number(resource, Math.max(0, lack.available())) + " available ("
                + QuotaUnits.number(resource, now[0]) + own + " used" + borrowed + ")";
    }

    private static Reason.Detail detail(Obstacle lack) {
        String subject = lack.flavor().isEmpty() || lack.resource().isEmpty()
                ? lack.flavor() + lack.resource()
                : lack.flavor() + "/" + lack.resource();
        return new Reason.Detail(
                RULE,
                0,
                subject,
                whole(lack.resource(), lack.asked(), 999),
                whole(lack.resource(), lack.available(), 0));
    }

    /** GPUs are told in whole ones. */
    private static long whole(String resource, long amount, long more) {
        return Math.max(0, resource.equals(ResourceNames.GPU) ? (amount + more) / 1000 : amount);
    }
}
