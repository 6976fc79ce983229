package dev.muster.schemas.serde;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a registry knows, in memory. Only {@link #apply} changes it. Of versions that contradict each other (the same
 * number in a subject, or the same id, for another schema) the first counts and the others never happened: such an
 * entry is in the log only if two registries wrote at once, and was then not acknowledged.
 */
final class RegistryState {
    private final Map<Integer, String> textById = new HashMap<>();
    private final Map<String, Integer> idByText = new HashMap<>();
    private final TreeMap<String, TreeMap<Integer, RegistryEntry.Version>> subjects = new TreeMap<>();
    private final Map<String, Compatibility> rules = new HashMap<>();
    private Compatibility defaultRule = Compatibility.BACKWARD_TRANSITIVE;
    private int highestId;

    RegistryState(List<RegistryEntry> entries) {
        entries.forEach(this::apply);
    }

    synchronized void apply(RegistryEntry entry) {
        switch (entry) {
            case RegistryEntry.Version added -> add(added);
            case RegistryEntry.Rule rule ->
                rule.subject().ifPresentOrElse(s -> rules.put(s, rule.level()), () -> defaultRule = rule.level());
        }
    }

    private void add(RegistryEntry.Version added) {
        TreeMap<Integer, RegistryEntry.Version> versions = subjects.getOrDefault(added.subject(), new TreeMap<>());
        boolean contradicts = versions.containsKey(added.version())
                || !textById.getOrDefault(added.id(), added.schema()).equals(added.schema())
                || idByText.getOrDefault(added.schema(), added.id()) != added.id();
        if (contradicts) {
            return;
        }
        textById.put(added.id(), added.schema());
        idByText.put(added.schema(), added.id());
        highestId = Math.max(highestId, added.id());
        versions.put(added.version(), added);
        subjects.put(added.subject(), versions);
    }

    synchronized Optional<String> textOf(int id) {
        return Optional.ofNullable(textById.get(id));
    }

    /** The id that this schema has, or would get. */
    synchronized int idFor(String text) {
        return idByText.getOrDefault(text, highestId + 1);
    }

    synchronized List<String> subjects() {
        return List.copyOf(subjects.keySet());
    }

    /** Versions, oldest first; empty when there is no such subject. */
    synchronized List<RegistryEntry.Version> versions(String subject) {
        return List.copyOf(subjects.getOrDefault(subject, new TreeMap<>()).values());
    }

    synchronized Optional<Compatibility> ownRule(String subject) {
        return Optional.ofNullable(rules.get(subject));
    }

    synchronized Compatibility defaultRule() {
        return defaultRule;
    }

    /** The rule in force for a subject. */
    synchronized Compatibility rule(String subject) {
        return rules.getOrDefault(subject, defaultRule);
    }
}
