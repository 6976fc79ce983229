/** The Kafka Streams shell: decode, hand to the core, encode; one task per domain, one transaction per hop. */
package dev.muster.scheduler.streams;
