package dev.muster.ingest.intake;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;

/** Makes the Kafka clients of a session. The seam at which tests put mocks. */
interface IntakeClients {

    /** The transactional producer. */
    Producer<String, byte[]> producer();

    /**
     * A consumer for one tenant's commands: bounded fetches, starts at the earliest command that was not answered.
     *
     * @param maxRecords most records of one poll
     */
    Consumer<byte[], byte[]> tenantConsumer(String tenant, int maxRecords);

    /** A consumer for a trusted topic; {@code purpose} names it in logs. */
    Consumer<byte[], byte[]> trustedConsumer(String purpose);
}
