/** Kafka in this process, for people who have none yet and for tests. */
package dev.muster.standalone.broker;
