package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.model.PodRules;
import dev.muster.scheduler.core.model.PodTerm;
import dev.muster.scheduler.core.model.PreferredPodTerm;
import dev.muster.scheduler.core.model.SpreadConstraint;
import dev.muster.schemas.common.PodRequirement;
import dev.muster.schemas.common.WeightedPodTerm;

/** What a pod's requirement says of the places of other pods. */
final class PodRulesCodec {
    private PodRulesCodec() {}

    static PodRules read(PodRequirement from) {
        boolean none = from.getPodAffinity().isEmpty()
                && from.getPodAntiAffinity().isEmpty()
                && from.getPreferredPodTerms().isEmpty()
                && from.getTopologySpread().isEmpty();
        return none
                ? PodRules.NONE
                : new PodRules(
                        Checks.each("podAffinity", from.getPodAffinity(), Checks.ENTRIES, PodRulesCodec::term),
                        Checks.each("podAntiAffinity", from.getPodAntiAffinity(), Checks.ENTRIES, PodRulesCodec::term),
                        Checks.each(
                                "preferredPodTerms",
                                from.getPreferredPodTerms(),
                                Checks.ENTRIES,
                                PodRulesCodec::preferred),
                        Checks.each("topologySpread", from.getTopologySpread(), Checks.ENTRIES, PodRulesCodec::spread));
    }

    private static PodTerm term(dev.muster.schemas.common.PodTerm from) {
        return new PodTerm(
                Checks.name("topologyKey", from.getTopologyKey()),
                RequirementCodec.expressions("selector", from.getSelector()),
                Checks.each("namespaces", from.getNamespaces(), Checks.ENTRIES, name -> Checks.name("namespace", name)),
                from.getByLabels(),
                RequirementCodec.expressions("namespaceSelector", from.getNamespaceSelector()));
    }

    static dev.muster.schemas.common.PodTerm writeTerm(PodTerm from) {
        return new dev.muster.schemas.common.PodTerm(
                from.topologyKey(),
                RequirementCodec.writeExpressions(from.selector()),
                from.namespaces(),
                from.byLabels(),
                RequirementCodec.writeExpressions(from.namespaceSelector()));
    }

    private static PreferredPodTerm preferred(WeightedPodTerm from) {
        int weight = Checks.between("weight", from.getWeight(), -100, 100);
        if (weight == 0) {
            throw InvalidFieldException.of("weight", weight, "1 to 100, or -100 to -1");
        }
        return new PreferredPodTerm(weight, Checks.part("term", from.getTerm(), PodRulesCodec::term));
    }

    static WeightedPodTerm writePreferred(PreferredPodTerm from) {
        return new WeightedPodTerm(from.weight(), writeTerm(from.term()));
    }

    private static SpreadConstraint spread(dev.muster.schemas.common.SpreadConstraint from) {
        return new SpreadConstraint(
                Checks.between("maxSkew", from.getMaxSkew(), 1, Integer.MAX_VALUE),
                Checks.name("topologyKey", from.getTopologyKey()),
                from.getRequired(),
                Checks.nameOrEmpty("namespace", from.getNamespace()),
                RequirementCodec.expressions("selector", from.getSelector()),
                Checks.between("minDomains", from.getMinDomains(), 1, Integer.MAX_VALUE),
                from.getHonorAffinity(),
                from.getHonorTaints());
    }

    static dev.muster.schemas.common.SpreadConstraint writeSpread(SpreadConstraint from) {
        return new dev.muster.schemas.common.SpreadConstraint(
                from.maxSkew(),
                from.topologyKey(),
                from.required(),
                from.namespace(),
                RequirementCodec.writeExpressions(from.selector()),
                from.minDomains(),
                from.honorAffinity(),
                from.honorTaints());
    }
}
