package dev.muster.service;

import io.fabric8.kubernetes.client.Config;
import java.nio.file.Files;
import java.nio.file.Path;

/** How a member cluster is reached; only for services that have the Kubernetes client themselves. */
public final class Kubeconfig {
    public static final Key<Path> FILE = Key.optional(
            "kubeconfig",
            Kind.path(),
            "how to reach the member cluster; unless set, the pod's service account, or the user's own kubeconfig");
    public static final Key<String> CONTEXT =
            Key.optional("kubeconfig.context", Kind.text(), "context in the kubeconfig; its current one unless set");

    private Kubeconfig() {}

    /** The client's settings; null where something is wrong, which the values have been told. */
    public static Config read(Values values) {
        Path file = values.get(FILE);
        String context = values.get(CONTEXT);
        if (file == null) {
            return values.isGiven(FILE) ? null : Config.autoConfigure(context);
        }
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            values.refuse(FILE.name() + ": " + file + " cannot be read");
            return null;
        }
        try {
            Config config = context == null
                    ? Config.fromKubeconfig(file.toFile())
                    : Config.fromKubeconfig(context, file.toFile());
            String current = config.getCurrentContext() == null
                    ? null
                    : config.getCurrentContext().getName();
            if (context != null && !context.equals(current)) {
                values.refuse(CONTEXT.name() + ": " + file + " has no context '" + context + "'");
                return null;
            }
            return config;
        } catch (RuntimeException e) {
            // The reader's own messages are about its classes.
            values.refuse(
                    FILE.name() + ": " + file + " is no kubeconfig, expected YAML with clusters, users, contexts");
            return null;
        }
    }
}
