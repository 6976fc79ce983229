package dev.muster.standalone.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.standalone.cluster.ResourceKind;
import dev.muster.standalone.cluster.ResourceKinds;
import dev.muster.standalone.cluster.VirtualCluster;
import dev.muster.standalone.scenario.observe.Clusters;
import dev.muster.standalone.scenario.observe.Happening.Type;
import dev.muster.standalone.scenario.read.KindTable.Use;
import dev.muster.standalone.virtual.VirtualStack;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** Carries the steps of a scenario out when they are due. */
final class Steps {
    private static final String EVICT_AT = "muster.dev/evict-at";

    /** A drain tries again after so long when a disruption budget does not allow it, as kubectl does. */
    private static final long DRAIN_PAUSE_MILLIS = 5_000;

    private final VirtualStack stack;
    private final Clusters clusters;
    private final List<String> notes;
    private final TreeMap<Long, List<Step>> due = new TreeMap<>();
    private final TreeSet<Long> later = new TreeSet<>();
    private final Map<String, ApiCalls> calls = new TreeMap<>();
    private final Map<String, Manifest> kept = new LinkedHashMap<>();
    private final Map<String, TreeSet<String>> unusedFields = new TreeMap<>();

    Steps(Scenario scenario, VirtualStack stack, Clusters clusters, List<String> notes) {
        this.stack = stack;
        this.clusters = clusters;
        this.notes = notes;
        scenario.steps()
                .forEach(step -> due.computeIfAbsent(step.atMillis(), unused -> new ArrayList<>())
                        .add(step));
        scenario.clusters().forEach(name -> calls.put(name, new ApiCalls()));
    }

    List<Long> moments() {
        return List.copyOf(due.keySet());
    }

    /** Moments that came up while carrying out. */
    List<Long> later() {
        List<Long> moments = List.copyOf(later);
        later.clear();
        return moments;
    }

    void due(long millis) {
        List<Step> now = due.remove(millis);
        if (now != null) {
            now.forEach(this::carryOut);
        }
    }

    private void carryOut(Step step) {
        try {
            switch (step) {
                case Step.Apply apply -> apply(apply.manifest());
                case Step.Delete delete -> delete(delete);
                case Step.Evict evict -> evict(evict);
            }
        } catch (ApiCalls.RefusedException e) {
            throw ScenarioRun.refused(step, e.getMessage());
        }
    }

    private void apply(Manifest manifest) {
        Optional<ResourceKind> kind = ApiCalls.served(manifest);
        VirtualCluster cluster = stack.cluster(manifest.cluster());
        boolean there = kind.isPresent()
                ? cluster.store()
                        .get(kind.get(), manifest.namespace(), manifest.name())
                        .isPresent()
                : kept.containsKey(manifest.key());
        LaterRules.of(manifest)
                .forEach(field -> unusedFields
                        .computeIfAbsent(manifest.kind() + " " + field, unused -> new TreeSet<>())
                        .add(manifest.title()));
        if (manifest.use() == Use.NOT_YET || kind.isEmpty()) {
            kept.put(manifest.key(), manifest);
        }
        if (kind.isPresent()) {
            calls.get(manifest.cluster()).apply(cluster, kind.get(), manifest);
        } else {
            clusters.changed(manifest.cluster(), there ? "MODIFIED" : "ADDED", manifest.tree());
        }
        if (!manifest.kind().equals("Node")) {
            say(Type.APPLIED, manifest, there ? "changed" : "applied");
        }
    }

    private void delete(Step.Delete step) {
        Manifest manifest = step.manifest();
        Optional<ResourceKind> kind = ApiCalls.served(manifest);
        boolean there;
        if (kind.isPresent()) {
            there = calls.get(manifest.cluster()).delete(stack.cluster(manifest.cluster()), kind.get(), manifest);
        } else {
            there = true;
            clusters.changed(manifest.cluster(), "DELETED", manifest.tree());
        }
        if (there) {
            say(Type.DELETED, manifest, "deleted");
        } else {
            notes.add(manifest.title() + " was to be deleted at " + SimulatedTime.text(step.atMillis())
                    + ", but was not there");
        }
    }

    private void evict(Step.Evict step) {
        Manifest manifest = step.manifest();
        List<String> pods = manifest.kind().equals("Pod") ? List.of(manifest.name()) : podsThatAsk(step);
        ApiCalls api = calls.get(manifest.cluster());
        boolean again = false;
        for (String pod : pods) {
            switch (api.evict(stack.cluster(manifest.cluster()), manifest.namespace(), pod)) {
                case DONE -> {
                    // The onlooker sees it.
                }
                case NOT_NOW -> again = true;
                case NOT_THERE ->
                    notes.add("Pod " + manifest.namespace() + "/" + pod + " was to be evicted at "
                            + SimulatedTime.text(step.atMillis()) + ", but was not there");
            }
        }
        if (again) {
            Step.Evict retry = new Step.Evict(clusters.nowMillis() + DRAIN_PAUSE_MILLIS, manifest, step.asWritten());
            due.computeIfAbsent(retry.atMillis(), unused -> new ArrayList<>()).add(retry);
            later.add(retry.atMillis());
        }
    }

    /** Pods of the object, made from a template with that annotation. */
    private List<String> podsThatAsk(Step.Evict step) {
        Manifest manifest = step.manifest();
        List<String> pods = new ArrayList<>();
        for (JsonNode pod : stack.cluster(manifest.cluster()).store().list(ResourceKinds.PODS, manifest.namespace())) {
            JsonNode metadata = pod.path("metadata");
            boolean owned = false;
            for (JsonNode owner : metadata.path("ownerReferences")) {
                owned |= owner.path("kind").asText().equals(manifest.kind())
                        && owner.path("name").asText().equals(manifest.name());
            }
            boolean leaving = metadata.has("deletionTimestamp");
            if (owned
                    && !leaving
                    && metadata.path("annotations").path(EVICT_AT).asText("").equals(step.asWritten())) {
                pods.add(metadata.path("name").asText());
            }
        }
        return pods;
    }

    private void say(Type type, Manifest manifest, String what) {
        clusters.happened(type, manifest.cluster(), manifest.title(), "", what);
    }

    /** What was applied and is not used yet, by kind. */
    List<Report.Kept> kept() {
        Map<String, List<Manifest>> byKind = new TreeMap<>();
        kept.values().stream()
                .filter(manifest -> manifest.use() == Use.NOT_YET)
                .forEach(manifest -> byKind.computeIfAbsent(
                                manifest.apiVersion() + " " + manifest.kind(), unused -> new ArrayList<>())
                        .add(manifest));
        return byKind.values().stream()
                .map(of -> new Report.Kept(
                        of.getFirst().apiVersion(),
                        of.getFirst().kind(),
                        of.stream()
                                .map(m -> m.namespace().isEmpty() ? m.name() : m.namespace() + "/" + m.name())
                                .toList(),
                        of.getFirst().what()))
                .toList();
    }

    /** What fields of objects that are used asked for in vain, one sentence each. */
    List<String> unusedFields() {
        List<String> sentences = new ArrayList<>();
        unusedFields.forEach((field, objects) -> sentences.add("not used yet: " + field + " of " + objects.first()
                + (objects.size() == 1 ? "" : " and " + (objects.size() - 1) + " more")));
        return sentences;
    }

    /** Says so when the run ended before everything was carried out. */
    Optional<String> notReached(long endedMillis) {
        List<Step> left = new ArrayList<>();
        due.values().forEach(left::addAll);
        if (left.isEmpty()) {
            return Optional.empty();
        }
        Step first = left.getFirst();
        return Optional.of((left.size() == 1 ? "1 step" : left.size() + " steps") + " after the end of the run ("
                + SimulatedTime.text(endedMillis) + ") were not carried out, the first "
                + first.manifest().title()
                + " at " + SimulatedTime.text(first.atMillis()));
    }
}
