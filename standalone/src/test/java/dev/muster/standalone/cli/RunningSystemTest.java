package dev.muster.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.muster.schemas.common.Change;
import dev.muster.schemas.common.Origin;
import dev.muster.schemas.common.PodRequirement;
import dev.muster.schemas.common.Quantity;
import dev.muster.schemas.decision.Decision;
import dev.muster.schemas.decision.Outcome;
import dev.muster.schemas.decision.OutcomeStatus;
import dev.muster.schemas.decision.PlaceGang;
import dev.muster.schemas.decision.Reason;
import dev.muster.schemas.decision.WorkloadState;
import dev.muster.schemas.decision.WorkloadStatus;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.event.NodeSpec;
import dev.muster.schemas.event.PodEvent;
import dev.muster.schemas.event.PodSpec;
import dev.muster.schemas.event.PolicyEvent;
import dev.muster.schemas.event.QueueSpec;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.EmbeddedRegistry;
import dev.muster.schemas.serde.RegistryClient;
import dev.muster.schemas.serde.RegistryConfig;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.TopicAdmin;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.broker.SecuredBroker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on a Kafka and a registry somewhere, known by their addresses: plain, with passwords, with TLS, and not at all. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RunningSystemTest {
    private static final Topics TOPICS = Topics.DEFAULT;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long MINUTE = 60_000;

    private final long now = System.currentTimeMillis();
    private SecuredBroker broker;
    private EmbeddedRegistry registry;
    private Path directory;

    @BeforeAll
    void aSystemThatHasBeenRunning(@TempDir Path temporary) throws Exception {
        AvroSerde.trustGeneratedClasses();
        directory = temporary;
        broker = SecuredBroker.start(temporary);
        Map<String, Object> kafka = Map.of("bootstrap.servers", broker.plainServers());
        registry = EmbeddedRegistry.start(0, kafka, "_schemas");
        try (Admin admin = Admin.create(kafka)) {
            TopicAdmin.ensure(admin, TOPICS.trusted(Domains.of("default")), Duration.ofSeconds(60));
        }
        try (RegistryClient client = new RegistryClient(RegistryConfig.of(registry.uri()));
                KafkaProducer<String, byte[]> producer =
                        new KafkaProducer<>(kafka, new StringSerializer(), new ByteArraySerializer())) {
            Writer to = new Writer(client, producer);
            to.write(TOPICS.nodes(), "left", node("left-behind", 1, 64));
            to.write(TOPICS.nodes(), "a", node("a", 2, 8));
            to.write(TOPICS.nodes(), "b", node("b", 2, 4));
            to.write(TOPICS.nodes(), "Nodes", new NodeEvent(listed(2), null));
            to.write(TOPICS.pods(), "old", pod("old", "a", 1, 4));
            to.write(TOPICS.pods(), "p", pod("p", "a", 2, 3));
            to.write(TOPICS.pods(), "Pods", new PodEvent(listed(2), null));
            to.write(TOPICS.policies(), "q", queue("research", false, 6));
            to.write(
                    TOPICS.workloadStatus(),
                    "w1",
                    status("train", "research", WorkloadState.WAITING, 8, 0, 0, 30 * 60 * MINUTE));
            to.write(TOPICS.workloadStatus(), "w2", status("eval", "research", WorkloadState.RUNNING, 2, 2, 2_500, 40));
            to.write(
                    TOPICS.workloadStatus(), "w3", status("done", "default", WorkloadState.COMPLETED, 3, 0, 0, MINUTE));
            to.write(TOPICS.decisions(), "default", placement("default:7:0", "eval"));
            to.write(TOPICS.outcomes(), "default", bound("default:7:0", "eval"));
            producer.send(new ProducerRecord<>(TOPICS.nodes(), "garbage", new byte[] {7, 7, 7, 7, 7, 7}));
            producer.flush();
        }
    }

    @AfterAll
    void stopEverything() {
        registry.close();
        broker.close();
    }

    @Test
    void queuesShowWhatWaitsWhatRunsAndTheGpus() throws IOException {
        assertThat(plain("queues").out()).isEqualTo("""
                NAME       KIND    PARENT   STATE       WAITING   RUNNING   GPUS   NOMINAL   BORROWED   LENT   CAPABILITY   OLDEST
                default    -       -        Undefined   0         0         0      -         -          -      -            -
                research   Queue   -        Closed      1         1         2.5    0         0          0      6            30h
                """);
        JsonNode research = JSON.readTree(plain("queues", "-o", "json").out()).at("/items/1");
        assertThat(research.at("/gpus/used").decimalValue()).isEqualByComparingTo("2.5");
        assertThat(research.at("/pods/waiting").asInt()).isEqualTo(8);
    }

    @Test
    void topIsOneTableInAPipe() throws IOException {
        CommandRun top = plain("top");
        assertThat(top.exitCode()).isZero();
        assertThat(top.out())
                .doesNotContain("\u001b")
                .contains("1 running, 1 waiting")
                .contains("(1 in 60s)")
                .containsPattern("to placed +p50 20 ms, p99 20 ms \\(1\\)")
                .containsPattern("to bound +p50 120 ms, p99 120 ms \\(1\\)")
                .containsPattern("east +2 +2 +12 +3 +25% +1\n")
                .containsPattern("research +train +research +8 +30h +NotEnoughRoom +no room\n");
        JsonNode json = JSON.readTree(plain("top", "--once", "-o", "json").out());
        assertThat(json.at("/longestWaiting/0/name").asText()).isEqualTo("train");
        assertThat(json.at("/clusters/0/gpus/total").asInt()).isEqualTo(12);
    }

    @Test
    void nodesThatALaterListDidNotShowAreGoneAndBytesThatAreNoRecordAreSaid() {
        CommandRun nodes = plain("nodes");
        assertThat(nodes.exitCode()).isZero();
        assertThat(nodes.out().lines().skip(1)).hasSize(2);
        assertThat(nodes.out())
                .containsPattern("a +east +Ready +- +8 +3 +1 +-\n")
                .doesNotContain("left-behind");
        assertThat(nodes.err())
                .hasLineCount(1)
                .contains(
                        "a record could not be decoded and is left out", "muster.nodes-0 offset 4", "first byte is 7");
    }

    @Test
    void jobsAreSelectedByTheirFieldsAndWhatEndedIsNotShownAsUnbound() {
        assertThat(plain("jobs", "-l", "state=completed", "--no-headers").out())
                .containsPattern("research +done +PodGroup +default +-/3 +Completed");
        assertThat(plain("jobs", "-l", "queue=research,state!=waiting", "-o", "name")
                        .out())
                .isEqualTo("research/eval\n");
        assertThat(plain("jobs", "-l", "app=train").err())
                .isEqualTo("muster: -l app: no such field; expected one of cluster, kind, name, namespace, queue,"
                        + " reason, state, tenant\n");
    }

    @Test
    void theEnvironmentSaysWhereAndAnOptionBeatsIt() {
        Map<String, String> variables = Map.of(
                ConnectionOptions.BOOTSTRAP_SERVERS,
                broker.plainServers(),
                ConnectionOptions.SCHEMA_REGISTRY,
                registry.uri().toString());
        assertThat(CommandRun.with(variables, "jobs", "-o", "name").out()).contains("research/train");
        assertThat(CommandRun.with(
                                variables,
                                "jobs",
                                "--data-dir",
                                directory.resolve("none").toString())
                        .err())
                .contains("holds no topics");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SASL_PLAINTEXT", "SASL_SSL"})
    void aClientPropertiesFileCarriesPasswordAndTls(String protocol) throws IOException {
        String servers = protocol.equals("SASL_SSL") ? broker.tlsServers() : broker.saslServers();
        Path file = config(broker.clientProperties(protocol, SecuredBroker.PASSWORD) + "schema.registry.url="
                + registry.uri() + "\n");

        CommandRun jobs = CommandRun.of("jobs", "--bootstrap-servers", servers, "--command-config", file.toString());

        assertThat(jobs.err()).isEmpty();
        assertThat(jobs.out()).contains("train").contains("eval");
    }

    @Test
    void aWrongPasswordIsOneLine() throws IOException {
        Path file = config(broker.clientProperties("SASL_SSL", "wrong"));
        assertUnreachable(
                at(broker.tlsServers(), "jobs", "--command-config", file.toString()),
                "Kafka refuses us: Authentication failed: Invalid username or password");
    }

    @Test
    void aCertificateThatNobodyTrustsIsOneLine() throws IOException {
        Path file = config("security.protocol=SSL\n");
        assertUnreachable(
                at(broker.tlsServers(), "jobs", "--command-config", file.toString()),
                "no TLS connection",
                "unable to find valid certification path");
    }

    @Test
    void aClientWithTlsSaysThatTheServerHasNone() {
        assertProbe(broker.plainServers(), "SSL", "it does not speak TLS, and security.protocol is SSL");
    }

    @Test
    void aPlainClientSaysWhatTheServerWants() {
        assertProbe(broker.tlsServers(), "PLAINTEXT", "it speaks TLS, and security.protocol is PLAINTEXT");
        assertProbe(broker.saslServers(), "PLAINTEXT", "answers nobody who has not signed in");
    }

    @Test
    void somebodyWhoIsNotKafkaIsSaidToBeSo() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread hangingUp = Thread.startVirtualThread(() -> {
                try {
                    while (true) {
                        silent.accept().close();
                    }
                } catch (IOException e) {
                    // The test is over.
                }
            });
            assertProbe("127.0.0.1:" + silent.getLocalPort(), "PLAINTEXT", "gave no answer of Kafka");
            assertThat(hangingUp.isAlive()).isTrue();
        }
    }

    @Test
    void aServerThatIsDownIsOneLine() throws IOException {
        assertUnreachable(at("127.0.0.1:" + closedPort(), "replay", "--verify"), "connection refused");
        assertUnreachable(at("no-such-host.invalid:9092", "top"), "unknown host no-such-host.invalid");
    }

    @Test
    void aRegistryThatIsDownOrNoneIsOneLine() throws IOException {
        assertUnreachable(
                CommandRun.of(
                        "jobs",
                        "--bootstrap-servers",
                        broker.plainServers(),
                        "--schema-registry",
                        "http://127.0.0.1:" + closedPort()),
                "the schema registry at http://127.0.0.1",
                "connection refused");
        HttpServer web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        web.createContext("/", exchange -> {
            byte[] body = "<html>not found</html>".getBytes();
            exchange.sendResponseHeaders(404, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        web.start();
        try {
            assertUnreachable(
                    CommandRun.of(
                            "jobs",
                            "--bootstrap-servers",
                            broker.plainServers(),
                            "--schema-registry",
                            "http://127.0.0.1:" + web.getAddress().getPort()),
                    "is this the address of a schema registry?");
        } finally {
            web.stop(0);
        }
    }

    @Test
    void aKafkaWithoutMustersTopicsIsSaidToBeSo() {
        for (String command : List.of("jobs", "nodes", "queues", "top", "replay")) {
            assertUnreachable(plain(command, "--topic-prefix", "other."), "has no topic other.");
        }
        assertUnreachable(plain("cancel", "train", "--tenant", "nobody"), "has no topic muster.jobs.nobody");
        assertUnreachable(
                plain("replay", "--domain", "b", "--domains", "a,b"),
                "has no topic muster.journal with a partition 1; it has 1");
    }

    @Test
    void aTopicWithTheWrongNumberOfPartitionsIsNamedBeforeAnythingStarts() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.plainServers()))) {
            admin.createTopics(List.of(new NewTopic(TOPICS.jobs("default"), 3, (short) 1)))
                    .all()
                    .get();
        }
        Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), BadInputTableTest.KUBECONFIG);
        CommandRun run = plain(
                "run",
                "--kubeconfig",
                "a=" + kubeconfig,
                "--data-dir",
                directory.resolve("run").toString());
        assertThat(run.err())
                .hasLineCount(1)
                .contains("topic muster.jobs.default has 3 partitions, expected 1")
                .doesNotContain("Exception");
        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
    }

    @Test
    void readingMakesNoGroupAndNoTopic() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.plainServers()))) {
            var topics = admin.listTopics().names().get();
            for (String command : List.of("jobs", "nodes", "queues", "top", "replay")) {
                plain(command);
            }
            assertThat(admin.listTopics().names().get()).isEqualTo(topics);
            assertThat(admin.listGroups().all().get()).isEmpty();
        }
    }

    private CommandRun plain(String... args) {
        return at(broker.plainServers(), args);
    }

    private CommandRun at(String servers, String... args) {
        String[] all = new String[args.length + 4];
        System.arraycopy(args, 0, all, 0, args.length);
        List<String> where = List.of(
                "--bootstrap-servers",
                servers,
                "--schema-registry",
                registry.uri().toString());
        for (int i = 0; i < where.size(); i++) {
            all[args.length + i] = where.get(i);
        }
        return CommandRun.of(all);
    }

    private static void assertUnreachable(CommandRun run, String... says) {
        assertThat(run.err())
                .hasLineCount(1)
                .startsWith("muster: ")
                .contains(says)
                .doesNotContain("Exception");
        assertThat(run.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(run.out()).isEmpty();
    }

    private static void assertProbe(String servers, String protocol, String says) {
        Map<String, Object> kafka = Map.of("bootstrap.servers", servers, "security.protocol", protocol);
        assertThatThrownBy(() -> KafkaProbe.check(kafka, Duration.ofSeconds(1)))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining(says);
    }

    private Path config(String text) throws IOException {
        return Files.writeString(Files.createTempFile(directory, "client", ".properties"), text);
    }

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private record Writer(RegistryClient registry, KafkaProducer<String, byte[]> producer) {
        <T extends SpecificRecord> void write(String topic, String key, T record) {
            @SuppressWarnings("unchecked")
            Class<T> type = (Class<T>) record.getClass();
            try (AvroSerde<T> serde = new AvroSerde<>(registry, type)) {
                producer.send(
                        new ProducerRecord<>(topic, key, serde.serializer().serialize(topic, record)));
            }
        }
    }

    private static Origin origin(Change change, String name, long epoch) {
        return new Origin("default", "east", epoch, change, "", name, name, 1L);
    }

    private static Origin listed(long epoch) {
        return origin(Change.RESYNC_END, "", epoch);
    }

    private static NodeEvent node(String name, long epoch, long gpus) {
        NodeSpec spec = NodeSpec.newBuilder()
                .setAllocatable(List.of(new Quantity("nvidia.com/gpu", gpus)))
                .build();
        return new NodeEvent(origin(Change.UPSERT, name, epoch), spec);
    }

    private static PodEvent pod(String name, String node, long epoch, long gpus) {
        PodSpec spec = PodSpec.newBuilder()
                .setSchedulerName("muster")
                .setOurs(true)
                .setPhase("Running")
                .setNode(node)
                .setRequirement(PodRequirement.newBuilder()
                        .setRequests(List.of(new Quantity("nvidia.com/gpu", gpus)))
                        .build())
                .build();
        return new PodEvent(origin(Change.UPSERT, name, epoch), spec);
    }

    private static PolicyEvent queue(String name, boolean open, long gpus) {
        QueueSpec spec = QueueSpec.newBuilder()
                .setOpen(open)
                .setCapability(List.of(new Quantity("nvidia.com/gpu", gpus)))
                .build();
        return new PolicyEvent(origin(Change.UPSERT, name, 1), "VolcanoQueue", spec);
    }

    private WorkloadStatus status(
            String name, String queue, WorkloadState state, int pods, int bound, long gpuMilli, long ageMillis) {
        boolean waits = state == WorkloadState.WAITING;
        return WorkloadStatus.newBuilder()
                .setDomain("default")
                .setWorkload("east/research/PodGroup/" + name)
                .setKind("PodGroup")
                .setCluster("east")
                .setNamespace("research")
                .setName(name)
                .setObject(name)
                .setQueue(queue)
                .setPriority(0)
                .setState(state)
                .setReason(new Reason(waits ? "NotEnoughRoom" : "", waits ? "no room" : "", List.of()))
                .setMinMember(pods)
                .setPods(pods)
                .setBound(bound)
                .setGpuMilli(gpuMilli)
                .setAttempt(1)
                .setArrivedMillis(now - ageMillis)
                .setSinceMillis(now - ageMillis)
                .build();
    }

    private Decision placement(String id, String workload) {
        PlaceGang place =
                new PlaceGang("east", "research", true, false, List.of(), List.of(), now, List.of(), List.of());
        return new Decision(id, "default", 7L, 0, now - 20, "east/research/PodGroup/" + workload, 1L, place);
    }

    private Outcome bound(String id, String workload) {
        return Outcome.newBuilder()
                .setDomain("default")
                .setCluster("east")
                .setDecisionId(id)
                .setWorkload("east/research/PodGroup/" + workload)
                .setStatus(OutcomeStatus.BOUND)
                .setMembers(List.of())
                .setTimeMillis(now + 100)
                .build();
    }
}
