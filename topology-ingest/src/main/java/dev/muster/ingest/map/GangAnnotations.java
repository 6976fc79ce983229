package dev.muster.ingest.map;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.schemas.event.MatchPolicy;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What Koordinator's annotations on a PodGroup say: {@code gang.scheduling.koordinator.sh/match-policy} and
 * {@code /groups}, a JSON list of the PodGroups that start together, as namespace/name or by name in its own namespace.
 */
final class GangAnnotations {
    static final String MATCH_POLICY = "gang.scheduling.koordinator.sh/match-policy";
    static final String MATCH_POLICY_ALIAS = "pod-group.scheduling.sigs.k8s.io/match-policy";
    static final String GROUPS = "gang.scheduling.koordinator.sh/groups";
    private static final String KOORDINATOR = "scheduling.sigs.k8s.io/";
    private static final int LONGEST_LIST = 16_384;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ObjectMeta meta;
    private final Map<String, String> annotations;
    private final boolean koordinators;
    private final Problems problems;

    GangAnnotations(GenericKubernetesResource object, Problems problems) {
        this.meta = object.getMetadata();
        this.annotations = meta.getAnnotations() == null ? Map.of() : meta.getAnnotations();
        this.koordinators =
                object.getApiVersion() != null && object.getApiVersion().startsWith(KOORDINATOR);
        this.problems = problems;
    }

    /** What counts once the gang ran: Koordinator's own objects are satisfied once, others count what waits and runs. */
    MatchPolicy matchPolicy() {
        String key = annotations.containsKey(MATCH_POLICY) ? MATCH_POLICY : MATCH_POLICY_ALIAS;
        String policy = annotations.get(key);
        if (policy == null) {
            return koordinators ? MatchPolicy.ONCE_SATISFIED : MatchPolicy.WAITING_AND_RUNNING;
        }
        return switch (policy) {
            case "once-satisfied" -> MatchPolicy.ONCE_SATISFIED;
            case "only-waiting" -> MatchPolicy.ONLY_WAITING;
            case "waiting-and-running" -> MatchPolicy.WAITING_AND_RUNNING;
            default -> {
                problems.invalid(field(key), policy, "once-satisfied, only-waiting or waiting-and-running");
                yield MatchPolicy.WAITING_AND_RUNNING;
            }
        };
    }

    /** The gangs that start only together, itself among them, sorted; empty where it stands alone. */
    List<String> startsWith() {
        String list = annotations.getOrDefault(GROUPS, "");
        if (list.isEmpty() || !problems.within(field(GROUPS), list.length(), LONGEST_LIST)) {
            return List.of();
        }
        TreeSet<String> gangs = new TreeSet<>();
        gangs.add(meta.getNamespace() + "/" + meta.getName());
        if (!read(list, gangs)) {
            problems.invalid(
                    field(GROUPS),
                    list,
                    "a list of at most " + Limits.TERMS + " PodGroups, such as [\"ml/trainer\", \"ml/server\"]");
        }
        return gangs.size() == 1 ? List.of() : List.copyOf(gangs);
    }

    private boolean read(String list, TreeSet<String> gangs) {
        JsonNode names;
        try {
            names = JSON.readTree(list);
        } catch (JsonProcessingException notJson) {
            return false;
        }
        if (!names.isArray() || names.size() > Limits.TERMS) {
            return false;
        }
        for (JsonNode name : names) {
            String text = name.asText("");
            String[] parts = text.split("/", 3);
            boolean usable = name.isTextual()
                    && text.length() <= Limits.NAME
                    && parts.length <= 2
                    && List.of(parts).stream().noneMatch(String::isEmpty);
            if (!usable) {
                return false;
            }
            gangs.add(parts.length == 2 ? text : meta.getNamespace() + "/" + text);
        }
        return true;
    }

    private static String field(String annotation) {
        return "metadata.annotations[" + annotation + "]";
    }
}
