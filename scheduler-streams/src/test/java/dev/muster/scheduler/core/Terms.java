package dev.muster.scheduler.core;

import dev.muster.scheduler.core.model.NodeExpression;
import dev.muster.scheduler.core.model.PodTerm;
import dev.muster.scheduler.core.model.Requirement;
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
        return with(of, plus(of.affinity(), terms), of.antiAffinity());
    }

    static Requirement apart(Requirement of, PodTerm... terms) {
        return with(of, of.affinity(), plus(of.antiAffinity(), terms));
    }

    private static List<PodTerm> plus(List<PodTerm> before, PodTerm... more) {
        List<PodTerm> all = new ArrayList<>(before);
        all.addAll(List.of(more));
        return all;
    }

    private static Requirement with(Requirement of, List<PodTerm> affinity, List<PodTerm> antiAffinity) {
        return new Requirement(
                of.requests(),
                of.gpuFractionMilli(),
                of.nodeSelector(),
                of.requiredTerms(),
                of.preferredTerms(),
                of.tolerations(),
                of.cluster(),
                affinity,
                antiAffinity);
    }
}
