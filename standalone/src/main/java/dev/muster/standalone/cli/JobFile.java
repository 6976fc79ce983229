package dev.muster.standalone.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.schemas.event.NetworkTopology;
import dev.muster.schemas.job.JobSpec;
import dev.muster.schemas.job.JobTask;
import dev.muster.standalone.scenario.read.ScenarioFormatException;
import dev.muster.standalone.scenario.read.TreeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A job in a file, YAML or JSON: {@code apiVersion: muster.dev/v1alpha1, kind: Job}, with the fields of JobSpec under {@code
 * spec} and a PodTemplateSpec as each task's {@code template}. Unknown fields are refused; what the values mean is judged
 * by the intake.
 *
 * @param name metadata.name
 */
record JobFile(String name, JobSpec spec) {
    private static final Set<String> TOP = Set.of("apiVersion", "kind", "metadata", "spec");
    private static final Set<String> METADATA = Set.of("name", "namespace");
    private static final Set<String> SPEC =
            Set.of("cluster", "queue", "priority", "minAvailable", "networkTopology", "suspend", "tasks");
    private static final Set<String> NETWORK = Set.of("mode", "highestTierAllowed", "highestTierName");
    private static final Set<String> TASK = Set.of("name", "replicas", "minAvailable", "template");

    /** @throws CommandException when the file is not such a job; names the field */
    static JobFile read(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(InputFile.readable(file));
        JsonNode root;
        try {
            root = TreeFile.one(file.toString(), bytes);
        } catch (ScenarioFormatException e) {
            throw CommandException.unusableInput(e.getMessage());
        }
        return new Reader(file).job(root);
    }

    private record Reader(Path file) {
        JobFile job(JsonNode root) {
            object(root, "the document", TOP);
            require(
                    "muster.dev/v1alpha1".equals(root.path("apiVersion").asText()),
                    "apiVersion",
                    "muster.dev/v1alpha1");
            require("Job".equals(root.path("kind").asText()), "kind", "Job");
            JsonNode metadata = object(root.path("metadata"), "metadata", METADATA);
            JsonNode spec = object(root.path("spec"), "spec", SPEC);
            require(
                    spec.path("tasks").isArray() && !spec.path("tasks").isEmpty(),
                    "spec.tasks",
                    "a list of at least one");
            List<JobTask> tasks = new ArrayList<>();
            for (int i = 0; i < spec.path("tasks").size(); i++) {
                tasks.add(task(spec.path("tasks").get(i), "spec.tasks[" + i + "]"));
            }
            return new JobFile(
                    text(metadata, "metadata", "name", null),
                    JobSpec.newBuilder()
                            .setNamespace(text(metadata, "metadata", "namespace", "default"))
                            .setCluster(text(spec, "spec", "cluster", ""))
                            .setQueue(text(spec, "spec", "queue", ""))
                            .setPriority(number(spec, "spec", "priority", 0))
                            .setMinAvailable(number(spec, "spec", "minAvailable", -1))
                            .setTasks(tasks)
                            .setNetworkTopology(network(spec))
                            .setSuspend(flag(spec, "spec", "suspend"))
                            .build());
        }

        /** As a Volcano Job says it: hard unless the mode is soft. */
        private NetworkTopology network(JsonNode spec) {
            if (!spec.has("networkTopology")) {
                return null;
            }
            String path = "spec.networkTopology";
            JsonNode network = object(spec.path("networkTopology"), path, NETWORK);
            String mode = text(network, path, "mode", "hard");
            require(mode.equals("hard") || mode.equals("soft"), path + ".mode", "hard or soft");
            return new NetworkTopology(
                    mode.equals("hard"),
                    number(network, path, "highestTierAllowed", -1),
                    text(network, path, "highestTierName", ""));
        }

        private JobTask task(JsonNode task, String path) {
            object(task, path, TASK);
            require(task.path("template").isObject(), path + ".template", "a PodTemplateSpec");
            return JobTask.newBuilder()
                    .setName(text(task, path, "name", null))
                    .setReplicas(number(task, path, "replicas", 1))
                    .setMinAvailable(number(task, path, "minAvailable", -1))
                    .setPodTemplate(task.path("template").toString())
                    .build();
        }

        private JsonNode object(JsonNode node, String path, Set<String> fields) {
            require(node.isObject(), path, "an object");
            node.fieldNames().forEachRemaining(field -> {
                if (!fields.contains(field)) {
                    throw problem(path + "." + field, "one of " + String.join(", ", new TreeSet<>(fields)));
                }
            });
            return node;
        }

        private String text(JsonNode node, String path, String field, String otherwise) {
            JsonNode value = node.path(field);
            if (value.isMissingNode() && otherwise != null) {
                return otherwise;
            }
            require(value.isTextual(), path + "." + field, "text");
            return value.asText();
        }

        private boolean flag(JsonNode node, String path, String field) {
            JsonNode value = node.path(field);
            require(value.isMissingNode() || value.isBoolean(), path + "." + field, "true or false");
            return value.asBoolean(false);
        }

        private int number(JsonNode node, String path, String field, int otherwise) {
            JsonNode value = node.path(field);
            if (value.isMissingNode()) {
                return otherwise;
            }
            require(value.isInt(), path + "." + field, "a whole number");
            return value.asInt();
        }

        private void require(boolean holds, String field, String expected) {
            if (!holds) {
                throw problem(field, expected);
            }
        }

        private CommandException problem(String field, String expected) {
            return CommandException.unusableInput(file + ": " + field + ": expected " + expected);
        }
    }
}
