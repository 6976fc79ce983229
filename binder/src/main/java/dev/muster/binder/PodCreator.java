package dev.muster.binder;

import dev.muster.binder.Progress.Failed;
import dev.muster.schemas.decision.PlacedPodSet;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes the pods of jobs that came as events. What is in a template was checked by intake; here it is only completed.
 */
final class PodCreator {

    private static final int TEMPLATES_KEPT = 1024;
    private static final List<String> OURS_ALONE =
            List.of(Marks.DECISION, Marks.ATTEMPT, Marks.FENCED_BY, Marks.FENCED_BECAUSE, Marks.GPU_DEVICES);

    private final ClusterApi api;
    private final Templates templates;
    private final KubernetesSerialization json;
    private final Map<String, PodTemplateSpec> parsed = new ConcurrentHashMap<>();

    PodCreator(ClusterApi api, Templates templates, KubernetesSerialization json) {
        this.api = api;
        this.json = json;
        this.templates = templates;
    }

    /** Outcome of one try. */
    sealed interface Try {
        /** The pod is there. */
        record Created(PodState pod) implements Try {}

        /** It is not, and another try can't help. */
        record Hopeless(Failed failed) implements Try {}

        /** Try again after a look at what is there; the template may be missing, the name taken, or the reply lost. */
        record Again(Failed failed, long retryAfterMillis) implements Try {}
    }

    /** Tries once to create the pod of a member. */
    Try create(Member member, List<PlacedPodSet> podSets, JobIdentity job) {
        int podSet = member.placement().getPodSet();
        if (podSet < 0 || podSet >= podSets.size()) {
            return hopeless("the decision has no pod set " + podSet);
        }
        PlacedPodSet placed = podSets.get(podSet);
        Optional<String> template = templates.json(placed.getTemplateHash());
        if (template.isEmpty()) {
            return new Try.Again(
                    new Failed(Failure.REFUSED, "template " + placed.getTemplateHash() + " is not known"), 0);
        }
        Pod pod;
        try {
            pod = pod(member, placed, parse(placed.getTemplateHash(), template.get()), job);
        } catch (RuntimeException e) {
            return hopeless("template " + placed.getTemplateHash() + " can't be read: " + e.getMessage());
        }
        try {
            return new Try.Created(api.create(pod));
        } catch (ApiException e) {
            return switch (ErrorTable.verdictOrStop(e)) {
                case REFUSED -> hopeless(e.getMessage());
                // The namespace is missing.
                case GONE -> hopeless(e.getMessage());
                case REREAD -> new Try.Again(new Failed(Failure.CONFLICT, e.getMessage()), e.retryAfterMillis());
                case RETRY, FATAL ->
                    new Try.Again(new Failed(Failure.SERVER_ERROR, e.getMessage()), e.retryAfterMillis());
            };
        }
    }

    private static Try hopeless(String message) {
        return new Try.Hopeless(new Failed(Failure.REFUSED, message));
    }

    private PodTemplateSpec parse(String hash, String template) {
        PodTemplateSpec known = parsed.get(hash);
        if (known != null) {
            return known;
        }
        PodTemplateSpec spec = json.unmarshal(template, PodTemplateSpec.class);
        if (spec == null || spec.getSpec() == null) {
            throw new IllegalArgumentException("it has no spec");
        }
        if (parsed.size() >= TEMPLATES_KEPT) {
            parsed.clear();
        }
        parsed.put(hash, spec);
        return spec;
    }

    private static Pod pod(Member member, PlacedPodSet placed, PodTemplateSpec template, JobIdentity job) {
        ObjectMeta meta = template.getMetadata() == null ? new ObjectMeta() : template.getMetadata();
        Map<String, String> labels = copy(meta.getLabels());
        labels.put(Marks.JOB, job.job());
        labels.put(Marks.TASK, placed.getName());
        Map<String, String> annotations = copy(meta.getAnnotations());
        // A template must not pretend to have been bound or fenced.
        annotations.keySet().removeAll(OURS_ALONE);
        annotations.put(Marks.TENANT, job.tenant());
        annotations.put(Marks.INDEX, Integer.toString(member.placement().getIndex()));
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(member.key().namespace())
                .withName(member.key().name())
                .withLabels(labels)
                .withAnnotations(annotations)
                .endMetadata()
                .withNewSpecLike(template.getSpec())
                .withSchedulerName(Marks.SCHEDULER_NAME)
                .withNodeName(null)
                .withNodeSelector(nodeSelector(template, placed))
                .withTolerations(tolerations(template, placed))
                .endSpec()
                .build();
    }

    /** With the labels of the nodes that its flavors stand for: what it says itself is among them or beside them. */
    private static Map<String, String> nodeSelector(PodTemplateSpec template, PlacedPodSet placed) {
        Map<String, String> selector = copy(template.getSpec().getNodeSelector());
        placed.getNodeLabels().forEach(label -> selector.putIfAbsent(label.getKey(), label.getValue()));
        return selector;
    }

    private static List<Toleration> tolerations(PodTemplateSpec template, PlacedPodSet placed) {
        List<Toleration> tolerations = new ArrayList<>(template.getSpec().getTolerations());
        for (var added : placed.getTolerations()) {
            Toleration toleration = new TolerationBuilder()
                    .withKey(orNull(added.getKey()))
                    .withOperator(added.getOperator())
                    .withValue(orNull(added.getValue()))
                    .withEffect(orNull(added.getEffect()))
                    .build();
            if (!tolerations.contains(toleration)) {
                tolerations.add(toleration);
            }
        }
        return tolerations;
    }

    private static String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private static Map<String, String> copy(Map<String, String> map) {
        return map == null ? new TreeMap<>() : new TreeMap<>(map);
    }
}
