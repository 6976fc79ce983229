package dev.muster.standalone.cluster;

import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;

/** Small objects for the tests of this package. */
final class Manifests {

    private Manifests() {}

    static Node node(String name, int cpus, int gpus) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewStatus()
                .withCapacity(Map.of(
                        "cpu", new Quantity(Integer.toString(cpus)),
                        "memory", new Quantity("64Gi"),
                        "pods", new Quantity("110"),
                        "nvidia.com/gpu", new Quantity(Integer.toString(gpus))))
                .endStatus()
                .build();
    }

    static Pod pod(String name, int cpus) {
        return pod(name, cpus, 0, Map.of());
    }

    static Pod pod(String name, int cpus, int gpus, Map<String, String> annotations) {
        Map<String, Quantity> limits = gpus == 0
                ? Map.of("cpu", new Quantity(Integer.toString(cpus)))
                : Map.of(
                        "cpu",
                        new Quantity(Integer.toString(cpus)),
                        "nvidia.com/gpu",
                        new Quantity(Integer.toString(gpus)));
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .withLabels(Map.of("app", name.replaceAll("-.*", "")))
                .withAnnotations(annotations)
                .endMetadata()
                .withNewSpec()
                .withSchedulerName("muster")
                .withTerminationGracePeriodSeconds(30L)
                .addNewContainer()
                .withName("main")
                .withImage("train:1")
                .withNewResources()
                .withLimits(limits)
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    static Binding binding(Pod pod, String node) {
        return new BindingBuilder()
                .withNewMetadata()
                .withName(pod.getMetadata().getName())
                .withNamespace(pod.getMetadata().getNamespace())
                .withUid(pod.getMetadata().getUid())
                .withResourceVersion(pod.getMetadata().getResourceVersion())
                .withAnnotations(Map.of("muster.dev/decision", "d-1"))
                .endMetadata()
                .withNewTarget()
                .withKind("Node")
                .withName(node)
                .endTarget()
                .build();
    }

    static void bind(KubernetesClient client, Pod pod, String node) {
        bind(client, binding(pod, node));
    }

    static void bind(KubernetesClient client, Binding binding) {
        client.raw(
                "/api/v1/namespaces/" + binding.getMetadata().getNamespace() + "/pods/"
                        + binding.getMetadata().getName() + "/binding",
                "POST",
                binding);
    }

    static Pod get(KubernetesClient client, String name) {
        return client.pods().inNamespace("default").withName(name).get();
    }

    static Pod create(KubernetesClient client, Pod pod) {
        return client.pods().inNamespace("default").resource(pod).create();
    }
}
