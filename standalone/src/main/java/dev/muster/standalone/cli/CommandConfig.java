package dev.muster.standalone.cli;

import dev.muster.schemas.serde.RegistryConfig.BasicAuth;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * The file of {@code --command-config}: Kafka client properties as Kafka's own tools take them, and the settings of the
 * schema registry under the names that Confluent's clients use. What concerns the connection (TLS, SASL, timeouts, names)
 * is passed on as it is; settings of a producer or consumer that do not are passed over, because one file often serves
 * several tools; a name that no Kafka client knows is refused: a misspelt {@code security.protocol} would connect without
 * protection.
 */
final class CommandConfig {
    private static final String FILE_OPTION = "--command-config ";
    private static final String REGISTRY = "schema.registry.";
    private static final String REGISTRY_URL = "schema.registry.url";
    private static final String AUTH_SOURCE = "basic.auth.credentials.source";
    private static final String USER_INFO = "basic.auth.user.info";
    private static final String TRUSTSTORE = "ssl.truststore.";
    private static final String KEYSTORE = "ssl.keystore.";
    private static final Set<String> REGISTRY_SETTINGS = Set.of(
            REGISTRY_URL,
            AUTH_SOURCE,
            USER_INFO,
            REGISTRY + AUTH_SOURCE,
            REGISTRY + USER_INFO,
            REGISTRY + TRUSTSTORE + "location",
            REGISTRY + TRUSTSTORE + "password",
            REGISTRY + TRUSTSTORE + "type",
            REGISTRY + KEYSTORE + "location",
            REGISTRY + KEYSTORE + "password",
            REGISTRY + KEYSTORE + "type",
            REGISTRY + "ssl.key.password");

    private final String file;
    private final Map<String, String> settings;

    private CommandConfig(String file, Map<String, String> settings) {
        this.file = file;
        this.settings = settings;
    }

    /** No file. */
    static CommandConfig none() {
        return new CommandConfig("", Map.of());
    }

    /** @throws CommandException when the file can't be read, or names a setting that nobody knows */
    static CommandConfig read(Path file) throws IOException {
        Properties properties = new Properties();
        try (var in = Files.newBufferedReader(InputFile.readable(file), StandardCharsets.UTF_8)) {
            properties.load(in);
        } catch (CharacterCodingException | IllegalArgumentException e) {
            throw CommandException.unusableInput(
                    FILE_OPTION + file + ": expected a properties file, lines of NAME=VALUE in UTF-8");
        }
        Set<String> known = new HashSet<>(ConsumerConfig.configNames());
        known.addAll(ProducerConfig.configNames());
        known.addAll(AdminClientConfig.configNames());
        Map<String, String> settings = new TreeMap<>();
        for (String name : properties.stringPropertyNames()) {
            if (!known.contains(name) && !REGISTRY_SETTINGS.contains(name) && !providerSetting(name)) {
                throw CommandException.unusableInput(FILE_OPTION + file + ": " + name
                        + ": expected a setting of a Kafka client, such as security.protocol, or of the registry, such"
                        + " as " + USER_INFO);
            }
            settings.put(name, properties.getProperty(name).strip());
        }
        return new CommandConfig(file.toString(), settings);
    }

    /** What every Kafka client needs to connect. */
    Map<String, Object> kafka() {
        Map<String, Object> kafka = new TreeMap<>();
        settings.forEach((name, value) -> {
            if (concernsConnection(name)) {
                kafka.put(name, value);
            }
        });
        return kafka;
    }

    Optional<String> bootstrapServers() {
        return setting(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG);
    }

    Optional<String> registryUrl() {
        return setting(REGISTRY_URL);
    }

    /** User and password of the registry; {@code basic.auth.user.info} counts only with its source USER_INFO, as elsewhere. */
    Optional<BasicAuth> registryAuth() {
        Optional<String> source = setting(REGISTRY + AUTH_SOURCE).or(() -> setting(AUTH_SOURCE));
        Optional<String> info = setting(REGISTRY + USER_INFO).or(() -> setting(USER_INFO));
        if (source.isPresent() && !source.get().equals("USER_INFO")) {
            throw problem(AUTH_SOURCE, "USER_INFO");
        }
        if (info.isEmpty()) {
            if (source.isPresent()) {
                throw problem(USER_INFO, "USER:PASSWORD, since " + AUTH_SOURCE + " is USER_INFO");
            }
            return Optional.empty();
        }
        int colon = info.get().indexOf(':');
        if (colon < 1) {
            throw problem(USER_INFO, "USER:PASSWORD");
        }
        return Optional.of(
                new BasicAuth(info.get().substring(0, colon), info.get().substring(colon + 1)));
    }

    /** Keys and certificates for an https registry; empty means the JDK's. */
    Optional<SSLContext> registryTls() {
        Optional<KeyStore> trusted = store(TRUSTSTORE);
        Optional<KeyStore> own = store(KEYSTORE);
        if (trusted.isEmpty() && own.isEmpty()) {
            return Optional.empty();
        }
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted.orElse(null));
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            if (own.isPresent()) {
                keys.init(
                        own.get(),
                        setting(REGISTRY + "ssl.key.password")
                                .or(() -> setting(REGISTRY + KEYSTORE + "password"))
                                .orElse("")
                                .toCharArray());
            }
            context.init(own.isPresent() ? keys.getKeyManagers() : null, trust.getTrustManagers(), null);
            return Optional.of(context);
        } catch (GeneralSecurityException e) {
            throw CommandException.unusableInput(
                    FILE_OPTION + file + ": the registry's keys or certificates can't be used: " + e.getMessage());
        }
    }

    private Optional<KeyStore> store(String prefix) {
        Optional<String> location = setting(REGISTRY + prefix + "location");
        if (location.isEmpty()) {
            return Optional.empty();
        }
        String name = REGISTRY + prefix + "location";
        Path path = Path.of(location.get());
        if (!Files.isReadable(path)) {
            throw problem(name, "a file that can be read, not " + path);
        }
        char[] password =
                setting(REGISTRY + prefix + "password").map(String::toCharArray).orElse(null);
        try (InputStream in = Files.newInputStream(path)) {
            KeyStore store =
                    KeyStore.getInstance(setting(REGISTRY + prefix + "type").orElse(KeyStore.getDefaultType()));
            store.load(in, password);
            return Optional.of(store);
        } catch (IOException | GeneralSecurityException e) {
            throw problem(name, "a key store that its password opens, not " + path);
        }
    }

    private static boolean concernsConnection(String name) {
        boolean common = ConsumerConfig.configNames().contains(name)
                && ProducerConfig.configNames().contains(name)
                && AdminClientConfig.configNames().contains(name);
        return (common && !name.equals(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG)) || providerSetting(name);
    }

    /** {@code config.providers} fetch secrets from elsewhere; each has parameters of its own. */
    private static boolean providerSetting(String name) {
        return name.equals("config.providers") || name.startsWith("config.providers.");
    }

    private Optional<String> setting(String name) {
        return Optional.ofNullable(settings.get(name)).filter(value -> !value.isEmpty());
    }

    private CommandException problem(String name, String expected) {
        return CommandException.unusableInput(FILE_OPTION + file + ": " + name + ": expected " + expected);
    }
}
