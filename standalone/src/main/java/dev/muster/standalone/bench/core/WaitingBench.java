package dev.muster.standalone.bench.core;

import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.standalone.bench.core.CoreReport.Queue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A full cluster and a long queue: one gang ends, a round gives its room to the next in the order, its pods start. On the
 * clock is all of that, so the time is per decision and includes its events.
 */
final class WaitingBench {
    private static final int WARM_UP = 50;
    private static final int DECISIONS = 200;

    private final CoreOptions options;

    WaitingBench(CoreOptions options) {
        this.options = options;
    }

    Queue measure(int waitingPods) {
        CoreWorkload workload = options.workload();
        CoreDomain domain = new CoreDomain(options, workload, SchedulerPolicy.DEFAULT.strategy());
        domain.list(options.waitingNodes());
        int full = CoreOptions.gangs(workload, options.waitingNodes(), 100);
        int waiting = Math.max(1, waitingPods / workload.podsPerGang());
        for (int gang = 0; gang < full + waiting + WARM_UP + DECISIONS; gang++) {
            domain.submit(gang);
        }
        Deque<Decision> running = new ArrayDeque<>();
        play(domain, running);
        for (int i = 0; i < WARM_UP; i++) {
            domain.end(running.remove());
            play(domain, running);
        }
        List<Double> micros = new ArrayList<>();
        for (int i = 0; i < DECISIONS; i++) {
            Meter meter = Meter.start();
            domain.end(running.remove());
            int placed = play(domain, running);
            if (placed != 1) {
                throw new IllegalStateException("one gang ended, " + placed + " were placed");
            }
            micros.add(meter.stop().cpuNanos() / 1e3);
        }
        return new Queue(waitingPods, Spread.of(micros), Spread.percentile(micros, 99));
    }

    private static int play(CoreDomain domain, Deque<Decision> running) {
        List<Decision> decisions = domain.tick();
        decisions.forEach(domain::bind);
        running.addAll(decisions);
        return decisions.size();
    }
}
