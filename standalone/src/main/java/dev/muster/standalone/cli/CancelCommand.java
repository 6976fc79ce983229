package dev.muster.standalone.cli;

import dev.muster.schemas.job.JobAction;
import dev.muster.schemas.job.JobCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

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
final class CancelCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "The job's name.")
    String name;

    @ArgGroup(validate = false, order = 100, heading = ConnectionOptions.HEADING)
    ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    TenantOptions tenant;

    @Mixin
    HelpOption help;

    private final Environment environment;

    CancelCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        return tenant.send(
                connection, environment, JobCommand.newBuilder().setJobId(name).setAction(JobAction.CANCEL));
    }
}
