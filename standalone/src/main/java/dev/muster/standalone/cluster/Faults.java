package dev.muster.standalone.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * Faults of the simulated API server, put in by tests and demos while it runs: refusals, slowness, lost replies, and
 * watches that end, are too old, or say nothing.
 */
public final class Faults {

    /** What a rule does to a request it matches. */
    public sealed interface Action {

        /** Answers with this HTTP code instead of doing anything. */
        record Refuse(int code, String reason, String message) implements Action {}

        /** Does it later. */
        record Delay(Duration duration) implements Action {}

        /** Does it, then closes the connection without an answer. */
        record LoseReply() implements Action {}

        /** Tells a watch that its resource version is too old: as HTTP status 410, or as an ERROR event in the stream. */
        record Expire(boolean asHttpStatus) implements Action {}
    }

    /**
     * Which requests a rule is about. Patterns may hold {@code *}.
     *
     * @param verb get, list, watch, create, update, patch, delete, deletecollection
     * @param resource {@code pods}, {@code pods/binding}, {@code podgroups.scheduling.volcano.sh}
     * @param name {@code namespace/name} where it holds a slash, else the name; empty for collections
     */
    public record Match(String verb, String resource, String name) {
        boolean matches(ApiRequest request) {
            String subject = name.contains("/") ? request.namespace() + "/" + request.name() : request.name();
            return glob(verb, request.verb()) && glob(resource, request.resource()) && glob(name, subject);
        }

        private static boolean glob(String pattern, String text) {
            return pattern.equals("*") || Pattern.matches(Pattern.quote(pattern).replace("*", "\\E.*\\Q"), text);
        }
    }

    /** A rule in force, until it was used up or is removed. */
    public static final class Rule {
        private final Match match;
        private final Action action;
        private final AtomicInteger left;
        private final AtomicInteger hits = new AtomicInteger();

        private Rule(Match match, Action action, int times) {
            this.match = match;
            this.action = action;
            this.left = new AtomicInteger(times);
        }

        /** How often it struck. */
        public int hits() {
            return hits.get();
        }

        private boolean take() {
            if (left.getAndUpdate(count -> Math.max(0, count - 1)) == 0) {
                return false;
            }
            hits.incrementAndGet();
            return true;
        }
    }

    /** For {@code times}: as often as there are requests. */
    public static final int ALWAYS = Integer.MAX_VALUE;

    private final VersionedStore store;
    private final ObjectReader reader;
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private final Map<ResourceKind, AtomicLong> watchGenerations = new ConcurrentHashMap<>();
    private final Map<ResourceKind, Boolean> silent = new ConcurrentHashMap<>();

    Faults(VersionedStore store, ObjectReader reader) {
        this.store = store;
        this.reader = reader;
    }

    /** Puts a rule in force for that many matching requests. */
    public Rule add(String verb, String resource, String name, int times, Action action) {
        Rule rule = new Rule(new Match(verb, resource, name), action, times);
        rules.add(rule);
        return rule;
    }

    /** Takes a rule out. */
    public void remove(Rule rule) {
        rules.remove(rule);
    }

    /** Heals everything. */
    public void clear() {
        rules.clear();
        silent.clear();
        store.wakeAll();
    }

    /** Cuts the connections of all watches of a kind. */
    public void closeWatches(ResourceKind kind) {
        generation(kind).incrementAndGet();
        store.wakeAll();
    }

    /** Lets watches of a kind stay open and say nothing, not even bookmarks; or speak again. */
    public void silenceWatches(ResourceKind kind, boolean on) {
        silent.put(kind, on);
        store.wakeAll();
    }

    /** Forgets the history of a kind: watches that start at an older version get 410, as do open paged lists. */
    public void compact(ResourceKind kind) {
        store.compact(kind);
        reader.forget(kind);
    }

    /** Actions of all rules that this request uses up. */
    List<Action> take(ApiRequest request) {
        if (rules.isEmpty()) {
            return List.of();
        }
        List<Action> actions = new ArrayList<>();
        for (Rule rule : rules) {
            if (rule.match.matches(request) && rule.take()) {
                actions.add(rule.action);
            }
        }
        return actions;
    }

    boolean silent(ResourceKind kind) {
        return silent.getOrDefault(kind, false);
    }

    long watchGeneration(ResourceKind kind) {
        return generation(kind).get();
    }

    private AtomicLong generation(ResourceKind kind) {
        return watchGenerations.computeIfAbsent(kind, unused -> new AtomicLong());
    }
}
