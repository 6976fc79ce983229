package dev.muster.service;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Secrets that may be said, or lie in a file, as where an orchestrator mounts them. */
final class Secrets {
    static final Key<String> REGISTRY_PASSWORD =
            Key.secret("schema.registry.password", "password for HTTP basic authentication");
    static final Key<Path> REGISTRY_PASSWORD_FILE = Key.optional(
            "schema.registry.password.file", Kind.path(), "a file with the password, as an orchestrator mounts it");

    private Secrets() {}

    static Optional<String> registryPassword(Values values) {
        Optional<String> said = values.find(REGISTRY_PASSWORD);
        Optional<Path> file = values.find(REGISTRY_PASSWORD_FILE);
        if (said.isPresent() && file.isPresent()) {
            values.refuse(
                    REGISTRY_PASSWORD.name() + " and " + REGISTRY_PASSWORD_FILE.name() + ": expected one of the two");
        }
        return said.or(() -> file.flatMap(path -> content(values, path)));
    }

    private static Optional<String> content(Values values, Path file) {
        try {
            return Optional.of(Files.readString(file, StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            values.refuse(REGISTRY_PASSWORD_FILE.name() + ": " + file + " cannot be read");
            return Optional.empty();
        }
    }
}
