package dev.muster.standalone.cli;

import dev.muster.schemas.job.JobAction;
import dev.muster.schemas.job.JobCommand;
import dev.muster.schemas.job.JobSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code muster submit}. */
@Command(
        name = "submit",
        abbreviateSynopsis = true,
        header = "Submit a job as an event, and wait until it is accepted or rejected.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster submit -f job.yaml --data-dir ./muster-data",
            "  muster submit --gang 8x4 --name train --image registry/train:1 --data-dir ./muster-data",
            "  muster submit -f job.yaml --bootstrap-servers kafka:9093 --schema-registry https://registry:8081 \\",
            "      --command-config client.properties --tenant research",
            "",
            "A job file: apiVersion muster.dev/v1alpha1, kind Job, metadata {name, namespace},",
            "spec {queue, priority, cluster, minAvailable,",
            "networkTopology: {mode, highestTierAllowed, highestTierName},",
            "tasks: [{name, replicas, minAvailable, template}]};",
            "racks by annotations kueue.x-k8s.io/podset-* of a template."
        })
final class SubmitCommand implements Callable<Integer> {
    @ArgGroup(validate = false, order = 100, heading = ConnectionOptions.HEADING)
    ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    TenantOptions tenant;

    @Mixin
    HelpOption help;

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description = "A job in YAML or JSON.")
    Path file;

    @Option(
            names = "--gang",
            paramLabel = "PODSxGPUS",
            converter = GangShape.Converter.class,
            description = "Instead of a file: so many pods of so many GPUs, all or none.")
    GangShape gang;

    @Option(names = "--name", paramLabel = "NAME", description = "With --gang: the job's name.")
    String name;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            defaultValue = "default",
            description = "With --gang: namespace of the pods; default: default.")
    String namespace = "default";

    @Option(names = "--queue", paramLabel = "QUEUE", defaultValue = "", description = "With --gang: the queue.")
    String queue = "";

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            description = "With --gang, needed: the image of the container; a simulated cluster takes any.")
    String image;

    @Option(
            names = "--runtime",
            paramLabel = "TIME",
            description = "With --gang, on a simulated cluster: how long the pods run, such as 30s.")
    String runtime;

    private final Environment environment;

    SubmitCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException {
        JobFile job = job();
        JobCommand.Builder command = JobCommand.newBuilder()
                .setJobId(job.name())
                .setAction(JobAction.SUBMIT)
                .setJob(job.spec());
        return tenant.send(connection, environment, command);
    }

    private JobFile job() throws IOException {
        if ((file == null) == (gang == null)) {
            throw CommandException.unusableInput("expected -f FILE or --gang PODSxGPUS, one of the two");
        }
        if (file != null) {
            return JobFile.read(file);
        }
        if (name == null) {
            throw CommandException.unusableInput("--gang: --name NAME is missing");
        }
        if (image == null) {
            throw CommandException.unusableInput("--gang: --image IMAGE is missing");
        }
        return new JobFile(
                name,
                JobSpec.newBuilder()
                        .setNamespace(namespace)
                        .setQueue(queue)
                        .setTasks(List.of(gang.task(image, runtime)))
                        .build());
    }
}
