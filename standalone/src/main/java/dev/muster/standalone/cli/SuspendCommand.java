package dev.muster.standalone.cli;

import dev.muster.schemas.job.JobAction;
import picocli.CommandLine.Command;

/** {@code muster suspend}. */
@Command(
        name = "suspend",
        abbreviateSynopsis = true,
        header = "Suspend a job that was submitted as an event: its pods end, it keeps no room.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster suspend train --data-dir ./muster-data",
            "  muster suspend train --bootstrap-servers kafka:9092 --schema-registry http://registry:8081"
        })
final class SuspendCommand extends JobActionCommand {
    SuspendCommand(Environment environment) {
        super(environment, JobAction.SUSPEND);
    }
}
