/** The scheduling core alone, on simulated time: no Kafka, no API server, every decision carried out at once. */
package dev.muster.standalone.simulate;
