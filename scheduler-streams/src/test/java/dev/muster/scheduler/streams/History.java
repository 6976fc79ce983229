package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.TestDomain;
import dev.muster.scheduler.core.decision.Action;
import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.decision.DecisionOutcome.MemberStatus;
import dev.muster.scheduler.core.decision.DecisionOutcome.Status;
import java.util.List;
import java.util.Random;

/** A domain's life by seed, played on the pure core: gangs that fit and gangs that wait, placements that succeed, are refused, or time out. */
final class History {
    private History() {}

    static TestDomain of(long seed) {
        Random random = new Random(seed);
        TestDomain domain = TestDomain.synced();
        for (int i = 0; i < 4; i++) {
            domain.node("n" + i, 8);
        }
        for (int gang = 0; gang < 12; gang++) {
            int size = 1 + random.nextInt(5);
            domain.podGroup("g" + gang, 1 + random.nextInt(size));
            domain.gangPods("g" + gang, size, TestDomain.gpus(1 + random.nextInt(8)));
            domain.lonePod("p" + gang, random.nextInt(3), TestDomain.gpuShare(100 + random.nextInt(900)));
            domain.pass(random.nextInt(20));
            settle(domain, random, domain.tick());
            if (random.nextInt(4) == 0) {
                domain.pass(40_000);
                settle(domain, random, domain.tick());
            }
            if (domain.pods.containsKey("p" + gang) && random.nextBoolean()) {
                domain.gone("p" + gang);
            }
        }
        return domain;
    }

    private static void settle(TestDomain domain, Random random, List<Decision> decisions) {
        for (Decision decision : decisions) {
            if (!(decision.action() instanceof Action.PlaceGang)) {
                domain.report(decision, Status.REVOKED, MemberStatus.RELEASED, false);
                continue;
            }
            switch (random.nextInt(4)) {
                case 0 -> domain.report(decision, Status.COMPENSATED, MemberStatus.RELEASED, true);
                case 1 -> domain.pass(1);
                default -> domain.carryOut(decision);
            }
        }
    }
}
