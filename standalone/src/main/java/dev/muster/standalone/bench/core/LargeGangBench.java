package dev.muster.standalone.bench.core;

import dev.muster.scheduler.core.decision.Decision;
import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.standalone.bench.core.CoreReport.LargeGang;
import java.util.ArrayList;
import java.util.List;

/**
 * How long one decision takes for a gang of 512: gangs arrive one by one in a cluster that fills up, and each is placed by a
 * round of its own. On the clock is the whole journal entry of that round, rows and statuses included.
 */
final class LargeGangBench {
    private final CoreOptions options;

    LargeGangBench(CoreOptions options) {
        this.options = options;
    }

    LargeGang measure() {
        play(new ArrayList<>());
        List<Double> millis = new ArrayList<>();
        for (int run = 0; run < options.runs(); run++) {
            play(millis);
        }
        return new LargeGang(
                options.largeGangNodes(),
                millis.size(),
                Spread.percentile(millis, 50),
                Spread.percentile(millis, 99),
                Spread.percentile(millis, 100));
    }

    private void play(List<Double> millis) {
        CoreDomain domain = new CoreDomain(options, CoreWorkload.gang512, SchedulerPolicy.DEFAULT.strategy());
        domain.list(options.largeGangNodes());
        int gangs = CoreOptions.gangs(CoreWorkload.gang512, options.largeGangNodes(), options.fillPercent());
        for (int gang = 0; gang < gangs; gang++) {
            domain.submit(gang);
            Meter meter = Meter.start();
            List<Decision> decisions = domain.tick();
            millis.add(meter.stop().nanos() / 1e6);
            Placements.checked(decisions, 1, CoreWorkload.gang512.podsPerGang());
            decisions.forEach(domain::bind);
        }
    }
}
