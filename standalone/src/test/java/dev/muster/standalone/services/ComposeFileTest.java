package dev.muster.standalone.services;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.muster.service.Service;
import dev.muster.service.ServiceProcess;
import dev.muster.standalone.cli.Environment;
import dev.muster.standalone.cli.Muster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;

/** What docker-compose.yml says of services, images, ports and settings is what the code and the build say. */
class ComposeFileTest {
    private static final Map<String, String> MODULES = Map.of(
            "ingest", "topology-ingest",
            "intake", "topology-ingest",
            "scheduler", "scheduler-streams",
            "binder", "binder",
            "cluster", "standalone");

    private final Path root = Services.root();
    private final JsonNode services = read(root.resolve("docker-compose.yml")).path("services");

    @TempDir
    Path directory;

    static Stream<String> ours() {
        return Services.all().keySet().stream();
    }

    static Stream<String> oursAndTheCluster() {
        return MODULES.keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("ours")
    void settingsAreKnownToTheServiceAndWhatIsNeededIsThere(String name) throws IOException {
        assertThat(ServiceProcess.problems(Services.all().get(name), nothing(), environment(name)))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("ours")
    void aSettingThatTheServiceDoesNotKnowWouldBeNoticed(String name) throws IOException {
        Map<String, String> environment = environment(name);
        environment.put("MUSTER_TOPIC_PREFX", "x");
        environment.put("MUSTER_NOBODY_KNOWS_THIS", "x");
        assertThat(ServiceProcess.problems(Services.all().get(name), nothing(), environment))
                .isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("ours")
    void healthIsPublishedOnLoopbackAndAskedWhereTheServiceServesIt(String name) throws Exception {
        Service<?> service = Services.all().get(name);
        int port = service.defaultHttpPort();
        assertThat(texts(services.path(name).path("ports"))).containsExactly("127.0.0.1:" + port + ":" + port);
        List<String> probe = texts(services.path(name).path("healthcheck").path("test"));
        assertThat(probe).endsWith("http://127.0.0.1:" + port + "/readyz");
        assertThat(pom(name, "execution[id='" + name + "']/configuration/container/ports/port"))
                .isEqualTo(Integer.toString(port));
    }

    @ParameterizedTest
    @MethodSource("oursAndTheCluster")
    void theImageIsTheOneThatTheBuildMakesAndItsMainsExist(String name) throws Exception {
        String image = name.equals("cluster") ? "muster" : name;
        assertThat(services.path(name).path("image").asText())
                .isEqualTo(property("image.prefix") + "/" + image + ":" + version());
        String execution = "execution[id='" + image + "']/configuration/";
        assertThat(pom(name, execution + "to/image")).isEqualTo("${image.prefix}/" + image + ":${project.version}");
        assertThat(hasMain(pom(name, execution + "container/mainClass"))).isTrue();
        List<String> probe = texts(services.path(name).path("healthcheck").path("test"));
        assertThat(probe.subList(0, 4)).containsExactly("CMD", "java", "-cp", "@/app/jib-classpath-file");
        assertThat(hasMain(probe.get(4))).isTrue();
    }

    @ParameterizedTest
    @MethodSource("oursAndTheCluster")
    void nothingIsWrittenButToTheTemporaryDirectoryAndNoRightsAreGained(String name) {
        JsonNode service = services.path(name);
        assertThat(service.path("read_only").asBoolean()).isTrue();
        assertThat(texts(service.path("tmpfs"))).allMatch(mount -> mount.startsWith("/tmp"));
        assertThat(texts(service.path("security_opt"))).contains("no-new-privileges:true");
        assertThat(texts(service.path("cap_drop"))).containsExactly("ALL");
        assertThat(service.has("user")).as("the image's own user is kept").isFalse();
    }

    @Test
    void everyServiceIsCheckedByAnEngineAndHasNoNewPrivileges() {
        services.properties().forEach(service -> {
            assertThat(service.getValue().path("healthcheck").path("test").isArray())
                    .as(service.getKey())
                    .isTrue();
            assertThat(texts(service.getValue().path("security_opt")))
                    .as(service.getKey())
                    .contains("no-new-privileges:true");
            assertThat(texts(service.getValue().path("ports")))
                    .as(service.getKey())
                    .allMatch(port -> port.startsWith("127.0.0.1:"));
        });
    }

    @Test
    void kafkaIsOfTheVersionThatTheClientsAre() throws Exception {
        assertThat(services.path("kafka").path("image").asText())
                .isEqualTo("apache/kafka:" + property("kafka.version"));
        assertThat(services.path("kafka")
                        .path("environment")
                        .path("KAFKA_PROCESS_ROLES")
                        .asText())
                .isEqualTo("broker,controller");
    }

    @Test
    void theCommandOfTheSimulatedClusterIsUnderstood() {
        List<String> command = new ArrayList<>(texts(services.path("cluster").path("command")));
        command.add("--help");
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream sink = new PrintStream(err, true);
        Environment quiet = new Environment(sink, sink, Map.of(), false, false, 100);
        assertThat(Muster.execute(quiet, command.toArray(String[]::new)))
                .as(err.toString())
                .isZero();
    }

    /** As the container sees it, with mounted files where they are on this machine. */
    private Map<String, String> environment(String name) {
        Map<String, String> environment = new TreeMap<>();
        services.path(name)
                .path("environment")
                .properties()
                .forEach(variable -> environment.put(
                        variable.getKey(), mountedFrom(name, variable.getValue().asText())));
        return environment;
    }

    private String mountedFrom(String name, String path) {
        for (String volume : texts(services.path(name).path("volumes"))) {
            String[] parts = volume.split(":");
            if (parts[1].equals(path)) {
                return root.resolve(parts[0]).normalize().toString();
            }
        }
        return path;
    }

    private Path nothing() throws IOException {
        return Files.writeString(directory.resolve("nothing.properties"), "");
    }

    private String pom(String service, String below) throws Exception {
        Document pom = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(root.resolve(MODULES.get(service)).resolve("pom.xml").toFile());
        return XPathFactory.newInstance()
                .newXPath()
                .evaluate("//profile[id='images']//executions/" + below, pom)
                .strip();
    }

    private String property(String name) throws Exception {
        return ofRootPom("/project/properties/" + name);
    }

    private String version() throws Exception {
        return ofRootPom("/project/version");
    }

    private String ofRootPom(String path) throws Exception {
        Document pom = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(root.resolve("pom.xml").toFile());
        return XPathFactory.newInstance().newXPath().evaluate(path, pom).strip();
    }

    /** With what YAML calls merges written out: Jackson does not follow them. */
    private static JsonNode read(Path file) {
        try {
            var settings = new org.yaml.snakeyaml.LoaderOptions();
            Object tree = new org.yaml.snakeyaml.Yaml(settings).load(Files.readString(file));
            return new YAMLMapper().valueToTree(tree);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static boolean hasMain(String name) throws ClassNotFoundException {
        return Arrays.stream(Class.forName(name).getMethods())
                .anyMatch(method -> method.getName().equals("main") && Modifier.isStatic(method.getModifiers()));
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(item -> texts.add(item.asText()));
        return texts;
    }
}
