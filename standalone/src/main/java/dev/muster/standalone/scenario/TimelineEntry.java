package dev.muster.standalone.scenario;

import dev.muster.standalone.scenario.observe.Happening;
import dev.muster.standalone.scenario.observe.Happening.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What happened to one thing at one moment: pods of a workload that were placed together are one entry.
 *
 * @param subjects the workload, or the nodes that had the same news
 * @param pods pods that it is about, in order; empty where it is about none
 * @param details per pod its node or reason; one sentence where it is about no pods
 */
record TimelineEntry(
        long atMillis, Type type, String cluster, List<String> subjects, List<String> pods, List<String> details) {
    TimelineEntry {
        subjects = List.copyOf(subjects);
        pods = List.copyOf(pods);
        details = List.copyOf(details);
    }

    private record Key(long atMillis, Type type, String cluster, String what) {}

    /** Without reasons for waiting that were over within their moment. */
    private static List<Happening> worthTelling(List<Happening> happenings) {
        List<Happening> told = new ArrayList<>();
        Set<String> over = new HashSet<>();
        for (Happening each : happenings.reversed()) {
            String key = each.atMillis() + "|" + each.cluster() + "|" + each.subject();
            if (each.type() != Type.WAITS || !over.contains(key)) {
                told.add(each);
            }
            if (each.type() == Type.WAITS || each.type() == Type.PLACED) {
                over.add(key);
            }
        }
        return told.reversed();
    }

    /** Entries in the order of their first happening. */
    static List<TimelineEntry> of(List<Happening> happenings) {
        Map<Key, List<Happening>> groups = new LinkedHashMap<>();
        for (Happening each : worthTelling(happenings)) {
            boolean ofPod = !each.pod().isEmpty();
            boolean byNews = each.type() == Type.NODE || each.type() == Type.APPLIED || each.type() == Type.DELETED;
            String what = byNews ? each.detail() : ofPod ? each.subject() : each.subject() + "|" + each.detail();
            groups.computeIfAbsent(
                            new Key(each.atMillis(), each.type(), each.cluster(), what), unused -> new ArrayList<>())
                    .add(each);
        }
        List<TimelineEntry> entries = new ArrayList<>();
        groups.forEach((key, members) -> entries.add(new TimelineEntry(
                key.atMillis(),
                key.type(),
                key.cluster(),
                members.stream().map(Happening::subject).distinct().toList(),
                members.stream()
                        .map(Happening::pod)
                        .filter(pod -> !pod.isEmpty())
                        .toList(),
                members.getFirst().pod().isEmpty()
                        ? List.of(members.getFirst().detail())
                        : members.stream().map(Happening::detail).toList())));
        return entries;
    }
}
