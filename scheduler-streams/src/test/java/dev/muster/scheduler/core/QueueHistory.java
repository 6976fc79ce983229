package dev.muster.scheduler.core;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.decision.DecisionOutcome;
import dev.muster.scheduler.core.decision.DecisionOutcome.MemberStatus;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.QuotaObject;
import dev.muster.scheduler.core.model.WorkloadKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Long queues by seed: more waits in the queues of a tree of cohorts than fits, whatever ends; now and then a queue changes. */
final class QueueHistory {
    private static final int QUEUES = 7;
    private static final int COHORTS = 4;

    private final Random random;
    private final TestDomain domain = TestDomain.synced();
    private final QuotaObjects quota = new QuotaObjects(domain);
    private final List<Decision> open = new ArrayList<>();
    private final boolean alike;
    private int names;

    private QueueHistory(long seed) {
        random = new Random(seed);
        alike = random.nextBoolean();
    }

    /** Plays as many steps and hands out the domain with its journal; laws were checked after every entry. */
    static TestDomain play(long seed, int steps) {
        QueueHistory history = new QueueHistory(seed);
        history.begin();
        for (int step = 0; step < steps; step++) {
            history.step();
        }
        return history.domain;
    }

    private void begin() {
        for (int node = 0; node < 6; node++) {
            domain.node("n" + node, 4, Map.of("pool", node % 2 == 0 ? "a" : "b"));
        }
        quota.flavor("f0", Map.of("pool", "a"));
        quota.flavor("f1", Map.of("pool", "b"));
        for (int cohort = 0; cohort < COHORTS; cohort++) {
            quota.cohort("c" + cohort, cohort == 0 ? "" : "c" + random.nextInt(cohort), gpus(3));
        }
        for (int queue = 0; queue < QUEUES; queue++) {
            queue(queue);
            quota.localQueue("ml", "lq" + queue, "q" + queue);
        }
    }

    private void queue(int number) {
        quota.queue(
                "q" + number,
                random.nextInt(6) == 0 ? "" : "c" + random.nextInt(COHORTS),
                random.nextInt(8) == 0,
                random.nextInt(12) == 0 ? QuotaObject.StopPolicy.HOLD : QuotaObject.StopPolicy.NONE,
                new QuotaObject.Fungibility(random.nextBoolean(), false, false),
                preemption(),
                gpus(6));
    }

    private QuotaObject.Preemption preemption() {
        String[] within = {"Never", "Never", "LowerPriority", "LowerOrNewerEqualPriority"};
        String[] reclaim = {"Never", "LowerPriority", "Any"};
        return new QuotaObject.Preemption(
                within[random.nextInt(within.length)],
                reclaim[random.nextInt(reclaim.length)],
                random.nextInt(3) > 0 ? "Never" : "LowerPriority",
                random.nextBoolean() ? null : random.nextInt(3));
    }

    private QuotaObject.FlavorQuotas[] gpus(int most) {
        QuotaObject.FlavorQuotas[] quotas = new QuotaObject.FlavorQuotas[1 + random.nextInt(2)];
        for (int i = 0; i < quotas.length; i++) {
            quotas[i] = QuotaObjects.gpus(
                    "f" + i,
                    random.nextInt(most),
                    random.nextInt(3) > 0 ? -1 : random.nextInt(4),
                    random.nextInt(3) > 0 ? -1 : random.nextInt(4));
        }
        return quotas;
    }

    private void step() {
        switch (random.nextInt(24)) {
            case 0 -> queue(random.nextInt(QUEUES));
            case 1 -> domain.pass(random.nextInt(20_000));
            case 2, 3 -> gang();
            case 4, 5, 6, 7, 8, 9, 10 -> pod("p" + names++, null, -1);
            case 11, 12, 13, 14 -> somePodEnds();
            default -> settleOne();
        }
        domain.pass(random.nextInt(50));
        if (random.nextInt(3) > 0) {
            open.addAll(domain.tick());
        }
    }

    private void gang() {
        String name = "g" + names++;
        int size = 2 + random.nextInt(3);
        domain.podGroup(name, size);
        Map<String, String> labels = inSomeQueue();
        int priority = priority();
        for (int i = 0; i < size; i++) {
            domain.pod(
                    "ml",
                    name + "-" + i,
                    new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, name),
                    "",
                    i,
                    priority,
                    TestDomain.gpus(1),
                    labels);
        }
    }

    private void pod(String name, GroupRef group, int index) {
        domain.pod("ml", name, group, "", index, priority(), TestDomain.gpus(1 + random.nextInt(4)), inSomeQueue());
    }

    /** Where all are alike, nobody may be evicted for lower priority. */
    private int priority() {
        return alike ? 0 : random.nextInt(3);
    }

    private Map<String, String> inSomeQueue() {
        return new TreeMap<>(Map.of("kueue.x-k8s.io/queue-name", "lq" + random.nextInt(QUEUES)));
    }

    private void somePodEnds() {
        List<String> running = domain.pods.values().stream()
                .filter(pod -> pod.facts().holdsRoom())
                .map(pod -> pod.origin().name())
                .toList();
        if (!running.isEmpty()) {
            String name = running.get(random.nextInt(running.size()));
            domain.phase(name, "Succeeded");
            if (random.nextBoolean()) {
                domain.gone(name);
            }
        }
    }

    private void settleOne() {
        if (open.isEmpty()) {
            return;
        }
        Decision decision = open.remove(random.nextInt(open.size()));
        switch (decision.action()) {
            case Action.PlaceGang place -> {
                boolean revoked = open.stream()
                        .anyMatch(other -> other.action() instanceof Action.Revoke
                                && other.workload().equals(decision.workload()));
                if (!revoked) {
                    domain.carryOut(decision);
                }
            }
            case Action.Evict evict -> {
                evict.victims().stream()
                        .map(Action.Victim::name)
                        .filter(domain.pods::containsKey)
                        .forEach(domain::deleting);
                domain.reportEviction(decision, DecisionOutcome.Status.EVICTED, MemberStatus.EVICTED);
                evict.victims().stream()
                        .map(Action.Victim::name)
                        .filter(domain.pods::containsKey)
                        .forEach(domain::gone);
            }
            case Action.Revoke revoke -> {
                open.removeIf(other -> other.action() instanceof Action.PlaceGang
                        && other.workload().equals(decision.workload()));
                domain.report(decision, DecisionOutcome.Status.REVOKED, MemberStatus.RELEASED, false);
            }
            case Action.DeletePods delete -> throw new AssertionError("nobody asked for " + decision);
        }
    }
}
