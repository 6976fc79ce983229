package dev.muster.ingest.map;

import dev.muster.schemas.event.DisruptionBudgetSpec;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;

/** A PodDisruptionBudget (policy/v1). One without a selector protects no pod and is not told. */
public final class DisruptionBudgetMapper {

    private DisruptionBudgetMapper() {}

    /** The facts of {@code object}. */
    public static Mapped<DisruptionBudgetSpec> map(PodDisruptionBudget object) {
        var spec = object.getSpec();
        if (spec == null || spec.getSelector() == null) {
            return Mapped.unused();
        }
        Problems problems = new Problems();
        var status = object.getStatus();
        Integer allowed = status == null ? null : status.getDisruptionsAllowed();
        DisruptionBudgetSpec facts = DisruptionBudgetSpec.newBuilder()
                .setMinAvailable(amount(spec.getMinAvailable(), "spec.minAvailable", problems))
                .setMaxUnavailable(amount(spec.getMaxUnavailable(), "spec.maxUnavailable", problems))
                .setSelector(new Selectors(problems).labelSelector(spec.getSelector(), "spec.selector"))
                .setDisruptionsAllowed(allowed == null ? 0 : Math.max(0, allowed))
                .build();
        return Mapped.strict(facts, problems);
    }

    private static String amount(IntOrString value, String field, Problems problems) {
        if (value == null) {
            return "";
        }
        String text = value.getStrVal() != null ? value.getStrVal() : String.valueOf(value.getIntVal());
        if (!text.matches("[0-9]{1,9}%?")) {
            problems.invalid(field, text, "a number or a percentage");
            return "";
        }
        return text;
    }
}
