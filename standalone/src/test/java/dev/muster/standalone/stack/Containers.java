package dev.muster.standalone.stack;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.utility.DockerImageName;

/** Whether containers can be started here without fetching anything: a daemon that has no image and no way to one stalls. */
final class Containers {
    private static final Path SOCKET = Path.of("/var/run/docker.sock");

    /** What Testcontainers itself starts, to remove the others when the tests are gone. */
    private static final String REAPER = "testcontainers/ryuk";

    private Containers() {}

    /** Why tests with these images cannot run here; empty where they can. */
    static Optional<String> missing(DockerImageName... images) {
        if (System.getenv("DOCKER_HOST") == null && !Files.exists(SOCKET)) {
            return Optional.of("no Docker daemon is here: DOCKER_HOST is not set and there is no " + SOCKET);
        }
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            return Optional.of("the Docker daemon does not answer");
        }
        List<String> present = DockerClientFactory.instance().client().listImagesCmd().exec().stream()
                .map(image -> image.getRepoTags())
                .filter(tags -> tags != null)
                .flatMap(Arrays::stream)
                .toList();
        List<String> absent = Arrays.stream(images)
                .map(DockerImageName::asCanonicalNameString)
                .filter(image -> !present.contains(image))
                .toList();
        boolean reaped = Boolean.parseBoolean(System.getenv("TESTCONTAINERS_RYUK_DISABLED"))
                || present.stream().anyMatch(tag -> tag.startsWith(REAPER + ":"));
        if (!absent.isEmpty()) {
            return Optional.of("images are not present: docker pull " + String.join(" && docker pull ", absent));
        }
        return reaped
                ? Optional.empty()
                : Optional.of("image " + REAPER + " is not present, and TESTCONTAINERS_RYUK_DISABLED is not true");
    }
}
