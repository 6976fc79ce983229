package dev.muster.scheduler.core;

import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.PodRules;
import dev.muster.scheduler.core.model.PodTerm;
import dev.muster.scheduler.core.model.PreferredPodTerm;
import dev.muster.scheduler.core.model.Requirement;
import dev.muster.scheduler.core.model.SpreadConstraint;
import java.util.ArrayList;
import java.util.List;

/** Requirements that say where a pod may be by where others are. */
final class Terms {

    private Terms() {}

    /** All pods of namespace ml with this label; with none given, all of its pods. */
    static PodTerm term(String topologyKey, String... label) {
        return new PodTerm(topologyKey, selector(label), List.of("ml"), false, List.of());
    }

    /** All pods in namespaces with this label. */
    static PodTerm inNamespacesLabelled(String topologyKey, String... label) {
        return new PodTerm(topologyKey, List.of(), List.of(), true, selector(label));
    }

    private static List<NodeExpression> selector(String... label) {
        return label.length == 0 ? List.of() : List.of(new NodeExpression(label[0], "In", List.of(label[1]), false));
    }

    static Requirement together(Requirement of, PodTerm... terms) {
        PodRules pods = of.pods();
        return of.withPods(new PodRules(
                plus(pods.affinity(), List.of(terms)), pods.antiAffinity(), pods.preferred(), pods.spread()));
    }

    static Requirement apart(Requirement of, PodTerm... terms) {
        PodRules pods = of.pods();
        return of.withPods(new PodRules(
                pods.affinity(), plus(pods.antiAffinity(), List.of(terms)), pods.preferred(), pods.spread()));
    }

    /** Near such pods if the weight is positive, away from them if it is negative, as far as possible. */
    static Requirement rather(Requirement of, int weight, PodTerm term) {
        PodRules pods = of.pods();
        return of.withPods(new PodRules(
                pods.affinity(),
                pods.antiAffinity(),
                plus(pods.preferred(), List.of(new PreferredPodTerm(weight, term))),
                pods.spread()));
    }

    static Requirement spread(Requirement of, SpreadConstraint... constraints) {
        PodRules pods = of.pods();
        return of.withPods(new PodRules(
                pods.affinity(), pods.antiAffinity(), pods.preferred(), plus(pods.spread(), List.of(constraints))));
    }

    /** No place may have more than so many pods of namespace ml with this label more than the one with the fewest. */
    static SpreadConstraint skew(int maxSkew, String topologyKey, String... label) {
        return new SpreadConstraint(maxSkew, topologyKey, true, "ml", selector(label), 1, true, false);
    }

    private static <T> List<T> plus(List<T> before, List<T> more) {
        List<T> all = new ArrayList<>(before);
        all.addAll(more);
        return all;
    }
}
