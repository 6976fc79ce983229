package dev.muster.ingest.intake;

import dev.muster.schemas.job.JobResult;
import dev.muster.schemas.job.Submission;
import java.util.Map;
import java.util.Optional;

/**
 * What is done about one command.
 *
 * @param kind what sort of answer it is, for counting
 * @param answer what its tenant is told
 * @param submission what the scheduler is told; empty when nothing changes
 * @param templates canonical JSON by hash of the templates that the submission uses
 */
record Verdict(Kind kind, JobResult answer, Optional<Submission> submission, Map<String, String> templates) {

    /** Sorts of answers. */
    enum Kind {
        /** Accepted, and passed on. */
        ACCEPTED,
        /** Accepted before: answered the same, nothing changes. */
        REPEATED,
        /** Refused. */
        REJECTED
    }

    /** Status of an accepted command. */
    static final String ACCEPTED_STATUS = "Accepted";

    /** Status of a refused command. */
    static final String REJECTED_STATUS = "Rejected";
}
