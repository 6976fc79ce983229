package dev.muster.ingest.map;

import dev.muster.schemas.event.NamespaceSpec;
import io.fabric8.kubernetes.api.model.Namespace;

/** A Namespace: its labels, by which affinity terms choose namespaces. */
public final class NamespaceMapper {

    private NamespaceMapper() {}

    /** The facts of {@code object}. */
    public static Mapped<NamespaceSpec> map(Namespace object) {
        Problems problems = new Problems();
        Selectors selectors = new Selectors(problems);
        NamespaceSpec facts =
                new NamespaceSpec(selectors.labels(object.getMetadata().getLabels(), "metadata.labels", Limits.LABELS));
        return Mapped.strict(facts, problems);
    }
}
