package dev.muster.ingest.watch;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Optional;

/** The lease as a coordination.k8s.io/v1 Lease of the member cluster; the epoch is an annotation of it. */
public final class KubernetesLeaseStore implements LeaseStore {

    /** Annotation of the Lease: how often it was taken over. */
    public static final String EPOCH = "muster.dev/epoch";

    private final KubernetesClient client;
    private final String namespace;
    private final String name;
    private final Clock clock;

    /** A lease {@code name} in {@code namespace}; {@code clock} only writes times for people to read. */
    public KubernetesLeaseStore(KubernetesClient client, String namespace, String name, Clock clock) {
        this.client = client;
        this.namespace = namespace;
        this.name = name;
        this.clock = clock;
    }

    @Override
    public Optional<Stored> read() {
        try {
            return Optional.ofNullable(client.leases()
                            .inNamespace(namespace)
                            .withName(name)
                            .get())
                    .map(KubernetesLeaseStore::stored);
        } catch (KubernetesClientException e) {
            throw KubernetesListWatch.classify(e);
        }
    }

    private static Stored stored(Lease lease) {
        var spec = lease.getSpec();
        Map<String, String> annotations = lease.getMetadata().getAnnotations();
        String epoch = annotations == null ? "0" : annotations.getOrDefault(EPOCH, "0");
        if (!epoch.matches("[0-9]{1,18}")) {
            throw new SourceException(
                    SourceException.Kind.UNAVAILABLE, "annotation " + EPOCH + " of the lease is no number: " + epoch);
        }
        return new Stored(
                spec == null || spec.getHolderIdentity() == null ? "" : spec.getHolderIdentity(),
                Long.parseLong(epoch),
                spec == null || spec.getLeaseDurationSeconds() == null ? 0 : spec.getLeaseDurationSeconds(),
                spec == null ? "" : String.valueOf(spec.getRenewTime()),
                lease.getMetadata().getResourceVersion());
    }

    @Override
    public boolean write(String holder, long epoch, int durationSeconds, String resourceVersion) {
        Lease lease = new LeaseBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .withResourceVersion(resourceVersion.isEmpty() ? null : resourceVersion)
                .addToAnnotations(EPOCH, Long.toString(epoch))
                .addToLabels("app.kubernetes.io/managed-by", "muster")
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity(holder)
                .withLeaseDurationSeconds(durationSeconds)
                .withRenewTime(ZonedDateTime.now(clock.withZone(ZoneOffset.UTC)))
                .endSpec()
                .build();
        try {
            var resource = client.leases().inNamespace(namespace).resource(lease);
            if (resourceVersion.isEmpty()) {
                resource.create();
            } else {
                resource.update();
            }
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == 409) {
                return false;
            }
            throw KubernetesListWatch.classify(e);
        }
    }
}
