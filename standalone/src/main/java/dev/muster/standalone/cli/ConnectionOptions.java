package dev.muster.standalone.cli;

import dev.muster.schemas.serde.RegistryConfig;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.broker.EmbeddedBroker;
import dev.muster.standalone.stack.Connection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/**
 * Where the topics are. An option beats its environment variable, and that beats the file of {@code --command-config}; an
 * option that names a place beats a variable that names another.
 */
final class ConnectionOptions {
    static final String HEADING = "%nWhere the topics are:%n";

    static final String BOOTSTRAP_SERVERS = "MUSTER_BOOTSTRAP_SERVERS";
    static final String SCHEMA_REGISTRY = "MUSTER_SCHEMA_REGISTRY";
    static final String COMMAND_CONFIG = "MUSTER_COMMAND_CONFIG";
    static final String DATA_DIR = "MUSTER_DATA_DIR";
    static final String TOPIC_PREFIX = "MUSTER_TOPIC_PREFIX";

    /** How long a registry may take: a person waits. */
    private static final Duration REGISTRY_PATIENCE = Duration.ofSeconds(8);

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Data directory of muster demo or run, which may be running or not; or $" + DATA_DIR + ".")
    Path dataDir;

    @Option(
            names = "--bootstrap-servers",
            paramLabel = "HOST:PORT,...",
            description = "Kafka of a running installation; or $" + BOOTSTRAP_SERVERS + ".")
    String bootstrapServers;

    @Option(
            names = "--schema-registry",
            paramLabel = "URL,...",
            description = "Its schema registry; or $" + SCHEMA_REGISTRY + ".")
    String schemaRegistry;

    @Option(
            names = "--command-config",
            paramLabel = "FILE",
            description =
                    "Kafka client properties (TLS, SASL) and the registry's password; or $" + COMMAND_CONFIG + ".")
    Path commandConfig;

    @Option(
            names = "--topic-prefix",
            paramLabel = "PREFIX",
            description = "What the names of the topics begin with; or $" + TOPIC_PREFIX + "; default: muster.")
    String topicPrefix;

    /** The names of the topics. */
    Topics topics(Environment environment) {
        String prefix = given(topicPrefix, environment, TOPIC_PREFIX).orElse(Topics.DEFAULT.prefix());
        try {
            return new Topics(prefix);
        } catch (IllegalArgumentException e) {
            throw CommandException.unusableInput("--topic-prefix: " + e.getMessage());
        }
    }

    /**
     * Connects, and makes sure that Kafka answers.
     *
     * @throws CommandException when the options do not name one place, or nobody answers there
     */
    Connection open(Environment environment) {
        if (dataDir != null && bootstrapServers != null) {
            throw CommandException.unusableInput("--data-dir and --bootstrap-servers: expected one of the two");
        }
        if (dataDir != null) {
            return open(dataDir);
        }
        CommandConfig config = commandConfig(environment);
        Optional<String> servers =
                given(bootstrapServers, environment, BOOTSTRAP_SERVERS).or(config::bootstrapServers);
        if (servers.isPresent()) {
            Optional<String> registry =
                    given(schemaRegistry, environment, SCHEMA_REGISTRY).or(config::registryUrl);
            if (registry.isEmpty()) {
                throw CommandException.unusableInput("--bootstrap-servers: --schema-registry URL is missing");
            }
            return open(servers.get(), registry.get(), config);
        }
        Optional<String> directory = given(null, environment, DATA_DIR);
        if (directory.isPresent()) {
            return open(path("$" + DATA_DIR, directory.get()));
        }
        throw CommandException.unusableInput(
                "where are the topics? expected --data-dir DIR, or --bootstrap-servers and --schema-registry");
    }

    private static Connection open(Path dataDir) {
        if (!EmbeddedBroker.holdsData(dataDir)) {
            throw CommandException.unusableInput("--data-dir " + dataDir
                    + ": holds no topics; expected a directory that muster demo or run has written");
        }
        return checked(Connection.to(dataDir));
    }

    private static Connection open(String servers, String registry, CommandConfig config) {
        Map<String, Object> kafka = new TreeMap<>(config.kafka());
        kafka.put("bootstrap.servers", servers);
        RegistryConfig registryConfig;
        try {
            registryConfig = new RegistryConfig(
                    List.of(registry.split(",")).stream()
                            .map(url -> URI.create(url.strip()))
                            .toList(),
                    config.registryAuth(),
                    config.registryTls(),
                    REGISTRY_PATIENCE);
        } catch (IllegalArgumentException e) {
            throw CommandException.unusableInput("--schema-registry " + registry + ": " + e.getMessage());
        }
        KafkaProbe.check(kafka);
        requireListening(registryConfig.urls());
        return Connection.to(kafka, registryConfig);
    }

    /** The client of the registry tries for as long as it may, also where nobody listens. */
    private static void requireListening(List<URI> registries) {
        String problem = "";
        for (URI url : registries) {
            int port = url.getPort() >= 0 ? url.getPort() : url.getScheme().equals("https") ? 443 : 80;
            problem = KafkaProbe.connectProblem(new InetSocketAddress(url.getHost(), port));
            if (problem.isEmpty()) {
                return;
            }
        }
        throw CommandException.unreachable(
                "the schema registry at "
                        + registries.stream().map(URI::toString).collect(Collectors.joining(","))
                        + " can't be reached: " + problem,
                null);
    }

    private static Connection checked(Connection connection) {
        boolean answers = false;
        try {
            KafkaProbe.check(connection.kafka());
            answers = true;
            return connection;
        } finally {
            if (!answers) {
                connection.close();
            }
        }
    }

    private CommandConfig commandConfig(Environment environment) {
        Path file = commandConfig != null
                ? commandConfig
                : given(null, environment, COMMAND_CONFIG)
                        .map(name -> path("$" + COMMAND_CONFIG, name))
                        .orElse(null);
        try {
            return file == null ? CommandConfig.none() : CommandConfig.read(file);
        } catch (IOException e) {
            throw CommandException.unusableInput("--command-config " + file + ": can't be read");
        }
    }

    private static Optional<String> given(String option, Environment environment, String variable) {
        return Optional.ofNullable(
                        option != null ? option : environment.variables().get(variable))
                .filter(text -> !text.isEmpty());
    }

    private static Path path(String variable, String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw CommandException.unusableInput(variable + " '" + name + "': not the name of a file");
        }
    }
}
