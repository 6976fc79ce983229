package dev.muster.scheduler.core.round;

/**
 * Why no domain of a topology would do.
 *
 * @param wish what was asked; null where the cluster has no such level
 * @param level name of the level
 * @param pods pods that must be together
 * @param domains domains that were looked at
 * @param largest pods that the one with the most room could take
 */
record NoDomain(Wish wish, String level, int pods, int domains, long largest) {}
