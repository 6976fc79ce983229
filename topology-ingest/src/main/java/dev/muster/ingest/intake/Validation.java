package dev.muster.ingest.intake;

import dev.muster.schemas.job.SubmittedJob;
import java.util.SortedMap;

/** What the validator says of one command, without knowing any other command. */
sealed interface Validation {

    /**
     * A job that may run, normalised: defaults filled in, templates by hash. {@code templates} has their canonical
     * JSON by hash.
     */
    record Submit(SubmittedJob job, SortedMap<String, String> templates) implements Validation {}

    /** A command about a job that was submitted before, which it names as it should. */
    record OfKnownJob() implements Validation {}

    /** A command that is refused. */
    record Invalid(Refusal refusal) implements Validation {}
}
