package dev.muster.standalone.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.scheduler.streams.SchedulerApp;
import dev.muster.scheduler.streams.SchedulerConfig;
import dev.muster.scheduler.streams.StartRefusedException;
import dev.muster.schemas.journal.JournalEntry;
import dev.muster.schemas.journal.Tick;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.TopicAdmin;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.stack.Connection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DeleteConsumerGroupsOptions;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only a real broker shows: starting positions, rebalances, and a domain that stops while another goes on. */
class SchedulerOnABrokerTest {
    private static final Topics TOPICS = Topics.DEFAULT;
    private static final Domains DOMAINS = Domains.of("good", "bad");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path dataDir;

    private Connection connection;

    @BeforeEach
    void startBroker() {
        connection = Connection.to(dataDir);
        try (Admin admin = Admin.create(connection.kafka())) {
            TopicAdmin.ensure(admin, TOPICS.trusted(DOMAINS), PATIENCE);
        }
    }

    @AfterEach
    void stopBroker() {
        connection.close();
    }

    @Test
    void aDomainWhoseStateCannotBeReadStopsAndTheOtherGoesOn() throws Exception {
        try (SchedulerApp scheduler = started()) {
            work("good", 0);
            work("bad", 0);
            awaitDecisions("good", 1);
            awaitDecisions("bad", 1);
            assertThat(scheduler.haltedDomains()).isEmpty();
        }
        send(SchedulerConfig.defaultApplicationId(Topics.DEFAULT) + "-pods-changelog", "bad", new byte[] {1, 2, 3});

        try (SchedulerApp scheduler = started()) {
            work("bad", 1);
            work("good", 1);
            awaitDecisions("good", 2);

            assertThat(scheduler.haltedDomains()).containsOnlyKeys("bad");
            assertThat(scheduler.isHealthy()).isTrue();
            assertThat(count(TOPICS.decisions(), "bad")).isOne();
        }
    }

    @Test
    void aDomainThatHasAJournalButNoPositionIsRefused() throws Exception {
        try (SchedulerApp scheduler = started()) {
            work("good", 0);
            awaitDecisions("good", 1);
            assertThat(scheduler.isHealthy()).isTrue();
        }
        try (Admin admin = Admin.create(connection.kafka())) {
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() -> admin.deleteConsumerGroups(
                                    Set.of(SchedulerConfig.defaultApplicationId(Topics.DEFAULT)),
                                    new DeleteConsumerGroupsOptions())
                            .all()
                            .get());
        }

        try (SchedulerApp scheduler = scheduler()) {
            assertThatThrownBy(scheduler::start)
                    .isInstanceOf(StartRefusedException.class)
                    .hasMessageContaining("has no position on muster.")
                    .hasMessageContaining("domain good");
        }
    }

    @Test
    void aStateThatWasLostIsMadeAgainFromTheJournal() throws Exception {
        decideOnce();
        loseTheState("good");

        try (SchedulerApp scheduler = started()) {
            work("good", 1);
            awaitDecisions("good", 2);
            assertThat(scheduler.haltedDomains()).isEmpty();
        }
        assertThat(verified("good").good()).isTrue();
    }

    @Test
    void whatIsStillOpenOnTheJournalAtTheStartIsWaitedFor() throws Exception {
        decideOnce();
        // As a transaction of an earlier life whose end is under way: it becomes visible when the state is restored.
        JournalEntry next =
                new JournalEntry("good", journaled("good"), System.currentTimeMillis(), "", -1L, new Tick("marked"));
        try (KafkaProducer<String, byte[]> earlierLife = transactional();
                SchedulerApp scheduler = scheduler()) {
            earlierLife.beginTransaction();
            byte[] value = new AvroSerde<>(connection.registry(), JournalEntry.class)
                    .serializer()
                    .serialize(TOPICS.journal(), next);
            earlierLife.send(new ProducerRecord<>(TOPICS.journal(), DOMAINS.partitionOf("good"), "good", value));
            earlierLife.flush();
            scheduler.start();
            work("good", 1);
            work("bad", 0);
            assertThat(scheduler.awaitRunning(Duration.ofSeconds(2))).isFalse();
            earlierLife.commitTransaction();

            awaitDecisions("good", 2);
        }
        assertThat(verified("good").good()).isTrue();
    }

    @Test
    void aJournalThatWasMadeAnewStopsItsDomain() throws Exception {
        decideOnce();
        loseThePins("good");
        makeAnew(TOPICS.journal());

        try (SchedulerApp scheduler = started()) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(scheduler.haltedDomains().get("good"))
                            .contains("the journal was cut or made anew"));
        }
    }

    @Test
    void anInputThatWasMadeAnewStopsItsDomain() throws Exception {
        decideOnce();
        makeAnew(TOPICS.nodes());
        try (SchedulerApp scheduler = scheduler()) {
            assertThatThrownBy(scheduler::start)
                    .isInstanceOf(StartRefusedException.class)
                    .hasMessageContaining("has no position on muster.nodes");
        }
        positionAtBeginning(TOPICS.nodes());

        try (SchedulerApp scheduler = started()) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(scheduler.haltedDomains().get("good"))
                            .contains("topic muster.nodes is not the one that the state was made of"));
        }
    }

    private static int finalizedTransactionVersion(Admin admin) throws Exception {
        return admin.describeFeatures()
                .featureMetadata()
                .get()
                .finalizedFeatures()
                .get("transaction.version")
                .maxVersionLevel();
    }

    @Test
    void brokersBelowTransactionVersion2AreRefused() throws Exception {
        try (Admin admin = Admin.create(connection.kafka())) {
            admin.updateFeatures(
                            Map.of("transaction.version", new FeatureUpdate((short) 1, UpgradeType.SAFE_DOWNGRADE)),
                            new UpdateFeaturesOptions())
                    .all()
                    .get();
            // The controller has it; the broker that is asked hears of it a moment later.
            await().atMost(PATIENCE).until(() -> finalizedTransactionVersion(admin) == 1);
        }
        try (SchedulerApp scheduler = scheduler()) {
            assertThatThrownBy(scheduler::start)
                    .isInstanceOf(StartRefusedException.class)
                    .hasMessageContaining("finalized transaction.version is 1, 2 is needed");
        }
        assertThat(journaled("good")).isZero();
    }

    /** A scheduler that starts, decides and stops. */
    private void decideOnce() throws InterruptedException {
        try (SchedulerApp scheduler = started()) {
            work("good", 0);
            awaitDecisions("good", 1);
            assertThat(scheduler.haltedDomains()).isEmpty();
        }
    }

    /** All that its changelogs say is gone. */
    private void loseTheState(String domain) throws Exception {
        deleteRecords(domain, topic -> topic.endsWith("-changelog"));
    }

    private void loseThePins(String domain) throws Exception {
        deleteRecords(domain, topic -> topic.endsWith("-topics-changelog"));
    }

    private void deleteRecords(String domain, Predicate<String> which) throws Exception {
        try (Admin admin = Admin.create(connection.kafka())) {
            // Compacted topics let nobody delete records.
            for (String topic : admin.listTopics().names().get()) {
                if (which.test(topic)) {
                    var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
                    var delete =
                            new AlterConfigOp(new ConfigEntry("cleanup.policy", "delete"), AlterConfigOp.OpType.SET);
                    admin.incrementalAlterConfigs(Map.of(resource, List.of(delete)))
                            .all()
                            .get();
                    TopicPartition partition = new TopicPartition(topic, DOMAINS.partitionOf(domain));
                    // Until the setting has come to the partition its records may not be deleted.
                    await().atMost(PATIENCE)
                            .ignoreExceptions()
                            .untilAsserted(
                                    () -> admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(-1)))
                                            .all()
                                            .get());
                }
            }
        }
    }

    /** What an operator does who does not know that the topic is another one. */
    private void positionAtBeginning(String topic) {
        TopicPartition partition = new TopicPartition(topic, DOMAINS.partitionOf("good"));
        TopicPartition other = new TopicPartition(topic, DOMAINS.partitionOf("bad"));
        OffsetAndMetadata beginning = new OffsetAndMetadata(0);
        try (Admin admin = Admin.create(connection.kafka())) {
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() -> admin.alterConsumerGroupOffsets(
                                    SchedulerConfig.defaultApplicationId(TOPICS),
                                    Map.of(partition, beginning, other, beginning))
                            .all()
                            .get());
        }
    }

    private void makeAnew(String topic) throws Exception {
        try (Admin admin = Admin.create(connection.kafka())) {
            admin.deleteTopics(List.of(topic)).all().get();
            await().atMost(PATIENCE)
                    .until(() -> !admin.listTopics().names().get().contains(topic));
            TopicAdmin.ensure(admin, TOPICS.trusted(DOMAINS), PATIENCE);
        }
    }

    private KafkaProducer<String, byte[]> transactional() {
        Map<String, Object> config = new HashMap<>(connection.kafka());
        config.put("transactional.id", "earlier-life");
        KafkaProducer<String, byte[]> producer =
                new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer());
        producer.initTransactions();
        return producer;
    }

    private ReplayReport verified(String domain) {
        return new ReplayVerifier(connection.kafka(), connection.registry(), TOPICS, DOMAINS, domain).verify();
    }

    private long journaled(String domain) {
        return count(TOPICS.journal(), domain);
    }

    private SchedulerApp scheduler() {
        return new SchedulerApp(
                SchedulerConfig.of(connection.kafka(), TOPICS, DOMAINS, "test", dataDir.resolve("streams")),
                connection.registry(),
                new SimpleMeterRegistry());
    }

    private SchedulerApp started() throws InterruptedException {
        SchedulerApp scheduler = scheduler();
        scheduler.start();
        assertThat(scheduler.awaitRunning(PATIENCE)).isTrue();
        return scheduler;
    }

    private void work(String domain, int gang) {
        ClusterNews news = new ClusterNews(domain);
        if (gang == 0) {
            send(domain, news.nodes(2));
        }
        send(domain, news.gangs(gang, gang + 1));
    }

    private void send(String domain, List<ClusterNews.Item> items) {
        for (ClusterNews.Item item : items) {
            String topic = item.topic(TOPICS);
            send(topic, domain, item.encode(connection.registry(), topic));
        }
    }

    private void send(String topic, String domain, byte[] value) {
        try (KafkaProducer<String, byte[]> producer = new KafkaProducer<>(
                new HashMap<>(connection.kafka()), new StringSerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(topic, DOMAINS.partitionOf(domain), "key", value));
        }
    }

    private void awaitDecisions(String domain, int expected) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(count(TOPICS.decisions(), domain)).isEqualTo(expected));
    }

    private int count(String topic, String domain) {
        int count = 0;
        TopicPartition partition = new TopicPartition(topic, DOMAINS.partitionOf(domain));
        try (PartitionReader reader = new PartitionReader(connection.kafka(), partition)) {
            while (reader.next().isPresent()) {
                count++;
            }
        }
        return count;
    }
}
