package dev.muster.standalone.scenario.expect;

import dev.muster.standalone.scenario.SimulatedTime;
import dev.muster.standalone.scenario.expect.Expectation.OneOf;
import dev.muster.standalone.scenario.expect.Expectation.Single;
import dev.muster.standalone.scenario.expect.Expectation.When;
import dev.muster.standalone.scenario.observe.Clusters;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Looks at the clusters when expectations want it, and remembers the first time each did not hold. */
public final class Judge {

    /** One condition at its time and what was seen of it so far. */
    private static final class Watch {
        final Single expectation;
        Verdict first;
        Verdict broken;
        long brokenAtMillis = -1;
        long judgedAtMillis = -1;

        Watch(Single expectation) {
            this.expectation = expectation;
        }

        boolean held() {
            return first != null && broken == null;
        }

        void judge(Clusters clusters) {
            Verdict verdict = expectation.condition().judge(clusters);
            boolean always = expectation.when() instanceof When.Always;
            if (always && verdict.absent()) {
                return;
            }
            first = verdict;
            judgedAtMillis = clusters.nowMillis();
            if (!verdict.holds() && broken == null) {
                broken = verdict;
                brokenAtMillis = clusters.nowMillis();
            }
        }
    }

    private record Tracked(Expectation expectation, List<Watch> watches) {}

    private final List<Tracked> tracked = new ArrayList<>();
    private final List<Watch> all = new ArrayList<>();

    public Judge(List<Expectation> expectations) {
        for (Expectation expectation : expectations) {
            List<Watch> watches = new ArrayList<>();
            singles(expectation, watches);
            tracked.add(new Tracked(expectation, watches));
            all.addAll(watches);
        }
    }

    private static void singles(Expectation expectation, List<Watch> into) {
        switch (expectation) {
            case Single single -> into.add(new Watch(single));
            case OneOf oneOf -> oneOf.alternatives().forEach(each -> singles(each, into));
        }
    }

    /** Moments at which something is to be judged, rising. */
    public List<Long> moments() {
        TreeSet<Long> moments = new TreeSet<>();
        for (Watch watch : all) {
            if (watch.expectation.when() instanceof When.At at) {
                moments.add(at.millis());
            }
        }
        return List.copyOf(moments);
    }

    /** Something happened: judges what must hold always. */
    public void event(Clusters clusters) {
        for (Watch watch : all) {
            if (watch.expectation.when() instanceof When.Always && watch.broken == null) {
                watch.judge(clusters);
            }
        }
    }

    /** Everything due by that moment has been processed. */
    public void moment(long millis, Clusters clusters) {
        for (Watch watch : all) {
            if (watch.expectation.when() instanceof When.At at && at.millis() == millis) {
                watch.judge(clusters);
            }
        }
    }

    /** The run is over. */
    public List<Result> end(Clusters clusters) {
        for (Watch watch : all) {
            if (watch.expectation.when() instanceof When.AtEnd) {
                watch.judge(clusters);
            }
        }
        return tracked.stream().map(each -> result(each, clusters)).toList();
    }

    private static Result result(Tracked tracked, Clusters clusters) {
        List<Watch> watches = tracked.watches();
        boolean held = tracked.expectation() instanceof OneOf
                ? watches.stream().anyMatch(Watch::held)
                : watches.getFirst().held() || nothingToJudge(watches.getFirst());
        Watch telling = watches.stream()
                .filter(watch -> watch.held() == held)
                .findFirst()
                .orElse(watches.getFirst());
        Verdict seen = telling.broken != null ? telling.broken : telling.first;
        long at = telling.broken != null ? telling.brokenAtMillis : telling.judgedAtMillis;
        List<String> missing = watches.stream()
                .flatMap(watch -> watch.expectation.condition().judge(clusters).missing().stream())
                .distinct()
                .toList();
        return new Result(
                tracked.expectation().field(),
                watches.stream()
                        .map(watch -> text(watch.expectation.when()))
                        .distinct()
                        .collect(Collectors.joining(" or ")),
                watches.stream()
                        .map(watch -> watch.expectation.condition().toString())
                        .collect(Collectors.joining(" or ")),
                held,
                at,
                seen == null ? "nothing to judge" : seen.seen(),
                missing);
    }

    /** What must hold always of something that never was there is not broken; that it was not there is pointed out. */
    private static boolean nothingToJudge(Watch watch) {
        return watch.first == null && watch.expectation.when() instanceof When.Always;
    }

    private static String text(When when) {
        return switch (when) {
            case When.At at -> "at " + SimulatedTime.text(at.millis());
            case When.AtEnd end -> "at the end";
            case When.Always always -> "always";
        };
    }
}
