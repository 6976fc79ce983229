package dev.muster.standalone.cli;

import dev.muster.schemas.job.JobAction;
import picocli.CommandLine.Command;

/** {@code muster resume}. */
@Command(
        name = "resume",
        abbreviateSynopsis = true,
        header = "Let a suspended job go on: it queues anew, and its pods start again.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster resume train --data-dir ./muster-data",
            "  muster resume train --bootstrap-servers kafka:9092 --schema-registry http://registry:8081"
        })
final class ResumeCommand extends JobActionCommand {
    ResumeCommand(Environment environment) {
        super(environment, JobAction.RESUME);
    }
}
