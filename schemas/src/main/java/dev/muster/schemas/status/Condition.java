package dev.muster.schemas.status;

/**
 * A condition as objects of Kubernetes have them.
 *
 * @param status whether it holds
 * @param reason a stable code
 * @param message a sentence for people
 * @param sinceMillis since when, domain time, epoch milliseconds; 0 where that is not known
 */
public record Condition(String type, boolean status, String reason, String message, long sinceMillis) {}
