package dev.muster.standalone.cli;

import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.Evict;
import dev.muster.schemas.decision.Victim;
import dev.muster.standalone.Counts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Says in words who is evicted for whom. */
public final class Evictions {
    private Evictions() {}

    /** Whether a decision is about a workload: made for it, or at its cost. */
    static boolean concerns(String workload, Decision decision) {
        return decision.getWorkload().equals(workload)
                || decision.getAction() instanceof Evict evict
                        && evict.getVictims().stream()
                                .anyMatch(victim -> victim.getWorkload().equals(workload));
    }

    /** Who is evicted, workload by workload, and for whom. */
    static String sentence(String preemptor, Evict evict) {
        return sentence(preemptor, evict, id -> id);
    }

    /** The same with other names for workloads than their ids. */
    public static String sentence(String preemptor, Evict evict, UnaryOperator<String> nameOf) {
        Map<String, List<Victim>> byWorkload = evict.getVictims().stream()
                .collect(Collectors.groupingBy(Victim::getWorkload, LinkedHashMap::new, Collectors.toList()));
        String victims = byWorkload.entrySet().stream()
                .map(each -> Counts.of(each.getValue().size(), "pod") + " of " + nameOf.apply(each.getKey())
                        + (each.getValue().getFirst().getWhole() ? " (all of it)" : " (above its minimum)"))
                .collect(Collectors.joining(", "));
        boolean itself = byWorkload.size() == 1 && byWorkload.containsKey(preemptor);
        if (itself) {
            return "evict " + victims + " (" + evict.getReason() + ")";
        }
        return "evict " + victims + " for " + nameOf.apply(preemptor) + " (" + evict.getReason() + ")";
    }
}
