package dev.muster.scheduler.core;

import static dev.muster.scheduler.core.TestDomain.gpus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent.GroupChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.FairSharing;
import dev.muster.scheduler.core.model.FairSharing.Strategy;
import dev.muster.scheduler.core.model.FairSharing.VolcanoShare;
import dev.muster.scheduler.core.model.GroupFacts;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.scheduler.core.model.PreemptionPolicy;
import dev.muster.scheduler.core.model.QuotaObject.Preemption;
import dev.muster.scheduler.core.model.WorkloadKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Gangs in queues that share, all guards off: whoever is evicted may be, by shares that are worked out here from what queues
 * own and use alone; and where nothing new comes, it ends, with and without hysteresis. {@code -Dmuster.cases=N} tries more.
 */
class FairPreemptionTest {
    private static final int CASES = Integer.getInteger("muster.cases", 200);
    private static final int QUEUES = 3;
    private static final int MOST_STEPS = 400;

    private record Gang(String name, int queue, int pods, int gpus) {
        private int all() {
            return pods * gpus;
        }
    }

    @Test
    void whoHasTheLargerShareGives() {
        int evictions = 0;
        for (long seed = 1; seed <= CASES; seed++) {
            Case tried = new Kueue(seed);
            tried.run();
            evictions += tried.evictions;
        }
        assertThat(evictions).as("evictions in %d cases", CASES).isGreaterThan(CASES / 4);
    }

    @Test
    void whoUsesMoreThanItDeservesGives() {
        int evictions = 0;
        for (long seed = 1; seed <= CASES; seed++) {
            Case tried = new Volcano(seed);
            tried.run();
            evictions += tried.evictions;
        }
        assertThat(evictions).as("evictions in %d cases", CASES).isGreaterThan(CASES / 4);
    }

    private abstract static class Case {
        final long seed;
        final Random random;
        final TestDomain domain = TestDomain.synced();
        final QuotaObjects quota = new QuotaObjects(domain);
        final int[] nominal = new int[QUEUES];
        private final Map<String, Gang> gangs = new LinkedHashMap<>();
        private final Set<Gang> running = new LinkedHashSet<>();
        private final Set<Gang> promised = new LinkedHashSet<>();
        private final List<String> leaving = new ArrayList<>();
        private int evictions;

        Case(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
        }

        void run() {
            PreemptionPolicy off = new PreemptionPolicy(
                    true, PreemptionPolicy.Fence.CLUSTER, 0, 0, 0, 0, 0, 0, 0, 0, List.of(), List.of(), 600_000);
            domain.apply(new PolicyChanged(
                    domain.origin("", "policy"),
                    Kinds.SCHEDULER_POLICY,
                    SchedulerPolicy.DEFAULT.withPreemption(off).withFairSharing(sharing())));
            queues();
            for (int i = 0; i < 1 + random.nextInt(3); i++) {
                domain.node("n" + i, 2 + random.nextInt(6));
            }
            for (int i = 0; i < 9; i++) {
                arrive(i);
                settle();
            }
        }

        abstract FairSharing sharing();

        abstract void queues();

        abstract void check(Gang preemptor, List<Gang> victims);

        abstract String queueOf(Gang gang);

        private void arrive(int i) {
            Gang gang = new Gang("g" + i, random.nextInt(QUEUES), 1 + random.nextInt(3), 1 + random.nextInt(2));
            gangs.put(gang.name(), gang);
            domain.apply(new GroupChanged(
                    domain.origin("ml", gang.name()),
                    Kinds.VOLCANO_POD_GROUP,
                    new GroupFacts(queueOf(gang), "", gang.pods(), List.of(), "", "", 0, 0)));
            for (int pod = 0; pod < gang.pods(); pod++) {
                makePod(gang, gang.name() + "-" + pod, pod);
            }
        }

        abstract Map<String, String> labels(Gang gang);

        private void makePod(Gang gang, String name, int index) {
            domain.pod(
                    "ml",
                    name,
                    new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, gang.name()),
                    "",
                    index,
                    0,
                    gpus(gang.gpus()),
                    labels(gang));
        }

        private void settle() {
            int quiet = 0;
            for (int step = 0; quiet < 4; step++) {
                assertThat(step).as("seed %d rests", seed).isLessThan(MOST_STEPS);
                if (!leaving.isEmpty()) {
                    leave(leaving.remove(random.nextInt(leaving.size())));
                }
                List<Decision> decisions = domain.tick();
                quiet = decisions.isEmpty() && leaving.isEmpty() ? quiet + 1 : 0;
                decisions.forEach(this::carryOut);
                domain.pass(30_000);
            }
        }

        private void carryOut(Decision decision) {
            Gang gang = gang(decision.workload().value());
            if (decision.action() instanceof Action.Evict evict) {
                Set<Gang> victims = new LinkedHashSet<>();
                evict.victims()
                        .forEach(victim -> victims.add(gang(victim.workload().value())));
                promised.remove(gang);
                check(gang, List.copyOf(victims));
                domain.evict(decision);
                evict.victims().forEach(victim -> leaving.add(victim.name()));
                running.removeAll(victims);
                promised.add(gang);
                evictions++;
            } else {
                domain.carryOut(decision);
                promised.remove(gang);
                running.add(gang);
            }
        }

        private void leave(String pod) {
            int dash = pod.indexOf('-');
            domain.gone(pod);
            makePod(gangs.get(pod.substring(0, dash)), pod, Integer.parseInt(pod.substring(dash + 1)));
        }

        private Gang gang(String workload) {
            return gangs.get(workload.substring(workload.lastIndexOf('/') + 1));
        }

        int used(int queue) {
            return Stream.concat(running.stream(), promised.stream())
                    .filter(gang -> gang.queue() == queue)
                    .mapToInt(Gang::all)
                    .sum();
        }

        /** Whether there is an order of the victims in which each may go by the rule, with those before it gone. */
        static boolean inSomeOrder(List<Gang> victims, Map<Integer, Integer> gone, Rule rule) {
            if (victims.isEmpty()) {
                return true;
            }
            for (Gang next : victims) {
                if (rule.mayGo(next, gone)) {
                    List<Gang> rest = new ArrayList<>(victims);
                    rest.remove(next);
                    Map<Integer, Integer> with = new HashMap<>(gone);
                    with.merge(next.queue(), next.all(), Integer::sum);
                    if (inSomeOrder(rest, with, rule)) {
                        return true;
                    }
                }
            }
            return false;
        }

        interface Rule {
            boolean mayGo(Gang victim, Map<Integer, Integer> gone);
        }
    }

    /** ClusterQueues of one cohort, each with a weight; by thousandths and cross-multiplication. */
    private static final class Kueue extends Case {
        private final int[] weight = new int[QUEUES];
        private List<Strategy> strategies;
        private int hysteresisMilli;

        private Kueue(long seed) {
            super(seed);
        }

        @Override
        FairSharing sharing() {
            strategies =
                    random.nextInt(4) == 0 ? List.of(Strategy.values()[random.nextInt(2)]) : List.of(Strategy.values());
            hysteresisMilli = random.nextInt(3) * 50;
            return new FairSharing(
                    true, strategies, hysteresisMilli, VolcanoShare.NONE, 0, 60_000, new TreeMap<>(), false);
        }

        @Override
        void queues() {
            quota.flavor("any", Map.of());
            for (int i = 0; i < QUEUES; i++) {
                nominal[i] = random.nextInt(6);
                weight[i] = 1 + random.nextInt(2);
                quota.weightedQueue(
                        "q" + i,
                        "cohort",
                        weight[i] * 1000,
                        new Preemption("Never", "Any", "Never", null),
                        QuotaObjects.gpus("any", nominal[i], -1, -1));
                quota.localQueue("ml", "lq" + i, "q" + i);
            }
        }

        @Override
        String queueOf(Gang gang) {
            return "";
        }

        @Override
        Map<String, String> labels(Gang gang) {
            return Map.of("kueue.x-k8s.io/queue-name", "lq" + gang.queue());
        }

        @Override
        void check(Gang preemptor, List<Gang> victims) {
            long lendable = nominal[0] + nominal[1] + nominal[2];
            int own = preemptor.queue();
            long ours = Math.max(0, used(own) + preemptor.all() - nominal[own]);
            assertThat(victims).as("seed %d: of other queues", seed).noneMatch(victim -> victim.queue() == own);
            boolean may = inSomeOrder(victims, Map.of(), (victim, gone) -> {
                int other = victim.queue();
                long before = used(other) - gone.getOrDefault(other, 0) - nominal[other];
                long after = Math.max(0, before - victim.all());
                boolean whileBorrowing = ours == 0
                        || strategies.contains(Strategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE)
                                && ours * weight[other] <= after * weight[own]
                        || strategies.contains(Strategy.LESS_THAN_INITIAL_SHARE)
                                && 1000 * ours * weight[other]
                                                + hysteresisMilli * lendable * weight[own] * weight[other]
                                        < 1000 * before * weight[own];
                return before > 0 && whileBorrowing;
            });
            assertThat(may)
                    .as("seed %d: %s for %s of share %d/%d", seed, victims, preemptor, ours, lendable)
                    .isTrue();
        }
    }

    /** Volcano Queues side by side, with what they deserve and are guaranteed. */
    private static final class Volcano extends Case {
        private final int[] guaranteed = new int[QUEUES];
        private final boolean[] reclaimable = new boolean[QUEUES];

        private Volcano(long seed) {
            super(seed);
        }

        @Override
        FairSharing sharing() {
            return FairSharing.DEFAULT;
        }

        @Override
        void queues() {
            for (int i = 0; i < QUEUES; i++) {
                guaranteed[i] = random.nextInt(3) == 0 ? 1 : 0;
                nominal[i] = guaranteed[i] + random.nextInt(6);
                reclaimable[i] = random.nextInt(4) > 0;
                quota.deserving("q" + i, "", nominal[i], guaranteed[i], reclaimable[i], random.nextInt(2));
            }
        }

        @Override
        String queueOf(Gang gang) {
            return "q" + gang.queue();
        }

        @Override
        Map<String, String> labels(Gang gang) {
            return Map.of();
        }

        @Override
        void check(Gang preemptor, List<Gang> victims) {
            int own = preemptor.queue();
            assertThat(used(own) + preemptor.all())
                    .as("seed %d: %s within what its queue deserves", seed, preemptor)
                    .isLessThanOrEqualTo(nominal[own]);
            boolean may = inSomeOrder(victims, Map.of(), (victim, gone) -> {
                int other = victim.queue();
                int before = used(other) - gone.getOrDefault(other, 0);
                return other != own
                        && reclaimable[other]
                        && before > nominal[other]
                        && (guaranteed[other] == 0 || before - victim.all() >= guaranteed[other]);
            });
            assertThat(may).as("seed %d: %s for %s", seed, victims, preemptor).isTrue();
        }
    }
}
