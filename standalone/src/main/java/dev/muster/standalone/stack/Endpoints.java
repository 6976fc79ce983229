package dev.muster.standalone.stack;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;

/**
 * Where Kafka and the schema registry can be reached. A process that runs them on a data directory notes it there, so that
 * other commands on that directory find it.
 */
public record Endpoints(String bootstrapServers, URI schemaRegistry) {
    private static final String FILE = "endpoints.properties";

    /** Notes them in the data directory. */
    void write(Path dataDir) {
        Properties properties = new Properties();
        properties.setProperty("bootstrap.servers", bootstrapServers);
        properties.setProperty("schema.registry", schemaRegistry.toString());
        try (Writer out = Files.newBufferedWriter(dataDir.resolve(FILE), StandardCharsets.UTF_8)) {
            properties.store(out, "of the muster process that runs on this directory");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is noted in the data directory; may be left over from a process that died. */
    static Optional<Endpoints> read(Path dataDir) {
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(dataDir.resolve(FILE), StandardCharsets.UTF_8)) {
            properties.load(in);
        } catch (IOException e) {
            return Optional.empty();
        }
        String servers = properties.getProperty("bootstrap.servers");
        String registry = properties.getProperty("schema.registry");
        return servers == null || registry == null
                ? Optional.empty()
                : Optional.of(new Endpoints(servers, URI.create(registry)));
    }

    static void forget(Path dataDir) {
        try {
            Files.deleteIfExists(dataDir.resolve(FILE));
        } catch (IOException e) {
            // A later reader finds that nobody answers there.
        }
    }
}
