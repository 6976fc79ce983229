package dev.muster.standalone.scenario.expect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.muster.standalone.scenario.expect.Expectation.OneOf;
import dev.muster.standalone.scenario.expect.Expectation.Single;
import dev.muster.standalone.scenario.expect.Expectation.When;
import dev.muster.standalone.scenario.expect.PodCondition.Rule;
import dev.muster.standalone.scenario.observe.Clusters;
import java.util.List;
import org.junit.jupiter.api.Test;

class JudgeTest {
    private final Clusters clusters = new Clusters();

    private static Condition bound(int count) {
        return new PodCondition(Glob.ofPath("ml/*"), new Rule.Bound(Bounds.exactly(count)));
    }

    private void bind(long atMillis, String name) {
        clusters.now(atMillis);
        ObjectNode pod = JsonNodeFactory.instance.objectNode();
        pod.put("apiVersion", "v1").put("kind", "Pod");
        pod.putObject("metadata").put("namespace", "ml").put("name", name).put("uid", name);
        pod.putObject("spec").put("nodeName", "n1");
        clusters.changed("default", "ADDED", pod);
    }

    @Test
    void alwaysRemembersTheFirstTimeItDidNotHold() {
        Judge judge = new Judge(List.of(new Single("e", new When.Always(), bound(0))));

        judge.event(clusters);
        bind(5_000, "a");
        judge.event(clusters);
        bind(9_000, "b");
        judge.event(clusters);
        Result result = judge.end(clusters).getFirst();

        assertThat(result.held()).isFalse();
        assertThat(result.seenAtMillis()).isEqualTo(5_000);
        assertThat(result.seen()).isEqualTo("1 bound: a on n1");
    }

    @Test
    void aMomentIsJudgedOnceAndWhatComesLaterDoesNotMatter() {
        Judge judge = new Judge(List.of(new Single("e", new When.At(5_000), bound(1))));
        assertThat(judge.moments()).containsExactly(5_000L);

        bind(5_000, "a");
        judge.moment(5_000, clusters);
        bind(6_000, "b");
        judge.event(clusters);

        assertThat(judge.end(clusters).getFirst().held()).isTrue();
    }

    @Test
    void aMomentThatTheRunNeverReachedDoesNotHold() {
        Judge judge = new Judge(List.of(new Single("e", new When.At(5_000), bound(0))));

        Result result = judge.end(clusters).getFirst();

        assertThat(result.held()).isFalse();
        assertThat(result.seen()).isEqualTo("nothing to judge");
    }

    @Test
    void oneOfSeveralAlternativesWithTimesOfTheirOwnIsEnough() {
        Judge judge = new Judge(List.of(
                new OneOf(
                        "e",
                        List.of(
                                new Single("e0", new When.At(1_000), bound(1)),
                                new Single("e1", new When.AtEnd(), bound(1)))),
                new OneOf(
                        "f",
                        List.of(
                                new Single("f0", new When.At(1_000), bound(1)),
                                new Single("f1", new When.AtEnd(), bound(7))))));

        judge.moment(1_000, clusters);
        bind(2_000, "a");

        assertThat(judge.end(clusters)).extracting(Result::held).containsExactly(true, false);
    }

    @Test
    void whatMustHoldAlwaysOfAWorkloadIsJudgedFromWhenItExists() {
        Condition running = new WorkloadCondition(Glob.ofPath("ml/a"), "Admitted", "");
        Judge judge = new Judge(List.of(new Single("e", new When.Always(), running)));

        judge.event(clusters);
        bind(1_000, "a");
        judge.event(clusters);

        assertThat(judge.end(clusters).getFirst().held()).isTrue();
    }
}
