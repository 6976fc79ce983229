package dev.muster.standalone.cli;

import dev.muster.schemas.decision.WorkloadState;
import dev.muster.schemas.decision.WorkloadStatus;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Workload statuses as last written, by key. */
final class Statuses {
    private static final Comparator<WorkloadStatus> ORDER = Comparator.comparing(WorkloadStatus::getNamespace)
            .thenComparing(WorkloadStatus::getName)
            .thenComparing(WorkloadStatus::getWorkload);

    private static final Pattern UID_SUFFIX =
            Pattern.compile("(?<=.)-\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}$");

    private final TreeMap<String, WorkloadStatus> byKey = new TreeMap<>();

    /** Takes a record of topic workload-status; null forgets the workload. */
    void take(String key, WorkloadStatus status) {
        if (status == null) {
            byKey.remove(key);
        } else {
            byKey.put(key, status);
        }
    }

    /** By namespace and name. */
    List<WorkloadStatus> all() {
        return sorted(byKey.values());
    }

    /** Those with this name (of the job, the group, the pod, or the workload id), after {@code NAMESPACE/} where given. */
    List<WorkloadStatus> named(String name) {
        int slash = name.indexOf('/');
        boolean isId = slash >= 0 && name.indexOf('/', slash + 1) >= 0;
        String namespace = slash >= 0 && !isId ? name.substring(0, slash) : "";
        String bare = slash >= 0 && !isId ? name.substring(slash + 1) : name;
        return sorted(byKey.values().stream()
                .filter(w -> isId
                        ? w.getWorkload().equals(name)
                        : (namespace.isEmpty() || w.getNamespace().equals(namespace))
                                && (w.getName().equals(bare) || w.getObject().equals(bare) || name(w).equals(bare)))
                .toList());
    }

    /** The name that people gave: a Volcano job's PodGroup is called after the job and its uid once its pods are gone. */
    static String name(WorkloadStatus status) {
        return UID_SUFFIX.matcher(status.getName()).replaceFirst("");
    }

    /** State as people write it: {@code Running}. */
    static String state(WorkloadStatus status) {
        String name = status.getState().name();
        return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
    }

    /** Whether it has no place yet. */
    static boolean waits(WorkloadStatus status) {
        return status.getState() == WorkloadState.WAITING || status.getState() == WorkloadState.INCOMPLETE;
    }

    /** Whether it has a place: it is being bound, or runs. */
    static boolean runs(WorkloadStatus status) {
        return status.getState() == WorkloadState.PLACED || status.getState() == WorkloadState.RUNNING;
    }

    /** Whether it has ended, however. */
    static boolean over(WorkloadStatus status) {
        return switch (status.getState()) {
            case COMPLETED, FAILED, CANCELLED -> true;
            case INCOMPLETE, WAITING, PLACED, RUNNING, SUSPENDED -> false;
        };
    }

    /** Pods bound, of those known; of what has ended, how many there were: a pod that ended is bound no more. */
    static String bound(WorkloadStatus status) {
        return switch (status.getState()) {
            case INCOMPLETE, WAITING, PLACED, RUNNING, SUSPENDED -> status.getBound() + "/" + status.getPods();
            case COMPLETED, FAILED, CANCELLED -> "-/" + status.getPods();
        };
    }

    private static List<WorkloadStatus> sorted(Collection<WorkloadStatus> statuses) {
        return statuses.stream().sorted(ORDER).toList();
    }
}
