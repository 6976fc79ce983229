package dev.muster.binder;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeTermsTest {

    private static final Map<String, String> LABELS = Map.of("zone", "a", "cores", "64");

    private static boolean matches(String... terms) {
        List<NodeSelectorTerm> parsed = java.util.Arrays.stream(terms)
                .map(term -> Serialization.unmarshal(term, NodeSelectorTerm.class))
                .toList();
        return NodeTerms.match(parsed, "n-0", LABELS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "zone  | In           | [a, b]  | true",
                "zone  | In           | [b]     | false",
                "rack  | In           | [a]     | false",
                "zone  | NotIn        | [b]     | true",
                "zone  | NotIn        | [a]     | false",
                "rack  | NotIn        | [a]     | true",
                "zone  | Exists       | []      | true",
                "rack  | Exists       | []      | false",
                "rack  | DoesNotExist | []      | true",
                "zone  | DoesNotExist | []      | false",
                "cores | Gt           | ['32']  | true",
                "cores | Gt           | ['64']  | false",
                "cores | Lt           | ['65']  | true",
                "cores | Lt           | ['64']  | false",
                "zone  | Gt           | ['1']   | false",
                "cores | Gt           | []      | false",
                "zone  | Like         | [a]     | false"
            })
    void aRequirementHoldsAsKubernetesHasIt(String key, String operator, String values, boolean holds) {
        String term = "matchExpressions: [{key: " + key + ", operator: " + operator + ", values: " + values + "}]";
        assertThat(matches(term)).isEqualTo(holds);
    }

    @Test
    void allOfOneTermMustHoldAndOneTermIsEnough() {
        String here = "matchExpressions: [{key: zone, operator: In, values: [a]}]";
        String both = "matchExpressions: [{key: zone, operator: In, values: [a]}, {key: rack, operator: Exists}]";
        assertThat(matches()).isTrue();
        assertThat(matches(both)).isFalse();
        assertThat(matches(both, here)).isTrue();
        assertThat(matches("{}")).as("an empty term matches nothing").isFalse();
        assertThat(matches("matchFields: [{key: metadata.name, operator: In, values: [n-0]}]"))
                .isTrue();
        assertThat(matches("matchFields: [{key: metadata.name, operator: In, values: [n-1]}]"))
                .isFalse();
    }
}
