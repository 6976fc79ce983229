package dev.muster.ingest.map;

import dev.muster.schemas.common.MatchExpression;
import dev.muster.schemas.common.SpreadConstraint;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Topology spread constraints of a pod, with the defaults that kube-scheduler gives what is left out. */
final class SpreadConstraints {

    private static final String FIELD = "spec.topologySpreadConstraints";

    private final PodMeta meta;
    private final Problems problems;
    private final Selectors selectors;

    SpreadConstraints(PodMeta meta, Problems problems) {
        this.meta = meta;
        this.problems = problems;
        this.selectors = new Selectors(problems);
    }

    List<SpreadConstraint> map(List<TopologySpreadConstraint> given) {
        if (given == null || !problems.within(FIELD, given.size(), Limits.TERMS)) {
            return List.of();
        }
        List<SpreadConstraint> list = new ArrayList<>(given.size());
        for (TopologySpreadConstraint constraint : given) {
            SpreadConstraint mapped = map(constraint);
            if (mapped != null) {
                list.add(mapped);
            }
        }
        return list;
    }

    private SpreadConstraint map(TopologySpreadConstraint given) {
        String key = Objects.requireNonNullElse(given.getTopologyKey(), "");
        int maxSkew = Objects.requireNonNullElse(given.getMaxSkew(), 0);
        int minDomains = Objects.requireNonNullElse(given.getMinDomains(), 1);
        if (key.isEmpty()) {
            problems.invalid(FIELD + ".topologyKey", "is missing");
        }
        if (maxSkew < 1) {
            problems.invalid(FIELD + ".maxSkew", maxSkew, "1 or more");
        }
        if (minDomains < 1) {
            problems.invalid(FIELD + ".minDomains", minDomains, "1 or more");
        }
        boolean required =
                is("whenUnsatisfiable", given.getWhenUnsatisfiable(), "DoNotSchedule", "ScheduleAnyway", true);
        boolean honorAffinity = is("nodeAffinityPolicy", given.getNodeAffinityPolicy(), "Honor", "Ignore", true);
        boolean honorTaints = is("nodeTaintsPolicy", given.getNodeTaintsPolicy(), "Honor", "Ignore", false);
        List<MatchExpression> selector = selector(given);
        if (key.isEmpty()
                || !problems.within(FIELD + ".topologyKey", key.length(), Limits.QUALIFIED_NAME)
                || maxSkew < 1
                || minDomains < 1) {
            return null;
        }
        return new SpreadConstraint(
                maxSkew,
                key,
                required,
                // kube-scheduler counts no pod by a selector that is missing or says nothing (countPodsMatchSelector).
                selector.isEmpty() ? "" : meta.namespace(),
                selector,
                minDomains,
                honorAffinity,
                honorTaints);
    }

    private List<MatchExpression> selector(TopologySpreadConstraint given) {
        if (given.getLabelSelector() == null) {
            return List.of();
        }
        List<MatchExpression> selector = selectors.labelSelector(given.getLabelSelector(), FIELD + ".labelSelector");
        return selectors.withLabelKeys(
                selector, given.getMatchLabelKeys(), "In", meta.labels(), FIELD + ".matchLabelKeys");
    }

    private boolean is(String field, String value, String yes, String no, boolean otherwise) {
        if (value == null || value.isEmpty()) {
            return otherwise;
        }
        if (!value.equals(yes) && !value.equals(no)) {
            problems.invalid(FIELD + "." + field, value, yes + " or " + no);
        }
        return value.equals(yes);
    }
}
