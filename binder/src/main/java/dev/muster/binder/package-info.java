/**
 * Carries decisions to the API server of one member cluster, safe to run twice, and reports what became of each.
 *
 * <p>In the order of a decision's path: {@code DecisionConsumer} (decode, bounded in flight) → {@code DecisionLanes}
 * (one workload's decisions in order) → {@code GangBinder}, {@code Revoker} or {@code PodDeleter} →
 * {@code ClusterApi} → {@code OutcomePublisher}. {@code StatusWriter} tells pods and pod groups why they wait, beside
 * that path and never in its way.
 */
package dev.muster.binder;
