package dev.muster.binder;

/** A node as far as binding cares. */
record NodeState(String name, String uid, boolean ready) {}
