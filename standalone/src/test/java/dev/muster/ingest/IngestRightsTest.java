package dev.muster.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.ingest.watch.ListWatch;
import dev.muster.schemas.topic.Topics;
import dev.muster.standalone.services.GrantedRights;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The roles in deploy/kubernetes give an ingest exactly the rights for the kinds that it watches, and for its Lease. */
class IngestRightsTest {
    private final Set<String> used = new TreeSet<>();

    private final class Recording implements Sources {
        @Override
        public <T extends HasMetadata> ListWatch<T> core(Class<T> type) {
            watched(HasMetadata.getPlural(type), HasMetadata.getGroup(type));
            return null;
        }

        @Override
        public ListWatch<GenericKubernetesResource> custom(ResourceDefinitionContext type) {
            watched(type.getPlural(), type.getGroup());
            return null;
        }

        @Override
        public ListWatch<GenericKubernetesResource> custom(
                ResourceDefinitionContext type, List<ResourceDefinitionContext> older) {
            older.forEach(this::custom);
            return custom(type);
        }

        private void watched(String plural, String group) {
            String resource = plural + (group.isEmpty() ? "" : "." + group);
            used.addAll(List.of("list " + resource, "watch " + resource));
        }
    }

    @Test
    void theRolesAllowWhatTheIngestDoesAndNothingElse() {
        Kinds.of(IngestConfig.of("default", "east"), Topics.DEFAULT, new Recording());
        // Its Lease (KubernetesLeaseStore) is read, made once and renewed.
        for (String verb : List.of("get", "create", "update")) {
            used.add(verb + " leases.coordination.k8s.io");
        }
        assertThat(GrantedRights.in("ingest.yaml")).isEqualTo(used);
    }
}
