package dev.muster.ingest.intake;

/**
 * Why a command is refused, in the words its tenant gets to read.
 *
 * @param reason the stable code
 * @param field path of the field at fault, such as {@code job.tasks[1].replicas}; empty where none is
 * @param message one sentence: what was found and what was expected; what it quotes of the tenant's text is escaped
 *     and cut
 */
record Refusal(RefusalReason reason, String field, String message) {}
