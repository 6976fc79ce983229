package dev.muster.scheduler.core.rule;

import dev.muster.scheduler.core.rule.Profile.Weighted;
import java.util.List;

/** All rules and profiles there are. */
public final class RuleCatalogue {
    private static final List<FilterRule> FILTERS = List.of(
            new NodeFilters.Cluster(),
            new NodeFilters.Ready(),
            new NodeFilters.Unschedulable(),
            new NodeFilters.GpuHealth(),
            new NodeFilters.HostPorts(),
            new NodeFilters.NodeSelector(),
            new NodeFilters.NodeAffinity(),
            new NodeFilters.Taints());

    /** Fills nodes up, so that whole ones stay free for large gangs. */
    private static final Profile BINPACK = new Profile("binpack", FILTERS, scoresWith(new NodeScores.Binpack()));

    /** Spreads load over nodes. */
    private static final Profile SPREAD = new Profile("spread", FILTERS, scoresWith(new NodeScores.Spread()));

    /** Keeps GPUs usable, those of shared devices and those that cpu or memory could run out for; then fills nodes up. */
    private static final Profile FGD = new Profile("fgd", FILTERS, scoresWith(new FragmentationGradient()));

    private static final List<Profile> PROFILES = List.of(BINPACK, SPREAD, FGD);

    /** How much topology spread counts beside the rules of a profile, as in kube-scheduler's default profile. */
    public static final int SPREAD_WEIGHT = 2;

    /** The same of preferred pod affinity and anti-affinity. */
    public static final int AFFINITY_WEIGHT = 2;

    private RuleCatalogue() {}

    // Weights of affinity and taints as kube-scheduler's default profile has them; health counts like a taint.
    private static List<Weighted> scoresWith(ScoreRule strategy) {
        return List.of(
                new Weighted(strategy, 1),
                new Weighted(new NodeScores.PreferredAffinity(), 2),
                new Weighted(new NodeScores.PreferredTaints(), 3),
                new Weighted(new NodeScores.HealthyGpus(), 3),
                new Weighted(new NumaSpan(), 3));
    }

    /** Names of the profiles. */
    public static List<String> profiles() {
        return PROFILES.stream().map(Profile::name).toList();
    }

    /** The profile with that name; binpack for a name that is not known, since a journal must never stop a replay. */
    public static Profile profile(String name) {
        for (Profile profile : PROFILES) {
            if (profile.name().equals(name)) {
                return profile;
            }
        }
        return BINPACK;
    }

    /** The filters, in the order they are asked. */
    static List<FilterRule> filters() {
        return FILTERS;
    }
}
