package dev.muster.ingest.map;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.schemas.common.PodSetTopology;
import dev.muster.schemas.common.TopologySlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Where a pod set wants to be in the topology: Kueue's annotations on the pod template, checked as Kueue's webhook checks
 * them (kueue.x-k8s.io/podset-required-topology and its kin; KEP-2724).
 */
final class PodSetTopologies {

    static final String PREFIX = "kueue.x-k8s.io/podset-";
    private static final String REQUIRED = PREFIX + "required-topology";
    private static final String PREFERRED = PREFIX + "preferred-topology";
    private static final String UNCONSTRAINED = PREFIX + "unconstrained-topology";
    private static final String SLICE_LEVEL = PREFIX + "slice-required-topology";
    private static final String SLICE_SIZE = PREFIX + "slice-size";
    private static final String SLICES = PREFIX + "slice-required-topology-constraints";
    private static final String GROUP = PREFIX + "group-name";
    private static final String BALANCED = "muster.dev/balanced-placement";
    private static final int LONGEST_LIST = 4_096;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, String> annotations;
    private final Problems problems;

    private PodSetTopologies(Map<String, String> annotations, Problems problems) {
        this.annotations = annotations;
        this.problems = problems;
    }

    /** Whether a template with these annotations asks for a place; may be null. */
    static boolean asked(Map<String, String> annotations) {
        return annotations != null
                && (annotations.containsKey(REQUIRED)
                        || annotations.containsKey(PREFERRED)
                        || annotations.containsKey(UNCONSTRAINED)
                        || annotations.containsKey(SLICE_LEVEL)
                        || annotations.containsKey(SLICES));
    }

    /** What the annotations of a pod or template ask for; null where they ask for nothing. */
    static PodSetTopology of(Map<String, String> annotations, Problems problems) {
        return asked(annotations) ? new PodSetTopologies(annotations, problems).read() : null;
    }

    private PodSetTopology read() {
        String required = level(REQUIRED);
        String preferred = level(PREFERRED);
        boolean anywhere = flag(UNCONSTRAINED);
        boolean balanced = flag(BALANCED);
        if ((required.isEmpty() ? 0 : 1) + (preferred.isEmpty() ? 0 : 1) + (anywhere ? 1 : 0) > 1) {
            problems.invalid(field(REQUIRED), "required, preferred and unconstrained topology exclude each other");
        }
        String group = text(GROUP);
        if (!group.isEmpty() && required.isEmpty() && preferred.isEmpty()) {
            problems.invalid(field(GROUP), "needs a required or preferred topology beside it");
        }
        if (balanced && preferred.isEmpty()) {
            problems.invalid(field(BALANCED), "needs a preferred topology beside it");
        }
        return new PodSetTopology(required, preferred, anywhere, slices(), group, balanced);
    }

    private boolean flag(String annotation) {
        String flag = annotations.getOrDefault(annotation, "false");
        if (!flag.equals("true") && !flag.equals("false")) {
            problems.invalid(field(annotation), flag, "true or false");
        }
        return flag.equals("true");
    }

    private List<TopologySlice> slices() {
        String level = level(SLICE_LEVEL);
        String size = text(SLICE_SIZE);
        if (annotations.containsKey(SLICES)) {
            if (!level.isEmpty() || !size.isEmpty()) {
                problems.invalid(field(SLICES), "excludes " + SLICE_LEVEL + " and " + SLICE_SIZE);
            }
            return layers(text(SLICES, LONGEST_LIST));
        }
        if (level.isEmpty() != size.isEmpty()) {
            problems.invalid(field(SLICE_SIZE), "a slice needs both its level and its size");
            return List.of();
        }
        return level.isEmpty() ? List.of() : List.of(new TopologySlice(level, size(SLICE_SIZE, size)));
    }

    private List<TopologySlice> layers(String list) {
        String expected = "a list of at most " + Limits.SLICES + " objects with a topology and a size, sizes that"
                + " divide the one before";
        List<TopologySlice> slices = new ArrayList<>();
        try {
            JsonNode layers = JSON.readTree(list);
            boolean usable = layers.isArray() && !layers.isEmpty() && layers.size() <= Limits.SLICES;
            for (JsonNode layer : usable ? layers : JSON.createArrayNode()) {
                String level = layer.path("topology").asText("");
                int size = layer.path("size").isInt() ? layer.path("size").asInt() : 0;
                usable &= !level.isEmpty()
                        && level.length() <= Limits.QUALIFIED_NAME
                        && size >= 1
                        && size <= Limits.MEMBERS
                        && (slices.isEmpty() || slices.getLast().getSize() % size == 0);
                slices.add(new TopologySlice(level, size));
            }
            if (usable) {
                return slices;
            }
        } catch (JsonProcessingException notJson) {
            // Reported with everything else that is no such list.
        }
        problems.invalid(field(SLICES), list, expected);
        return List.of();
    }

    private int size(String annotation, String text) {
        int size = text.matches("[0-9]{1,7}") ? Integer.parseInt(text) : 0;
        if (size < 1 || size > Limits.MEMBERS) {
            problems.invalid(field(annotation), text, "a number of pods, at least 1");
            return 1;
        }
        return size;
    }

    private String level(String annotation) {
        String level = text(annotation);
        if (annotations.containsKey(annotation) && level.isEmpty()) {
            problems.invalid(field(annotation), level, "a level of the topology");
        }
        return level;
    }

    private String text(String annotation) {
        return text(annotation, Limits.QUALIFIED_NAME);
    }

    private String text(String annotation, int longest) {
        String text = annotations.get(annotation);
        boolean usable = text != null && problems.within(field(annotation), text.length(), longest);
        return usable ? text : "";
    }

    private static String field(String annotation) {
        return "metadata.annotations[" + annotation + "]";
    }
}
