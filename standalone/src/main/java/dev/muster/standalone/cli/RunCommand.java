package dev.muster.standalone.cli;

import dev.muster.schemas.topic.Domains;
import dev.muster.standalone.demo.Interruption;
import dev.muster.standalone.stack.Stack;
import dev.muster.standalone.stack.StackConfig;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code muster run}. */
@Command(
        name = "run",
        header = "All of Muster in one process on real clusters.",
        description = "Schedules pods whose schedulerName is muster or volcano, in every cluster given, until Ctrl-C.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster run --kubeconfig ~/.kube/config",
            "  muster run --kubeconfig east=east.yaml --kubeconfig west=west.yaml --data-dir /var/lib/muster",
            "  muster run --kubeconfig kc.yaml --bootstrap-servers kafka:9092 --schema-registry http://reg:8081"
        })
final class RunCommand implements Callable<Integer> {
    private static final long LOOK_MILLIS = 1_000;

    @Option(
            names = "--kubeconfig",
            required = true,
            arity = "1..*",
            paramLabel = "[NAME=]FILE",
            description = "A member cluster: its kubeconfig (current context), and its name in the domain.")
    List<String> kubeconfigs = List.of();

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            defaultValue = "muster-data",
            description = "State of the embedded broker and of the scheduler; default: ./muster-data.")
    Path dataDir = Path.of("muster-data");

    @Option(
            names = "--bootstrap-servers",
            paramLabel = "HOST:PORT",
            description = "A Kafka cluster to use; default: an embedded broker.")
    String bootstrapServers;

    @Option(
            names = "--schema-registry",
            paramLabel = "URL",
            description = "A schema registry to use; default: an embedded one.")
    URI schemaRegistry;

    @Option(
            names = "--domain",
            paramLabel = "NAME",
            defaultValue = "default",
            description = "The scheduling domain; default: default.")
    String domain = "default";

    @Mixin
    HelpOption help;

    private final Environment environment;

    RunCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        requireDomain();
        List<StackConfig.Member> members = members();
        if (bootstrapServers != null) {
            KafkaProbe.check(Map.of("bootstrap.servers", bootstrapServers));
        }
        StackConfig config = new StackConfig(
                domain,
                dataDir.toAbsolutePath().normalize(),
                Optional.ofNullable(bootstrapServers),
                Optional.ofNullable(schemaRegistry),
                members);
        try (Interruption interruption = Interruption.ofProcess();
                Stack stack = Stack.start(config)) {
            environment
                    .err()
                    .println("Kafka at " + stack.bootstrapServers() + ", schema registry at " + stack.registryUri()
                            + ", state in " + config.dataDir());
            follow(stack, interruption);
            environment.err().println("stopping; what is under way is taken up by the next start");
            return ExitCode.DONE;
        }
    }

    private void requireDomain() {
        try {
            Domains.of(domain);
        } catch (IllegalArgumentException e) {
            throw CommandException.unusableInput("--domain " + domain + ": " + e.getMessage());
        }
    }

    /** Says how the parts are, whenever that changes. */
    private void follow(Stack stack, Interruption interruption) throws InterruptedException {
        String said = "";
        while (!interruption.within(Duration.ofMillis(LOOK_MILLIS))) {
            stack.check();
            String now = stack.describeHealth();
            if (!now.equals(said)) {
                environment.err().println(now);
                said = now;
            }
        }
    }

    private List<StackConfig.Member> members() throws IOException {
        List<StackConfig.Member> members = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String given : kubeconfigs) {
            int equals = given.indexOf('=');
            Path file = Path.of(given.substring(equals + 1));
            Config kubernetes = read(file);
            String name = equals > 0 ? given.substring(0, equals) : nameOf(kubernetes);
            if (!name.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
                throw CommandException.unusableInput("--kubeconfig " + given + ": the cluster's name is '" + name
                        + "', expected a DNS label; give one as NAME=FILE");
            }
            if (!names.add(name)) {
                throw CommandException.unusableInput("--kubeconfig " + given + ": a cluster " + name
                        + " was given before; give each a name as NAME=FILE");
            }
            members.add(new StackConfig.Member(name, kubernetes));
        }
        return members;
    }

    private static Config read(Path file) throws IOException {
        InputFile.readable(file);
        try {
            return Config.fromKubeconfig(file.toFile());
        } catch (RuntimeException e) {
            // The reader's own messages are about its classes.
            throw CommandException.unusableInput("--kubeconfig " + file
                    + ": not a kubeconfig; expected YAML with clusters, users, contexts and current-context");
        }
    }

    private static String nameOf(Config kubernetes) {
        String context = kubernetes.getCurrentContext() == null
                ? ""
                : kubernetes.getCurrentContext().getName();
        String label =
                context.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
        return label.length() > 63 ? label.substring(0, 63) : label;
    }
}
