package dev.muster.standalone.cli;

import dev.muster.schemas.job.JobAction;
import picocli.CommandLine.Command;

/** {@code muster cancel}. */
@Command(
        name = "cancel",
        abbreviateSynopsis = true,
        header = "Cancel a job that was submitted as an event.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster cancel train --data-dir ./muster-data",
            "  muster cancel train --bootstrap-servers kafka:9092 --schema-registry http://registry:8081"
        })
final class CancelCommand extends JobActionCommand {
    CancelCommand(Environment environment) {
        super(environment, JobAction.CANCEL);
    }
}
