/**
 * Facts to records: what was last published of each object, whether something that matters changed since, and the Kafka
 * producer. What is published is a function of the cluster's present state, however often and in whatever order that
 * state was seen.
 */
package dev.muster.ingest.publish;
