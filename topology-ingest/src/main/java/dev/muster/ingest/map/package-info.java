/**
 * Kubernetes objects to facts: pure functions from an object to the Avro record that scheduling uses of it. They read no
 * clock and no environment, are total (a bad object is a {@link dev.muster.ingest.map.Refusal}, never an exception) and
 * bounded (whatever an object's owner writes into it).
 */
package dev.muster.ingest.map;
