package dev.muster.scheduler.core.model;

/** An amount of a resource that comes from one NUMA node, by the zone's name in the node's report. */
public record NumaShare(String zone, String resource, long amount) {}
