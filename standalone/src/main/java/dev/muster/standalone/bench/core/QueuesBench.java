package dev.muster.standalone.bench.core;

import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.standalone.bench.core.CoreReport.Queues;
import java.util.ArrayList;
import java.util.List;

/** A cluster that is filled with gangs of several queues, the next gang always of another queue than the last. */
final class QueuesBench {
    private final CoreOptions options;

    QueuesBench(CoreOptions options) {
        this.options = options;
    }

    /** At the largest size of the cluster. */
    Queues measure(int queues) {
        FillBench fill = new FillBench(options, SchedulerPolicy.DEFAULT.strategy(), queues);
        List<Double> micros = new ArrayList<>();
        for (int i = 0; i < options.runs(); i++) {
            FillBench.Run run = fill.run(options.nodes().getLast());
            micros.add(run.used().cpuNanos() / 1e3 / run.decisions());
        }
        return new Queues(queues, Spread.of(micros));
    }
}
