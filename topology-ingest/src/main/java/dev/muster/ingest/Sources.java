package dev.muster.ingest;

import dev.muster.ingest.watch.FirstServed;
import dev.muster.ingest.watch.KubernetesListWatch;
import dev.muster.ingest.watch.ListWatch;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;
import java.util.stream.Stream;

/** Where the objects of each kind are listed and watched. */
public interface Sources {

    /** Objects of a kind that fabric8 has a class for. */
    <T extends HasMetadata> ListWatch<T> core(Class<T> type);

    /** Objects of any other kind. */
    ListWatch<GenericKubernetesResource> custom(ResourceDefinitionContext type);

    /** The same of a kind that an older server knows by an older version only: of the first that is there. */
    default ListWatch<GenericKubernetesResource> custom(
            ResourceDefinitionContext type, List<ResourceDefinitionContext> older) {
        return custom(type);
    }

    /** All namespaces of a cluster that a client reaches, in pages of that size. */
    static Sources of(KubernetesClient client, int pageSize) {
        return new Sources() {
            @Override
            public <T extends HasMetadata> ListWatch<T> core(Class<T> type) {
                return new KubernetesListWatch<>(client.resources(type).inAnyNamespace(), pageSize);
            }

            @Override
            public ListWatch<GenericKubernetesResource> custom(ResourceDefinitionContext type) {
                return new KubernetesListWatch<>(
                        client.genericKubernetesResources(type).inAnyNamespace(), pageSize);
            }

            @Override
            public ListWatch<GenericKubernetesResource> custom(
                    ResourceDefinitionContext type, List<ResourceDefinitionContext> older) {
                return new FirstServed<>(Stream.concat(Stream.of(type), older.stream())
                        .map(this::custom)
                        .toList());
            }
        };
    }
}
