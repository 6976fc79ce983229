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

    /** Annotation: how nodes are scored for the pod. */
    static final String STRATEGY = "muster.dev/strategy";

    private static final List<String> STRATEGIES = List.of("binpack", "fgd", "mixed", "spread");

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
        return Mapped.strict(whole(spec, meta, problems, problems), problems);
    }

    /** Everything placement looks at of a pod that is to be placed; wishes that cannot be read are noted and not taken. */
    static PodRequirement whole(PodSpec spec, PodMeta meta, Problems problems, Problems notes) {
        SortedMap<String, Long> requests = RequestArithmetic.effective(spec, problems);
        NvmeRequest.account(requests);
        NvmeRequest.add(requests, meta.annotations(), notes);
        GpuAnnotations gpu = GpuAnnotations.read(meta.annotations(), problems, notes);
        PodRequirement requirement = room(spec, requests, gpu, meta, problems);
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
        requirement.setStrategy(strategy(meta.annotations(), notes));
        return requirement;
    }

    private static String strategy(Map<String, String> annotations, Problems notes) {
        String text = annotations.getOrDefault(STRATEGY, "").strip();
        if (text.isEmpty() || STRATEGIES.contains(text)) {
            return text;
        }
        notes.invalid("metadata.annotations[" + STRATEGY + "]", text, "one of " + String.join(", ", STRATEGIES));
        return "";
    }

    /** The room that a pod takes, and the pods it keeps away or draws near: all that matters of a pod that others place. */
    static PodRequirement room(PodSpec spec, PodMeta meta, Problems problems) {
        SortedMap<String, Long> requests = RequestArithmetic.effective(spec, problems);
        NvmeRequest.account(requests);
        return room(spec, requests, GpuAnnotations.NONE, meta, problems);
    }

    private static PodRequirement room(
            PodSpec spec, SortedMap<String, Long> requests, GpuAnnotations gpu, PodMeta meta, Problems problems) {
        PodTerms terms = new PodTerms(meta, problems);
        boolean shares = gpu.fractionMilli() > 0 || gpu.memoryMib() > 0;
        if (shares && requests.entrySet().stream().anyMatch(e -> e.getKey().endsWith("/gpu") && e.getValue() > 0)) {
            problems.invalid(
                    "metadata.annotations[" + gpu.source() + "]",
                    "beside a request for whole GPUs: a pod asks for one or the other");
        }
        return new PodRequirement(
                Quantities.list(requests),
                gpu.fractionMilli(),
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
                AlignedContainers.of(spec),
                gpu.linked(),
                gpu.memoryMib(),
                "");
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
