package dev.muster.standalone.cli;

import dev.muster.schemas.job.JobAction;
import dev.muster.schemas.job.JobCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command about a job that was submitted as an event: it names the job, and is sent as an event too. */
abstract class JobActionCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "The job's name.")
    String name;

    @ArgGroup(validate = false, order = 100, heading = ConnectionOptions.HEADING)
    ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    TenantOptions tenant;

    @Mixin
    HelpOption help;

    private final Environment environment;
    private final JobAction action;

    JobActionCommand(Environment environment, JobAction action) {
        this.environment = environment;
        this.action = action;
    }

    @Override
    public Integer call() {
        return tenant.send(
                connection, environment, JobCommand.newBuilder().setJobId(name).setAction(action));
    }
}
