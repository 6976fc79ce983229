package dev.muster.standalone.faults;

import dev.muster.standalone.cluster.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * An idempotent producer of {@link MemoryKafka}. What is sent lingers in its buffer for a while, in order; a process that
 * is killed takes the buffer along.
 */
final class MemoryProducer extends MockProducer<String, byte[]> {
    private record Sent(
            ProducerRecord<String, byte[]> record, Callback callback, CompletableFuture<RecordMetadata> done) {}

    private final MemoryKafka kafka;
    private final VirtualTime time;
    private final LongSupplier lingerMillis;
    private final Deque<Sent> buffer = new ArrayDeque<>();
    private boolean killed;
    private boolean held;

    /** A producer whose records linger as long as {@code lingerMillis} says; at 0 they are written when they are sent. */
    MemoryProducer(MemoryKafka kafka, VirtualTime time, LongSupplier lingerMillis) {
        super(true, null, new StringSerializer(), new ByteArraySerializer());
        this.kafka = kafka;
        this.time = time;
        this.lingerMillis = lingerMillis;
    }

    @Override
    public synchronized Future<RecordMetadata> send(ProducerRecord<String, byte[]> record) {
        return send(record, null);
    }

    @Override
    public synchronized Future<RecordMetadata> send(ProducerRecord<String, byte[]> record, Callback callback) {
        Sent sent = new Sent(record, callback, new CompletableFuture<>());
        if (killed) {
            throw new IllegalStateException("a process that was killed sends nothing");
        }
        buffer.add(sent);
        long linger = lingerMillis.getAsLong();
        if (linger == 0 && !held) {
            flush();
        } else if (buffer.size() == 1) {
            time.after(Duration.ofMillis(linger), this::lingered);
        }
        return sent.done();
    }

    private void lingered() {
        if (!held) {
            flush();
        }
    }

    /** While the process is paused nothing leaves its buffer. */
    void hold(boolean on) {
        held = on;
        if (!on) {
            flush();
        }
    }

    /** The process is gone, and what it had not sent yet. */
    void kill() {
        killed = true;
        buffer.clear();
    }

    @Override
    public synchronized void flush() {
        while (!buffer.isEmpty()) {
            Sent sent = buffer.poll();
            ProducerRecord<String, byte[]> record = sent.record();
            long offset = kafka.append(record.topic(), record.key(), record.value());
            RecordMetadata metadata =
                    new RecordMetadata(new TopicPartition(record.topic(), 0), offset, 0, time.nowMillis(), 0, 0);
            sent.done().complete(metadata);
            if (sent.callback() != null) {
                sent.callback().onCompletion(metadata, null);
            }
        }
    }

    @Override
    public void close() {
        flush();
    }

    @Override
    public void close(Duration timeout) {
        flush();
    }
}
