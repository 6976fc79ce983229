package dev.muster.ingest.map;

import dev.muster.schemas.common.MatchExpression;
import dev.muster.schemas.common.PodTerm;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Required terms of pod affinity and anti-affinity. A term that names no namespace and selects none means the pod's own.
 * {@code matchLabelKeys} and {@code mismatchLabelKeys} need no care: the API server writes what they mean into the term's
 * label selector when the pod is made.
 */
final class PodTerms {

    private static final String FIELD = "spec.affinity.";

    private final String namespace;
    private final Problems problems;
    private final Selectors selectors;

    PodTerms(String namespace, Problems problems) {
        this.namespace = namespace;
        this.problems = problems;
        this.selectors = new Selectors(problems);
    }

    List<PodTerm> affinity(Affinity affinity) {
        List<PodAffinityTerm> terms = affinity == null || affinity.getPodAffinity() == null
                ? null
                : affinity.getPodAffinity().getRequiredDuringSchedulingIgnoredDuringExecution();
        List<PodTerm> list = new ArrayList<>();
        for (PodAffinityTerm term : within(terms, FIELD + "podAffinity.required")) {
            if (term.getLabelSelector() == null) {
                problems.invalid(
                        FIELD + "podAffinity.required.labelSelector",
                        "is missing: no pod is selected, nothing is near one");
            } else {
                list.add(term(term, FIELD + "podAffinity.required"));
            }
        }
        return list;
    }

    /** A term without a label selector selects no pod, so that it keeps none away. */
    List<PodTerm> antiAffinity(Affinity affinity) {
        List<PodAffinityTerm> terms = affinity == null || affinity.getPodAntiAffinity() == null
                ? null
                : affinity.getPodAntiAffinity().getRequiredDuringSchedulingIgnoredDuringExecution();
        List<PodTerm> list = new ArrayList<>();
        for (PodAffinityTerm term : within(terms, FIELD + "podAntiAffinity.required")) {
            if (term.getLabelSelector() != null) {
                list.add(term(term, FIELD + "podAntiAffinity.required"));
            }
        }
        return list;
    }

    private List<PodAffinityTerm> within(List<PodAffinityTerm> terms, String field) {
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
            namespaces.add(namespace);
        }
        List<MatchExpression> byLabels =
                chosen == null ? List.of() : selectors.labelSelector(chosen, field + ".namespaceSelector");
        return new PodTerm(
                key,
                selectors.labelSelector(term.getLabelSelector(), field + ".labelSelector"),
                List.copyOf(namespaces),
                chosen != null,
                byLabels);
    }
}
