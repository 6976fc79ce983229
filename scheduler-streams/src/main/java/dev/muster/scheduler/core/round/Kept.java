package dev.muster.scheduler.core.round;

import dev.muster.scheduler.core.state.InternedRequirement;
import dev.muster.scheduler.core.state.PodTerms.Stance;

/**
 * What kept pods out that ask for a place in the topology.
 *
 * @param requirement what they require
 * @param stance what other pods' affinity terms make of them
 * @param noDomain why no domain would do; null where it was room alone
 */
record Kept(InternedRequirement requirement, Stance stance, int wanted, NoDomain noDomain) {}
