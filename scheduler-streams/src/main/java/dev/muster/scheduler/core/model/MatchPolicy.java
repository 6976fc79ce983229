package dev.muster.scheduler.core.model;

/** Which members count towards a gang's minimum once it ran: Koordinator's {@code match-policy}. */
public enum MatchPolicy {
    /** Those that room is held for, that run and that ended well; as in Volcano and scheduler-plugins. */
    WAITING_AND_RUNNING,
    /** Those that are placed and not bound yet: whatever comes later starts as many together again. */
    ONLY_WAITING,
    /** None is needed once the minimum was met: what comes later is placed one by one. */
    ONCE_SATISFIED
}
