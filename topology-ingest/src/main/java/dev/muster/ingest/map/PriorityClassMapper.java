package dev.muster.ingest.map;

import dev.muster.schemas.event.PriorityClassSpec;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;

/** A PriorityClass (scheduling.k8s.io/v1). */
public final class PriorityClassMapper {

    private PriorityClassMapper() {}

    /** The facts of {@code object}. */
    public static Mapped<PriorityClassSpec> map(PriorityClass object) {
        return Mapped.of(PriorityClassSpec.newBuilder()
                .setValue(object.getValue() == null ? 0 : object.getValue())
                .setGlobalDefault(Boolean.TRUE.equals(object.getGlobalDefault()))
                .setMayPreempt(!"Never".equals(object.getPreemptionPolicy()))
                .build());
    }
}
