package dev.muster.ingest.map;

import dev.muster.schemas.event.QueueSpec;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;

/** A Volcano Queue (scheduling.volcano.sh/v1beta1). */
public final class QueueMapper {

    private QueueMapper() {}

    /** The facts of {@code object}. */
    public static Mapped<QueueSpec> map(GenericKubernetesResource object) {
        Problems problems = new Problems();
        Tree root = Tree.of(object, problems);
        Tree spec = root.child("spec");
        String state = root.child("status").text("state");
        QueueSpec facts = QueueSpec.newBuilder()
                .setWeight(spec.number("weight", 1, 1, Integer.MAX_VALUE))
                .setParent(spec.text("parent"))
                .setReclaimable(spec.flag("reclaimable", true))
                .setCapability(Quantities.list(spec.amounts("capability")))
                .setDeserved(Quantities.list(spec.amounts("deserved")))
                .setGuarantee(Quantities.list(spec.child("guarantee").amounts("resource")))
                .setOpen(!state.equals("Closed") && !state.equals("Closing"))
                .setPriority(spec.number("priority", 0, Integer.MIN_VALUE, Integer.MAX_VALUE))
                .build();
        return Mapped.strict(facts, problems);
    }
}
