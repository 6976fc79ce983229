package dev.muster.schemas.serde;

import java.util.List;

/** Where a registry's changes are kept. Used by one thread at a time. */
interface RegistryLog extends AutoCloseable {
    /**
     * Reads the log to its end; entries are added after that.
     *
     * @throws org.apache.kafka.common.KafkaException when that fails; it may be tried again
     */
    List<RegistryEntry> open();

    /**
     * Adds an entry; when this returns it is safe.
     *
     * @throws org.apache.kafka.common.KafkaException when it may not be: open the log again before the next one
     */
    void append(RegistryEntry entry);

    @Override
    void close();

    /** A log that forgets. */
    static RegistryLog none() {
        return new RegistryLog() {
            @Override
            public List<RegistryEntry> open() {
                return List.of();
            }

            @Override
            public void append(RegistryEntry entry) {
                // The state in memory is all there is.
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
    }
}
