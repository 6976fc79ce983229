package dev.muster.ingest.intake;

import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.LocalRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Logs and committed offsets in memory, seen through Kafka's own mock clients: what a transaction sent is in the logs
 * when it is committed, together with its offsets, and nowhere when it is not.
 */
final class FakeKafka implements IntakeClients {

    final LocalRegistry registry = new LocalRegistry();
    private final Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> logs = new ConcurrentHashMap<>();
    private final Map<TopicPartition, OffsetAndMetadata> committed = new ConcurrentHashMap<>();
    private final Map<String, Integer> partitionsByTopic = new TreeMap<>();
    private final List<LogConsumer> consumers = new ArrayList<>();

    /** Thrown by the commits that follow, one each. */
    final List<RuntimeException> commitFailures = new CopyOnWriteArrayList<>();

    /** Thrown by polls of a tenant's consumer while it is there. */
    final Map<String, KafkaException> pollFailures = new HashMap<>();

    /** Offsets that exhaust the memory of who reads them. */
    final Map<TopicPartition, Set<Long>> bombs = new HashMap<>();

    int bombsRead;

    int batchRecords = 100;

    /** Runs before each commit. */
    volatile Runnable beforeCommit = () -> {};

    private volatile CountDownLatch polls = new CountDownLatch(0);

    FakeKafka topic(String name, int partitions) {
        partitionsByTopic.put(name, partitions);
        return this;
    }

    long append(String topic, int partition, byte[] key, byte[] value) {
        TopicPartition at = new TopicPartition(topic, partition);
        List<ConsumerRecord<byte[], byte[]>> log = logs.computeIfAbsent(at, none -> new ArrayList<>());
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>(topic, partition, log.size(), key, value);
        log.add(record);
        consumers.forEach(consumer -> consumer.offer(record));
        return record.offset();
    }

    <T extends SpecificRecord> byte[] encode(String topic, T record, Class<T> type) {
        return new AvroSerde<>(registry, type).serializer().serialize(topic, record);
    }

    <T extends SpecificRecord> List<T> read(String topic, Class<T> type) {
        var deserializer = new AvroSerde<>(registry, type).deserializer();
        return records(topic).stream()
                .map(record -> deserializer.deserialize(topic, record.value()))
                .toList();
    }

    List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        for (int partition = 0; partition < partitionsByTopic.getOrDefault(topic, 1); partition++) {
            all.addAll(logs.getOrDefault(new TopicPartition(topic, partition), List.of()));
        }
        return all;
    }

    long committedOffset(String topic, int partition) {
        OffsetAndMetadata offset = committed.get(new TopicPartition(topic, partition));
        return offset == null ? 0 : offset.offset();
    }

    void blockPolls() {
        polls = new CountDownLatch(1);
    }

    void releasePolls() {
        polls.countDown();
    }

    @Override
    public Producer<String, byte[]> producer() {
        return new LogProducer();
    }

    @Override
    public Consumer<byte[], byte[]> tenantConsumer(String tenant, int maxRecords) {
        return new LogConsumer(tenant, Math.min(maxRecords, batchRecords));
    }

    @Override
    public Consumer<byte[], byte[]> trustedConsumer(String purpose) {
        return new LogConsumer("", batchRecords);
    }

    private List<PartitionInfo> partitionInfos(String topic) {
        List<PartitionInfo> infos = new ArrayList<>();
        for (int partition = 0; partition < partitionsByTopic.getOrDefault(topic, 0); partition++) {
            infos.add(new PartitionInfo(topic, partition, Node.noNode(), new Node[0], new Node[0]));
        }
        return infos;
    }

    private Cluster cluster() {
        List<PartitionInfo> infos = new ArrayList<>();
        partitionsByTopic.keySet().forEach(topic -> infos.addAll(partitionInfos(topic)));
        return new Cluster("fake", List.of(), infos, Set.of(), Set.of());
    }

    private final class LogProducer extends MockProducer<String, byte[]> {

        LogProducer() {
            super(cluster(), true, null, new StringSerializer(), new ByteArraySerializer());
        }

        @Override
        public void commitTransaction() {
            beforeCommit.run();
            RuntimeException failure = commitFailures.isEmpty() ? null : commitFailures.removeFirst();
            if (failure != null) {
                throw failure;
            }
            int before = history().size();
            super.commitTransaction();
            List<ProducerRecord<String, byte[]>> sent = history();
            for (ProducerRecord<String, byte[]> record : sent.subList(before, sent.size())) {
                int partition = record.partition() == null ? 0 : record.partition();
                append(record.topic(), partition, record.key().getBytes(StandardCharsets.UTF_8), record.value());
            }
            consumerGroupOffsetsHistory().getLast().values().forEach(committed::putAll);
        }
    }

    private final class LogConsumer extends MockConsumer<byte[], byte[]> {

        private final String tenant;
        private final Map<TopicPartition, Long> polled = new HashMap<>();

        private final int maxRecords;

        LogConsumer(String tenant, int maxRecords) {
            super("earliest");
            this.tenant = tenant;
            this.maxRecords = maxRecords;
            setMaxPollRecords(maxRecords);
            partitionsByTopic.keySet().forEach(topic -> updatePartitions(topic, partitionInfos(topic)));
            consumers.add(this);
        }

        void offer(ConsumerRecord<byte[], byte[]> record) {
            if (!closed() && assignment().contains(new TopicPartition(record.topic(), record.partition()))) {
                addRecord(record);
            }
        }

        @Override
        public synchronized void assign(Collection<TopicPartition> partitions) {
            super.assign(partitions);
            for (TopicPartition partition : partitions) {
                List<ConsumerRecord<byte[], byte[]>> log = logs.getOrDefault(partition, List.of());
                updateBeginningOffsets(Map.of(partition, 0L));
                updateEndOffsets(Map.of(partition, (long) log.size()));
                log.forEach(this::addRecord);
                if (committed.containsKey(partition)) {
                    seek(partition, committed.get(partition).offset());
                }
            }
        }

        @Override
        public synchronized Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
            Map<TopicPartition, OffsetAndMetadata> found = new HashMap<>();
            partitions.forEach(partition -> found.put(partition, committed.get(partition)));
            return found;
        }

        @Override
        public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            try {
                polls.await();
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
            KafkaException failure = pollFailures.get(tenant);
            if (failure != null) {
                throw failure;
            }
            for (TopicPartition partition : assignment()) {
                long position = position(partition);
                for (long bomb : bombs.getOrDefault(partition, Set.of())) {
                    if (bomb >= position && bomb < position + maxRecords) {
                        bombsRead++;
                        throw new OutOfMemoryError("as a bomb would");
                    }
                }
            }
            ConsumerRecords<byte[], byte[]> records = super.poll(timeout);
            records.forEach(
                    record -> polled.put(new TopicPartition(record.topic(), record.partition()), record.offset() + 1));
            return records;
        }

        // Kafka's mock forgets what it handed out; a real consumer that seeks back reads it again.
        @Override
        public synchronized void seek(TopicPartition partition, long offset) {
            super.seek(partition, offset);
            long end = polled.getOrDefault(partition, 0L);
            for (long again = offset; again < end; again++) {
                addRecord(logs.get(partition).get((int) again));
            }
        }
    }
}
