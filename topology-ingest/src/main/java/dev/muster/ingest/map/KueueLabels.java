package dev.muster.ingest.map;

import java.util.Map;

/** Labels by which workloads name objects of Kueue. */
final class KueueLabels {
    private static final String QUEUE = "kueue.x-k8s.io/queue-name";
    private static final String PRIORITY_CLASS = "kueue.x-k8s.io/priority-class";

    private KueueLabels() {}

    /** The LocalQueue; empty where none is named. */
    static String queue(Map<String, String> labels, Problems problems) {
        return bounded(labels, QUEUE, problems);
    }

    /** The WorkloadPriorityClass; empty where none is named. */
    static String priorityClass(Map<String, String> labels, Problems problems) {
        return bounded(labels, PRIORITY_CLASS, problems);
    }

    private static String bounded(Map<String, String> labels, String key, Problems problems) {
        String value = labels.getOrDefault(key, "");
        return problems.within("metadata.labels[" + key + "]", value.length(), Limits.NAME) ? value : "";
    }
}
