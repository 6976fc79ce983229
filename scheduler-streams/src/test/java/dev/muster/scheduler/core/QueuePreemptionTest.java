package dev.muster.scheduler.core;

import static dev.muster.scheduler.core.TestDomain.gpus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent.GroupChanged;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.GroupFacts;
import dev.muster.scheduler.core.model.GroupRef;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.scheduler.core.model.PreemptionPolicy;
import dev.muster.scheduler.core.model.QuotaObject.Fungibility;
import dev.muster.scheduler.core.model.QuotaObject.Preemption;
import dev.muster.scheduler.core.model.QuotaObject.StopPolicy;
import dev.muster.scheduler.core.model.WorkloadKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Queues of one cohort with policies and gangs at random, all guards off, on a cluster that may be smaller than the quotas:
 * whoever is evicted may be by the policies, worked out from what queues own and use alone; and where nothing new comes, it
 * ends. {@code -Dmuster.cases=N} tries more.
 */
class QueuePreemptionTest {
    private static final int CASES = Integer.getInteger("muster.cases", 300);

    private static final int QUEUES = 3;

    /** More steps than any case needs that comes to rest. */
    private static final int MOST_STEPS = 400;

    private record Gang(String name, int queue, int priority, int pods, int gpus, int arrived) {
        private int all() {
            return pods * gpus;
        }
    }

    @Test
    void evictionsFollowThePoliciesAndEnd() {
        int evictions = 0;
        int ofOthers = 0;
        for (long seed = 1; seed <= CASES; seed++) {
            Case tried = new Case(seed);
            tried.run();
            evictions += tried.evictions;
            ofOthers += tried.ofOthers;
        }
        assertThat(evictions).as("evictions in %d cases", CASES).isGreaterThan(CASES / 4);
        assertThat(ofOthers).as("of them of other queues").isGreaterThan(CASES / 20);
    }

    private static final class Case {
        private final long seed;
        private final Random random;
        private final TestDomain domain = TestDomain.synced();
        private final int[] nominal = new int[QUEUES];
        private final Preemption[] policies = new Preemption[QUEUES];
        private final Map<String, Gang> gangs = new LinkedHashMap<>();
        private final Set<Gang> running = new LinkedHashSet<>();
        /** Those that others were evicted for, until they are placed: what they are to have is charged already. */
        private final Set<Gang> promised = new LinkedHashSet<>();

        private final List<String> leaving = new ArrayList<>();
        private int evictions;
        private int ofOthers;

        private Case(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
        }

        private void run() {
            guardsOff();
            queues();
            for (int i = 0; i < 1 + random.nextInt(3); i++) {
                domain.node("n" + i, 2 + random.nextInt(6));
            }
            for (int i = 0; i < 8; i++) {
                arrive(i);
                settle();
            }
        }

        private void guardsOff() {
            PreemptionPolicy off = new PreemptionPolicy(
                    true, PreemptionPolicy.Fence.CLUSTER, 0, 0, 0, 0, 0, 0, 0, 0, List.of(), List.of(), 600_000);
            domain.apply(new PolicyChanged(
                    domain.origin("", "policy"), Kinds.SCHEDULER_POLICY, SchedulerPolicy.DEFAULT.withPreemption(off)));
        }

        private void queues() {
            QuotaObjects quota = new QuotaObjects(domain);
            quota.flavor("any", Map.of());
            for (int i = 0; i < QUEUES; i++) {
                nominal[i] = random.nextInt(7);
                policies[i] = new Preemption(
                        oneOf("Never", "LowerPriority", "LowerOrNewerEqualPriority"),
                        oneOf("Never", "LowerPriority", "Any"),
                        oneOf("Never", "LowerPriority"),
                        random.nextBoolean() ? null : random.nextInt(3));
                quota.queue(
                        "q" + i,
                        "cohort",
                        false,
                        StopPolicy.NONE,
                        Fungibility.DEFAULT,
                        policies[i],
                        QuotaObjects.gpus("any", nominal[i], -1, -1));
                quota.localQueue("ml", "lq" + i, "q" + i);
            }
            for (int i = 0; i < 3; i++) {
                domain.apply(new PolicyChanged(
                        domain.origin("", "p" + i), Kinds.PRIORITY_CLASS, new Policy.PriorityClass(i, false, true)));
            }
        }

        private String oneOf(String... words) {
            return words[random.nextInt(words.length)];
        }

        private void arrive(int i) {
            Gang gang = new Gang(
                    "g" + i,
                    random.nextInt(QUEUES),
                    random.nextInt(3),
                    1 + random.nextInt(3),
                    1 + random.nextInt(2),
                    i);
            gangs.put(gang.name(), gang);
            domain.apply(new GroupChanged(
                    domain.origin("ml", gang.name()),
                    Kinds.VOLCANO_POD_GROUP,
                    new GroupFacts("", "p" + gang.priority(), gang.pods(), List.of(), "", "", 0, 0)));
            for (int pod = 0; pod < gang.pods(); pod++) {
                makePod(gang, gang.name() + "-" + pod, pod);
            }
        }

        private void makePod(Gang gang, String name, int index) {
            domain.pod(
                    "ml",
                    name,
                    new GroupRef(WorkloadKind.VOLCANO_POD_GROUP, gang.name()),
                    "",
                    index,
                    gang.priority(),
                    gpus(gang.gpus()),
                    Map.of("kueue.x-k8s.io/queue-name", "lq" + gang.queue()));
        }

        /** Until nothing is decided any more, whatever time passes. */
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
            if (decision.action() instanceof Action.Evict evict) {
                check(gang(decision.workload().value()), evict);
                domain.evict(decision);
                for (Action.Victim victim : evict.victims()) {
                    running.remove(gang(victim.workload().value()));
                    leaving.add(victim.name());
                }
                promised.add(gang(decision.workload().value()));
                evictions++;
            } else {
                domain.carryOut(decision);
                promised.remove(gang(decision.workload().value()));
                running.add(gang(decision.workload().value()));
                int used = running.stream().mapToInt(Gang::all).sum();
                assertThat(used).as("seed %d stays within quota", seed).isLessThanOrEqualTo(owned());
            }
        }

        /** A victim is gone, and its controller makes it anew. */
        private void leave(String pod) {
            int dash = pod.indexOf('-');
            domain.gone(pod);
            makePod(gangs.get(pod.substring(0, dash)), pod, Integer.parseInt(pod.substring(dash + 1)));
        }

        private int owned() {
            int all = 0;
            for (int each : nominal) {
                all += each;
            }
            return all;
        }

        private Gang gang(String workload) {
            return gangs.get(workload.substring(workload.lastIndexOf('/') + 1));
        }

        private int used(int queue) {
            return Stream.concat(running.stream(), promised.stream())
                    .filter(gang -> gang.queue() == queue)
                    .mapToInt(Gang::all)
                    .sum();
        }

        private void check(Gang preemptor, Action.Evict evict) {
            Set<Gang> victims = new LinkedHashSet<>();
            evict.victims().forEach(victim -> victims.add(gang(victim.workload().value())));
            Preemption policy = policies[preemptor.queue()];
            List<Gang> others = new ArrayList<>();
            for (Gang victim : victims) {
                String what = "seed " + seed + ": " + victim + " for " + preemptor + " by " + policy;
                if (victim.queue() == preemptor.queue()) {
                    assertThat(mayWithin(policy, preemptor, victim)).as(what).isTrue();
                } else {
                    others.add(victim);
                    assertThat(policy.reclaimWithinCohort()).as(what).isNotEqualTo("Never");
                    assertThat(policy.reclaimWithinCohort().equals("Any") || victim.priority() < preemptor.priority())
                            .as(what)
                            .isTrue();
                }
            }
            int own = victims.stream()
                    .filter(victim -> victim.queue() == preemptor.queue())
                    .mapToInt(Gang::all)
                    .sum();
            promised.remove(preemptor);
            boolean borrows = used(preemptor.queue()) - own + preemptor.all() > nominal[preemptor.queue()];
            for (Gang victim : others) {
                String what = "seed " + seed + ": " + victim + " for " + preemptor + " by " + policy;
                assertThat(!borrows || mayWhileBorrowing(policy, preemptor, victim))
                        .as(what)
                        .isTrue();
                int largest = 0;
                int left = used(victim.queue());
                for (Gang other : others) {
                    if (other.queue() == victim.queue()) {
                        left -= other.all();
                        largest = Math.max(largest, other.all());
                    }
                }
                assertThat(left + largest).as(what + " borrowed").isGreaterThan(nominal[victim.queue()]);
            }
            ofOthers += others.isEmpty() ? 0 : 1;
        }

        private static boolean mayWithin(Preemption policy, Gang preemptor, Gang victim) {
            boolean lower = victim.priority() < preemptor.priority();
            return switch (policy.withinClusterQueue()) {
                case "LowerPriority" -> lower;
                case "LowerOrNewerEqualPriority" ->
                    lower || victim.priority() == preemptor.priority() && victim.arrived() > preemptor.arrived();
                default -> false;
            };
        }

        private static boolean mayWhileBorrowing(Preemption policy, Gang preemptor, Gang victim) {
            Integer threshold = policy.borrowThreshold();
            return policy.borrowWithinCohort().equals("LowerPriority")
                    && victim.priority() < preemptor.priority()
                    && (threshold == null || victim.priority() <= threshold);
        }
    }
}
