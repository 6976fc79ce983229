package dev.muster.standalone.stack;

import io.fabric8.kubernetes.client.Config;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What one process runs.
 *
 * @param domain the scheduling domain
 * @param dataDir state of the embedded broker and of the scheduler
 * @param bootstrapServers a Kafka cluster to use; empty starts one in {@code dataDir}
 * @param schemaRegistry a schema registry to use; empty starts one that keeps its schemas in Kafka
 * @param members the member clusters
 */
public record StackConfig(
        String domain,
        Path dataDir,
        Optional<String> bootstrapServers,
        Optional<URI> schemaRegistry,
        List<Member> members) {
    /** The domain of an installation that needs no more than one. */
    public static final String DEFAULT_DOMAIN = "default";

    /** A member cluster: its name in the domain, and how to reach it. */
    public record Member(String name, Config kubernetes) {}

    public StackConfig {
        members = List.copyOf(members);
    }

    /** Embedded broker and registry, no members yet. */
    public static StackConfig embedded(Path dataDir) {
        return new StackConfig(DEFAULT_DOMAIN, dataDir, Optional.empty(), Optional.empty(), List.of());
    }

    /** The same with a further member. */
    public StackConfig withMember(Member member) {
        List<Member> more = new ArrayList<>(members);
        more.add(member);
        return new StackConfig(domain, dataDir, bootstrapServers, schemaRegistry, more);
    }
}
