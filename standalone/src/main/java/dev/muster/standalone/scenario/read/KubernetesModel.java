package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/**
 * Kubernetes' own kinds against their schema, as the API server's strict field validation does it (kubectl's default): a field
 * that the kind does not have is refused, and so is a value of the wrong type. The schema is fabric8's generated model.
 */
final class KubernetesModel {
    private static final Map<String, Class<? extends HasMetadata>> MODELS = Map.ofEntries(
            Map.entry("v1/Namespace", Namespace.class),
            Map.entry("v1/Node", Node.class),
            Map.entry("v1/Pod", Pod.class),
            Map.entry("batch/v1/Job", Job.class),
            Map.entry("batch/v1/CronJob", CronJob.class),
            Map.entry("apps/v1/Deployment", Deployment.class),
            Map.entry("apps/v1/ReplicaSet", ReplicaSet.class),
            Map.entry("apps/v1/StatefulSet", StatefulSet.class),
            Map.entry("apps/v1/DaemonSet", DaemonSet.class),
            Map.entry("policy/v1/PodDisruptionBudget", PodDisruptionBudget.class),
            Map.entry("scheduling.k8s.io/v1/PriorityClass", PriorityClass.class));

    private static final JsonMapper STRICT = JsonMapper.builder()
            .annotationIntrospector(new NoLeftovers())
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .withCoercionConfig(
                    LogicalType.Textual,
                    config -> config.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
            .build();

    private KubernetesModel() {}

    /** fabric8 collects unknown fields; here they are errors. */
    private static final class NoLeftovers extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public Boolean hasAnySetter(MapperConfig<?> config, Annotated member) {
            return Boolean.FALSE;
        }
    }

    /** Checks a whole object; kinds that are not Kubernetes' own pass. */
    static void check(Document document) {
        String key = document.tree().path("apiVersion").asText() + "/"
                + document.tree().path("kind").asText();
        Optional.ofNullable(MODELS.get(key)).ifPresent(model -> check(document, "", document.tree(), model));
    }

    /** Checks a pod template inside an object of another kind. */
    static void checkTemplate(Document document, String field, JsonNode template) {
        check(document, field + ".", template, PodTemplateSpec.class);
    }

    private static void check(Document document, String prefix, JsonNode tree, Class<?> model) {
        try {
            STRICT.readValue(tree.toString(), model);
        } catch (UnrecognizedPropertyException e) {
            throw document.problem(prefix + path(e) + ": unknown field");
        } catch (MismatchedInputException e) {
            throw document.expected(prefix + path(e), expected(e.getTargetType()), found(tree, e));
        } catch (JacksonException e) {
            String why = e.getOriginalMessage() == null ? "wrong form" : e.getOriginalMessage();
            String field = e instanceof DatabindException at ? prefix + path(at) : prefix;
            throw document.problem(field + ": " + why.replaceAll("\\s*\\R\\s*", " "));
        }
    }

    private static String path(DatabindException e) {
        return e.getPath().stream()
                .map(step ->
                        step.getPropertyName() == null ? "[" + step.getIndex() + "]" : "." + step.getPropertyName())
                .collect(Collectors.joining())
                .replaceFirst("^\\.", "");
    }

    private static JsonNode found(JsonNode tree, DatabindException e) {
        JsonNode found = tree;
        for (JacksonException.Reference step : e.getPath()) {
            found = step.getPropertyName() == null ? found.path(step.getIndex()) : found.path(step.getPropertyName());
        }
        return found;
    }

    private static String expected(Class<?> type) {
        String simple = type == null ? "" : type.getSimpleName();
        return switch (simple) {
            case "Integer", "Long", "int", "long" -> "a whole number";
            case "Boolean", "boolean" -> "true or false";
            case "String" -> "text (a number or true needs quotes)";
            case "List", "ArrayList", "Collection" -> "a list";
            case "Map", "LinkedHashMap" -> "a mapping";
            case "" -> "another form";
            default -> "a mapping (" + simple + ")";
        };
    }
}
