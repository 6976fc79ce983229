/** {@code muster bench core}: what the scheduling core decides per CPU-second, without Kafka. */
package dev.muster.standalone.bench.core;
