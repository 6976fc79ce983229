package dev.muster.standalone.scenario.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.scheduler.core.model.Policy;
import dev.muster.scheduler.core.rule.RuleCatalogue;
import dev.muster.standalone.scenario.Scenario;
import dev.muster.standalone.scenario.Scenario.Settings;
import dev.muster.standalone.scenario.SimulatedTime;
import dev.muster.standalone.scenario.Step;
import dev.muster.standalone.scenario.expect.Expectation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Scenarios from files. Each file with a Scenario document is a run of its own; the objects of files without one are part of
 * every run, and are one run where no file has a Scenario.
 */
public final class ScenarioReader {
    private static final String API_VERSION = "muster.dev/v1alpha1";
    private static final Set<String> TOP = Set.of("apiVersion", "kind", "metadata", "spec");
    private static final Set<String> METADATA = Set.of("name", "labels", "annotations");
    private static final Set<String> SPEC = Set.of("description", "source", "until", "restarts", "config", "expect");
    private static final Set<String> CONFIG = Set.of(
            "strategy",
            "bindTimeout",
            "bindBackoff",
            "bindBackoffMax",
            "healthTtl",
            "healthFlaps",
            "healthQuiet",
            "healthEviction",
            "queueStrategies",
            "weights",
            "volumeBindTimeout",
            "preemption",
            "fairSharing");
    private static final Set<String> FIRST = Set.of("Namespace", "PriorityClass", "RuntimeClass");

    private ScenarioReader() {}

    /** A file that was read, not yet understood; the name is for messages. */
    public record Input(String name, byte[] bytes) {}

    private record Parsed(String name, Optional<Document> scenario, List<Step> steps) {}

    /**
     * The runs that the files ask for, in their order.
     *
     * @throws ScenarioFormatException where one can't be understood
     */
    public static List<Scenario> read(List<Input> inputs) {
        List<Parsed> files = inputs.stream().map(ScenarioReader::parse).toList();
        List<Step> shared = new ArrayList<>();
        files.stream().filter(file -> file.scenario().isEmpty()).forEach(file -> shared.addAll(file.steps()));
        List<Scenario> scenarios = new ArrayList<>();
        for (Parsed file : files) {
            if (file.scenario().isPresent()) {
                List<Step> steps = new ArrayList<>(shared);
                steps.addAll(file.steps());
                scenarios.add(scenario(file, ordered(steps)));
            }
        }
        if (scenarios.isEmpty()) {
            scenarios.add(plain(files, ordered(shared)));
        }
        return scenarios;
    }

    private static Scenario plain(List<Parsed> files, List<Step> steps) {
        String names = String.join(", ", files.stream().map(Parsed::name).toList());
        if (steps.isEmpty()) {
            throw new ScenarioFormatException(names + ": expected at least one object, got nothing");
        }
        return new Scenario(names, names, "", "", Optional.empty(), List.of(), Settings.DEFAULT, steps, List.of());
    }

    private static Parsed parse(Input input) {
        List<Step> steps = new ArrayList<>();
        Document scenario = null;
        for (Document document : Documents.read(input.name(), input.bytes())) {
            if (!isScenario(document)) {
                steps.addAll(ManifestReader.read(document));
            } else if (scenario == null) {
                scenario = document;
            } else {
                throw document.problem("a second Scenario, expected one per file");
            }
        }
        return new Parsed(input.name(), Optional.ofNullable(scenario), steps);
    }

    private static boolean isScenario(Document document) {
        String apiVersion = document.tree().path("apiVersion").asText("");
        boolean ours = apiVersion.startsWith("muster.dev/");
        boolean scenario = document.tree().path("kind").asText("").equals("Scenario");
        if (ours != scenario || ours && !apiVersion.equals(API_VERSION)) {
            throw document.problem("expected apiVersion " + API_VERSION + " with kind Scenario, got " + apiVersion
                    + " with kind " + document.tree().path("kind").asText("nothing"));
        }
        return ours;
    }

    /** By time; within a moment as the files give them, except that what others need to be created comes first. */
    private static List<Step> ordered(List<Step> steps) {
        List<Step> ordered = new ArrayList<>(steps);
        ordered.sort(Comparator.comparingLong(Step::atMillis).thenComparingInt(ScenarioReader::rank));
        return ordered;
    }

    private static int rank(Step step) {
        return step instanceof Step.Apply && FIRST.contains(step.manifest().kind()) ? 0 : 1;
    }

    private static Scenario scenario(Parsed file, List<Step> steps) {
        Document document = file.scenario().orElseThrow();
        Fields top = Fields.of(document, "", document.tree(), TOP);
        Fields metadata = Fields.of(document, "metadata", top.get("metadata"), METADATA);
        Fields spec = Fields.of(document, "spec", top.get("spec"), SPEC);
        if (!Names.subdomain(metadata.text("name", ""))) {
            throw metadata.expected("name", "small letters, digits, - and .");
        }
        Long until = spec.duration("until", null);
        List<Expectation> expectations = spec.has("expect")
                ? new ExpectationReader(document, until).read(spec.list("expect", "expectations"))
                : List.of();
        return new Scenario(
                metadata.text("name", ""),
                file.name(),
                spec.text("description", ""),
                spec.text("source", ""),
                Optional.ofNullable(until),
                restarts(document, spec, until),
                settings(document, spec),
                steps,
                expectations);
    }

    private static List<Long> restarts(Document document, Fields spec, Long until) {
        List<Long> restarts = new ArrayList<>();
        JsonNode list = spec.get("restarts");
        if (!list.isMissingNode() && !list.isArray()) {
            throw spec.expected("restarts", "a list of durations");
        }
        for (int i = 0; i < list.size(); i++) {
            String field = "spec.restarts[" + i + "]";
            long at = Durations.millis(document, field, list.get(i));
            if (until != null && at > until) {
                throw document.expected(field, "at most spec.until (" + SimulatedTime.text(until) + ")", list.get(i));
            }
            restarts.add(at);
        }
        return restarts;
    }

    private static Settings settings(Document document, Fields spec) {
        if (!spec.has("config")) {
            return Settings.DEFAULT;
        }
        Fields config = Fields.of(document, "spec.config", spec.get("config"), CONFIG);
        String strategy = config.text("strategy", Settings.DEFAULT.strategy());
        if (!RuleCatalogue.strategies().contains(strategy)) {
            throw config.expected("strategy", String.join(" or ", RuleCatalogue.strategies()));
        }
        Settings settings = new Settings(
                strategy,
                config.duration("bindTimeout", Settings.DEFAULT.bindTimeoutMillis()),
                config.duration("bindBackoff", Settings.DEFAULT.backoffMillis()),
                config.duration("bindBackoffMax", Settings.DEFAULT.backoffMaxMillis()),
                health(document, config),
                queueStrategies(config),
                weights(config),
                config.duration("volumeBindTimeout", Settings.DEFAULT.volumeBindTimeoutMillis()),
                PreemptionReader.read(document, config),
                FairSharingReader.read(document, config));
        if (settings.bindTimeoutMillis() < 1000) {
            throw config.expected("bindTimeout", "at least 1s");
        }
        if (settings.backoffMillis() < 1 || settings.backoffMaxMillis() < settings.backoffMillis()) {
            throw config.expected("bindBackoffMax", "at least bindBackoff, which is at least 1ms");
        }
        return settings;
    }

    private static Policy.Health health(Document document, Fields config) {
        Policy.Health usual = Settings.DEFAULT.health();
        int flaps = config.has("healthFlaps") ? config.count("healthFlaps") : usual.flaps();
        if (flaps < 2) {
            throw config.expected("healthFlaps", "a whole number, 2 or more");
        }
        long quietMillis = config.duration("healthQuiet", usual.quietMillis());
        if (quietMillis < 1) {
            throw config.expected("healthQuiet", "at least 1ms");
        }
        return new Policy.Health(
                config.duration("healthTtl", usual.ttlMillis()),
                flaps,
                quietMillis,
                HealthEvictionReader.read(document, config));
    }

    private static SortedMap<String, String> queueStrategies(Fields config) {
        SortedMap<String, String> strategies = new TreeMap<>();
        mapping(config, "queueStrategies").forEach((queue, value) -> {
            if (!RuleCatalogue.strategies().contains(value.asText())) {
                throw config.expected(
                        "queueStrategies", "queues with " + String.join(" or ", RuleCatalogue.strategies()));
            }
            strategies.put(queue, value.asText());
        });
        return strategies;
    }

    private static SortedMap<String, Integer> weights(Fields config) {
        SortedMap<String, Integer> weights = new TreeMap<>();
        mapping(config, "weights").forEach((rule, value) -> {
            boolean fits = value.isInt() && value.asInt() >= 0 && value.asInt() <= RuleCatalogue.MOST_WEIGHT;
            if (!fits || !RuleCatalogue.weighable().contains(rule)) {
                throw config.expected(
                        "weights",
                        "rules with 0 to " + RuleCatalogue.MOST_WEIGHT + "; rules are "
                                + String.join(", ", RuleCatalogue.weighable()));
            }
            weights.put(rule, value.asInt());
        });
        return weights;
    }

    private static SortedMap<String, JsonNode> mapping(Fields config, String name) {
        SortedMap<String, JsonNode> entries = new TreeMap<>();
        if (config.has(name)) {
            if (!config.get(name).isObject()) {
                throw config.expected(name, "a mapping");
            }
            config.get(name).properties().forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
        }
        return entries;
    }
}
