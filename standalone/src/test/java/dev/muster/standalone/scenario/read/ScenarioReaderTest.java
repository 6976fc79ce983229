package dev.muster.standalone.scenario.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.scheduler.core.model.FairSharing;
import dev.muster.scheduler.core.model.PreemptionPolicy;
import dev.muster.standalone.scenario.Manifest;
import dev.muster.standalone.scenario.Scenario;
import dev.muster.standalone.scenario.Step;
import dev.muster.standalone.scenario.expect.Expectation;
import dev.muster.standalone.scenario.read.ScenarioReader.Input;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScenarioReaderTest {
    private static final String SCENARIO = """
            apiVersion: muster.dev/v1alpha1
            kind: Scenario
            metadata: {name: one}
            spec:
              description: d
              source: s
              until: 1h2m3s250ms
              restarts: [90s, 30s, 90s]
              config: {strategy: spread, bindTimeout: 10s, bindBackoff: 2s, bindBackoffMax: 1m, volumeBindTimeout: 90s}
              expect:
              - {at: 1m, pods: "ml/a-*", bound: 4, nodes: [gpu-*]}
              - {always: true, anyOf: [{pods: "ml/a-*", bound: 0}, {pods: "ml/b-*", bound: 0}]}
              - {anyOf: [{at: 1m, pods: "ml/a-*", bound: 4}, {at: 2m, pods: "ml/a-*", bound: 4}]}
              - {workload: ml/a, state: Running}
            """;

    private static Scenario read(String... texts) {
        return readAll(texts).getFirst();
    }

    private static List<Scenario> readAll(String... texts) {
        List<Input> inputs = new java.util.ArrayList<>();
        for (String text : texts) {
            inputs.add(new Input("f" + inputs.size() + ".yaml", text.getBytes(StandardCharsets.UTF_8)));
        }
        return ScenarioReader.read(inputs);
    }

    private static String node(String name, String more) {
        return "apiVersion: v1\nkind: Node\nmetadata: {name: " + name + more + "}\n";
    }

    @Test
    void theScenarioDocumentSaysWhatTheRunIs() {
        Scenario scenario = read(SCENARIO);

        assertThat(scenario.name()).isEqualTo("one");
        assertThat(scenario.seenIn()).isEqualTo("s");
        assertThat(scenario.untilMillis()).contains(3_723_250L);
        assertThat(scenario.restartMillis()).containsExactly(30_000L, 90_000L);
        assertThat(scenario.settings())
                .isEqualTo(new Scenario.Settings(
                        "spread",
                        10_000,
                        2_000,
                        60_000,
                        Scenario.Settings.DEFAULT.health(),
                        Scenario.Settings.DEFAULT.queueStrategies(),
                        Scenario.Settings.DEFAULT.weights(),
                        90_000,
                        PreemptionPolicy.DEFAULT,
                        FairSharing.DEFAULT));
    }

    @Test
    void expectationsKeepTheirTimeAndAlternativesWithTimesOfTheirOwnStandAlone() {
        List<Expectation> expectations = read(SCENARIO).expectations();

        assertThat(expectations).hasSize(4);
        assertThat(expectations.get(0).toString())
                .contains("At[millis=60000]", "bound 4 and pods ml/a-* on nodes [gpu-*]");
        assertThat(expectations.get(1).toString())
                .contains("Always", "any of (pods ml/a-* bound 0 or pods ml/b-* bound 0)");
        assertThat(expectations.get(2)).isInstanceOf(Expectation.OneOf.class);
        assertThat(expectations.get(3).toString()).contains("AtEnd", "workload ml/a is Running");
    }

    @Test
    void stepsComeInTheOrderOfTimeAndWithinAMomentOfTheFile() {
        Scenario scenario = read(node("n1", ", annotations: {muster.dev/at: 1m, muster.dev/delete-at: 2m}") + "---\n"
                + node("n2", "") + "---\n"
                + "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: 10\n---\n"
                + node("n1", ""));

        assertThat(scenario.steps().stream()
                        .map(s -> s.atMillis() + " " + s.manifest().title()))
                .containsExactly("0 PriorityClass high", "0 Node n2", "0 Node n1", "60000 Node n1", "120000 Node n1");
        assertThat(scenario.steps().getLast()).isInstanceOf(Step.Delete.class);
    }

    @Test
    void yamlListsAndJsonGiveTheSameObjects() {
        String list = "apiVersion: v1\nkind: List\nitems:\n- " + node("n1", "").replace("\n", "\n  ") + "\n- "
                + node("n2", "").replace("\n", "\n  ") + "\n";
        String typed = "apiVersion: v1\nkind: NodeList\nitems:\n- metadata: {name: n1}\n- metadata: {name: n2}\n";
        String json =
                "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\"}}\n{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n2\",\"labels\":null}}";
        String mixed =
                "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\"}}\n---\n" + node("n2", "");

        for (String text :
                List.of(list, typed, json, mixed, node("n1", "") + "---\n---\n# nothing\n---\n" + node("n2", ""))) {
            assertThat(read(text).steps().stream().map(s -> s.manifest().title()))
                    .as(text)
                    .containsExactly("Node n1", "Node n2");
        }
    }

    @Test
    void anchorsAndMergeKeysMeanWhatKubectlMakesOfThem() {
        Manifest manifest = read("""
                        base: &base {a: '1', b: '2'}
                        apiVersion: example.com/v1
                        kind: Thing
                        metadata:
                          name: t
                          labels: &labels {<<: *base, b: '3'}
                        copy: *labels
                        on: yes
                        date: 2026-01-01
                        octal: 010
                        hex: 0x10
                        time: 1:30
                        nothing:
                        """).steps().getFirst().manifest();
        JsonNode tree = manifest.tree();

        assertThat(tree.path("metadata").path("labels").toString()).isEqualTo("{\"b\":\"3\",\"a\":\"1\"}");
        assertThat(tree.path("copy")).isEqualTo(tree.path("metadata").path("labels"));
        assertThat(tree.path("on").asBoolean()).isTrue();
        assertThat(tree.path("date").asText()).isEqualTo("2026-01-01");
        assertThat(tree.path("octal").asInt()).isEqualTo(8);
        assertThat(tree.path("hex").asInt()).isEqualTo(16);
        assertThat(tree.path("time").asText()).isEqualTo("1:30");
        assertThat(tree.has("nothing")).isFalse();
    }

    @Test
    void filesWithoutAScenarioArePartOfEveryRun() {
        List<Scenario> scenarios =
                readAll(node("shared", ""), SCENARIO, SCENARIO.replace("one", "two") + "---\n" + node("own", ""));

        assertThat(scenarios.stream().map(Scenario::name)).containsExactly("one", "two");
        assertThat(scenarios.get(0).steps()).hasSize(1);
        assertThat(scenarios.get(1).steps().stream().map(s -> s.manifest().name()))
                .containsExactly("shared", "own");
    }

    @Test
    void filesWithoutAnyScenarioAreOneRunWithoutAnEnd() {
        List<Scenario> scenarios = readAll(node("n1", ""), node("n2", ""));

        assertThat(scenarios).hasSize(1);
        assertThat(scenarios.getFirst().steps()).hasSize(2);
        assertThat(scenarios.getFirst().untilMillis()).isEmpty();
    }

    @Test
    void everyKindIsUsedKeptAndNamedOrOfNoMatter() {
        Scenario scenario = read("""
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: AdmissionCheck
                metadata: {name: q}
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: c}
                ---
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: d}
                spec: {selector: {}, template: {spec: {containers: [{name: c, image: i}]}}}
                ---
                apiVersion: example.com/v1
                kind: Thing
                metadata: {name: t, namespace: x}
                ---
                apiVersion: v1
                kind: Namespace
                metadata: {name: n}
                """);

        assertThat(scenario.steps().stream()
                        .map(s -> s.manifest().kind() + " " + s.manifest().use()))
                .containsExactly(
                        "Namespace USED",
                        "AdmissionCheck NOT_YET",
                        "ConfigMap NO_MATTER",
                        "Deployment NOT_YET",
                        "Thing NOT_YET");
        assertThat(scenario.steps().stream().map(s -> s.manifest().namespace()))
                .containsExactly("", "", "default", "default", "x");
    }

    @Test
    void aJobLivesInTheClusterOfItsTemplates() {
        Scenario scenario = read("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: j}
                spec:
                  template:
                    metadata: {annotations: {muster.dev/cluster: east, muster.dev/evict-at: 1m}}
                    spec: {restartPolicy: Never, containers: [{name: c, image: i}]}
                """);

        assertThat(scenario.clusters()).containsExactly("east");
        assertThat(scenario.steps()).hasSize(2);
        assertThat(scenario.steps().getLast()).isInstanceOf(Step.Evict.class);
    }
}
