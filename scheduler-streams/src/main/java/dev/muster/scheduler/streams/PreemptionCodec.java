package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.model.PreemptionPolicy;
import dev.muster.scheduler.core.model.PreemptionPolicy.Ceiling;
import dev.muster.scheduler.core.model.PreemptionPolicy.Fence;
import dev.muster.schemas.event.PreemptionSpec;
import dev.muster.schemas.event.PriorityCeiling;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The guards of preemption, as part of the operator's policy. */
public final class PreemptionCodec {
    private static final List<String> FENCES =
            Arrays.stream(Fence.values()).map(PreemptionCodec::write).toList();
    private static final int MOST = 1_000_000_000;
    private static final long LONGEST_MILLIS = 7 * 86_400_000L;

    private PreemptionCodec() {}

    static PreemptionPolicy read(PreemptionSpec from) {
        return new PreemptionPolicy(
                from.getEnabled(),
                Fence.valueOf(Checks.oneOf("fence", from.getFence(), FENCES).toUpperCase(Locale.ROOT)),
                Checks.between("evictionsPerQueue", from.getEvictionsPerQueue(), 0, MOST),
                Checks.between("evictionsPerQueuePerHour", from.getEvictionsPerQueuePerHour(), 0, MOST),
                Checks.between("evictionsPerDomain", from.getEvictionsPerDomain(), 0, MOST),
                Checks.between("evictionsPerDomainPerHour", from.getEvictionsPerDomainPerHour(), 0, MOST),
                Checks.between("minimumRuntimeMillis", from.getMinimumRuntimeMillis(), 0, LONGEST_MILLIS),
                Checks.between("cascadeDepth", from.getCascadeDepth(), 0, MOST),
                Checks.between("cycleMemoryMillis", from.getCycleMemoryMillis(), 0, LONGEST_MILLIS),
                Checks.between("failedStarts", from.getFailedStarts(), 0, MOST),
                Checks.each("protectedClasses", from.getProtectedClasses(), Checks.ENTRIES, PreemptionCodec::className),
                Checks.each("ceilings", from.getCeilings(), Checks.ENTRIES, PreemptionCodec::ceiling),
                Checks.between("roomKeptMillis", from.getRoomKeptMillis(), 1, LONGEST_MILLIS),
                Checks.each("protectedLabels", from.getProtectedLabels(), Checks.ENTRIES, PreemptionCodec::className));
    }

    private static String className(String name) {
        return Checks.name("name", name);
    }

    private static Ceiling ceiling(PriorityCeiling from) {
        return new Ceiling(Checks.name("namespace", from.getNamespace()), from.getPriority());
    }

    /** The guards as the operator's record states them. */
    public static PreemptionSpec write(PreemptionPolicy from) {
        return new PreemptionSpec(
                from.enabled(),
                write(from.fence()),
                from.evictionsPerQueue(),
                from.evictionsPerQueuePerHour(),
                from.evictionsPerDomain(),
                from.evictionsPerDomainPerHour(),
                from.minimumRuntimeMillis(),
                from.cascadeDepth(),
                from.cycleMemoryMillis(),
                from.failedStarts(),
                from.protectedClasses(),
                Checks.map(from.ceilings(), ceiling -> new PriorityCeiling(ceiling.namespace(), ceiling.priority())),
                from.roomKeptMillis(),
                from.protectedLabels());
    }

    private static String write(Fence fence) {
        return fence.name().charAt(0) + fence.name().substring(1).toLowerCase(Locale.ROOT);
    }
}
