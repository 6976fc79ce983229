package dev.muster.scheduler.core;

import static dev.muster.scheduler.core.TestDomain.gpus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.event.ClusterEvent.PolicyChanged;
import dev.muster.scheduler.core.event.Kinds;
import dev.muster.scheduler.core.model.FairSharing;
import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.scheduler.core.quota.FlavorResource;
import dev.muster.scheduler.core.quota.QuotaTestAccess.NaiveTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Pods that wait in queues of random trees of cohorts, with weights: those that start when a node comes are those that a
 * tournament over all of them would choose, held anew for each from nothing but what is described and used; and in its order.
 * {@code -Dmuster.cases=N} tries more.
 */
class FairOrderTest {
    private static final int CASES = Integer.getInteger("muster.cases", 300);
    private static final FlavorResource GPU = new FlavorResource("any", QuotaObjects.GPU);

    private record Waiting(String pod, int priority, int gpus, int arrived) {}

    @Test
    void theSmallestShareStartsNext() {
        int started = 0;
        for (long seed = 1; seed <= CASES; seed++) {
            started += play(seed);
        }
        assertThat(started).as("pods that started in %d cases", CASES).isGreaterThan(4 * CASES);
    }

    private static int play(long seed) {
        Random random = new Random(seed);
        TestDomain domain = TestDomain.synced();
        FairSharing usual = FairSharing.DEFAULT;
        domain.apply(new PolicyChanged(
                domain.origin("", "policy"),
                Kinds.SCHEDULER_POLICY,
                SchedulerPolicy.DEFAULT.withFairSharing(new FairSharing(
                        true,
                        usual.strategies(),
                        usual.hysteresisMilli(),
                        usual.volcano(),
                        usual.usageHalfLifeMillis(),
                        usual.usageSamplingMillis(),
                        usual.resourceWeightsMilli(),
                        false))));
        QuotaObjects quota = new QuotaObjects(domain);
        quota.flavor("any", Map.of());
        NaiveTree naive = new NaiveTree();
        int cohorts = 1 + random.nextInt(4);
        for (int i = 0; i < cohorts; i++) {
            String parent = i == 0 ? "" : "c" + random.nextInt(i);
            int nominal = random.nextInt(6);
            int weight = random.nextInt(4) * 500;
            quota.weighted("c" + i, parent, weight, QuotaObjects.gpus("any", nominal, -1, -1));
            naive.cohort("c" + i, parent, weight, GPU, nominal * 1000L);
        }
        int queues = 2 + random.nextInt(4);
        Map<String, List<Waiting>> waiting = new LinkedHashMap<>();
        for (int i = 0; i < queues; i++) {
            String parent = "c" + random.nextInt(cohorts);
            int nominal = random.nextInt(4);
            int weight = random.nextInt(4) * 500;
            quota.weightedQueue("q" + i, parent, weight, QuotaObjects.gpus("any", nominal, -1, -1));
            quota.localQueue("ml", "lq" + i, "q" + i);
            naive.queue("q" + i, parent, weight, GPU, nominal * 1000L);
            waiting.put("q" + i, new ArrayList<>());
        }
        for (int i = 0; i < 14; i++) {
            int queue = random.nextInt(queues);
            Waiting each = new Waiting("p" + i, random.nextInt(2), 1 + random.nextInt(2), i);
            domain.pod(
                    "ml",
                    each.pod(),
                    null,
                    "",
                    -1,
                    each.priority(),
                    gpus(each.gpus()),
                    Map.of("kueue.x-k8s.io/queue-name", "lq" + queue));
            waiting.get("q" + queue).add(each);
        }
        domain.tick();
        int gpus = 4 + random.nextInt(12);
        domain.node("n", gpus);
        List<String> started = domain.tick().stream().map(FairOrderTest::pod).toList();
        assertThat(started).as("seed %d", seed).isEqualTo(expected(naive, waiting, gpus));
        return started.size();
    }

    private static String pod(Decision decision) {
        String workload = decision.workload().value();
        return workload.substring(workload.lastIndexOf("uid-") + 4);
    }

    /** Whoever wins the tournament is tried, and is out of it afterwards. */
    private static List<String> expected(NaiveTree naive, Map<String, List<Waiting>> waiting, int gpus) {
        List<String> started = new ArrayList<>();
        int free = gpus;
        waiting.values().forEach(list -> list.sort((one, other) -> compare(one, other)));
        while (true) {
            Map<String, Long> nominees = new LinkedHashMap<>();
            waiting.forEach((queue, list) -> {
                if (!list.isEmpty()) {
                    nominees.put(queue, list.getFirst().gpus() * 1000L);
                }
            });
            if (nominees.isEmpty()) {
                return started;
            }
            String winner = naive.winner(
                    nominees,
                    GPU,
                    (one, other) -> compare(
                            waiting.get(one).getFirst(), waiting.get(other).getFirst()));
            Waiting tried = waiting.get(winner).removeFirst();
            if (tried.gpus() <= free && naive.fits(winner, GPU, tried.gpus() * 1000L)) {
                naive.charge(winner, GPU, tried.gpus() * 1000L);
                free -= tried.gpus();
                started.add(tried.pod());
            }
        }
    }

    private static int compare(Waiting one, Waiting other) {
        int byPriority = Integer.compare(other.priority(), one.priority());
        return byPriority != 0 ? byPriority : Integer.compare(one.arrived(), other.arrived());
    }
}
