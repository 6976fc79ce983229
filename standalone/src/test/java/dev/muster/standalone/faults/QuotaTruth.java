package dev.muster.standalone.faults;

import dev.muster.schemas.event.ClusterQueueSpec;
import dev.muster.schemas.event.FlavorQuotas;
import dev.muster.schemas.event.ResourceGroup;
import dev.muster.schemas.event.ResourceQuota;
import dev.muster.standalone.faults.DecisionTruth.Member;
import dev.muster.standalone.faults.Truth.PodTruth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * How many GPUs queues of the seed's one cohort have, as the journal said it, and what is placed of them. Who places more
 * must find it within the queue's own and what it may borrow, and all queues together within what all own.
 */
final class QuotaTruth {
    /** GPUs of its own; most that it borrows, -1 for no limit. */
    private record Quota(long nominal, long borrowing) {}

    /** By queue, by the sequence of the journal entry that said so. */
    private final Map<String, TreeMap<Long, Quota>> quotas = new TreeMap<>();

    private final Map<String, List<Member>> members = new TreeMap<>();
    private final Truth truth;

    QuotaTruth(Truth truth) {
        this.truth = truth;
    }

    void told(long sequence, String queue, ClusterQueueSpec spec) {
        for (ResourceGroup group : spec.getResourceGroups()) {
            for (FlavorQuotas flavor : group.getFlavors()) {
                for (ResourceQuota quota : flavor.getResources()) {
                    if (quota.getResource().equals(Ask.GPU)) {
                        quotas.computeIfAbsent(queue, none -> new TreeMap<>())
                                .put(sequence, new Quota(quota.getNominal(), quota.getBorrowing()));
                    }
                }
            }
        }
    }

    /** What a placement adds must be within what its queue may use. */
    void placed(DecisionTruth decision, Predicate<Member> live) {
        String queue = "";
        for (Member member : decision.members) {
            PodTruth pod = truth.pods.get(member.uid);
            if (pod != null && !pod.queue.isEmpty() && member.ask.gpus() > 0) {
                queue = pod.queue;
                members.computeIfAbsent(queue, none -> new ArrayList<>()).add(member);
            }
        }
        if (queue.isEmpty()) {
            return;
        }
        long owned = 0;
        long used = 0;
        for (String each : quotas.keySet()) {
            Quota quota = at(each, decision.sequence);
            owned += quota == null ? 0 : quota.nominal;
            used += used(each, live);
        }
        Quota quota = at(queue, decision.sequence);
        Oracle.expect(quota != null, "placed in a queue that nobody has heard of, " + queue + ": " + decision);
        String of = " GPUs of " + quotas + " at " + decision.sequence + ": " + members + ", " + decision;
        Oracle.expect(
                quota.borrowing < 0 || used(queue, live) <= quota.nominal + quota.borrowing,
                queue + " uses " + used(queue, live) + of);
        Oracle.expect(used <= owned, "the cohort uses " + used + of);
    }

    private Quota at(String queue, long sequence) {
        Map.Entry<Long, Quota> said =
                quotas.getOrDefault(queue, new TreeMap<>()).floorEntry(sequence);
        return said == null ? null : said.getValue();
    }

    private long used(String queue, Predicate<Member> live) {
        return members.getOrDefault(queue, List.of()).stream()
                .filter(live)
                .mapToLong(member -> member.ask.gpus())
                .sum();
    }

    /** The most GPUs that a queue can ever use as things are; everything where no such queue is. */
    long most(String queue) {
        Quota quota = at(queue, Long.MAX_VALUE);
        if (quota == null) {
            return Long.MAX_VALUE;
        }
        long owned = quotas.keySet().stream()
                .mapToLong(each -> at(each, Long.MAX_VALUE).nominal)
                .sum();
        return quota.borrowing < 0 ? owned : Math.min(owned, quota.nominal + quota.borrowing);
    }
}
