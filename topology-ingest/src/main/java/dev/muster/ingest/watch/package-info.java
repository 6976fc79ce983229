/**
 * Watching one member cluster: a list and a watch per kind with everything that goes wrong between them, the brackets
 * around a fresh list, and the lease that says which ingest should try.
 */
package dev.muster.ingest.watch;
