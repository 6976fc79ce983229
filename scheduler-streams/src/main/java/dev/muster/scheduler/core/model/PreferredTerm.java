package dev.muster.scheduler.core.model;

/** A preferred node selector term with its weight, 1 to 100. */
public record PreferredTerm(int weight, NodeTerm term) {}
