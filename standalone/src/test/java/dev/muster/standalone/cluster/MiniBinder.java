package dev.muster.standalone.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.List;

/** The smallest scheduler there is: every pod goes to one node, every Volcano group may go ahead. */
final class MiniBinder implements AutoCloseable {

    private final List<SharedIndexInformer<?>> informers = new ArrayList<>();

    MiniBinder(KubernetesClient client, String node) {
        informers.add(client.pods().inAnyNamespace().inform(new Handler<Pod>() {
            @Override
            void seen(Pod pod) {
                if (pod.getSpec().getNodeName() == null) {
                    quietly(() -> Manifests.bind(client, pod, node));
                }
            }
        }));
        var groups = client.genericKubernetesResources(new ResourceDefinitionContext.Builder()
                .withGroup("scheduling.volcano.sh")
                .withVersion("v1beta1")
                .withPlural("podgroups")
                .withKind("PodGroup")
                .withNamespaced(true)
                .build());
        informers.add(groups.inAnyNamespace().inform(new Handler<GenericKubernetesResource>() {
            @Override
            void seen(GenericKubernetesResource group) {
                if (!group.getAdditionalProperties().containsKey("status")) {
                    quietly(() -> groups.inNamespace(group.getMetadata().getNamespace())
                            .withName(group.getMetadata().getName())
                            .subresource("status")
                            .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"phase\":\"Inqueue\"}}"));
                }
            }
        }));
    }

    private abstract static class Handler<T> implements ResourceEventHandler<T> {
        abstract void seen(T object);

        @Override
        public void onAdd(T object) {
            seen(object);
        }

        @Override
        public void onUpdate(T old, T object) {
            seen(object);
        }

        @Override
        public void onDelete(T object, boolean unknown) {
            // nothing was promised to it
        }

        /** A newer version of the object will come by, or it is gone. */
        static void quietly(Runnable call) {
            try {
                call.run();
            } catch (KubernetesClientException e) {
                if (e.getCode() != 409 && e.getCode() != 404) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void close() {
        informers.forEach(SharedIndexInformer::close);
    }
}
