package dev.muster.standalone.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ThreeWayMergeTest {
    private static final YAMLMapper YAML = new YAMLMapper();

    private static ObjectNode tree(String yaml) throws IOException {
        return (ObjectNode) YAML.readTree(yaml);
    }

    private static void merges(String live, String before, String wanted, String merged) throws IOException {
        assertThat(ThreeWayMerge.merge(tree(live), tree(before), tree(wanted))).isEqualTo(tree(merged));
    }

    @Test
    void whatTheServerPutInStaysAndWhatTheManifestNoLongerSaysGoes() throws IOException {
        merges(
                "{spec: {a: 1, b: 2, nodeName: n1}, status: {phase: Running}}",
                "{spec: {a: 1, b: 2}}",
                "{spec: {a: 5}}",
                "{spec: {a: 5, nodeName: n1}, status: {phase: Running}}");
    }

    @Test
    void plainListsAreReplaced() throws IOException {
        merges("{spec: {taints: [{key: a}, {key: b}]}}", "{}", "{spec: {taints: []}}", "{spec: {taints: []}}");
    }

    @Test
    void containersAreMergedByName() throws IOException {
        merges(
                "{containers: [{name: a, requests: {gpu: 1}, limits: {gpu: 1}}, {name: b}]}",
                "{containers: [{name: a, limits: {gpu: 1}}, {name: b}]}",
                "{containers: [{name: a, limits: {gpu: 1}, image: new}]}",
                "{containers: [{name: a, requests: {gpu: 1}, limits: {gpu: 1}, image: new}]}");
    }

    @Test
    void theArgumentsStayAsTheyAre() throws IOException {
        ObjectNode live = tree("{spec: {a: {b: 1}}}");
        ThreeWayMerge.merge(live, tree("{}"), tree("{spec: {a: {b: 2}}}"));

        assertThat(live).isEqualTo(tree("{spec: {a: {b: 1}}}"));
    }
}
