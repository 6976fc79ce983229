package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.standalone.scenario.SimulatedTime;
import dev.muster.standalone.scenario.expect.Bounds;
import dev.muster.standalone.scenario.expect.Condition;
import dev.muster.standalone.scenario.expect.Expectation;
import dev.muster.standalone.scenario.expect.Expectation.When;
import dev.muster.standalone.scenario.expect.Glob;
import dev.muster.standalone.scenario.expect.PodCondition;
import dev.muster.standalone.scenario.expect.PodCondition.Rule;
import dev.muster.standalone.scenario.expect.UsageCondition;
import dev.muster.standalone.scenario.expect.WorkloadCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** {@code spec.expect}. */
final class ExpectationReader {
    private static final Set<String> WHEN = Set.of("at", "always");
    private static final Set<String> SUBJECTS = Set.of("pods", "workload", "queue", "node");
    private static final Set<String> OF_PODS = Set.of(
            "bound",
            "terminating",
            "boundIn",
            "nodes",
            "distinctNodes",
            "perNode",
            "sameNodeLabel",
            "maxSkew",
            "numaNodes",
            "cluster",
            "evictions");
    private static final Set<String> OF_WORKLOADS = Set.of("state", "reason");
    private static final Set<String> KNOWN = union(WHEN, SUBJECTS, OF_PODS, OF_WORKLOADS, Set.of("usage", "anyOf"));

    private final Document document;
    private final Long untilMillis;

    /** @param untilMillis end of the run; null where it is open */
    ExpectationReader(Document document, Long untilMillis) {
        this.document = document;
        this.untilMillis = untilMillis;
    }

    @SafeVarargs
    private static Set<String> union(Set<String>... sets) {
        TreeSet<String> all = new TreeSet<>();
        for (Set<String> set : sets) {
            all.addAll(set);
        }
        return all;
    }

    List<Expectation> read(List<JsonNode> entries) {
        List<Expectation> expectations = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            String path = "spec.expect[" + i + "]";
            expectations.add(expectation(Fields.of(document, path, entries.get(i), KNOWN), null));
        }
        return expectations;
    }

    private Expectation expectation(Fields entry, When inherited) {
        When when = when(entry, inherited);
        List<Condition> conditions = conditions(entry);
        if (!entry.has("anyOf")) {
            requireSome(entry, conditions);
            return new Expectation.Single(entry.path(), when, all(conditions));
        }
        List<Fields> alternatives = alternatives(entry);
        if (alternatives.stream().anyMatch(ExpectationReader::timed)) {
            if (!conditions.isEmpty()) {
                throw document.problem(entry.field("anyOf")
                        + ": alternatives with a time of their own can't stand beside other conditions");
            }
            return new Expectation.OneOf(
                    entry.path(),
                    alternatives.stream().map(each -> expectation(each, when)).toList());
        }
        List<Condition> any = alternatives.stream().map(this::untimed).toList();
        conditions.add(new Condition.Any(any));
        return new Expectation.Single(entry.path(), when, all(conditions));
    }

    private static boolean timed(Fields entry) {
        if (entry.has("at") || entry.has("always")) {
            return true;
        }
        for (JsonNode alternative : entry.get("anyOf")) {
            if (alternative instanceof ObjectNode object && (object.has("at") || object.has("always"))) {
                return true;
            }
        }
        return false;
    }

    private List<Fields> alternatives(Fields entry) {
        List<Fields> alternatives = new ArrayList<>();
        List<JsonNode> nodes = entry.list("anyOf", "expectations");
        for (int i = 0; i < nodes.size(); i++) {
            alternatives.add(Fields.of(document, entry.field("anyOf") + "[" + i + "]", nodes.get(i), KNOWN));
        }
        return alternatives;
    }

    private Condition untimed(Fields entry) {
        List<Condition> conditions = conditions(entry);
        if (entry.has("anyOf")) {
            conditions.add(new Condition.Any(
                    alternatives(entry).stream().map(this::untimed).toList()));
        }
        requireSome(entry, conditions);
        return all(conditions);
    }

    private static Condition all(List<Condition> conditions) {
        return conditions.size() == 1 ? conditions.getFirst() : new Condition.All(conditions);
    }

    private void requireSome(Fields entry, List<Condition> conditions) {
        if (conditions.isEmpty()) {
            throw document.problem(
                    entry.path() + ": nothing is expected, needed is a subject (pods, workload, queue, node)"
                            + " and a condition such as bound");
        }
    }

    private When when(Fields entry, When inherited) {
        boolean always = entry.flag("always");
        if (always && entry.has("at")) {
            throw document.problem(entry.path() + ": at and always exclude each other");
        }
        if (always) {
            return new When.Always();
        }
        if (!entry.has("at")) {
            return inherited == null ? new When.AtEnd() : inherited;
        }
        long at = entry.duration("at", 0L);
        if (untilMillis != null && at > untilMillis) {
            throw entry.expected("at", "at most spec.until (" + SimulatedTime.text(untilMillis) + ")");
        }
        return new When.At(at);
    }

    private List<Condition> conditions(Fields entry) {
        List<Condition> conditions = new ArrayList<>();
        if (entry.has("pods")) {
            Glob pods = glob(entry, "pods", Glob::ofPath);
            podRules(entry).forEach(rule -> conditions.add(new PodCondition(pods, rule)));
            requireNew(entry, "pods", OF_PODS, conditions, 0);
        } else {
            requireSubject(entry, "pods", OF_PODS);
        }
        int before = conditions.size();
        if (entry.has("workload")) {
            Glob path = glob(entry, "workload", Glob::ofPath);
            if (entry.has("state") || entry.has("reason")) {
                conditions.add(new WorkloadCondition(path, state(entry), reason(entry)));
            }
            requireNew(entry, "workload", OF_WORKLOADS, conditions, before);
        } else {
            requireSubject(entry, "workload", OF_WORKLOADS);
        }
        usage(entry, conditions);
        return conditions;
    }

    private void requireNew(Fields entry, String subject, Set<String> keys, List<Condition> conditions, int before) {
        if (conditions.size() == before) {
            throw document.problem(
                    entry.path() + ": " + subject + " needs one of " + String.join(", ", new TreeSet<>(keys)));
        }
    }

    private void requireSubject(Fields entry, String subject, Set<String> keys) {
        for (String key : new TreeSet<>(keys)) {
            if (entry.has(key)) {
                throw document.problem(entry.field(key) + ": needs a subject, " + subject);
            }
        }
    }

    private List<Rule> podRules(Fields entry) {
        List<Rule> rules = new ArrayList<>();
        for (String key : new TreeSet<>(OF_PODS)) {
            if (entry.has(key)) {
                rules.add(podRule(entry, key));
            }
        }
        return rules;
    }

    private Rule podRule(Fields entry, String key) {
        return switch (key) {
            case "bound" -> new Rule.Bound(bounds(entry, key));
            case "terminating" -> new Rule.Terminating(bounds(entry, key));
            case "boundIn" -> new Rule.BoundIn(counts(entry, key));
            case "nodes" -> new Rule.Nodes(globs(entry, key));
            case "distinctNodes" -> new Rule.DistinctNodes(bounds(entry, key));
            case "perNode" -> new Rule.PerNode(bounds(entry, key));
            case "sameNodeLabel" -> new Rule.SameNodeLabel(label(entry, key));
            case "maxSkew" -> {
                Fields skew = Fields.of(document, entry.field(key), entry.get(key), Set.of("label", "skew"));
                yield new Rule.MaxSkew(label(skew, "label"), skew.count("skew"));
            }
            case "numaNodes" -> new Rule.NumaNodes(entry.count(key));
            case "cluster" -> new Rule.InCluster(word(entry, key, "the name of a member cluster"));
            case "evictions" -> new Rule.Evictions(bounds(entry, key));
            default -> throw new IllegalStateException("a key without a rule: " + key);
        };
    }

    private void usage(Fields entry, List<Condition> conditions) {
        boolean queue = entry.has("queue");
        boolean node = entry.has("node");
        if (queue && node) {
            throw document.problem(entry.path() + ": queue and node in one expectation, expected one of them");
        }
        if (entry.has("usage") != (queue || node)) {
            throw document.problem(entry.path() + ": usage and its subject (queue or node) need each other");
        }
        if (queue) {
            String name = word(entry, "queue", "the name of a ClusterQueue or a Volcano Queue");
            conditions.add(new UsageCondition(name, null, amounts(entry)));
        } else if (node) {
            conditions.add(new UsageCondition(null, glob(entry, "node", Glob::of), amounts(entry)));
        }
    }

    private Map<String, Long> amounts(Fields entry) {
        if (!(entry.get("usage") instanceof ObjectNode usage) || usage.isEmpty()) {
            throw entry.expected("usage", "amounts per resource such as {nvidia.com/gpu: 8}");
        }
        Map<String, Long> amounts = new TreeMap<>();
        usage.properties().forEach(each -> {
            String field = entry.field("usage") + "[" + each.getKey() + "]";
            amounts.put(each.getKey(), QuantityChecks.milli(document, field, each.getValue()));
        });
        return amounts;
    }

    private Bounds bounds(Fields entry, String key) {
        JsonNode value = entry.get(key);
        if (value.isInt() && value.asInt() >= 0) {
            return Bounds.exactly(value.asInt());
        }
        if (!value.isObject() || value.isEmpty()) {
            throw entry.expected(key, "a count or {min: N, max: M}");
        }
        Fields range = Fields.of(document, entry.field(key), value, Set.of("min", "max"));
        int min = range.has("min") ? range.count("min") : 0;
        int max = range.has("max") ? range.count("max") : Integer.MAX_VALUE;
        if (min > max) {
            throw document.problem(entry.field(key) + ": min " + min + " is above max " + max);
        }
        return new Bounds(min, max);
    }

    private List<Integer> counts(Fields entry, String key) {
        List<Integer> counts = new ArrayList<>();
        for (JsonNode each : entry.list(key, "counts such as [0, 4]")) {
            if (!each.isInt() || each.asInt() < 0) {
                throw document.expected(entry.field(key), "counts such as [0, 4]", each);
            }
            counts.add(each.asInt());
        }
        return counts;
    }

    private Glob glob(Fields entry, String key, Function<String, Glob> of) {
        return glob(entry.field(key), entry.get(key), of);
    }

    private Glob glob(String field, JsonNode value, Function<String, Glob> of) {
        if (!value.isTextual()) {
            throw document.expected(field, "text", value);
        }
        try {
            return of.apply(value.asText());
        } catch (IllegalArgumentException e) {
            throw document.expected(field, e.getMessage(), value);
        }
    }

    private List<Glob> globs(Fields entry, String key) {
        List<Glob> globs = new ArrayList<>();
        entry.list(key, "node names such as [gpu-*]")
                .forEach(each -> globs.add(glob(entry.field(key) + "[" + globs.size() + "]", each, Glob::of)));
        return globs;
    }

    private String state(Fields entry) {
        String state = entry.text("state", "");
        if (entry.has("state") && !WorkloadCondition.STATES.contains(state)) {
            throw entry.expected("state", "one of " + String.join(", ", WorkloadCondition.STATES));
        }
        return state;
    }

    private String reason(Fields entry) {
        String reason = entry.text("reason", "");
        if (entry.has("reason") && !reason.matches("[A-Z][A-Za-z0-9]{1,62}")) {
            throw entry.expected("reason", "a reason code such as NotEnoughRoom (docs/reasons.md)");
        }
        return reason;
    }

    private String label(Fields entry, String key) {
        String label = entry.text(key, "");
        if (!Names.labelKey(label)) {
            throw entry.expected(key, "the key of a label");
        }
        return label;
    }

    private String word(Fields entry, String key, String what) {
        String word = entry.text(key, "");
        if (!Names.subdomain(word)) {
            throw entry.expected(key, what);
        }
        return word;
    }
}
