package dev.muster.standalone.replay;

import dev.muster.schemas.common.Change;
import dev.muster.schemas.common.Origin;
import dev.muster.schemas.common.PodRequirement;
import dev.muster.schemas.common.Quantity;
import dev.muster.schemas.event.GroupEvent;
import dev.muster.schemas.event.GroupRef;
import dev.muster.schemas.event.GroupSpec;
import dev.muster.schemas.event.MatchPolicy;
import dev.muster.schemas.event.NodeEvent;
import dev.muster.schemas.event.NodeSpec;
import dev.muster.schemas.event.PodEvent;
import dev.muster.schemas.event.PodSpec;
import dev.muster.schemas.event.PolicyEvent;
import dev.muster.schemas.serde.AvroSerde;
import dev.muster.schemas.serde.SchemaRegistry;
import dev.muster.schemas.topic.Topics;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/** What an ingest would tell of a small cluster: nodes of 8 GPUs, gangs of two pods. */
final class ClusterNews {
    private static final String CLUSTER = "east";

    private final String domain;

    ClusterNews(String domain) {
        this.domain = domain;
    }

    /** A record that knows its topic. */
    record Item(SpecificRecord record) {
        String topic(Topics topics) {
            return switch (record) {
                case NodeEvent e -> topics.nodes();
                case PodEvent e -> topics.pods();
                case PolicyEvent e -> topics.policies();
                default -> topics.workloads();
            };
        }

        byte[] encode(SchemaRegistry registry, String topic) {
            return encode(registry, topic, record.getClass());
        }

        private <T extends SpecificRecord> byte[] encode(SchemaRegistry registry, String topic, Class<T> type) {
            try (AvroSerde<T> serde = new AvroSerde<>(registry, type)) {
                return serde.serializer().serialize(topic, type.cast(record));
            }
        }
    }

    /** The cluster's first list: nodes, and nothing else yet. */
    List<Item> nodes(int count) {
        List<Item> items = new ArrayList<>();
        items.add(new Item(new NodeEvent(bracket(Change.RESYNC_BEGIN), null)));
        for (int i = 0; i < count; i++) {
            List<Quantity> allocatable = List.of(
                    new Quantity("cpu", 64_000L), new Quantity("nvidia.com/gpu", 8L), new Quantity("pods", 110L));
            items.add(new Item(new NodeEvent(
                    origin("", "n" + i), new NodeSpec(List.of(), List.of(), false, true, allocatable, 0, List.of()))));
        }
        items.add(new Item(new NodeEvent(bracket(Change.RESYNC_END), null)));
        items.add(new Item(new PodEvent(bracket(Change.RESYNC_BEGIN), null)));
        items.add(new Item(new PodEvent(bracket(Change.RESYNC_END), null)));
        for (String kind : List.of("VolcanoPodGroup", "PodGroup", "VolcanoJob")) {
            items.add(new Item(new GroupEvent(bracket(Change.RESYNC_BEGIN), kind, null)));
            items.add(new Item(new GroupEvent(bracket(Change.RESYNC_END), kind, null)));
        }
        for (String kind : List.of("VolcanoQueue", "PriorityClass")) {
            items.add(new Item(new PolicyEvent(bracket(Change.RESYNC_BEGIN), kind, null)));
            items.add(new Item(new PolicyEvent(bracket(Change.RESYNC_END), kind, null)));
        }
        return items;
    }

    List<Item> gangs(int from, int to) {
        List<Item> items = new ArrayList<>();
        for (int gang = from; gang < to; gang++) {
            String name = "g" + gang;
            items.add(new Item(new GroupEvent(origin("ml", name), "PodGroup", group())));
            for (int pod = 0; pod < 2; pod++) {
                items.add(new Item(new PodEvent(origin("ml", name + "-" + pod), pod(name, pod))));
            }
        }
        return items;
    }

    private static GroupSpec group() {
        return GroupSpec.newBuilder()
                .setMatchPolicy(MatchPolicy.WAITING_AND_RUNNING)
                .setStartsWith(List.of())
                .setTree(List.of())
                .setMinMember(2)
                .setTasks(List.of())
                .setSubGroups(List.of())
                .build();
    }

    private static PodSpec pod(String gang, int index) {
        PodRequirement requirement = PodRequirement.newBuilder()
                .setRequests(List.of(
                        new Quantity("cpu", 1_000L), new Quantity("nvidia.com/gpu", 2L), new Quantity("pods", 1L)))
                .build();
        return new PodSpec(
                "muster",
                true,
                "Pending",
                "",
                false,
                false,
                0,
                true,
                new GroupRef("PodGroup", gang),
                "",
                index,
                "",
                requirement,
                List.of(),
                "",
                0L,
                List.of(),
                false,
                List.of(),
                0L,
                0L);
    }

    private Origin bracket(Change change) {
        return new Origin(domain, CLUSTER, 1L, change, "", "", "", 0L);
    }

    private Origin origin(String namespace, String name) {
        return new Origin(domain, CLUSTER, 1L, Change.UPSERT, namespace, name, "uid-" + name, 1L);
    }
}
