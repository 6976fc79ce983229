/** JMH benchmarks; run one with {@code java -cp ... org.openjdk.jmh.Main NAME}, see docs/HACKING.md. */
package dev.muster.benchmarks;
