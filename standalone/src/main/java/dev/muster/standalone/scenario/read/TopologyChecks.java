package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What the API server refuses in a Topology of Kueue and a HyperNode of Volcano. */
final class TopologyChecks {
    private static final int MOST_LEVELS = 16;
    private static final List<String> SELECTORS = List.of("exactMatch", "regexMatch", "labelMatch");

    private TopologyChecks() {}

    /** At least one level, each label once, the host name only as the last. */
    static void topology(Document document, JsonNode tree) {
        JsonNode levels = tree.path("spec").path("levels");
        if (!levels.isArray() || levels.isEmpty() || levels.size() > MOST_LEVELS) {
            throw document.expected("spec.levels", "1 to " + MOST_LEVELS + " levels", levels);
        }
        Set<String> labels = new HashSet<>();
        for (int i = 0; i < levels.size(); i++) {
            JsonNode label = levels.get(i).path("nodeLabel");
            String field = "spec.levels[" + i + "].nodeLabel";
            if (!Names.labelKey(label.asText(""))) {
                throw document.expected(field, "a label key", label);
            }
            if (!labels.add(label.asText())) {
                throw document.problem(field + ": '" + label.asText() + "' is an earlier level");
            }
            if (label.asText().equals("kubernetes.io/hostname") && i + 1 < levels.size()) {
                throw document.problem(field + ": kubernetes.io/hostname can only be the last level");
            }
        }
    }

    /** A tier, and members that are each chosen in one way. */
    static void hyperNode(Document document, JsonNode tree) {
        JsonNode tier = tree.path("spec").path("tier");
        if (!tier.isInt() || tier.asInt() < 0) {
            throw document.expected("spec.tier", "a whole number, 0 or more", tier);
        }
        JsonNode members = tree.path("spec").path("members");
        for (int i = 0; i < members.size(); i++) {
            String field = "spec.members[" + i + "]";
            JsonNode type = members.get(i).path("type");
            if (!type.asText("").equals("Node") && !type.asText("").equals("HyperNode")) {
                throw document.expected(field + ".type", "Node or HyperNode", type);
            }
            JsonNode selector = members.get(i).path("selector");
            if (SELECTORS.stream().filter(selector::has).count() != 1) {
                throw document.expected(field + ".selector", "one of exactMatch, regexMatch and labelMatch", selector);
            }
        }
    }
}
