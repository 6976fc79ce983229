/** All of Muster on virtual time, without Kafka and network: production parts between simulated clusters and a scheduler. */
package dev.muster.standalone.virtual;
