package dev.muster.ingest.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Walks Kubernetes' own model of a pod template, so that a field added by a later version is refused too, or this
 * test says where it is not.
 */
class PodTemplateAllowListTest {

    private static final String MODEL = "io.fabric8.kubernetes.api.model.";

    private final Shape shape = PodTemplateShape.podTemplate();
    private JsonNode root;
    private int refusedFields;

    @BeforeEach
    void parseTheFullTemplate() throws Exception {
        root = new ObjectMapper().readTree(Commands.FULL_TEMPLATE);
    }

    @Test
    void acceptsATemplateThatUsesEveryAllowedField() throws Exception {
        shape.check(root, "t");
    }

    @Test
    void refusesEveryFieldOfTheModelThatIsNotOnTheList() {
        walk(PodTemplateSpec.class, List.of(root));
        assertThat(refusedFields).isGreaterThan(120);
    }

    @Test
    void theFieldsOfAPodThatATenantMaySetAreTheseAndNoMore() {
        var allowed = new TreeSet<String>();
        root.get("spec").fieldNames().forEachRemaining(allowed::add);
        assertThat(allowed)
                .containsExactly(
                        "activeDeadlineSeconds",
                        "affinity",
                        "containers",
                        "initContainers",
                        "nodeSelector",
                        "restartPolicy",
                        "securityContext",
                        "terminationGracePeriodSeconds",
                        "tolerations",
                        "topologySpreadConstraints",
                        "volumes");
    }

    private void walk(Class<?> type, List<JsonNode> places) {
        expectRefused(places.getFirst(), "fieldOfTomorrow");
        for (Field field : type.getDeclaredFields()) {
            JsonProperty property = field.getAnnotation(JsonProperty.class);
            if (property == null) {
                continue;
            }
            List<JsonNode> below = below(places, property.value());
            if (below.isEmpty()) {
                expectRefused(places.getFirst(), property.value());
            } else {
                Class<?> model = modelOf(field.getGenericType());
                if (model != null && below.getFirst().isObject()) {
                    walk(model, below);
                }
            }
        }
    }

    private void expectRefused(JsonNode place, String name) {
        ObjectNode object = (ObjectNode) place;
        for (String value : List.of("null", "\"x\"", "{}", "[]", "true", "1")) {
            try {
                object.set(name, new ObjectMapper().readTree(value));
            } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
                throw new AssertionError(e);
            }
            Refused refused = catchThrowableOfType(Refused.class, () -> shape.check(root, "t"));
            assertThat(refused).as(name + " = " + value).isNotNull();
            assertThat(refused.refusal().reason()).as(name).isEqualTo(RefusalReason.FieldNotAllowed);
            assertThat(refused.refusal().field()).startsWith("t").endsWith("." + name);
        }
        object.remove(name);
        refusedFields++;
    }

    private static List<JsonNode> below(List<JsonNode> places, String name) {
        List<JsonNode> below = new ArrayList<>();
        for (JsonNode place : places) {
            JsonNode value = place.get(name);
            if (value != null && value.isArray()) {
                value.forEach(below::add);
            } else if (value != null) {
                below.add(value);
            }
        }
        return below;
    }

    private static Class<?> modelOf(Type type) {
        if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            return modelOf(list.getActualTypeArguments()[0]);
        }
        boolean isModel = type instanceof Class<?> c
                && c.getName().startsWith(MODEL)
                && !c.getSimpleName().equals("Quantity");
        return isModel ? (Class<?>) type : null;
    }
}
