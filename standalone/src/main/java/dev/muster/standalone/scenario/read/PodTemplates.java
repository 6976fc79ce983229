package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** The pod templates in an object: one at {@code spec.template}, or one per task of a Volcano Job. */
final class PodTemplates {

    /** A template and the path to it. */
    record Template(String field, JsonNode tree) {}

    private PodTemplates() {}

    static List<Template> of(JsonNode object) {
        List<Template> templates = new ArrayList<>();
        JsonNode spec = object.path("spec");
        if (spec.path("template").isObject()) {
            templates.add(new Template("spec.template", spec.path("template")));
        }
        JsonNode nested = spec.path("jobTemplate").path("spec").path("template");
        if (nested.isObject()) {
            templates.add(new Template("spec.jobTemplate.spec.template", nested));
        }
        for (int i = 0; i < spec.path("tasks").size(); i++) {
            JsonNode template = spec.path("tasks").get(i).path("template");
            if (template.isObject()) {
                templates.add(new Template("spec.tasks[" + i + "].template", template));
            }
        }
        return templates;
    }
}
