package dev.muster.standalone.services;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.service.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What deploy/kubernetes says of settings, ports, images and rights is what the code and the build say. */
class KubernetesManifestsTest {
    private static final Set<String> READ_ONLY = Set.of("get", "list", "watch");

    /** What a binder may write all over the cluster, each with the call that needs it. */
    private static final Set<String> WRITTEN_EVERYWHERE = Set.of(
            "create pods/binding",
            "create pods/eviction",
            "patch pods", // epochs and marks on pods, with their uid and version
            "delete pods", // what must not stay half bound when an eviction is refused for too long
            "patch pods/status", // the condition PodScheduled
            "patch persistentvolumeclaims",
            "patch persistentvolumes",
            "create events",
            "patch podgroups/status.scheduling.volcano.sh");

    @TempDir
    Path directory;

    static Stream<String> services() {
        return Services.all().keySet().stream();
    }

    private static JsonNode one(String file, String kind) {
        List<JsonNode> found = GrantedRights.documents(file).stream()
                .filter(document -> document.path("kind").asText().equals(kind))
                .toList();
        assertThat(found).as(kind + " of " + file).hasSize(1);
        return found.getFirst();
    }

    private static JsonNode podOf(String service) {
        return one(service + ".yaml", "Deployment")
                .path("spec")
                .path("template")
                .path("spec");
    }

    private static JsonNode containerOf(String service) {
        return podOf(service).path("containers").path(0);
    }

    @ParameterizedTest
    @MethodSource("services")
    void settingsAreKnownToTheServiceAndWhatIsNeededIsThere(String service) throws IOException {
        Map<String, String> environment = new TreeMap<>();
        one("config.yaml", "ConfigMap")
                .path("data")
                .properties()
                .forEach(entry ->
                        environment.put(entry.getKey(), entry.getValue().asText()));
        containerOf(service)
                .path("env")
                .forEach(variable -> environment.put(
                        variable.path("name").asText(), variable.path("value").asText()));
        Path nothing = Files.writeString(directory.resolve("nothing.properties"), "");
        assertThat(ServiceProcess.problems(Services.all().get(service), nothing, environment))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("services")
    void probesAskWhereTheServiceAnswers(String service) {
        JsonNode container = containerOf(service);
        assertThat(container.path("ports").path(0).path("containerPort").asInt())
                .isEqualTo(Services.all().get(service).defaultHttpPort());
        assertThat(container.path("livenessProbe").path("httpGet").path("path").asText())
                .isEqualTo("/livez");
        assertThat(container.path("startupProbe").path("httpGet").path("path").asText())
                .isEqualTo("/livez");
        assertThat(container.path("readinessProbe").path("httpGet").path("path").asText())
                .isEqualTo("/readyz");
        JsonNode compose = GrantedRights.documents("../../docker-compose.yml").getFirst();
        assertThat(container.path("image"))
                .isEqualTo(compose.path("services").path(service).path("image"));
    }

    @ParameterizedTest
    @MethodSource("services")
    void aPodGainsNoRightsAndWritesNothingButItsTemporaryDirectory(String service) {
        JsonNode pod = podOf(service);
        assertThat(pod.path("securityContext").path("runAsNonRoot").asBoolean()).isTrue();
        assertThat(pod.path("securityContext")
                        .path("seccompProfile")
                        .path("type")
                        .asText())
                .isEqualTo("RuntimeDefault");
        JsonNode container = containerOf(service);
        JsonNode context = container.path("securityContext");
        assertThat(context.path("readOnlyRootFilesystem").asBoolean()).isTrue();
        assertThat(context.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
        assertThat(context.path("capabilities").path("drop").path(0).asText()).isEqualTo("ALL");
        assertThat(container.path("volumeMounts").findValuesAsText("mountPath")).containsExactly("/tmp");
        assertThat(container.path("resources").path("requests").size()).isEqualTo(2);
        assertThat(container.path("resources").path("limits").has("memory")).isTrue();
    }

    @ParameterizedTest
    @MethodSource("services")
    void onlyWhoReachesACluserHasATokenAndRights(String service) {
        boolean reaches = service.equals("ingest") || service.equals("binder");
        assertThat(podOf(service).path("automountServiceAccountToken").asBoolean())
                .isEqualTo(reaches);
        assertThat(podOf(service).path("serviceAccountName").asText()).isEqualTo("muster-" + service);
        assertThat(GrantedRights.in(service + ".yaml").isEmpty()).isEqualTo(!reaches);
    }

    @Test
    void everyRoleIsGivenToItsServiceAndHasNoWildcards() {
        for (String service : Services.all().keySet()) {
            Set<String> given = new TreeSet<>();
            for (JsonNode document : GrantedRights.documents(service + ".yaml")) {
                if (document.path("kind").asText().endsWith("RoleBinding")) {
                    given.add(document.path("roleRef").path("kind").asText() + " "
                            + document.path("roleRef").path("name").asText());
                    assertThat(document.path("subjects").findValuesAsText("name"))
                            .containsExactly("muster-" + service);
                }
            }
            for (JsonNode document : GrantedRights.documents(service + ".yaml")) {
                String kind = document.path("kind").asText();
                String role =
                        kind + " " + document.path("metadata").path("name").asText();
                if (kind.equals("Role") || kind.equals("ClusterRole") && !role.endsWith("-jobs")) {
                    assertThat(given).contains(role);
                }
            }
            assertThat(GrantedRights.in(service + ".yaml"))
                    .noneMatch(right -> right.contains("*") || right.contains("secrets"));
        }
        JsonNode tenants = one("tenant/rolebinding.yaml", "RoleBinding");
        assertThat(tenants.path("roleRef").path("name").asText()).isEqualTo("muster-binder-jobs");
    }

    @Test
    void whatIsWrittenEverywhereIsLittle() {
        List<String> written = new ArrayList<>();
        for (String service : Services.all().keySet()) {
            Set<String> inNamespaces = new TreeSet<>();
            for (JsonNode document : GrantedRights.documents(service + ".yaml")) {
                boolean everywhere = document.path("kind").asText().equals("ClusterRole")
                        && !document.path("metadata").path("name").asText().endsWith("-jobs");
                (everywhere ? written : inNamespaces).addAll(GrantedRights.of(document));
            }
        }
        written.removeIf(right -> READ_ONLY.contains(right.substring(0, right.indexOf(' '))));
        assertThat(written).containsExactlyInAnyOrderElementsOf(WRITTEN_EVERYWHERE);
    }

    @Test
    void theBaseIsWhatIsThere() throws IOException {
        List<String> resources = new ArrayList<>();
        one("kustomization.yaml", "Kustomization").path("resources").forEach(each -> resources.add(each.asText()));
        Path base = Services.root().resolve("deploy").resolve("kubernetes");
        try (Stream<Path> files = Files.list(base)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(
                            Stream.concat(resources.stream(), Stream.of("kustomization.yaml"))
                                    .toList());
        }
    }
}
