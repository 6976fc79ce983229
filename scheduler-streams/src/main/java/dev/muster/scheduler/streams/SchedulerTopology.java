package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.state.Row;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * All input topics into one processor, out to all output topics: one hop, one task per partition, which is one domain.
 * Values pass as bytes: they are decoded and encoded inside the processor, so that whatever goes wrong there is part of
 * the same transaction.
 */
final class SchedulerTopology {
    private static final String EVENTS = "events";
    private static final String DOMAIN = "domain";

    private SchedulerTopology() {}

    static Topology of(DomainSetup setup) {
        return of(setup, Store::builderOf);
    }

    /** The topology with stores of one's own. */
    static Topology of(DomainSetup setup, Function<Row.Table, StoreBuilder<?>> stores) {
        Topology topology = new Topology();
        topology.addSource(
                // A position that is gone stops the process. Where a fresh application starts is written down before it
                // starts, see Preflight.
                AutoOffsetReset.none(),
                EVENTS,
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer(),
                Inputs.namesOf(setup.topics()).toArray(String[]::new));
        topology.addProcessor(DOMAIN, new Supplier(setup, stores), EVENTS);
        Outputs.addSinks(topology, setup.topics(), DOMAIN);
        return topology;
    }

    private record Supplier(DomainSetup setup, Function<Row.Table, StoreBuilder<?>> builders)
            implements ProcessorSupplier<byte[], byte[], Outputs.Routed, byte[]> {
        @Override
        public Processor<byte[], byte[], Outputs.Routed, byte[]> get() {
            return new DomainProcessor(setup);
        }

        @Override
        public Set<StoreBuilder<?>> stores() {
            Set<StoreBuilder<?>> stores = new LinkedHashSet<>();
            for (Row.Table table : Row.Table.values()) {
                stores.add(builders.apply(table));
            }
            stores.add(TopicPins.builder());
            return stores;
        }
    }
}
