package dev.muster.ingest.map;

import java.util.Map;

/**
 * What of a pod's metadata its requirement depends on.
 *
 * @param name the pod's own; empty where there is none yet
 * @param namespace where terms that name none look for pods
 * @param labels what {@code matchLabelKeys} take values from
 * @param annotations by key
 */
record PodMeta(String name, String namespace, Map<String, String> labels, Map<String, String> annotations) {}
