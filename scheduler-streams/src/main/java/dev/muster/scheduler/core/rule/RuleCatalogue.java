package dev.muster.scheduler.core.rule;

import dev.muster.scheduler.core.rule.Profile.Weighted;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

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
            new NodeFilters.Taints(),
            new NodeFilters.GpuMemory());

    /** Fills nodes up, so that whole ones stay free for large gangs. */
    private static final ScoreRule BINPACK = new NodeScores.Binpack();

    /** By name: how nodes are chosen among those that a pod fits on. */
    private static final SortedMap<String, ScoreRule> STRATEGIES = new TreeMap<>();

    static {
        STRATEGIES.put("binpack", BINPACK);
        // Spreads load over nodes.
        STRATEGIES.put("spread", new NodeScores.Spread());
        // Keeps GPUs usable, those of shared devices and those that cpu or memory could run out for; then fills nodes
        // up.
        STRATEGIES.put("fgd", new FragmentationGradient());
    }

    /** Small pods that serve are spread, everything else is placed by fgd. */
    public static final String MIXED = "mixed";

    /** Beside the strategy; weights of affinity and taints as kube-scheduler's default profile has them. */
    private static final List<Weighted> BESIDES = List.of(
            new Weighted(new NodeScores.PreferredAffinity(), 2),
            new Weighted(new NodeScores.PreferredTaints(), 3),
            new Weighted(new NodeScores.HealthyGpus(), 3),
            new Weighted(new NumaSpan(), 3),
            new Weighted(new NodeScores.GpuIslands(), 3),
            new Weighted(new NodeScores.CachedData(), 2));

    /** The largest weight a rule can be given. */
    public static final int MOST_WEIGHT = 1_000;

    /** How much topology spread counts beside the rules of a profile, as in kube-scheduler's default profile. */
    public static final int SPREAD_WEIGHT = 2;

    /** The same of preferred pod affinity and anti-affinity. */
    public static final int AFFINITY_WEIGHT = 2;

    private RuleCatalogue() {}

    /** Names of the profiles. */
    public static List<String> profiles() {
        return List.copyOf(STRATEGIES.keySet());
    }

    /** Names that a policy can give: of profiles, and of the mix of them. */
    public static List<String> strategies() {
        List<String> names = new ArrayList<>(STRATEGIES.keySet());
        names.add(MIXED);
        return List.copyOf(names);
    }

    /** Names of the score rules that a policy can give weights. */
    public static List<String> weighable() {
        List<String> names = new ArrayList<>();
        STRATEGIES.values().forEach(rule -> names.add(rule.name()));
        BESIDES.forEach(weighted -> names.add(weighted.rule().name()));
        return List.copyOf(names);
    }

    /** The profile with that name, by the weights that are usual. */
    public static Profile profile(String name) {
        return profile(name, Collections.emptySortedMap());
    }

    /**
     * The profile with that name; binpack for a name that is not known, since a journal must never stop a replay.
     *
     * @param weights by rule, for those that have another than the usual one; rules that do not exist have none
     */
    public static Profile profile(String name, SortedMap<String, Integer> weights) {
        ScoreRule strategy = STRATEGIES.getOrDefault(name, BINPACK);
        List<Weighted> scores = new ArrayList<>();
        scores.add(weighted(strategy, 1, weights));
        BESIDES.forEach(usual -> scores.add(weighted(usual.rule(), usual.weight(), weights)));
        scores.removeIf(weighted -> weighted.weight() == 0);
        return new Profile(STRATEGIES.containsKey(name) ? name : "binpack", FILTERS, scores);
    }

    private static Weighted weighted(ScoreRule rule, int usual, SortedMap<String, Integer> weights) {
        return new Weighted(rule, weights.getOrDefault(rule.name(), usual));
    }

    /** The filters, in the order they are asked. */
    static List<FilterRule> filters() {
        return FILTERS;
    }
}
