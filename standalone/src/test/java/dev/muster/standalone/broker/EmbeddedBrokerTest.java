package dev.muster.standalone.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.TopicAdmin;
import dev.muster.schemas.topic.TopicMismatchException;
import dev.muster.schemas.topic.TopicSpec;
import dev.muster.schemas.topic.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBrokerTest {
    private static final String TOPIC = Topics.DEFAULT.decisions();
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @TempDir
    Path dataDir;

    @Test
    void whatWasCommittedIsThereAfterAReopenAndWhatWasAbortedIsNot() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(dataDir, 0)) {
            try (Admin admin = admin(broker)) {
                TopicAdmin.ensure(admin, Topics.DEFAULT.trusted(Domains.of("default")), TIMEOUT);
            }
            transact(broker, "aborted", false);
            transact(broker, "committed", true);
            assertThat(EmbeddedBroker.holdsData(dataDir)).isTrue();
        }
        long begin = System.nanoTime();
        try (EmbeddedBroker broker = EmbeddedBroker.start(dataDir, 0)) {
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .as("a clean stop leaves nothing to wait for")
                    .isLessThan(Duration.ofSeconds(20));
            assertThat(committed(broker, 1)).containsExactly("committed");
            transact(broker, "afterwards", true);
            assertThat(committed(broker, 2)).containsExactly("committed", "afterwards");
        }
    }

    @Test
    void aDirectoryInUseIsRefusedWithOneLine() {
        try (EmbeddedBroker broker = EmbeddedBroker.start(dataDir, 0)) {
            assertThat(broker.dataDir()).isEqualTo(dataDir);
            assertThatThrownBy(() -> EmbeddedBroker.start(dataDir, 0).close())
                    .isInstanceOf(BrokerStartException.class)
                    .hasMessageContaining(dataDir.toString())
                    .message()
                    .doesNotContain("\n");
        }
    }

    @Test
    void topicsThatDifferAreNamedWithTheDifference() {
        List<TopicSpec> wanted = Topics.DEFAULT.trusted(Domains.of("a", "b"));
        try (EmbeddedBroker broker = EmbeddedBroker.start(dataDir, 0);
                Admin admin = admin(broker)) {
            TopicAdmin.ensure(admin, Topics.DEFAULT.trusted(Domains.of("a")), TIMEOUT);
            TopicAdmin.ensure(admin, Topics.DEFAULT.trusted(Domains.of("a")), TIMEOUT);
            assertThatThrownBy(() -> TopicAdmin.ensure(admin, wanted, TIMEOUT))
                    .isInstanceOf(TopicMismatchException.class)
                    .satisfies(e -> assertThat(((TopicMismatchException) e).differences())
                            .hasSize(wanted.size())
                            .anyMatch(difference -> difference.contains(TOPIC)));
        }
    }

    private static void transact(EmbeddedBroker broker, String value, boolean commit) {
        Map<String, Object> config =
                Map.of("bootstrap.servers", broker.bootstrapServers(), "transactional.id", "test", "acks", "all");
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(TOPIC, 0, "default", value));
            producer.flush();
            if (commit) {
                producer.commitTransaction();
            } else {
                producer.abortTransaction();
            }
        }
    }

    private static List<String> committed(EmbeddedBroker broker, int count) {
        Map<String, Object> config =
                Map.of("bootstrap.servers", broker.bootstrapServers(), "isolation.level", "read_committed");
        List<String> values = new ArrayList<>();
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            Set<TopicPartition> partition = Set.of(new TopicPartition(TOPIC, 0));
            consumer.assign(partition);
            consumer.seekToBeginning(partition);
            await().atMost(Duration.ofSeconds(20)).until(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(r -> values.add(r.value()));
                return values.size() >= count;
            });
        }
        return values;
    }

    private static Admin admin(EmbeddedBroker broker) {
        return Admin.create(Map.<String, Object>of("bootstrap.servers", broker.bootstrapServers()));
    }
}
