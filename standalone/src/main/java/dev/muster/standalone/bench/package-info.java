/** {@code muster bench}: how much the scheduler decides through Kafka, how late, and how soon after a restart. */
package dev.muster.standalone.bench;
