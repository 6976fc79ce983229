package dev.muster.scheduler.core.state;

import java.util.SortedMap;

/**
 * A pod as the rules of other pods see it.
 *
 * @param namespace where it is
 * @param labels by key
 * @param leaving has a deletion timestamp: topology spread no longer counts it, affinity does (both as in kube-scheduler)
 */
record SeenPod(String namespace, SortedMap<String, String> labels, boolean leaving) {}
