package dev.muster.standalone.scenario.expect;

import dev.muster.standalone.scenario.observe.Clusters;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Something that holds or does not at one moment. Its text is what the file says, in the words of the format. */
public sealed interface Condition
        permits Condition.All, Condition.Any, PodCondition, WorkloadCondition, UsageCondition {

    Verdict judge(Clusters clusters);

    /** All of them. */
    record All(List<Condition> conditions) implements Condition {
        public All {
            conditions = List.copyOf(conditions);
        }

        @Override
        public Verdict judge(Clusters clusters) {
            List<Verdict> verdicts =
                    conditions.stream().map(c -> c.judge(clusters)).toList();
            List<Verdict> failed = verdicts.stream().filter(v -> !v.holds()).toList();
            return new Verdict(
                    failed.isEmpty(),
                    verdicts.stream().anyMatch(Verdict::absent),
                    joined(failed.isEmpty() ? verdicts : failed, "; "),
                    missing(verdicts));
        }

        @Override
        public String toString() {
            return conditions.stream().map(Object::toString).collect(Collectors.joining(" and "));
        }
    }

    /** At least one of them. */
    record Any(List<Condition> conditions) implements Condition {
        public Any {
            conditions = List.copyOf(conditions);
        }

        @Override
        public Verdict judge(Clusters clusters) {
            List<Verdict> verdicts =
                    conditions.stream().map(c -> c.judge(clusters)).toList();
            List<Verdict> held = verdicts.stream().filter(Verdict::holds).toList();
            // One that holds although its subject never was does not hide that.
            return new Verdict(
                    !held.isEmpty(),
                    verdicts.stream().allMatch(Verdict::absent),
                    joined(held.isEmpty() ? verdicts : held, "; "),
                    missing(verdicts));
        }

        @Override
        public String toString() {
            return conditions.stream().map(Object::toString).collect(Collectors.joining(" or ", "any of (", ")"));
        }
    }

    private static String joined(List<Verdict> verdicts, String by) {
        return verdicts.stream().map(Verdict::seen).distinct().collect(Collectors.joining(by));
    }

    private static List<String> missing(List<Verdict> verdicts) {
        List<String> missing = new ArrayList<>();
        verdicts.forEach(verdict -> verdict.missing().stream()
                .filter(subject -> !missing.contains(subject))
                .forEach(missing::add));
        return missing;
    }
}
