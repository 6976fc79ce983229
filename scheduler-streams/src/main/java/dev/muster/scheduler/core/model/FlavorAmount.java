package dev.muster.scheduler.core.model;

/** An amount of a resource of a flavor; the flavor is empty where none is known, or the queue has none. */
public record FlavorAmount(String flavor, Amount amount) {}
