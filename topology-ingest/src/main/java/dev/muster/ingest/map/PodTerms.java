package dev.muster.ingest.map;

import dev.muster.schemas.common.MatchExpression;
import dev.muster.schemas.common.PodTerm;
import dev.muster.schemas.common.WeightedPodTerm;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.WeightedPodAffinityTerm;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Terms of pod affinity and anti-affinity. A term that names no namespace and selects none means the pod's own; one without a
 * label selector selects no pod.
 */
final class PodTerms {

    private static final String AFFINITY = "spec.affinity.podAffinity";
    private static final String ANTI_AFFINITY = "spec.affinity.podAntiAffinity";

    private final PodMeta meta;
    private final Problems problems;
    private final Selectors selectors;

    PodTerms(PodMeta meta, Problems problems) {
        this.meta = meta;
        this.problems = problems;
        this.selectors = new Selectors(problems);
    }

    /** Required terms of the affinity. */
    List<PodTerm> affinity(Affinity affinity) {
        return terms(required(affinity), AFFINITY + ".required");
    }

    /** Required terms of the anti-affinity. */
    List<PodTerm> antiAffinity(Affinity affinity) {
        List<PodAffinityTerm> terms = affinity == null || affinity.getPodAntiAffinity() == null
                ? null
                : affinity.getPodAntiAffinity().getRequiredDuringSchedulingIgnoredDuringExecution();
        return terms(terms, ANTI_AFFINITY + ".required");
    }

    /** Preferred terms of both, those of the anti-affinity with negative weights. */
    List<WeightedPodTerm> preferred(Affinity affinity) {
        List<WeightedPodTerm> list = new ArrayList<>();
        if (affinity != null && affinity.getPodAffinity() != null) {
            var terms = affinity.getPodAffinity().getPreferredDuringSchedulingIgnoredDuringExecution();
            addPreferred(list, terms, 1, AFFINITY + ".preferred");
        }
        if (affinity != null && affinity.getPodAntiAffinity() != null) {
            var terms = affinity.getPodAntiAffinity().getPreferredDuringSchedulingIgnoredDuringExecution();
            addPreferred(list, terms, -1, ANTI_AFFINITY + ".preferred");
        }
        return list;
    }

    /** A pod that must be near pods of which there are none can't be placed: a mistake worth saying at once. */
    void checkAffinity(Affinity affinity) {
        for (PodAffinityTerm term : within(required(affinity), AFFINITY + ".required")) {
            if (term.getLabelSelector() == null) {
                problems.invalid(
                        AFFINITY + ".required.labelSelector", "is missing: no pod is selected, nothing is near one");
            }
        }
    }

    private static List<PodAffinityTerm> required(Affinity affinity) {
        return affinity == null || affinity.getPodAffinity() == null
                ? null
                : affinity.getPodAffinity().getRequiredDuringSchedulingIgnoredDuringExecution();
    }

    private List<PodTerm> terms(List<PodAffinityTerm> terms, String field) {
        List<PodTerm> list = new ArrayList<>();
        for (PodAffinityTerm term : within(terms, field)) {
            if (term.getLabelSelector() != null) {
                list.add(term(term, field));
            }
        }
        return list;
    }

    private void addPreferred(List<WeightedPodTerm> list, List<WeightedPodAffinityTerm> terms, int sign, String field) {
        for (WeightedPodAffinityTerm weighted : within(terms, field)) {
            int weight = weighted.getWeight() == null ? 0 : weighted.getWeight();
            PodAffinityTerm term = weighted.getPodAffinityTerm();
            if (weight < 1 || weight > 100) {
                problems.invalid(field + ".weight", weight, "1 to 100");
            } else if (term != null && term.getLabelSelector() != null) {
                list.add(new WeightedPodTerm(sign * weight, term(term, field)));
            }
        }
    }

    private <T> List<T> within(List<T> terms, String field) {
        return terms == null || !problems.within(field, terms.size(), Limits.TERMS) ? List.of() : terms;
    }

    private PodTerm term(PodAffinityTerm term, String field) {
        String key = term.getTopologyKey() == null ? "" : term.getTopologyKey();
        if (key.isEmpty()) {
            problems.invalid(field + ".topologyKey", "is missing");
        } else {
            problems.within(field + ".topologyKey", key.length(), Limits.QUALIFIED_NAME);
        }
        List<String> named = term.getNamespaces() == null ? List.of() : term.getNamespaces();
        LabelSelector chosen = term.getNamespaceSelector();
        TreeSet<String> namespaces = new TreeSet<>();
        if (problems.within(field + ".namespaces", named.size(), Limits.TERMS)) {
            for (String name : named) {
                if (problems.within(field + ".namespaces", name.length(), Limits.NAME)) {
                    namespaces.add(name);
                }
            }
        }
        if (named.isEmpty() && chosen == null) {
            namespaces.add(meta.namespace());
        }
        List<MatchExpression> byLabels =
                chosen == null ? List.of() : selectors.labelSelector(chosen, field + ".namespaceSelector");
        return new PodTerm(key, selector(term, field), List.copyOf(namespaces), chosen != null, byLabels);
    }

    private List<MatchExpression> selector(PodAffinityTerm term, String field) {
        List<MatchExpression> selector = selectors.labelSelector(term.getLabelSelector(), field + ".labelSelector");
        selector = selectors.withLabelKeys(
                selector, term.getMatchLabelKeys(), "In", meta.labels(), field + ".matchLabelKeys");
        return selectors.withLabelKeys(
                selector, term.getMismatchLabelKeys(), "NotIn", meta.labels(), field + ".mismatchLabelKeys");
    }
}
