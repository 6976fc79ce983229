package dev.muster.standalone.openb;

import dev.muster.scheduler.core.model.Policy.SchedulerPolicy;
import dev.muster.scheduler.core.rule.RuleCatalogue;
import java.util.ArrayList;
import java.util.List;

/** Every scheduler that {@code muster bench openb} can play, by name. */
public final class Schedulers {
    private static final String DEFAULT = "default";
    private static final String PROFILE = "core:";
    private static final List<String> OF_THE_PAPER =
            List.of("Random", "DotProd", "GpuClustering", "GpuPacking", "BestFit", "FGD", "FirstFit", "Spread");

    private Schedulers() {}

    /** All names: the paper's policies, then Muster's profiles. */
    public static List<String> names() {
        List<String> names = new ArrayList<>(OF_THE_PAPER);
        names.add(DEFAULT);
        RuleCatalogue.profiles().forEach(profile -> names.add(PROFILE + profile));
        return List.copyOf(names);
    }

    /** What makes the scheduler of that name; popular shapes for FGD, a seed for Random. */
    static Scheduler.Factory of(String name, Fragmentation fragmentation, long seed) {
        return switch (name) {
            case "Random" -> nodes -> new RandomScheduler(seed, nodes);
            case "DotProd" -> by(new Policies.DotProduct());
            case "GpuClustering" -> by(new Policies.GpuClustering());
            case "GpuPacking" -> by(new Policies.GpuPacking());
            case "BestFit" -> by(new Policies.BestFit());
            case "FGD" -> by(new FragmentationGradient(fragmentation));
            case "FirstFit" -> by(new Policies.FirstFit());
            case "Spread" -> by(new Policies.Spread());
            case DEFAULT -> nodes -> new CoreScheduler(SchedulerPolicy.DEFAULT, nodes);
            default ->
                nodes -> new CoreScheduler(
                        SchedulerPolicy.DEFAULT.withStrategy(name.substring(PROFILE.length())), nodes);
        };
    }

    private static Scheduler.Factory by(Policy policy) {
        return nodes -> new PolicyScheduler(policy, nodes);
    }
}
