package dev.muster.standalone.scenario.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every file that can't be understood is refused with one line: file, place, field, what was expected, what was there. */
class BrokenFilesTest {
    private record Broken(String name, String text, String line) {}

    private static final String SCENARIO = """
            apiVersion: muster.dev/v1alpha1
            kind: Scenario
            metadata: {name: broken}
            spec:
            """;

    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: a, namespace: ml%s}
            spec:
              schedulerName: muster
              containers:
              - name: main
                image: i
                resources: {requests: {cpu: '1'}}
            """;

    private static final String SPEC = "f.yaml:1: document 1 (Scenario broken): spec.";
    private static final String FIRST = SPEC + "expect[0]";

    private final List<Broken> table = new ArrayList<>();

    private void broken(String name, String text, String line) {
        table.add(new Broken(name, text, line));
    }

    private void expectation(String name, String entry, String line) {
        broken(name, SCENARIO + "  until: 5m\n  expect:\n  - " + entry + "\n", FIRST + line);
    }

    private void annotated(String name, String annotation, String line) {
        broken(
                name,
                POD.formatted(", annotations: {" + annotation + "}"),
                "f.yaml:1: document 1 (Pod ml/a): metadata.annotations[" + line);
    }

    @TestFactory
    Stream<DynamicTest> everyBrokenFileGetsItsLine() {
        streams();
        scenarioDocument();
        expectations();
        annotations();
        manifests();
        jobs();
        assertThat(table).hasSizeGreaterThan(30);
        return table.stream()
                .map(broken -> DynamicTest.dynamicTest(
                        broken.name(),
                        () -> assertThatThrownBy(() -> read(broken.text()))
                                .isInstanceOf(ScenarioFormatException.class)
                                .hasMessage(broken.line())));
    }

    private static void read(String text) {
        ScenarioReader.read(List.of(new ScenarioReader.Input("f.yaml", text.getBytes(StandardCharsets.UTF_8))));
    }

    private void streams() {
        broken("nothing at all", "# only a comment\n", "f.yaml: expected at least one object, got nothing");
        broken("no YAML", "a: b: c\n", "f.yaml:1: not YAML: mapping values are not allowed here");
        broken(
                "a tab",
                "spec:\n\tuntil: 5m\n",
                "f.yaml:2: not YAML: while scanning for the next token, found character '\\t(TAB)' that cannot start any token. (Do not use \\t(TAB) for indentation)");
        broken(
                "no JSON",
                "{\"apiVersion\": \"v1\",\n \"kind\": }",
                "f.yaml:2: not JSON: Unexpected character ('}' (code 125)): expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')");
        broken("a JSON key twice", "{\"kind\": \"a\", \"kind\": \"b\"}", "f.yaml:1: not JSON: Duplicate field 'kind'");
        broken("a list", "- a\n- b\n", "f.yaml:1: document 1: expected an object with apiVersion and kind, got a list");
        broken(
                "text",
                "just words\n",
                "f.yaml:1: document 1: expected an object with apiVersion and kind, got 'just words'");
        broken("a key twice", "kind: Pod\nkind: Pod\n", "f.yaml:2: the key 'kind' is given twice");
        broken("an unknown tag", "kind: !secret x\n", "f.yaml:1: the tag !secret is not known");
        broken("a key that is a list", "? [a, b]\n: c\n", "f.yaml:1: expected text as a key");
        broken(
                "deep nesting",
                "a: " + "[".repeat(5000) + "]".repeat(5000),
                "f.yaml: not YAML: Nesting Depth exceeded max 100");
        broken(
                "deep nesting in JSON",
                "{\"a\": " + "[".repeat(5000) + "]".repeat(5000) + "}",
                "f.yaml:1: not JSON: Document nesting depth (101) exceeds the maximum allowed (100, from `StreamReadConstraints.getMaxNestingDepth()`)");
        broken("an anchor in itself", "a: &x [*x]\n", "f.yaml:1: nested too deep, expected at most 100 levels");
        broken("a bomb of aliases", bomb(), "f.yaml:1: aliases make more than 2000000 nodes of this document");
        broken(
                "a List of text",
                "apiVersion: v1\nkind: List\nitems: [a]\n",
                "f.yaml:1: document 1 (List): items[0]: expected an object, got 'a'");
        broken(
                "a List without items",
                "apiVersion: v1\nkind: List\nitems: 5\n",
                "f.yaml:1: document 1 (List): items: expected a list of objects, got 5");
    }

    /** Ten to the seventh nodes from eight lines. */
    private static String bomb() {
        StringBuilder text = new StringBuilder("l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 8; i++) {
            text.append("l")
                    .append(i)
                    .append(": &l")
                    .append(i)
                    .append(" [")
                    .append(String.join(", ", java.util.Collections.nCopies(10, "*l" + (i - 1))))
                    .append("]\n");
        }
        return text.toString();
    }

    private void scenarioDocument() {
        broken(
                "another version",
                SCENARIO.replace("v1alpha1", "v1") + "  until: 5m\n",
                "f.yaml:1: document 1 (Scenario broken): expected apiVersion muster.dev/v1alpha1 with kind Scenario, got muster.dev/v1 with kind Scenario");
        broken(
                "no name",
                SCENARIO.replace("{name: broken}", "{}") + "  until: 5m\n",
                "f.yaml:1: document 1 (Scenario): metadata.name: expected small letters, digits, - and ., got nothing");
        broken(
                "two scenarios",
                SCENARIO + "  until: 5m\n---\n" + SCENARIO + "  until: 5m\n",
                "f.yaml:7: document 2 (Scenario broken): a second Scenario, expected one per file");
        broken("no spec", SCENARIO, "f.yaml:1: document 1 (Scenario broken): spec: expected a mapping, got nothing");
        broken(
                "an unknown field",
                SCENARIO + "  untill: 5m\n",
                SPEC + "untill: unknown field, expected one of config, description, expect, restarts, source, until");
        broken(
                "a number for a duration",
                SCENARIO + "  until: 5\n",
                SPEC + "until: expected a duration such as 30s, 2m, 1h2m3s or 250ms, got 5");
        broken(
                "a duration of another language",
                SCENARIO + "  until: PT5M\n",
                SPEC + "until: expected a duration such as 30s, 2m, 1h2m3s or 250ms, got 'PT5M'");
        broken(
                "a negative duration",
                SCENARIO + "  until: -5m\n",
                SPEC + "until: expected a duration such as 30s, 2m, 1h2m3s or 250ms, got '-5m'");
        broken("an age", SCENARIO + "  until: 999999h\n", SPEC + "until: expected at most ten years, got '999999h'");
        broken(
                "a restart that is none",
                SCENARIO + "  restarts: [90s, soon]\n",
                SPEC + "restarts[1]: expected a duration such as 30s, 2m, 1h2m3s or 250ms, got 'soon'");
        broken(
                "a restart after the end",
                SCENARIO + "  until: 1m\n  restarts: [90s]\n",
                SPEC + "restarts[0]: expected at most spec.until (1m), got '90s'");
        broken(
                "an unknown setting",
                SCENARIO + "  config: {binpack: true}\n",
                SPEC
                        + "config.binpack: unknown field, expected one of bindBackoff, bindBackoffMax, bindTimeout,"
                        + " fairSharing, healthEviction, healthFlaps, healthQuiet, healthTtl, preemption, queueStrategies, strategy,"
                        + " volumeBindTimeout, weights");
        broken(
                "a hysteresis of more than everything",
                SCENARIO + "  config: {fairSharing: {hysteresis: 1.5}}\n",
                SPEC
                        + "config.fairSharing.hysteresis: expected a number from 0 to 1 with at most three decimals, got 1.5");
        broken(
                "a strategy that Kueue does not have",
                SCENARIO + "  config: {fairSharing: {preemptionStrategies: [Fairest]}}\n",
                SPEC
                        + "config.fairSharing.preemptionStrategies: expected a list of LessThanOrEqualToFinalShare and"
                        + " LessThanInitialShare, each once, got a list");
        broken(
                "queues of Volcano that share in no known way",
                SCENARIO + "  config: {fairSharing: {volcano: Fair}}\n",
                SPEC + "config.fairSharing.volcano: expected None, Deserved, Proportion or Dominant, got 'Fair'");
        broken(
                "a signal that flaps at once",
                SCENARIO + "  config: {healthFlaps: 1}\n",
                SPEC + "config.healthFlaps: expected a whole number, 2 or more, got 1");
        broken(
                "a share of nodes that is none",
                SCENARIO + "  config: {healthEviction: {mostPercent: 0}}\n",
                SPEC + "config.healthEviction.mostPercent: expected 1 to 100, got 0");
        broken(
                "a queue with an unknown strategy",
                SCENARIO + "  config: {queueStrategies: {web: random}}\n",
                SPEC + "config.queueStrategies: expected queues with binpack or fgd or spread or mixed, got an object");
        broken(
                "a weight of no rule",
                SCENARIO + "  config: {weights: {Random: 1}}\n",
                SPEC
                        + "config.weights: expected rules with 0 to 1000; rules are Binpack, FragmentationGradient, Spread,"
                        + " PreferredAffinity, PreferredTaints, HealthyGpus, NumaSpan, GpuIslands, CachedData, got an object");
        broken(
                "an unknown strategy",
                SCENARIO + "  config: {strategy: random}\n",
                SPEC + "config.strategy: expected binpack or fgd or spread or mixed, got 'random'");
        broken(
                "expectations that are no list",
                SCENARIO + "  expect: {bound: 4}\n",
                SPEC + "expect: expected a list of expectations, got an object");
    }

    private void expectations() {
        expectation(
                "an unknown key",
                "{pods: 'ml/*', bind: 4}",
                ".bind: unknown field, expected one of always, anyOf, at, bound, boundIn, cluster, distinctNodes, evictions, maxSkew, node, nodes, numaNodes, perNode, pods, queue, reason, sameNodeLabel, state, terminating, usage, workload");
        expectation("no subject", "{at: 1m, bound: 4}", ".bound: needs a subject, pods");
        expectation(
                "no condition",
                "{pods: 'ml/*'}",
                ": pods needs one of bound, boundIn, cluster, distinctNodes, evictions, maxSkew, nodes, numaNodes, perNode, sameNodeLabel, terminating");
        expectation(
                "nothing",
                "{at: 1m}",
                ": nothing is expected, needed is a subject (pods, workload, queue, node) and a condition such as bound");
        expectation(
                "no namespace",
                "{pods: 'a-*', bound: 4}",
                ".pods: expected namespace/name, either with * and ?, got 'a-*'");
        expectation(
                "an open bracket",
                "{pods: 'ml/a-[12', bound: 4}",
                ".pods: expected a ] that closes the [, got 'ml/a-[12'");
        expectation(
                "a regular expression",
                "{pods: 'ml/a-(1|2)', bound: 4}",
                ".pods: expected a pattern of names, *, ? and [...], got 'ml/a-(1|2)'");
        expectation(
                "a range upside down",
                "{pods: 'ml/a-[9-1]', bound: 4}",
                ".pods: expected letters, digits and ranges such as a-d between [ and ], got 'ml/a-[9-1]'");
        expectation(
                "a count in quotes",
                "{pods: 'ml/*', bound: '4'}",
                ".bound: expected a count or {min: N, max: M}, got '4'");
        expectation(
                "a negative count",
                "{pods: 'ml/*', bound: -1}",
                ".bound: expected a count or {min: N, max: M}, got -1");
        expectation(
                "half a pod", "{pods: 'ml/*', bound: 1.5}", ".bound: expected a count or {min: N, max: M}, got 1.5");
        expectation(
                "an unknown bound",
                "{pods: 'ml/*', bound: {least: 1}}",
                ".bound.least: unknown field, expected one of max, min");
        expectation("bounds upside down", "{pods: 'ml/*', bound: {min: 4, max: 2}}", ".bound: min 4 is above max 2");
        expectation(
                "boundIn without a list",
                "{pods: 'ml/*', boundIn: 4}",
                ".boundIn: expected a list of counts such as [0, 4], got 4");
        expectation(
                "skew without a label",
                "{pods: 'ml/*', maxSkew: {skew: 1}}",
                ".maxSkew.label: expected the key of a label, got nothing");
        expectation(
                "at and always",
                "{always: true, at: 1m, pods: 'ml/*', bound: 4}",
                ": at and always exclude each other");
        expectation(
                "always that is no flag",
                "{always: 'yes', pods: 'ml/*', bound: 4}",
                ".always: expected true or false, got 'yes'");
        expectation(
                "later than the end",
                "{at: 6m, pods: 'ml/*', bound: 4}",
                ".at: expected at most spec.until (5m), got '6m'");
        expectation(
                "an unknown state",
                "{workload: ml/a, state: Done}",
                ".state: expected one of Pending, Suspended, Admitted, Running, Completed, Failed, Aborted, Terminated, got 'Done'");
        expectation(
                "a reason that is no code",
                "{workload: ml/a, reason: no room}",
                ".reason: expected a reason code such as NotEnoughRoom (docs/reasons.md), got 'no room'");
        expectation("usage of nobody", "{usage: {cpu: 1}}", ": usage and its subject (queue or node) need each other");
        expectation(
                "usage of a queue and a node",
                "{queue: q, node: n, usage: {cpu: 1}}",
                ": queue and node in one expectation, expected one of them");
        expectation(
                "usage that is no quantity",
                "{node: n, usage: {cpu: lots}}",
                ".usage[cpu]: expected a quantity such as 500m, 2 or 16Gi, got 'lots'");
        expectation(
                "alternatives that are none",
                "{anyOf: {pods: 'ml/*', bound: 4}}",
                ".anyOf: expected a list of expectations, got an object");
        expectation(
                "an alternative without a subject",
                "{anyOf: [{pods: 'ml/*', bound: 4}, {bound: 4}]}",
                ".anyOf[1].bound: needs a subject, pods");
    }

    private void annotations() {
        annotated(
                "a moment that is none",
                "muster.dev/at: noon",
                "muster.dev/at]: expected a duration such as 30s, 2m, 1h2m3s or 250ms, got 'noon'");
        annotated(
                "a moment without a unit",
                "muster.dev/at: 30",
                "muster.dev/at]: expected a duration such as 30s, 2m, 1h2m3s or 250ms, got '30'");
        annotated(
                "an unknown annotation",
                "muster.dev/delet-at: 30s",
                "muster.dev/delet-at]: unknown annotation; expected one of muster.dev/at, muster.dev/bind-error, muster.dev/bind-error-times, muster.dev/cluster, muster.dev/delete-at, muster.dev/evict-at, muster.dev/exit-code, muster.dev/fail-after, muster.dev/runtime");
        annotated(
                "deleted before it is there",
                "muster.dev/at: 1m, muster.dev/delete-at: 30s",
                "muster.dev/delete-at]: is before muster.dev/at");
        annotated(
                "an exit code of success",
                "muster.dev/fail-after: 1m, muster.dev/exit-code: '0'",
                "muster.dev/exit-code]: expected a whole number in quotes, 1 to 255, got '0'");
        annotated(
                "an exit code without a failure",
                "muster.dev/exit-code: '1'",
                "muster.dev/exit-code]: needs muster.dev/fail-after");
        annotated(
                "a cluster that is no name",
                "muster.dev/cluster: Not A Name",
                "muster.dev/cluster]: expected the name of a member cluster, got 'Not A Name'");
        annotated(
                "times without an error",
                "muster.dev/bind-error-times: '2'",
                "muster.dev/bind-error-times]: needs muster.dev/bind-error");
        broken(
                "a runtime on a job",
                "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, annotations: {muster.dev/runtime: 1m}}\n",
                "f.yaml:1: document 1 (Job j): metadata.annotations[muster.dev/runtime]: has no meaning here, it belongs on a Pod or a pod template; expected one of muster.dev/at, muster.dev/cluster, muster.dev/delete-at");
    }

    private void manifests() {
        broken(
                "no apiVersion",
                "kind: Pod\nmetadata: {name: a}\n",
                "f.yaml:1: document 1 (Pod a): apiVersion: expected one, such as v1 or batch/v1, got nothing");
        broken(
                "no kind",
                "apiVersion: v1\nmetadata: {name: a}\n",
                "f.yaml:1: document 1: kind: expected one, such as Pod, got nothing");
        broken(
                "a version that never was",
                "apiVersion: batch/v1beta9\nkind: Job\nmetadata: {name: a}\n",
                "f.yaml:1: document 1 (Job a): apiVersion: expected batch.volcano.sh/v1alpha1 or batch/v1 for kind Job, got 'batch/v1beta9'");
        broken(
                "a kind that is misspelt",
                "apiVersion: v1\nkind: Pode\nmetadata: {name: a}\n",
                "f.yaml:1: document 1 (Pode a): kind: expected one of ConfigMap, Endpoints, Event, LimitRange, Namespace, Node, PersistentVolume, PersistentVolumeClaim, Pod, PodTemplate, ReplicationController, ResourceQuota, Secret, Service, ServiceAccount in apiVersion v1, got 'Pode'");
        broken(
                "no name",
                "apiVersion: v1\nkind: Node\nmetadata: {}\n",
                "f.yaml:1: document 1 (Node): metadata.name: expected small letters, digits, - and ., at most 253 characters, got nothing");
        broken(
                "a name that is none",
                "apiVersion: v1\nkind: Node\nmetadata: {name: 'GPU 1'}\n",
                "f.yaml:1: document 1 (Node GPU 1): metadata.name: expected small letters, digits, - and ., at most 253 characters, got 'GPU 1'");
        broken(
                "a generated name",
                "apiVersion: v1\nkind: Node\nmetadata: {generateName: n-}\n",
                "f.yaml:1: document 1 (Node): metadata.generateName: expected metadata.name, as with kubectl apply");
        broken(
                "a label that is a number",
                "apiVersion: v1\nkind: Node\nmetadata: {name: n, labels: {rack: 7}}\n",
                "f.yaml:1: document 1 (Node n): metadata.labels[rack]: expected text (a number or true needs quotes), got 7");
        broken(
                "an unknown field of a pod",
                POD.formatted("").replace("schedulerName", "nodeSelctor: {a: b}\n  schedulerName"),
                "f.yaml:1: document 1 (Pod ml/a): spec.nodeSelctor: unknown field");
        broken(
                "containers that are no list",
                POD.formatted("").replaceAll("(?s)containers:.*", "containers: 5\n"),
                "f.yaml:1: document 1 (Pod ml/a): spec.containers: expected a list, got 5");
        broken(
                "no container",
                POD.formatted("").replaceAll("(?s)containers:.*", "containers: []\n"),
                "f.yaml:1: document 1 (Pod ml/a): spec.containers: expected at least one container, got []");
        broken(
                "a negative request",
                POD.formatted("").replace("'1'", "'-1'"),
                "f.yaml:1: document 1 (Pod ml/a): spec.containers[0].resources.requests[cpu]: expected 0 or more, got '-1'");
        broken(
                "an absurd request",
                POD.formatted("").replace("'1'", "'9e30'"),
                "f.yaml:1: document 1 (Pod ml/a): spec.containers[0].resources.requests[cpu]: expected at most 1Pi, got '9e30'");
        broken(
                "a request in words",
                POD.formatted("").replace("'1'", "one"),
                "f.yaml:1: document 1 (Pod ml/a): spec.containers[0].resources.requests[cpu]: expected a quantity such as 500m, 2 or 16Gi, got 'one'");
        broken(
                "a request above its limit",
                POD.formatted("").replace("{cpu: '1'}", "{cpu: '2'}, limits: {cpu: '1'}"),
                "f.yaml:1: document 1 (Pod ml/a): spec.containers[0].resources.requests[cpu]: expected at most its limit 1, got '2'");
        broken(
                "half a GPU",
                POD.formatted("").replace("{cpu: '1'}", "{nvidia.com/gpu: 500m}, limits: {nvidia.com/gpu: 500m}"),
                "f.yaml:1: document 1 (Pod ml/a): spec.containers[0].resources.requests[nvidia.com/gpu]: expected a whole number, got '500m'");
        broken(
                "a GPU without a limit",
                POD.formatted("").replace("cpu", "nvidia.com/gpu"),
                "f.yaml:1: document 1 (Pod ml/a): spec.containers[0].resources.requests[nvidia.com/gpu]: needs a limit of the same amount, as nvidia.com/gpu can't be overcommitted");
        broken(
                "allocatable in words",
                "apiVersion: v1\nkind: Node\nmetadata: {name: n}\nstatus: {allocatable: {cpu: many}}\n",
                "f.yaml:1: document 1 (Node n): status.allocatable[cpu]: expected a quantity such as 500m, 2 or 16Gi, got 'many'");
        broken(
                "a taint without an effect",
                "apiVersion: v1\nkind: Node\nmetadata: {name: n}\nspec: {taints: [{key: a}]}\n",
                "f.yaml:1: document 1 (Node n): spec.taints[0].effect: expected NoSchedule, PreferNoSchedule or NoExecute, got nothing");
        broken(
                "a priority in words",
                "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: p}\nvalue: high\n",
                "f.yaml:1: document 1 (PriorityClass p): value: expected a whole number, got 'high'");
        broken(
                "a budget of both kinds",
                "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: p}\nspec: {minAvailable: 1, maxUnavailable: 1}\n",
                "f.yaml:1: document 1 (PodDisruptionBudget p): spec: minAvailable and maxUnavailable exclude each other");
    }

    private void jobs() {
        String job =
                "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: j}\nspec:\n  minAvailable: %s\n  tasks:\n  - name: w\n    replicas: %s\n    template: {spec: {containers: [{name: c, image: i}]}}\n";
        broken(
                "a gang of ten million",
                job.formatted("10000000", "10000000"),
                "f.yaml:1: document 1 (Job j): spec.tasks: expected at most 20000 pods of one job, got 10000000");
        broken(
                "a minimum above all",
                job.formatted("5", "4"),
                "f.yaml:1: document 1 (Job j): spec.minAvailable: expected at most the 4 replicas of all tasks, got 5");
        broken(
                "replicas in words",
                job.formatted("1", "four"),
                "f.yaml:1: document 1 (Job j): spec.tasks[0].replicas: expected a whole number, 0 or more, got 'four'");
        broken(
                "negative replicas",
                job.formatted("1", "-4"),
                "f.yaml:1: document 1 (Job j): spec.tasks[0].replicas: expected a whole number, 0 or more, got -4");
        broken(
                "no tasks",
                "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: j}\nspec: {minAvailable: 1}\n",
                "f.yaml:1: document 1 (Job j): spec.tasks: expected at least one task, got nothing");
        broken(
                "an unknown field of a template",
                job.formatted("1", "1").replace("{spec: {", "{spec: {restartpolicy: Never, "),
                "f.yaml:1: document 1 (Job j): spec.tasks[0].template.spec.restartpolicy: unknown field");
        broken(
                "a job whose pods never end",
                "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec: {template: {spec: {containers: [{name: c, image: i}]}}}\n",
                "f.yaml:1: document 1 (Job j): spec.template.spec.restartPolicy: expected Never or OnFailure, got nothing");
        broken(
                "a template in another cluster",
                "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, annotations: {muster.dev/cluster: east}}\nspec: {template: {metadata: {annotations: {muster.dev/cluster: west}}, spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}\n",
                "f.yaml:1: document 1 (Job j): spec.template.metadata.annotations[muster.dev/cluster]: expected east, where the object itself is, got 'west'");
        broken(
                "a group of minus one",
                "apiVersion: scheduling.volcano.sh/v1beta1\nkind: PodGroup\nmetadata: {name: g}\nspec: {minMember: -1}\n",
                "f.yaml:1: document 1 (PodGroup g): spec.minMember: expected a whole number, 0 or more, got -1");
        broken(
                "a queue with words for amounts",
                "apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {name: q}\nspec: {capability: {cpu: all}}\n",
                "f.yaml:1: document 1 (Queue q): spec.capability[cpu]: expected a quantity such as 500m, 2 or 16Gi, got 'all'");
    }
}
