package dev.muster.ingest.map;

import dev.muster.schemas.common.PodRequirement;
import dev.muster.schemas.common.Toleration;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** What a pod needs: from the spec of a pod, or of the template of one. */
public final class RequirementMapper {

    /** Annotation: part of one GPU that the pod shares with others, such as {@code 0.5}. */
    public static final String GPU_FRACTION = "muster.dev/gpu-fraction";

    /** The same as KAI-Scheduler reads it; ours counts where both are there. */
    private static final String KAI_GPU_FRACTION = "gpu-fraction";

    private RequirementMapper() {}

    /**
     * The requirement of pods that are not made yet; without facts when any of it cannot be read.
     *
     * @param namespace where the pods will be
     * @param labels those they will have
     * @param annotations metadata.annotations of the pod or template
     */
    public static Mapped<PodRequirement> map(
            PodSpec spec, String namespace, Map<String, String> labels, Map<String, String> annotations) {
        Problems problems = new Problems();
        PodMeta meta = new PodMeta("", namespace, labels, annotations);
        return Mapped.strict(whole(spec, meta, problems), problems);
    }

    /** Everything placement looks at of a pod that is to be placed. */
    static PodRequirement whole(PodSpec spec, PodMeta meta, Problems problems) {
        PodRequirement requirement = room(spec, fractionMilli(meta.annotations(), problems), meta, problems);
        Selectors selectors = new Selectors(problems);
        NodeAffinity affinity =
                spec.getAffinity() == null ? null : spec.getAffinity().getNodeAffinity();
        requirement.setNodeSelector(selectors.labels(spec.getNodeSelector(), "spec.nodeSelector", Limits.TERMS));
        requirement.setRequiredNodeTerms(selectors.required(affinity));
        requirement.setPreferredNodeTerms(selectors.preferred(affinity));
        requirement.setTolerations(tolerations(spec, problems));
        new PodTerms(meta, problems).checkAffinity(spec.getAffinity());
        requirement.setTopologySpread(new SpreadConstraints(meta, problems).map(spec.getTopologySpreadConstraints()));
        requirement.setTopology(PodSetTopologies.of(meta.annotations(), problems));
        return requirement;
    }

    /** The room that a pod takes, and the pods it keeps away or draws near: all that matters of a pod that others place. */
    static PodRequirement room(PodSpec spec, PodMeta meta, Problems problems) {
        return room(spec, 0, meta, problems);
    }

    private static PodRequirement room(PodSpec spec, int fraction, PodMeta meta, Problems problems) {
        SortedMap<String, Long> requests = RequestArithmetic.effective(spec, problems);
        PodTerms terms = new PodTerms(meta, problems);
        if (fraction > 0
                && requests.entrySet().stream().anyMatch(e -> e.getKey().endsWith("/gpu") && e.getValue() > 0)) {
            problems.invalid(
                    "metadata.annotations[" + GPU_FRACTION + "]",
                    "beside a request for whole GPUs: a pod asks for one or the other");
        }
        return new PodRequirement(
                Quantities.list(requests),
                fraction,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                "",
                terms.affinity(spec.getAffinity()),
                terms.antiAffinity(spec.getAffinity()),
                List.of(),
                terms.preferred(spec.getAffinity()),
                HostPorts.of(spec, problems),
                null,
                Claims.of(spec, meta, problems),
                AlignedContainers.of(spec));
    }

    private static int fractionMilli(Map<String, String> annotations, Problems problems) {
        String text = annotations.getOrDefault(GPU_FRACTION, annotations.get(KAI_GPU_FRACTION));
        if (text == null) {
            return 0;
        }
        if (text.matches("0?\\.[0-9]{1,3}")) {
            String digits = text.substring(text.indexOf('.') + 1);
            int milli = Integer.parseInt((digits + "00").substring(0, 3));
            if (milli > 0) {
                return milli;
            }
        }
        problems.invalid(
                "metadata.annotations[" + GPU_FRACTION + "]",
                text,
                "a part of one GPU from 0.001 to 0.999, such as 0.5");
        return 0;
    }

    private static List<Toleration> tolerations(PodSpec spec, Problems problems) {
        var given = spec.getTolerations();
        if (given == null || !problems.within("spec.tolerations", given.size(), Limits.TAINTS)) {
            return List.of();
        }
        List<Toleration> list = new ArrayList<>(given.size());
        for (var toleration : given) {
            String operator = orDefault(toleration.getOperator(), "Equal");
            String key = orDefault(toleration.getKey(), "");
            String value = orDefault(toleration.getValue(), "");
            String effect = orDefault(toleration.getEffect(), "");
            // Operators of later Kubernetes versions (Gt, Lt) tolerate nothing here: safe, and the pod stays usable.
            if ((operator.equals("Equal") || operator.equals("Exists"))
                    && problems.within("spec.tolerations key", key.length(), Limits.QUALIFIED_NAME)
                    && problems.within("spec.tolerations value", value.length(), Limits.VALUE)
                    && problems.within("spec.tolerations effect", effect.length(), Limits.VALUE)) {
                list.add(new Toleration(key, operator, value, effect));
            }
        }
        return list;
    }

    private static String orDefault(String text, String otherwise) {
        return text == null || text.isEmpty() ? otherwise : text;
    }
}
