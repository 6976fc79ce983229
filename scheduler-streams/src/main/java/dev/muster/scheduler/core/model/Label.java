package dev.muster.scheduler.core.model;

/** A label or a node selector entry. */
public record Label(String key, String value) {}
