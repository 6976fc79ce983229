/**
 * Ingest: one member cluster to trusted events. Read in this order: {@code watch}, {@code map}, {@code publish}; {@link
 * dev.muster.ingest.Kinds} says which kinds go where.
 */
package dev.muster.ingest;
