/**
 * The intake: reads what tenants write, and nobody else does. In the order of a command's path: {@code TenantReader}
 * and {@code CommandDecoder} (bytes to command), {@code SubmissionValidator} with {@code PodTemplateShape}, the
 * allow-list (is it right in itself), {@code CommandJudge} with {@code KnownJobs} (is it new), {@code TemplateStore}
 * and {@code Outbox} (what is written). {@code IntakeSession} is the loop, {@code Intake} its life.
 */
package dev.muster.ingest.intake;
